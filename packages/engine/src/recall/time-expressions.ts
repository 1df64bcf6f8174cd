import {
  boundAfter,
  boundBefore,
  type PhraseKind,
  type TimeUnit,
  type TimeWords,
  timeUnits,
  timeWords,
} from './time-words.ts'

/** A time that a query names, in ms since 1970: from the one to before the other. */
export interface NamedTime {
  from: number
  to: number
  /** The words of the query that name it. */
  expression: string
}

/** A longer text is no plain question, and would take long to look through. */
const charactersMax = 1_000
/** All that is seen from between these has a year of four digits. */
const [firstReference, endOfReferences] = [Date.UTC(1900, 0), Date.UTC(3000, 0)]

/**
 * The time that a query surely names, in UTC: a day, week (from Monday), month or year that is told by a date, by names, or as
 * seen from another moment. Of what has no year, the latest that has begun. Undefined where nothing is named, where only an end is
 * ("before May 2024"), or where different times are, of which the narrowest is meant only if it lies in the others.
 * @param reference ms since 1970 that "yesterday" is seen from
 */
export function namedTime(query: string, reference: number): NamedTime | undefined {
  if (query.length > charactersMax) return undefined
  if (reference < firstReference || reference >= endOfReferences) return undefined
  const rules = readings.flatMap(({ hint, rules }) => (hint.test(query) ? rules : []))
  if (rules.length === 0) return undefined
  const found = withoutParts(rules.flatMap((rule) => matchesOf(rule, query, reference)))
  if (found.some(({ at, expression }) => isBound(query, at, expression))) return undefined
  const [best, ...others] = found.toSorted(
    (a, b) => Number(b.isDate) - Number(a.isDate) || a.to - a.from - (b.to - b.from),
  )
  if (best === undefined) return undefined
  const isDoubtful = others.some(
    (other) => other.isDate === best.isDate && (best.from < other.from || best.to > other.to),
  )
  if (isDoubtful) return undefined
  const { from, to, expression } = best
  return { from, to, expression }
}

type Span = readonly [from: number, to: number]

interface Rule {
  pattern: RegExp
  /** Whether only whole words match. */
  isOfWords: boolean
  /** Whether it may be a number that counts what follows. */
  mayCount: boolean
  /** Whether it is the same time whatever the moment that it is seen from. */
  isDate: boolean
  read: (groups: Groups, reference: number) => Span | undefined
}

type Groups = Readonly<Record<string, string | undefined>>

interface Found extends NamedTime {
  at: number
  isDate: boolean
}

function matchesOf(
  { pattern, isOfWords, mayCount, isDate, read }: Rule,
  query: string,
  reference: number,
): Found[] {
  const found: Found[] = []
  for (const match of query.matchAll(pattern)) {
    const [expression] = match
    const end = match.index + expression.length
    if (isOfWords && isWithinWord(query, match.index, end)) continue
    if (mayCount && isCount(query.slice(end))) continue
    const span = read(match.groups ?? {}, reference)
    if (span === undefined || isTitle(query, match.index, expression)) continue
    found.push({ from: span[0], to: span[1], expression, at: match.index, isDate })
  }
  return found
}

/** Told apart from the patterns, each of which would take twice as long to compile. */
const isWithinWord = (query: string, start: number, end: number): boolean =>
  wordBefore.test(query.slice(Math.max(0, start - 2), start)) || wordAfter.test(query.slice(end, end + 2))
const wordBefore = /[\p{L}\p{N}]$|\p{L}-$/u
const wordAfter = /^[\p{L}\p{N}]|^-\p{L}/u

/** Words of longer expressions say something else: the day before yesterday is not yesterday, nor "on May 7" of 2023 the latest. */
const withoutParts = (found: readonly Found[]): Found[] =>
  found.filter(
    ({ at, expression: { length } }) =>
      !found.some(
        (other) =>
          other.expression.length > length &&
          other.at < at + length &&
          at < other.at + other.expression.length,
      ),
  )

const isBound = (query: string, at: number, expression: string): boolean =>
  boundBefore.test(query.slice(0, at)) || boundAfter.test(query.slice(at + expression.length))

/** Whether quotation marks stand around an expression: "Yesterday" is a song. */
const isTitle = (query: string, at: number, { length }: string): boolean =>
  /["“”„«‘「『《]/u.test(query[at - 1] ?? '') && /["“”»’」』》]/u.test(query[at + length] ?? '')

// ---- What phrases mean ----

const dayMs = 86_400_000

