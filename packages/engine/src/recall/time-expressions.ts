import {
  isBounded,
  isListed,
  type Surroundings,
  surroundingsOf,
  type Tense,
  tenseOf,
} from './time-surroundings.ts'
import { type PhraseKind, type TimeUnit, type TimeWords, timeUnits, timeWords } from './time-words.ts'

/** A time that a query names, in ms since 1970: from the one to before the other. */
export interface NamedTime {
  from: number
  to: number
  /** The words of the query that name it, composed and with single blanks. */
  expression: string
}

/** A longer text is no plain question, and would take long to look through. */
const charactersMax = 1_000
/** All that is seen from between these has a year of four digits. */
const [firstReference, endOfReferences] = [Date.UTC(1900, 0), Date.UTC(3000, 0)]

/**
 * The time that a query surely names, in UTC: a day, week (from Monday), month or year that is told by a date, by names, or as
 * seen from another moment. A day or month without a year is of the year that stands beside it ("in June last year"); else it is
 * the latest that has begun, or the next one where the query says that it is to come. A weekday is the latest that has begun, and
 * is read only where the query asks of the past. Undefined where nothing is named, where a
 * time is only an end, left out, or one of several ("before May 2024", "except in 2023", "in 2022 or 2023"), where no calendar
 * has it (30 February 2024), where one without a year may as well be to come soon, or where different times are named, of which
 * the narrowest is meant only if it lies in the others.
 * @param reference ms since 1970 that "yesterday" is seen from
 */
export function namedTime(given: string, reference: number): NamedTime | undefined {
  if (given.length > charactersMax) return undefined
  if (reference < firstReference || reference >= endOfReferences) return undefined
  // Letters are looked for as one code point, and words with one blank between.
  const query = given.normalize('NFC').replaceAll(/\s+/gu, ' ')
  const rules = readings.flatMap(({ hint, rules }) => (hint.test(query) ? rules : []))
  if (rules.length === 0) return undefined
  const matched = withoutDoubtful(rules.flatMap((rule) => matchesOf(rule, query, reference)))
  const found = withoutParts([...matched.filter(({ isBare }) => !isBare), ...withYears(matched, query)])
  if (found.some((time) => isUnread(time, found) || isNotMeant(query, time))) return undefined
  const [best, ...others] = found
    .flatMap(({ span, ...time }) => (span === undefined ? [] : [{ ...time, from: span[0], to: span[1] }]))
    .toSorted((a, b) => Number(b.isDate) - Number(a.isDate) || a.to - a.from - (b.to - b.from))
  if (best === undefined) return undefined
  const isDoubtful = others.some(
    (other) => (other.isDate || !best.isFull) && (best.from < other.from || best.to > other.to),
  )
  if (isDoubtful) return undefined
  const { from, to, expression } = best
  return { from, to, expression }
}

type Span = readonly [from: number, to: number]

/** What words mean. */
interface Meaning {
  /** Undefined: it can't be told, or no calendar has it. */
  span: Span | undefined
  /** Of a month or day that has no year: what it is in one. */
  inYear?: (year: number) => Span | undefined
}

interface Rule {
  pattern: RegExp
  /** Whether only whole words match. */
  isOfWords: boolean
  /** Whether it may be a number that counts what follows. */
  mayCount: boolean
  /** Whether it is told by a calendar, not as seen from another moment. */
  isDate: boolean
  /** Whether it is a time only if a year follows. */
  isBare: boolean
  /** Of a weekday that isn't said to be the last, or a year alone: whether a query asks of one that is over. */
  isOver?: ((query: string) => boolean) | undefined
  around: readonly Surroundings[]
  read: (groups: Groups, reference: number, query: string) => Meaning
}

type Groups = Readonly<Record<string, string | undefined>>

interface Found extends Meaning, Pick<Rule, 'isDate' | 'isBare' | 'isOver' | 'around'> {
  at: number
  expression: string
  /** Whether it is a date with its year: times that are seen from another moment leave it as it is. */
  isFull: boolean
}

