import { clockAt, clockPhrasesFor, isQuarter, type SpokenClock } from './clocks.ts'
import { denseNumeralAt, inflectedNumber, keyAt, numeralAt, rounded, scaleOf } from './numerals.ts'
import type { Reading, Token } from './tokens.ts'
import { type Unit, unitAround } from './units.ts'
import { type Form, type Lexicon, monthsOfOthers, proclitics } from './words.ts'

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
export function quantitiesOf(
  { text, tokens }: Reading,
  lexicon: Lexicon | undefined,
  isDottedClock = false,
): Quantity[] {
  const found: Found[] = []
  const phrases = clockPhrasesFor(tokens, lexicon)
  for (let at = 0; at < tokens.length; ) {
    const told =
      lexicon === undefined || phrases.length === 0
        ? undefined
        : clockAt({ text, tokens, lexicon }, at, phrases)
    if (told !== undefined) {
      found.push(...ofClock({ text, tokens }, told, at))
      at = told.to
      continue
    }
    const here =
      tokens[at]?.kind === 'number'
        ? (fractionAt(text, tokens, at, lexicon) ??
          priceAt(tokens, at) ??
          digitsAt(text, tokens, at, { isDottedClock, lexicon }))
        : lexicon === undefined
          ? monthAt(tokens, at, monthsOfOthers())
          : lexicon.isDense
            ? (halfDenseAt(text, tokens, at) ??
              denseAt(text, tokens, at, lexicon) ??
              monthAt(tokens, at, lexicon.months))
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

/** The hour and the minutes of a time; behind a word for hours they may as well be how long something takes. */
function ofClock(
  { text, tokens }: Reading,
  { hour, minutes, hasUnit, to }: SpokenClock,
  from: number,
): Found[] {
  const { end, raw } = tokens[from] as Token
  const start = end - raw.length
  const half = hour > 12 ? undefined : halfOfDayBefore(text.slice(Math.max(0, start - 5), start))
  const { value, spoken, isHalfDay } =
    half === undefined
      ? { value: String(hour), spoken: undefined, isHalfDay: hour <= 12 }
      : inHalfOfDay(half, hour)
  const part = String(minutes)
  if (!hasUnit)
    return [
      { value, isHalfDay, ...(spoken && { spoken }), from, to },
      { value: part, from, to },
    ]
  // Between them stands a word, as between the parts of "1 h 30".
  return [
    { value, unit: unitAround('', 'h'), isHalfDay, from, to: to - 2 },
    { value: part, unit: unitAround('', 'min'), from: to - 1, to },
  ]
}

/** Whether a text tells a time so that it is known to be one. */
export function statesClock({ text, tokens }: Reading, lexicon: Lexicon | undefined): boolean {
  if (/(?<!\d)\d{1,2}(?::| ?h ?)\d{2}(?!\d)/i.test(text)) return true
  if (lexicon === undefined) return false
  const phrases = clockPhrasesFor(tokens, lexicon)
  return tokens.some(
    (token, at) =>
      isHalf(token, lexicon) ||
      (phrases.length > 0 && clockAt({ text, tokens, lexicon }, at, phrases) !== undefined),
  )
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
const partitives = new Set('of d de des du von der di do del dello della van'.split(' '))

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

/** Half a unit, or a quarter of one, or of a million: half an hour; of anything else they say no number. */
function halfAt(text: string, tokens: readonly Token[], at: number, lexicon: Lexicon): Found[] | undefined {
  const key = (place: number) => keyAt(tokens, place, lexicon)
  const start = lexicon.ones.has(key(at)) ? at + 1 : at
  const compound = [...lexicon.halves]
    .filter((half) => key(start).startsWith(half))
    .map((half) => unitAround('', key(start).slice(half.length)))
    .find((unit) => unit?.dimension === 'duration')
  if (compound !== undefined) return [{ value: '0.5', unit: compound, from: at, to: start + 1 }]
  const share = lexicon.halves.has(key(start)) ? 0.5 : isQuarter(key(start), lexicon) ? 0.25 : undefined
  if (share === undefined) return undefined
  let to = start + 1
  while (partitives.has(key(to)) || lexicon.ones.has(key(to))) to++
  const scale = scaleOf(key(to), lexicon) ?? 0
  if (scale >= 1e3) {
    const unit = unitBehind(text, tokens, to)
    return [{ value: rounded(share * scale), unscaled: String(share), unit, from: at, to: to + 1 }]
  }
  const unit = unitBehind(text, tokens, to - 1)
  return unit === undefined ? undefined : [{ value: String(share), unit, from: at, to }]
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
const meridiemBefore =
  /(?<am>上午|早上|早晨|清晨|凌晨|午前|早朝|未明|오전|새벽)?(?<pm>下午|傍晚|晚上|午後|夕方|오후)?\s?$/u
/** Behind an hour in numerals of Chinese, Japanese and Korean. */
const hourMark = /^\s?(?:[点點時时]|시)(?!間|间|간)/u

function halfOfDayBefore(text: string): string | undefined {
  const { am, pm } = meridiemBefore.exec(text)?.groups ?? {}
  return am === undefined ? pm && 'p' : 'a'
}

const inHalfOfDay = (half: string, hour: number): Pick<Found, 'value' | 'spoken' | 'isHalfDay'> => ({
  value: String(half === 'p' ? (hour % 12) + 12 : hour % 12 || 24),
  spoken: String(hour),
  isHalfDay: false,
})

/** An hour in words, of the half of the day that stands before it; undefined where none does. */
function hourInHalf(text: string, tokens: readonly Token[], hour: number, from: number, to: number) {
  const { end, raw } = tokens[from] as Token
  const half = halfOfDayBefore(text.slice(Math.max(0, end - raw.length - 5), end - raw.length))
  if (half === undefined || hour > 12 || !hourMark.test(text.slice((tokens[to - 1] as Token).end)))
    return undefined
  return inHalfOfDay(half, hour)
}

const clock = /^\s?(?:uhr|h\b|uur|heures?\b|часов|год\b)/iu

/** Where decimals have a comma, and a date is written with a point behind the day and behind the month: am 3.4. */
const withDottedDates = new Set('de da fi pl cs hu ro tr ru uk bg'.split(' '))
export const dottedDate = /^(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?!\d)/

/** The numbers that one token of digits stands for: of a date or a time each part is one. */
function digitsAt(
  text: string,
  tokens: readonly Token[],
  at: number,
  { isDottedClock, lexicon }: { readonly isDottedClock: boolean; readonly lexicon: Lexicon | undefined },
): Found[] {
  const { raw, end } = tokens[at] as Token
  const [before, after] = [
    text.slice(Math.max(0, end - raw.length - 5), end - raw.length),
    text.slice(end, end + 32),
  ]
  const place = { from: at, to: at + 1 }
  const isDotted =
    isDottedClock && /^(?:[01]?\d|2[0-3])\.[0-5]\d$/.test(raw) && !numbered.has(tokens[at - 1]?.key ?? '')
  const isClock =
    (/^\d{1,2}[:.]\d{2}$/.test(raw) && (raw.includes(':') || clock.test(after) || meridiem.test(after))) ||
    (isDotted && unitAround(before, after) === undefined)
  const isDate =
    withDottedDates.has(lexicon?.code ?? '') &&
    dottedDate.test(raw + after) &&
    !numbered.has(tokens[at - 1]?.key ?? '')
  const parts = isClock || isDate || !isNumber(raw) ? raw.split(/\D/).map(trimmed) : [canonical(raw)]
  const half = meridiem.exec(after)?.groups?.half?.toLowerCase() ?? halfOfDayBefore(before)
  const [first = ''] = parts
  const hour = Number(first)
  if (half !== undefined && hour <= 12 && parts.length <= 2)
    return [{ ...inHalfOfDay(half, hour), ...place }, ...minutes(parts[1], place)]
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

/** Two in Korean, and "this" as well: before an hour or a year seldom the number. */
const koreanThis = '이'

/** A numeral in words, as two hundred and fifty, or the name of a month, or a word for one. */
function wordsAt(text: string, tokens: readonly Token[], at: number, lexicon: Lexicon): Found[] {
  const key = keyAt(tokens, at, lexicon)
  const numeral = numeralAt(text, tokens, at, lexicon)
  if (numeral !== undefined) {
    const { value, unscaled, to } = numeral
    const more = value % 10 === 0 && value % 100 >= 20 ? orderIn(tokens, to, lexicon) : undefined
    if (more !== undefined)
      return [{ value: rounded(value + more), isOrdinal: true, isWeak: true, from: at, to: to + 1 }]
    const unit = numeral.unit ?? unitBehind(text, tokens, to - 1)
    const isWeak = to === at + 1 && key.length < 2 && (unit === undefined || key === koreanThis)
    const hour = hourInHalf(text, tokens, value, at, to)
    return [
      {
        value: rounded(value),
        unscaled,
        unit,
        isHalfDay: value <= 12,
        isWeak: isWeak && hour === undefined,
        ...hour,
        from: at,
        to,
      },
    ]
  }
  const weak = { isWeak: true, from: at, to: at + 1 }
  const month = monthAt(tokens, at, lexicon.months, lexicon)
  if (month.length > 0) return month
  const ordinal = ordinalOf(key, lexicon)
  if (ordinal !== undefined) {
    const more = ordinal === 20 ? orderIn(tokens, at + 1, lexicon) : undefined
    const [value, spoken] = [String(ordinal + (more ?? 0)), more === undefined ? key : undefined]
    const to = more === undefined ? at + 1 : at + 2
    return [{ value, isOrdinal: true, ...(spoken && { spoken }), ...weak, to }]
  }
  const inflected = inflectedNumber(key, lexicon)
  const unit = unitBehind(text, tokens, at)
  if (inflected !== undefined)
    return [
      {
        value: rounded(inflected),
        isHalfDay: inflected <= 12,
        ...weak,
        unit,
        isWeak: unit === undefined,
      },
    ]
  const hour = lexicon.hours.get(key) ?? lexicon.hours.get(`${key} ${keyAt(tokens, at + 1, lexicon)}`)
  if (hour !== undefined) return [{ value: String(hour), ...weak }]
  return lexicon.ones.has(key) ? [{ value: '1', isHalfDay: true, spoken: key, unit, ...weak }] : []
}

/** Most characters of the name of a month where words are not set apart, and fewest letters that stand before its endings. */
const monthCharacters = 12
const monthStem = 3
/** An ending of a case, as in Finnish "toukokuussa". */
const monthEnding = /^\p{L}{0,4}$/u

/** The name of a month: with what is written before it, or with another ending, where the language has such. */
function monthAt(
  tokens: readonly Token[],
  at: number,
  months: ReadonlyMap<string, number>,
  lexicon?: Lexicon,
): Found[] {
  const here = tokens[at]
  if (here === undefined || months.size === 0) return []
  const isDense = here.kind === 'dense'
  const keys = tokens.slice(at, at + (isDense ? monthCharacters : 1)).map(({ key }) => key)
  const to = keys.findLastIndex((_, i) => months.has(keys.slice(0, i + 1).join(''))) + 1
  const written = keys.slice(0, to).join('')
  const value = months.get(written) ?? (lexicon === undefined ? undefined : inflectedMonth(here.key, lexicon))
  return value === undefined
    ? []
    : [{ value: String(value), isWeak: true, from: at, to: at + Math.max(1, to) }]
}

function inflectedMonth(key: string, { code, months, inflects, common }: Lexicon): number | undefined {
  const led = proclitics[code]?.find((each) => key.startsWith(each) && months.has(key.slice(each.length)))
  if (led !== undefined) return months.get(key.slice(led.length))
  if (!inflects || common.has(key)) return undefined
  for (const [name, month] of months) {
    const stem = name.slice(0, -1)
    if (stem.length >= monthStem && key.startsWith(stem) && monthEnding.test(key.slice(stem.length)))
      return month
  }
  return undefined
}

/** So many characters for a number in a row are one; fewer are in words that count nothing, too. */
const sureNumeral = 3
/** Numerals that begin other words, although what follows looks like a unit: 一天 is some day, 十分 very, 百万 many. */
const denseWords = /^(?:[一百千][天年周块塊点點分度米]|[百千][万萬亿億]|十分(?![钟鐘間之]))/u

/** A number in words that are not set apart; of few characters, or of the short syllables of Thai, a unit tells one. */
function denseAt(text: string, tokens: readonly Token[], at: number, lexicon: Lexicon): Found[] | undefined {
  const numeral = denseNumeralAt(tokens, at, lexicon)
  if (numeral === undefined) return undefined
  const { value, to } = numeral
  const { end, raw } = tokens[at] as Token
  const unit = unitBehind(text, tokens, to - 1)
  const isSure = lexicon.code !== 'th' && to - at >= sureNumeral
  const isWeak = !isSure && (unit === undefined || denseWords.test(text.slice(end - raw.length, end + 3)))
  const hour = hourInHalf(text, tokens, value, at, to)
  return [
    {
      value: rounded(value),
      unit,
      isWeak: isWeak && hour === undefined,
      isHalfDay: value <= 12,
      ...hour,
      from: at,
      to,
    },
  ]
}

const ordinalOf = (key: string, lexicon: Lexicon): number | undefined =>
  lexicon.ordinals.find(([form]) => isOrdinal(key, form, lexicon))?.[1]

/** The ordinal below ten that goes on with tens: the second of "twenty-second", unless it is the unit of time. */
function orderIn(tokens: readonly Token[], at: number, lexicon: Lexicon): number | undefined {
  const key = keyAt(tokens, at, lexicon)
  const value = ordinalOf(key, lexicon)
  if (value === undefined || value >= 10) return undefined
  const isUnit = unitAround('', key) !== undefined
  return isUnit && !partitives.has(keyAt(tokens, at + 1, lexicon)) ? undefined : value
}

/** Of the ordinals only the endings of gender, number and case; a k makes a noun: of "fifth" a Friday, in Polish. */
function isOrdinal(key: string, { text, at }: Form, { inflects }: Lexicon): boolean {
  if (at === 'whole' || !key.startsWith(text)) return key === text
  const ending = key.slice(text.length)
  return ending.length <= (inflects ? 3 : 2) && !/[kкь]/.test(ending)
}