const dayOf = (time: number): number => Math.floor(time / dayMs) * dayMs
/** The Monday that a week began with. */
const weekOf = (time: number): number => dayOf(time) - ((new Date(time).getUTCDay() + 6) % 7) * dayMs
const daysFrom = (from: number, days = 1): Span => [from, from + days * dayMs]
/** Months before the first or after the last of a year are in another one. */
const monthSpan = (year: number, month: number): Span => [Date.UTC(year, month), Date.UTC(year, month + 1)]
const yearSpan = (year: number): Span => [Date.UTC(year, 0), Date.UTC(year + 1, 0)]

/** So many units before the one that a moment is in. */
function before(reference: number, unit: TimeUnit, count: number): Span {
  const now = new Date(reference)
  switch (unit) {
    case 'day':
      return daysFrom(dayOf(reference) - count * dayMs)
    case 'week':
      return daysFrom(weekOf(reference) - 7 * count * dayMs, 7)
    case 'month':
      return monthSpan(now.getUTCFullYear(), now.getUTCMonth() - count)
    case 'year':
      return yearSpan(now.getUTCFullYear() - count)
  }
}

/** A day of a calendar; undefined where a month has no such day. */
function dateSpan(year: number, month: number, day: number): Span | undefined {
  const from = Date.UTC(year, month, day)
  return new Date(from).getUTCMonth() === month ? daysFrom(from) : undefined
}

/** The latest of its kind that has begun. @param of what it is in a year */
function latest(reference: number, of: (year: number) => Span | undefined): Span | undefined {
  const year = new Date(reference).getUTCFullYear()
  // The 29th of February is missed for up to eight years.
  for (let back = 0; back <= 8; back++) {
    const span = of(year - back)
    if (span !== undefined && span[0] <= reference) return span
  }
  return undefined
}

/** What a phrase names, as numbers; of what it doesn't name, undefined. */
interface Named {
  unit: TimeUnit | undefined
  n: number | undefined
  /** 0 for Monday, or January. */
  weekday: number | undefined
  month: number | undefined
  day: number | undefined
  year: number | undefined
}

const meanings: Readonly<Record<PhraseKind, (named: Named, reference: number) => Span | undefined>> = {
  today: (_, reference) => before(reference, 'day', 0),
  yesterday: (_, reference) => before(reference, 'day', 1),
  dayBefore: (_, reference) => before(reference, 'day', 2),
  this: ({ unit }, reference) => unit && before(reference, unit, 0),
  last: ({ unit }, reference) => unit && before(reference, unit, 1),
  ago: ({ unit, n }, reference) =>
    unit === undefined || n === undefined ? undefined : before(reference, unit, n),
  lastWeekday: ({ weekday = 0 }, reference) => {
    const day = weekOf(reference) + weekday * dayMs
    return daysFrom(day < dayOf(reference) ? day : day - 7 * dayMs)
  },
  weekdayOfLastWeek: ({ weekday = 0 }, reference) => daysFrom(weekOf(reference) + (weekday - 7) * dayMs),
  month: ({ month = 0 }, reference) => latest(reference, (year) => monthSpan(year, month)),
  monthOfYear: ({ month = 0, year = 0 }) => monthSpan(year, month),
  date: ({ day = 0, month = 0, year }, reference) =>
    year === undefined ? latest(reference, (of) => dateSpan(of, month, day)) : dateSpan(year, month, day),
  year: ({ year = 0 }) => yearSpan(year),
}

const dates: readonly PhraseKind[] = ['month', 'monthOfYear', 'date', 'year']

// ---- Rules ----

const anyOf = (parts: readonly string[]): string => `(?:${parts.join('|')})`
const placeOf = (parts: readonly string[], word: string | undefined): number | undefined => {
  if (word === undefined) return undefined
  const at = parts.findIndex((part) => new RegExp(`^(?:${part})$`, 'iu').test(word))
  return at === -1 ? undefined : at
}

const hanDigits = '一二三四五六七八九十百千'
/** Before a number: not in the middle of another. */
const numberStart = `(?<![\\d${hanDigits}])(?<!\\d[.:/-])`
const dayNumber = '(?:3[01]|[12]\\d|0?[1-9])(?!\\d|[.:]\\d)'
const yearNumber = '(?:19|20)\\d\\d(?!\\d|[.,]\\d)'

