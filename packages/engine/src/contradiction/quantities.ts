import type { Reading, Token } from './tokens.ts'
import { type Unit, unitAround } from './units.ts'
import { type Form, keyIn, type Lexicon } from './words.ts'

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
        ? (fractionAt(text, tokens, at, lexicon) ?? digitsAt(text, tokens, at))
        : lexicon === undefined
          ? []
          : lexicon.isDense
            ? numeralAt(tokens, at, lexicon)
            : wordsAt(text, tokens, at, lexicon)
    const scaled = here.length === 1 ? here.map((each) => scale(text, tokens, each, lexicon)) : here
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

/** Words and characters that make a number so many times as large, or a fraction of it. */
const scales = new Map(
  [
    [1 / 3, 'thirds drittel tiers tercios terzi tercos'],
    [1 / 4, 'quarters fourths viertel quarts cuartos quarti quartos kwart'],
    [1 / 5, 'fifths funftel'],
    [1 / 8, 'eighths achtel'],
    [
      1e3,
      'thousand tausend mille mil mila duizend tusen tusind tysiac tysiace tysiecy тысяча тысячи тысяч тыс tsd',
    ],
    [1e4, '万 萬'],
    [
      1e6,
      'million millions mio mln millionen millon millones milhao milhoes milione milioni miljoen miljon miljoner millioner milion miliony milionow млн миллион миллиона миллионов',
    ],
    [1e8, '亿 億'],
    [
      1e9,
      'bn milliard milliards milliarden milliarde mrd miliardo miliardi miljard miljarder milliarder miliard miliardy miliardow млрд миллиард миллиарда миллиардов',
    ],
    [1e12, 'billion billionen billions billon billones trillion trillions'],
  ].flatMap(([factor, words]) =>
    String(words)
      .split(' ')
      .map((word) => [word, Number(factor)] as const),
  ),
)
/** In English a billion is what others call a milliard. */
const scaleOf = (key: string, lexicon: Lexicon | undefined): number | undefined =>
  /^billions?$/.test(key) && (lexicon === undefined || lexicon.code === 'en') ? 1e9 : scales.get(key)

/**
 * A letter that makes the number before it larger: 20k, 3M. Away from the number, or small for a million, it does so before a
 * currency alone: five m are metres, three m euros millions.
 */
function letterScaleOf({ raw, isGlued }: Token, unit: Unit | undefined): number | undefined {
  if (!/^[kKmM]$/.test(raw) || !((isGlued && raw !== 'm') || unit?.dimension === 'currency')) return undefined
  return raw.toLowerCase() === 'k' ? 1e3 : 1e6
}

const rounded = (value: number): string => String(Number(value.toPrecision(12)))

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
  const unit = parts.length === 1 ? unitAround(before, after) : undefined
  if (unit === undefined && isNumbering(tokens, at)) return [{ value: raw, ...place }]
  const isHalfDay = parts.length === 1 && unit === undefined && /^\d{1,2}$/.test(first) && hour <= 12
  return parts.map((value) => ({ value, unit, isHalfDay, ...place }))
}

const minutes = (part: string | undefined, place: { from: number; to: number }): Found[] =>
  part === undefined || /^0*$/.test(part) ? [] : [{ value: part, ...place }]

const trimmed = (digits: string): string => (digits.length <= 2 ? String(Number(digits)) : digits)