function matchesOf(rule: Rule, query: string, reference: number): Found[] {
  const { pattern, isOfWords, mayCount, isDate, isBare, isOver, around, read } = rule
  const found: Found[] = []
  for (const match of query.matchAll(pattern)) {
    const [expression] = match
    const at = match.index
    const end = at + expression.length
    if (isOfWords && isWithinWord(query, at, end)) continue
    if (mayCount && isCount(query.slice(end))) continue
    if (isTitle(query, at, expression)) continue
    if (isOver?.(query) === false) continue
    const meaning = read(match.groups ?? {}, reference, query)
    const isFull = isDate && meaning.inYear === undefined
    found.push({ ...meaning, at, expression, isDate, isBare, isOver, isFull, around })
  }
  return found
}

/**
 * The next such day is at most a week away, and a number may be no year: only a question about the past tells of one, and of
 * several days none is meant.
 */
function isOverOf(
  kind: PhraseKind,
  { weekdays, weekdayMark = '' }: TimeWords,
  around: Surroundings,
): Rule['isOver'] {
  if (kind === 'bareYear') return (query) => tenseOf(around, query) === 'past'
  if (kind !== 'weekday') return undefined
  const anyDay = new RegExp(`${weekdayMark}(?:${weekdays.join('|')})`, 'giu')
  return (query) => query.match(anyDay)?.length === 1 && tenseOf(around, query) === 'past'
}

/**
 * Beside another time a weekday is one in it, or of it, so that alone says nothing: "on Friday last week", "on Friday, 7 May". Nor
 * is a number a year there.
 */
const withoutDoubtful = (matched: readonly Found[]): readonly Found[] => {
  const others = matched.filter(({ isOver }) => isOver === undefined)
  return others.length > 0 ? others : matched
}

/** The months and days without a year that have one beside them, which says of which year they are. */
const withYears = (found: readonly Found[], query: string): Found[] =>
  found.flatMap((part) =>
    part.inYear === undefined ? [] : found.flatMap((other) => joined(part, other, query) ?? []),
  )

/** A month or day and the year beside it as one time: "in June" and "last year". A bare one only before such a year. */
function joined(part: Found, other: Found, query: string): Found | undefined {
  const year = other.span && yearOf(other.span)
  if (part.inYear === undefined || year === undefined) return undefined
  const [first, second] = part.at < other.at ? [part, other] : [other, part]
  if (part.isBare && (first !== part || other.isDate)) return undefined
  const end = first.at + first.expression.length
  if (second.at < end || !joint.test(query.slice(end, second.at))) return undefined
  const expression = query.slice(first.at, second.at + second.expression.length)
  const around = [...first.around, ...second.around]
  return {
    at: first.at,
    expression,
    span: part.inYear(year),
    isDate: true,
    isBare: false,
    isFull: true,
    around,
  }
}

