import { denseNumeralAt, inflectedNumber, keyAt, numeralAt, rounded, scaleOf } from './numerals.ts'
import type { Reading, Token } from './tokens.ts'
import { type Unit, unitAround } from './units.ts'
import type { Form, Lexicon } from './words.ts'

/** A number that a text states. */
export interface Quantity {
  /** In one way of writing: decimals with a point, hours of the day from 0 to 24. */
  readonly value: string
  /** As the text says it, where that differs, as hours do before and after noon. */
  readonly spoken: string
  /** The number without the word that makes it larger; undefined where there is none. */
  readonly unscaled: string | undefined
  readonly unit: Unit | undefined
  /** Hours that are said without saying which half of the day. */
  readonly isHalfDay: boolean
  /**
   * Whether the word may as well count nothing, as an article or the name of a month: it stands for the same number in the
   * other text, but differs from another only in the same place.
   */
  readonly isWeak: boolean
  /** Whether the word tells the place in an order, or how often. */
  readonly isOrdinal: boolean
  /** Its first token, and the one after its last. */
  readonly from: number
  readonly to: number
}

type Found = Pick<Quantity, 'value' | 'from' | 'to'> & Partial<Quantity>

/** The numbers of a text, by digits, words and names of months, in order. */
export function quantitiesOf({ text, tokens }: Reading, lexicon: Lexicon | undefined): Quantity[] {
  const found: Found[] = []
  for (let at = 0; at < tokens.length; ) {
    const here =
      tokens[at]?.kind === 'number'
        ? (fractionAt(text, tokens, at, lexicon) ?? priceAt(tokens, at) ?? digitsAt(text, tokens, at))
        : lexicon === undefined
          ? []
          : lexicon.isDense
            ? (halfDenseAt(text, tokens, at) ?? denseAt(tokens, at, lexicon))
            : (halfAt(text, tokens, at, lexicon) ?? wordsAt(text, tokens, at, lexicon))
    const scaled =
      here.length === 1
        ? here.map((each) => withHalf(text, tokens, scale(text, tokens, each, lexicon), lexicon))
        : here
    const signed = isNegative(tokens, at) ? scaled.map(negate) : scaled
    found.push(...(isHalf(tokens[at - 1], lexicon) ? signed.flatMap(beforeHalf) : signed))
    at = Math.max(at + 1, scaled.at(-1)?.to ?? 0)
  }
  return found.map(({ value, from, to, ...more }) => ({
    value,
    spoken: more.spoken ?? value,
    unscaled: more.unscaled,
    unit: more.unit,
    isHalfDay: more.isHalfDay ?? false,
    isWeak: more.isWeak ?? false,
    isOrdinal: more.isOrdinal ?? false,
    from,
    to,
  }))
}

/** Words for the sign, and those that are one before degrees alone. */
const minusWords = new Set('minus минус мінус'.split(' '))
const belowZero = new Set('moins menos meno'.split(' '))

/** Whether a minus stands before a number, or before the sign of its currency, or a word for it. */
function isNegative(tokens: readonly Token[], at: number): boolean {
  const [last, word = ''] = [tokens[at - 2]?.key, tokens[at - 1]?.key]
  if (tokens[at]?.kind === 'number' && (minusWords.has(word) || (last === '零' && word === '下'))) return true
  if (belowZero.has(word) && /^(?:°|grad|degr)/.test(tokens[at + 1]?.key ?? '')) return true
  const before = /^\p{Sc}$/u.test(tokens[at - 1]?.raw ?? '') ? at - 2 : at - 1
  return tokens[at]?.kind === 'number' && isMinus(tokens[before]) && (tokens[before + 1]?.isGlued ?? false)
}
export const isMinus = (token: Token | undefined): boolean => /^[–-]$/.test(token?.raw ?? '')
const negate = (number: Found): Found => ({
  ...number,
  value: number.value === '0' ? '0' : `-${number.value}`,
  spoken: `-${number.spoken ?? number.value}`,
  unscaled: number.unscaled === undefined ? undefined : `-${number.unscaled}`,
  isHalfDay: false,
})

/**
 * A letter that makes the number before it larger: 20k, 3M. Away from the number, or small for a million, it does so before a
 * currency alone: five m are metres, three m euros millions.
 */
function letterScaleOf({ raw, isGlued }: Token, unit: Unit | undefined): number | undefined {
  if (!/^[kKmM]$/.test(raw) || !((isGlued && raw !== 'm') || unit?.dimension === 'currency')) return undefined
  return raw.toLowerCase() === 'k' ? 1e3 : 1e6
}