const grouped = /^\d{1,3}(?:[ ,.’'\u066c]\d{3})+(?:[,.\u066b]\d{1,2})?$/
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

const isNumber = (raw: string): boolean => /^\d+$/.test(raw) || grouped.test(raw) || decimal.test(raw)

/** One number without separators of thousands, and with a decimal point. */
function canonical(raw: string): string {
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

/** A number in up to three words, tens with ones added, or the name of a month, or a word for one. */
function wordsAt(text: string, tokens: readonly Token[], at: number, lexicon: Lexicon): Found[] {
  const key = (i: number) => (tokens[i] === undefined ? '' : keyIn(lexicon.code, tokens[i]))
  for (const length of [2, 1]) {
    const words = Array.from({ length }, (_, i) => key(at + i)).join(' ')
    const value = numberOf(words, lexicon)
    if (value === undefined) continue
    let [sum, to] = [value, at + length]
    const next = lexicon.joins.has(key(to)) ? to + 1 : to
    const ones = numberOf(key(next), lexicon) ?? (lexicon.ones.has(key(next)) ? 1 : undefined)
    if (
      value >= 20 &&
      value % 10 === 0 &&
      ones !== undefined &&
      ones < (value === 60 || value === 80 ? 20 : 10)
    ) {
      sum += ones
      to = next + 1
    }
    const end = tokens[to - 1]?.end ?? 0
    const unit = unitAround('', text.slice(end, end + 32))
    return [{ value: String(sum), unit, isHalfDay: sum <= 12, isWeak: words.length < 2, from: at, to }]
  }
  const month = lexicon.months.get(key(at))
  if (month !== undefined) return [{ value: String(month), isWeak: true, from: at, to: at + 1 }]
  const ordinal = lexicon.ordinals.find(([form]) => isOrdinal(key(at), form))
  const weak = { spoken: key(at), isWeak: true, from: at, to: at + 1 }
  if (ordinal !== undefined) return [{ value: String(ordinal[1]), isOrdinal: true, ...weak }]
  if (!lexicon.ones.has(key(at))) return []
  return [{ value: '1', isHalfDay: true, ...weak }]
}

/** Of the ordinals only the endings of gender, number and case. */
const isOrdinal = (key: string, { text, at }: Form): boolean =>
  at === 'whole' ? key === text : key.startsWith(text) && key.length <= text.length + 2

const compounds: Readonly<Record<string, (word: string) => readonly [string, string] | undefined>> = {
  de: (word) => splitAt(word, /^(.+?)und(.+)$/u, 2),
  nl: (word) => splitAt(word, /^(.+?)en(.+tig)$/u, 2),
  it: (word) =>
    splitAt(word, /^((?:vent|trent|quarant|cinquant|sessant|settant|ottant|novant))[ia]?(.+)$/u, 1),
  es: (word) => splitAt(word, /^(veint)i(.+)$/u, 1),
}

/** The parts of a compound, tens first. */
function splitAt(word: string, pattern: RegExp, tens: 1 | 2): readonly [string, string] | undefined {
  const parts = pattern.exec(word)
  if (parts === null) return undefined
  return [parts[tens] as string, parts[tens === 1 ? 2 : 1] as string]
}

function numberOf(word: string, { code, numbers, ones }: Lexicon): number | undefined {
  const own = numbers.get(word)
  if (own !== undefined || word.length < 6) return own
  const parts = compounds[code]?.(word)
  if (parts === undefined) return undefined
  const [ten, one] = parts
  const tens = [...numbers].find(([name, value]) => value >= 20 && value < 100 && name.startsWith(ten))?.[1]
  const last = numbers.get(one) ?? (ones.has(one) || one === 'uno' ? 1 : undefined)
  return tens === undefined || last === undefined || last > 9 ? undefined : tens + last
}

const numerals: Readonly<Record<string, number>> = {
  ...{ 〇: 0, 零: 0, 一: 1, 二: 2, 两: 2, 兩: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 },
}
const powers: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 }

/** A number in characters of Han, or in words that are not set apart. */
function numeralAt(tokens: readonly Token[], at: number, { code, numbers }: Lexicon): Found[] {
  if (code === 'th') {
    const rest = tokens
      .slice(at, at + 10)
      .map(({ key }) => key)
      .join('')
    const word = [...numbers.keys()]
      .filter((each) => rest.startsWith(each))
      .sort((a, b) => b.length - a.length)[0]
    if (word === undefined) return []
    const value = String(numbers.get(word))
    return [{ value, isWeak: true, isHalfDay: true, from: at, to: at + Array.from(word).length }]
  }
  let to = at
  while (tokens[to] !== undefined && isNumeral((tokens[to] as Token).raw)) to++
  if (to === at) return []
  const value = hanNumber(tokens.slice(at, to).map(({ raw }) => raw))
  return [{ value: String(value), isWeak: true, isHalfDay: value <= 12, from: at, to }]
}

const isNumeral = (character: string): boolean => character in numerals || character in powers

function hanNumber(characters: readonly string[]): number {
  if (characters.every((character) => character in numerals))
    return Number(characters.map((character) => numerals[character]).join(''))
  let [sum, last] = [0, 0]
  for (const character of characters) {
    const power = powers[character]
    if (power === undefined) last = numerals[character] ?? 0
    else {
      sum += Math.max(1, last) * power
      last = 0
    }
  }
  return sum + last
}