/** Between a month or day and the year that it is of, in either order. */
const joint =
  /^(?=.{0,20}$)(?:[\s,，、的の]|(?<!\p{L})(?:of|in|on|the|de|du|en|des|im|am|del?|el|al|do|da|no|em|a|nel|il|van|het|op)(?!\p{L})|(?<!\p{L})(?:l|dell|nell)['’])*$/iu

/** A time that is named but can't be told, also not by another reading of the same words. */
const isUnread = (time: Found, found: readonly Found[]): boolean =>
  time.span === undefined && !found.some((other) => other.span !== undefined && overlap(time, other))

/** What bounds a time or lists others is no further from it, in characters. */
const besideMax = 80

/** A time that only bounds the one that is meant, that is left out, or that is one of several. */
const isNotMeant = (query: string, { at, expression, isDate, around }: Found): boolean => {
  const end = at + expression.length
  const [before, after] = [query.slice(Math.max(0, at - besideMax), at), query.slice(end, end + besideMax)]
  return around.some((words) => isBounded(words, before, after) || isListed(words, before, after, isDate))
}

/** Told apart from the patterns, each of which would take twice as long to compile. */
const isWithinWord = (query: string, start: number, end: number): boolean =>
  wordBefore.test(query.slice(Math.max(0, start - 2), start)) || wordAfter.test(query.slice(end, end + 2))
const wordBefore = /[\p{L}\p{N}]$|\p{L}-$/u
const wordAfter = /^[\p{L}\p{N}]|^-\p{L}/u

/** Words of longer expressions say something else: the day before yesterday is not yesterday, nor "on May 7" of 2023 the latest. */
const withoutParts = (found: readonly Found[]): Found[] =>
  found.filter(
    (part) =>
      !found.some((other) => other.expression.length > part.expression.length && overlap(part, other)),
  )

const overlap = (a: Found, b: Found): boolean =>
  a.at < b.at + b.expression.length && b.at < a.at + a.expression.length

/** Whether quotation marks stand around an expression, or capitals tell that it is a name: "Yesterday" is a song. */
const isTitle = (query: string, at: number, expression: string): boolean =>
  (/["“”„«‘「『《]/u.test(query[at - 1] ?? '') &&
    /["“”»’」』》]/u.test(query[at + expression.length] ?? '')) ||
  isCapitalised(query, at, expression)

/** In English within a sentence, between words that have none. */
const isCapitalised = (query: string, at: number, expression: string): boolean =>
  /^(?:Yesterday|Today|Tomorrow)$/.test(expression) &&
  /(?<!\p{L})\p{Ll}+ $/u.test(query.slice(0, at)) &&
  /^ \p{Ll}/u.test(query.slice(at + expression.length))

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

/** The year that a span is. */
function yearOf([from, to]: Span): number | undefined {
  const year = new Date(from).getUTCFullYear()
  const [start, end] = yearSpan(year)
  return from === start && to === end ? year : undefined
}

type InYear = (year: number) => Span | undefined

/** The first of its kind that holds, in the years from one on, or back. The 29th of February is missed for up to eight years. */
function firstOf(from: number, step: 1 | -1, inYear: InYear, holds: (span: Span) => boolean) {
  for (let years = 0; years <= 8; years++) {
    const span = inYear(from + step * years)
    if (span !== undefined && holds(span)) return span
  }
  return undefined
}

/** What may as well be meant as what is over: that which begins in so short a time. */
const soonMs = 183 * dayMs

/**
 * The one of its kind that is meant where no year is said: the latest that has begun, or the next one if the words around it say
 * that it is to come. Where they say neither, one that comes soon is as likely as the latest, so it can't be told.
 */
function withoutYear(reference: number, inYear: InYear, tense: Tense | undefined) {
  const year = new Date(reference).getUTCFullYear()
  const latest = firstOf(year, -1, inYear, ([from]) => from <= reference)
  if (tense === 'past' || (latest !== undefined && reference < latest[1])) return latest
  const next = firstOf(year, 1, inYear, ([from]) => from > reference)
  if (tense === 'future') return next
  return next !== undefined && next[0] - dayOf(reference) < soonMs ? undefined : latest
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

/** With a weekday, only in a year where the day is that one; whoever says it does not think of years long ago. */
const inYear =
  ({ month = 0, day, weekday }: Named, reference?: number): InYear =>
  (year) => {
    if (day === undefined) return monthSpan(year, month)
    const span = dateSpan(year, month, day)
    if (weekday === undefined || span === undefined) return span
    const isNear = reference === undefined || Math.abs(span[0] - reference) < 2 * 365 * dayMs
    return isNear && weekdayOf(span[0]) === weekday ? span : undefined
  }

/** 0 for Monday. */
const weekdayOf = (ms: number): number => (new Date(ms).getUTCDay() + 6) % 7

type WithYear = Exclude<PhraseKind, 'month' | 'bare'>

const meanings: Readonly<Record<WithYear, (named: Named, reference: number) => Span | undefined>> = {
  today: (_, reference) => before(reference, 'day', 0),
  tomorrow: (_, reference) => before(reference, 'day', -1),
  yesterday: (_, reference) => before(reference, 'day', 1),
  dayBefore: (_, reference) => before(reference, 'day', 2),
  this: ({ unit }, reference) => unit && before(reference, unit, 0),
  last: ({ unit }, reference) => unit && before(reference, unit, 1),
  beforeLast: ({ unit }, reference) => unit && before(reference, unit, 2),
  next: ({ unit }, reference) => unit && before(reference, unit, -1),
  ago: ({ unit, n }, reference) =>
    unit === undefined || n === undefined ? undefined : before(reference, unit, n),
  lastWeekday: ({ weekday = 0 }, reference) => {
    const day = weekOf(reference) + weekday * dayMs
    return daysFrom(day < dayOf(reference) ? day : day - 7 * dayMs)
  },
  // As the month or the date of today without a year is this one, so is the weekday of today.
  weekday: ({ weekday = 0 }, reference) => {
    const day = weekOf(reference) + weekday * dayMs
    return daysFrom(day <= dayOf(reference) ? day : day - 7 * dayMs)
  },
  weekdayOfLastWeek: ({ weekday = 0 }, reference) => daysFrom(weekOf(reference) + (weekday - 7) * dayMs),
  monthOfYear: ({ month = 0, year = 0 }) => monthSpan(year, month),
  date: ({ year = 0, ...named }) => inYear({ ...named, year })(year),
  year: ({ year = 0 }) => yearSpan(year),
  // A number that is not over is of something else: "Who was in Blade Runner 2049?".
  bareYear: ({ year = 0 }, reference) =>
    year > new Date(reference).getUTCFullYear() ? undefined : yearSpan(year),
}

const dates: readonly PhraseKind[] = ['month', 'monthOfYear', 'date', 'year', 'bareYear']

// ---- Rules ----

const anyOf = (parts: readonly string[]): string => `(?:${parts.join('|')})`
const placeOf = (parts: readonly string[], word: string | undefined): number | undefined => {
  if (word === undefined) return undefined
  const at = parts.findIndex((part) => new RegExp(`^(?:${part})$`, 'iu').test(word))
  return at === -1 ? undefined : at
}

const hanDigits = '一二三四五六七八九十百千两兩几幾'
/** Before a month that is not of a day: the one of "1-3 May" is. */
const noDay = '(?<!\\d(?:st|nd|rd|th|er|[.º])? (?:of |de )?)'
/** Before a number: not in the middle of another. */
const numberStart = `(?<![\\d${hanDigits}])(?<!\\d[.:/-])`
const dayNumber = '(?:3[01]|[12]\\d|0?[1-9])(?!\\d|[.:]\\d)'
const yearNumber = '(?:19|20)\\d\\d(?!\\d|[.,]\\d)'

function ruleOf(words: TimeWords, around: Surroundings, kind: PhraseKind, phrase: string): Rule {
  const { numbers, unit, units, weekdays, months, spaceless, context } = words
  const groups = (of: Readonly<Partial<Record<TimeUnit, string>>>) =>
    anyOf(timeUnits.flatMap((name) => (of[name] === undefined ? [] : [`(?<${name}>${of[name]})`])))
  const isOfMonth = !spaceless && phrase.startsWith('{month}') && !phrase.includes('{day}')
  // Round numbers are amounts, and behind a month a year is of it, also of one that no calendar has.
  const noYear = kind === 'bareYear' ? `(?<!(?:${months.join('|')})\\.?,? )(?!\\d\\d00)` : ''
  const source = `${isOfMonth ? noDay : ''}${phrase}`
    .replaceAll('{year}', `${noYear}{year}`)
    .replaceAll('{units}', groups(units))
    .replaceAll('{unit}', groups(unit))
    .replaceAll('{n}', `${numberStart}(?<!(?:${context.tens})[ -])(?<n>[1-9]\\d{0,2}|${numbers.join('|')})`)
    .replaceAll('{weekday}', `(?<w>${weekdays.join('|')})`)
    .replaceAll('{month}', `${numberStart}(?<m>${months.join('|')})`)
    .replaceAll('{day}', `${numberStart}(?<d>${dayNumber})`)
    .replaceAll('{year}', `${numberStart}(?<y>${yearNumber})`)
  return {
    pattern: new RegExp(source, 'giu'),
    isOfWords: !spaceless,
    isDate: dates.includes(kind),
    isBare: kind === 'bare',
    mayCount: (kind === 'year' || kind === 'bareYear') && !spaceless,
    isOver: isOverOf(kind, words, around),
    around: [around],
    read: (found, reference, query) => {
      const named: Named = {
        unit: timeUnits.find((name) => found[name] !== undefined),
        n: /^\d/.test(found.n ?? '') ? Number(found.n) : plusOne(placeOf(numbers, found.n)),
        weekday: placeOf(weekdays, found.w),
        month: placeOf(months, found.m),
        day: numberOf(found.d),
        year: numberOf(found.y),
      }
      return meaningOf(kind, named, reference, () => tenseOf(around, query))
    },
  }
}

function meaningOf(
  kind: PhraseKind,
  named: Named,
  reference: number,
  tense: () => Tense | undefined,
): Meaning {
  if (kind === 'bare') return { span: undefined, inYear: inYear(named) }
  if (kind === 'month' || (kind === 'date' && named.year === undefined)) {
    return { span: withoutYear(reference, inYear(named, reference), tense()), inYear: inYear(named) }
  }
  return { span: meanings[kind](named, reference) }
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
const dateRules: readonly Rule[] = [
  '(?<y>(?:19|20)\\d\\d)-(?<m>\\d\\d)-(?<d>\\d\\d)',
  '(?<y>(?:19|20)\\d\\d)/(?<m>\\d\\d?)/(?<d>\\d\\d?)',
  '(?<d>\\d\\d?)\\. ?(?<m>\\d\\d?)\\. ?(?<y>(?:19|20)\\d\\d)',
  '(?<a>\\d\\d?)[/-](?<b>\\d\\d?)[/-](?<y>(?:19|20)\\d\\d)',
].map((source) => ({
  pattern: new RegExp(`(?<![\\p{L}\\d]|\\d[.,:/-])${source}(?!\\d|[.,:/-]\\d)`, 'gu'),
  isOfWords: false,
  mayCount: false,
  isDate: true,
  isBare: false,
  around: timeWords.map(surroundingsOf),
  read: ({ y, m, d, a, b }) => {
    if (a === undefined || b === undefined) return { span: dateOf(Number(y), Number(m), Number(d)) }
    if (a === b || Number(a) > 12) return { span: dateOf(Number(y), Number(b), Number(a)) }
    return { span: Number(b) > 12 ? dateOf(Number(y), Number(a), Number(b)) : undefined }
  },
}))

/** Quarters are written so in most languages: "Q3 2024", "2024-Q3". */
const quarterRule: Rule = {
  pattern:
    /(?:(?<!\p{L}|\d)Q(?<q>[1-4])[ /-]?(?<y>(?:19|20)\d\d)|(?<!\d|[.,:/-])(?<y2>(?:19|20)\d\d)[ /-]?Q(?<q2>[1-4]))(?![\p{L}\d])/giu,
  isOfWords: false,
  mayCount: false,
  isDate: true,
  isBare: false,
  around: timeWords.map(surroundingsOf),
  read: ({ q, y, q2, y2 }) => {
    const [year, month] = [Number(y ?? y2), 3 * (Number(q ?? q2) - 1)]
    return { span: [Date.UTC(year, month), Date.UTC(year, month + 3)] }
  },
}
const inDigits = [...dateRules, quarterRule]

const dateOf = (year: number, month: number, day: number): Span | undefined =>
  month >= 1 && day >= 1 ? dateSpan(year, month - 1, day) : undefined

/** The words of a language that are in every time that it names, and how such times are read. */
interface Reading {
  hint: RegExp
  rules: readonly Rule[]
}

const yearHint = '(?:19|20)\\d\\d'

function readingOf(words: TimeWords): Reading {
  const { unit, units, weekdays, months, phrases, spaceless, hint = '' } = words
  const days = [phrases.today, phrases.tomorrow, phrases.yesterday, phrases.dayBefore].flatMap(
    (some) => some ?? [],
  )
  const around = surroundingsOf(words)
  // Parts of a day are written in one word with it: "Montagabend".
  const anyWeekday = `(?:${weekdays.join('|')})\\p{L}*`
  const names = spaceless
    ? [...days, hint]
    : [...Object.values(unit), ...Object.values(units), anyWeekday, ...months, ...days]
  const [start, end] = spaceless ? ['', ''] : ['(?<!\\p{L})', '(?!\\p{L})']
  return {
    hint: new RegExp(`${yearHint}|${start}(?:${names.join('|')})${end}`, 'iu'),
    rules: (Object.entries(phrases) as [PhraseKind, readonly string[]][]).flatMap(([kind, some]) =>
      some.map((phrase) => ruleOf(words, around, kind, phrase)),
    ),
  }
}

/** Most queries have no hint of any language, and few of more than one: what is not used is not compiled. */
const readings: readonly Reading[] = [
  { hint: new RegExp(yearHint), rules: inDigits },
  ...timeWords.map(readingOf),
]