/** A number with the word after it that makes it larger: two million. */
function scale(text: string, tokens: readonly Token[], number: Found, lexicon: Lexicon | undefined): Found {
  const next = tokens[number.to]
  if (next === undefined) return number
  const unit = unitAround('', text.slice(next.end, next.end + 32))
  const letter = letterScaleOf(next, unit)
  const factor = letter ?? scaleOf(next.key, lexicon)
  const value = Number(number.value) * (factor ?? Number.NaN)
  if (!Number.isFinite(value)) return number
  // A letter for a million looks like metres.
  const own = letter !== undefined && number.unit?.dimension === 'length' ? undefined : number.unit
  return {
    value: rounded(value),
    unscaled: number.value,
    unit: own ?? unit,
    from: number.from,
    to: number.to + 1,
  }
}

/** Words before which a fraction is one, and no date, although they are frequent. */
const partitives = new Set('of de des du von der di do del dello della van'.split(' '))

/** A half, two thirds and the like, also after a whole number; what is no part of a thing is taken for a date. */
function fractionAt(
  text: string,
  tokens: readonly Token[],
  at: number,
  lexicon: Lexicon | undefined,
): Found[] | undefined {
  const [here, next] = [tokens[at], tokens[at + 1]]
  const isWhole = /^\d{1,3}$/.test(here?.raw ?? '') && next !== undefined && !next.isSetOff
  const last = isWhole && /^[1-7]\/[2-8]$/.test(next.raw) ? at + 1 : at
  const [top = 0, bottom = 0] = /^[1-7]\/[2-8]$/.test(tokens[last]?.raw ?? '')
    ? (tokens[last] as Token).raw.split('/').map(Number)
    : []
  const after = tokens[last + 1]
  if (top >= bottom || after?.kind !== 'word' || after.isSetOff || after.isFirst) return undefined
  if (lexicon?.common.has(after.key) && !partitives.has(after.key)) return undefined
  const value = (last > at ? Number(here?.raw) : 0) + top / bottom
  const { end } = tokens[last] as Token
  return [{ value: rounded(value), unit: unitAround('', text.slice(end, end + 32)), from: at, to: last + 1 }]
}

/** Half seven is half past six, in German and its neighbours. */
const halves: Readonly<Record<string, string>> = { de: 'halb', nl: 'half', sv: 'halv', da: 'halv' }
const isHalf = (token: Token | undefined, lexicon: Lexicon | undefined): boolean =>
  token !== undefined && token.key === halves[lexicon?.code ?? '']
const beforeHalf = (hour: Found): Found[] => [
  { ...hour, value: String(Number(hour.value) - 1), isHalfDay: true },
  { value: '30', from: hour.from, to: hour.to },
]

/** The unit behind a token. */
const unitBehind = (text: string, tokens: readonly Token[], at: number): Unit | undefined => {
  const { end } = tokens[at] as Token
  return unitAround('', text.slice(end, end + 32))
}

/** Half a unit: half an hour; a half of anything else says no number. */
function halfAt(text: string, tokens: readonly Token[], at: number, lexicon: Lexicon): Found[] | undefined {
  if (!lexicon.halves.has(keyAt(tokens, at, lexicon))) return undefined
  const to = lexicon.ones.has(keyAt(tokens, at + 1, lexicon)) ? at + 2 : at + 1
  const unit = unitBehind(text, tokens, to - 1)
  return unit === undefined ? undefined : [{ value: '0.5', unit, from: at, to }]
}

/** Where "an hour and a half" may be half past one as well. */
const languagesOfHalfPast = new Set(['fr', 'es', 'it', 'pt'])
/** What stands before the half of a unit in Chinese and Japanese, and behind a number with one. */
const denseUnits = '小时|小時|時間|年|月|公斤|斤|公里|週間'
const denseHalf = new RegExp(`^半[个個]?(?=${denseUnits})`, 'u')
const denseAndHalf = new RegExp(
  `^(?:[个個]半(?=${denseUnits})|(?:[个個]?(?:小时|小時)|時間|年|公斤|斤)半)`,
  'u',
)

/** Before a half these say which one. */
const halfOfYear = new Set('上下前后後'.split(''))

function halfDenseAt(text: string, tokens: readonly Token[], at: number): Found[] | undefined {
  const { end, raw } = tokens[at] as Token
  const half = denseHalf.exec(text.slice(end - raw.length, end + 4))?.[0]
  return half === undefined || halfOfYear.has(tokens[at - 1]?.raw ?? '')
    ? undefined
    : [{ value: '0.5', unit: denseUnit(text, end - 1), from: at, to: at + half.length }]
}

/** The first unit behind a place. */
const denseUnit = (text: string, from: number): Unit | undefined => {
  const [unit = ''] = new RegExp(denseUnits, 'u').exec(text.slice(from)) ?? []
  return unitAround('', unit === '月' ? '个月' : unit)
}