function ruleOf(words: TimeWords, kind: PhraseKind, phrase: string): Rule {
  const { numbers, unit, units, weekdays, months, spaceless } = words
  const groups = (of: Readonly<Partial<Record<TimeUnit, string>>>) =>
    anyOf(timeUnits.flatMap((name) => (of[name] === undefined ? [] : [`(?<${name}>${of[name]})`])))
  const source = phrase
    .replaceAll('{units}', groups(units))
    .replaceAll('{unit}', groups(unit))
    .replaceAll('{n}', `${numberStart}(?<n>[1-9]\\d{0,2}|${numbers.join('|')})`)
    .replaceAll('{weekday}', `(?<w>${weekdays.join('|')})`)
    .replaceAll('{month}', `${numberStart}(?<m>${months.join('|')})`)
    .replaceAll('{day}', `${numberStart}(?<d>${dayNumber})`)
    .replaceAll('{year}', `${numberStart}(?<y>${yearNumber})`)
  return {
    pattern: new RegExp(source, 'giu'),
    isOfWords: !spaceless,
    isDate: dates.includes(kind),
    mayCount: kind === 'year' && !spaceless,
    read: (found, reference) =>
      meanings[kind](
        {
          unit: timeUnits.find((name) => found[name] !== undefined),
          n: /^\d/.test(found.n ?? '') ? Number(found.n) : plusOne(placeOf(numbers, found.n)),
          weekday: placeOf(weekdays, found.w),
          month: placeOf(months, found.m),
          day: numberOf(found.d),
          year: numberOf(found.y),
        },
        reference,
      ),
  }
}

const numberOf = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits)
const plusOne = (place: number | undefined): number | undefined =>
  place === undefined ? undefined : place + 1

/** Whether a number counts what follows it: "in 2000 stores", "in 2000 Metern". */
const isCount = (rest: string): boolean => measured.test(rest) || (plural.test(rest) && !smallWord.test(rest))
const measured =
  /^(?: ?[%€$£°]| (?:km|kg|cm|mm|m|g|euro|dollar|metr|mètre|meter|stun|hour|hora|ore|word|person|people|place|case|town|men|women|leute|städt|stadt|mensch|firmen|läden))/iu
const plural = /^ \p{Ll}+s(?!\p{L})/u
/** Those that end as a plural does. */
const smallWord =
  /^ (?:was|is|has|does|his|this|its|as|us|les|des|dans|nous|vous|ils|elles|los|las|nos|als)(?!\p{L})/u

/** Dates in digits. Of a day and a month that may be either, neither is sure. */
const inDigits: readonly Rule[] = [
  '(?<y>(?:19|20)\\d\\d)-(?<m>\\d\\d)-(?<d>\\d\\d)',
  '(?<y>(?:19|20)\\d\\d)/(?<m>\\d\\d?)/(?<d>\\d\\d?)',
  '(?<d>\\d\\d?)\\. ?(?<m>\\d\\d?)\\. ?(?<y>(?:19|20)\\d\\d)',
  '(?<a>\\d\\d?)[/-](?<b>\\d\\d?)[/-](?<y>(?:19|20)\\d\\d)',
].map((source) => ({
  pattern: new RegExp(`(?<![\\p{L}\\d]|\\d[.,:/-])${source}(?!\\d|[.,:/-]\\d)`, 'gu'),
  isOfWords: false,
  mayCount: false,
  isDate: true,
  read: ({ y, m, d, a, b }) => {
    if (a === undefined || b === undefined) return dateOf(Number(y), Number(m), Number(d))
    if (a === b || Number(a) > 12) return dateOf(Number(y), Number(b), Number(a))
    return Number(b) > 12 ? dateOf(Number(y), Number(a), Number(b)) : undefined
  },
}))

const dateOf = (year: number, month: number, day: number): Span | undefined =>
  month >= 1 && day >= 1 ? dateSpan(year, month - 1, day) : undefined

/** The words of a language that are in every time that it names, and how such times are read. */
interface Reading {
  hint: RegExp
  rules: readonly Rule[]
}

const yearHint = '(?:19|20)\\d\\d'

function readingOf(words: TimeWords): Reading {
  const { unit, units, weekdays, months, phrases, spaceless } = words
  const days = [phrases.today, phrases.yesterday, phrases.dayBefore].flatMap((some) => some ?? [])
  const names = spaceless
    ? [...days, '[年月日周週天星礼]']
    : [...Object.values(unit), ...Object.values(units), ...weekdays, ...months, ...days]
  const [start, end] = spaceless ? ['', ''] : ['(?<!\\p{L})', '(?!\\p{L})']
  return {
    hint: new RegExp(`${yearHint}|${start}(?:${names.join('|')})${end}`, 'iu'),
    rules: (Object.entries(phrases) as [PhraseKind, readonly string[]][]).flatMap(([kind, some]) =>
      some.map((phrase) => ruleOf(words, kind, phrase)),
    ),
  }
}

/** Most queries have no hint of any language, and few of more than one: what is not used is not compiled. */
const readings: readonly Reading[] = [
  { hint: new RegExp(yearHint), rules: inDigits },
  ...timeWords.map(readingOf),
]