/** A number with the half behind it: two and a half hours, an hour and a half. */
function withHalf(
  text: string,
  tokens: readonly Token[],
  number: Found,
  lexicon: Lexicon | undefined,
): Found {
  const { end } = tokens[number.to - 1] as Token
  const value = rounded(Number(number.value) + 0.5)
  if (lexicon === undefined || value === 'NaN' || languagesOfHalfPast.has(lexicon.code)) return number
  const { from } = number
  const dense = lexicon.isDense ? denseAndHalf.exec(text.slice(end, end + 6))?.[0] : undefined
  if (dense !== undefined) return { value, unit: denseUnit(text, end), from, to: number.to + dense.length }
  const [and] = lexicon.joins
  const unit = unitBehind(text, tokens, number.to - 1)
  let to = unit === undefined || keyAt(tokens, number.to, lexicon) === and ? number.to : number.to + 1
  if (keyAt(tokens, to, lexicon) !== and) return number
  to += lexicon.ones.has(keyAt(tokens, to + 1, lexicon)) ? 2 : 1
  if (!lexicon.halves.has(keyAt(tokens, to, lexicon))) return number
  const whole = unit ?? unitBehind(text, tokens, to)
  return whole === undefined ? number : { value, unit: whole, from, to: to + 1 }
}

const meridiem = /^\s?(?<half>[ap])\.?\s?m\b/iu
const meridiemBefore = /(?<am>上午|早上|午前|오전)?(?<pm>下午|晚上|午後|오후)?\s?$/u
const clock = /^\s?(?:uhr|h\b|uur|heures?\b|часов|год\b)/iu

/** The numbers that one token of digits stands for: of a date or a time each part is one. */
function digitsAt(text: string, tokens: readonly Token[], at: number): Found[] {
  const { raw, end } = tokens[at] as Token
  const [before, after] = [
    text.slice(Math.max(0, end - raw.length - 5), end - raw.length),
    text.slice(end, end + 32),
  ]
  const place = { from: at, to: at + 1 }
  const isClock = /^\d{1,2}[:.]\d{2}$/.test(raw) && (raw.includes(':') || clock.test(after))
  const parts = isClock || !isNumber(raw) ? raw.split(/\D/).map(trimmed) : [canonical(raw)]
  const half =
    meridiem.exec(after)?.groups?.half?.toLowerCase() ??
    (meridiemBefore.exec(before)?.groups?.am
      ? 'a'
      : meridiemBefore.exec(before)?.groups?.pm
        ? 'p'
        : undefined)
  const [first = ''] = parts
  const hour = Number(first)
  if (half !== undefined && hour <= 12 && parts.length <= 2) {
    const value = String(half === 'p' ? (hour % 12) + 12 : hour % 12)
    return [{ value, spoken: first, ...place }, ...minutes(parts[1], place)]
  }
  if (isClock) return [{ value: first, isHalfDay: hour <= 12, ...place }, ...minutes(parts[1], place)]
  const unit = parts.length === 1 ? (partUnit(tokens, at) ?? unitAround(before, after)) : undefined
  if (unit === undefined && isNumbering(tokens, at)) return [{ value: raw, ...place }]
  const isHalfDay = parts.length === 1 && unit === undefined && /^\d{1,2}$/.test(first) && hour <= 12
  return parts.map((value) => ({ value, unit, isHalfDay, ...place }))
}

/** A price with its currency in the place of the point: 12€50. */
function priceAt(tokens: readonly Token[], at: number): Found[] | undefined {
  const [whole, sign, part] = tokens.slice(at, at + 3)
  const isPrice = /^\d+$/.test(whole?.raw ?? '') && sign?.isGlued && part?.isGlued && /^\d{2}$/.test(part.raw)
  const unit = isPrice ? unitAround('', sign.lower) : undefined
  if (unit?.dimension !== 'currency') return undefined
  return [{ value: canonical(`${whole?.raw}.${part?.raw}`), unit, from: at, to: at + 3 }]
}

/** The unit of what is written behind a unit without one of its own, by that unit. */
const partUnits = new Map([
  ['h', 'min'],
  ['m', 'cm'],
])

/** The unit of two digits behind a unit: 30 minutes in 1h30, 80 centimetres in 1m80. */
function partUnit(tokens: readonly Token[], at: number): Unit | undefined {
  const [whole, unit, part] = tokens.slice(Math.max(0, at - 2), at + 1)
  const isPart = whole?.kind === 'number' && unit?.isGlued === true && part?.isGlued === true
  const name = isPart && /^\d{2}$/.test(part.raw) ? partUnits.get(unit.lower) : undefined
  return name === undefined ? undefined : unitAround('', name)
}

const minutes = (part: string | undefined, place: { from: number; to: number }): Found[] =>
  part === undefined || /^0*$/.test(part) ? [] : [{ value: part, ...place }]

const trimmed = (digits: string): string => (digits.length <= 2 ? String(Number(digits)) : digits)

const grouped = /^(?!0[.,])\d{1,3}(?:[ ,.’'\u066c]\d{3})+(?:[,.\u066b]\d{1,2})?$/
/** A decimal may begin with its point. */
const decimal = /^(?:\d+[.,\u066b]|\.)\d+$/
/** Words before a number that says which one, and not how much: 2.10 comes long after 2.1 then. */
const numbered = new Set(
  'version versions v ver rel release releases chapter section kapitel abschnitt chapitre versao versione versie capitulo capitolo hoofdstuk seccion sezione seccao ausgabe update build ticket'.split(
    ' ',
  ),
)

/** Whether a number ends as numberings do and measures seldom, behind such a word or the name of what has versions. */
function isNumbering(tokens: readonly Token[], at: number): boolean {
  const [before, here] = [tokens[at - 1], tokens[at]]
  if (before?.kind !== 'word' || !/^\d{1,3}\.[1-9]0$/.test(here?.raw ?? '')) return false
  return numbered.has(before.key) || /^\p{Lu}\p{Ll}/u.test(before.raw)
}

/** With the power of ten behind it: 1e3. */
const scientific = /^\d+(?:[.,]\d+)?e[+-]?\d+$/i
const isNumber = (raw: string): boolean =>
  [/^\d+$/, grouped, decimal, scientific].some((pattern) => pattern.test(raw))

/** One number without separators of thousands, and with a decimal point. */
function canonical(raw: string): string {
  if (scientific.test(raw)) return rounded(Number(raw.replace(',', '.')))
  if (grouped.test(raw)) {
    const [, whole = raw, rest = ''] = /^(.*?)(?:[,.\u066b](\d{1,2}))?$/.exec(raw) ?? []
    return withoutZeros(whole.replaceAll(/\D/g, ''), rest)
  }
  const [whole = '', rest = ''] = raw.split(/\D/)
  return withoutZeros(rest === '' ? trimmed(whole) : whole || '0', rest)
}

function withoutZeros(whole: string, rest: string): string {
  const decimals = rest.replace(/0+$/, '')
  return decimals === '' ? whole : `${whole}.${decimals}`
}

/** A numeral in words, as two hundred and fifty, or the name of a month, or a word for one. */
function wordsAt(text: string, tokens: readonly Token[], at: number, lexicon: Lexicon): Found[] {
  const key = keyAt(tokens, at, lexicon)
  const numeral = numeralAt(text, tokens, at, lexicon)
  if (numeral !== undefined) {
    const { value, unscaled, to } = numeral
    const unit = unitBehind(text, tokens, to - 1)
    const isWeak = to === at + 1 && key.length < 2
    return [{ value: rounded(value), unscaled, unit, isHalfDay: value <= 12, isWeak, from: at, to }]
  }
  const weak = { isWeak: true, from: at, to: at + 1 }
  const month = lexicon.months.get(key)
  if (month !== undefined) return [{ value: String(month), ...weak }]
  const ordinal = lexicon.ordinals.find(([form]) => isOrdinal(key, form, lexicon))
  if (ordinal !== undefined) return [{ value: String(ordinal[1]), isOrdinal: true, spoken: key, ...weak }]
  const inflected = inflectedNumber(key, lexicon)
  if (inflected !== undefined) return [{ value: rounded(inflected), isHalfDay: inflected <= 12, ...weak }]
  return lexicon.ones.has(key) ? [{ value: '1', isHalfDay: true, spoken: key, ...weak }] : []
}

/** So many characters for a number in a row are one; fewer are in words that count nothing, too. */
const sureNumeral = 3

/** A number in words that are not set apart; those of Thai are short syllables, which other words have too. */
function denseAt(tokens: readonly Token[], at: number, lexicon: Lexicon): Found[] {
  const numeral = denseNumeralAt(tokens, at, lexicon)
  if (numeral === undefined) return []
  const { value, to } = numeral
  const isWeak = lexicon.code === 'th' || to - at < sureNumeral
  return [{ value: rounded(value), isWeak, isHalfDay: value <= 12, from: at, to }]
}

/** Of the ordinals only the endings of gender, number and case; a k makes a noun: of "fifth" a Friday, in Polish. */
function isOrdinal(key: string, { text, at }: Form, { inflects }: Lexicon): boolean {
  if (at === 'whole' || !key.startsWith(text)) return key === text
  const ending = key.slice(text.length)
  return ending.length <= (inflects ? 3 : 2) && !/[kкь]/.test(ending)
}
