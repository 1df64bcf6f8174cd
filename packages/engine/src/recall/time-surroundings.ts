import type { TimeWords } from './time-words.ts'

/** Regular expressions for the text around a time, for one language. Made from a `TimeContext`. */
export interface Surroundings {
  /** Matches text that ends in a bound, see `TimeContext.bounds`. */
  boundBefore: RegExp
  /** Matches text that begins with one. */
  boundAfter: RegExp | undefined
  /** For a date: units beside it are not list items ("the week of 7 May"). */
  ofDates: ListPatterns
  /** For a time relative to now: numbers after it are not list items ("yesterday to 5 people"). */
  ofOthers: ListPatterns
  past: RegExp
  future: RegExp
}

/** Match text before or after a time that makes it an item of a list, or part of a longer number. */
interface ListPatterns {
  before: RegExp
  after: RegExp
}

export type Tense = 'past' | 'future'

const [wordStart, wordEnd] = ['(?<![\\p{L}\\d])', '(?![\\p{L}\\d])']
const pattern = (source: string): RegExp => new RegExp(source, 'iu')

export function surroundingsOf({
  context,
  numbers,
  weekdays,
  months,
  units,
  spaceless,
}: TimeWords): Surroundings {
  const { bounds, boundsAfter, small, joiners, tens, past, future } = context
  if (spaceless) {
    const number = '[\\d一二三四五六七八九十]'
    const before = pattern(`(?:${number}[年月日号號天周週년월일]?(?:${joiners}|[-–—/])|${tens})$`)
    const after = pattern(`^(?:${joiners}|[-–—/])(?:${small})*${number}+[年月日号號년월일]`)
    return {
      boundBefore: pattern(`(?:${bounds})(?:${small})*$`),
      boundAfter: boundsAfter === undefined ? undefined : pattern(`^(?:${boundsAfter})`),
      ofDates: { before, after },
      ofOthers: { before, after },
      past: pattern(past),
      future: pattern(future),
    }
  }
  const some = (...words: readonly string[]) => `(?:${words.join('|')})`
  const names = [...months, ...weekdays]
  const unitNames = Object.values(units)
  const digits = '\\d{1,4}(?:st|nd|rd|th|er|[.º])?'
  const smallWords = `(?:${some(small)} |[ld]['’])*`
  const between = `(?: ${some(joiners)} |\\s?[-–—/&]\\s?)`
  const listAfter = (...items: readonly string[]) =>
    pattern(`^(?:${between}${smallWords}${some(...names, ...items)}${wordEnd}|, ?(?:19|20)\\d\\d${wordEnd})`)
  const listBefore = (...items: readonly string[]) =>
    pattern(`${wordStart}${some(digits, ...numbers, tens, ...names, ...items)}${between}${smallWords}$`)
  return {
    boundBefore: pattern(
      `${wordStart}${some(bounds)}(?: |(?<=['’]))${smallWords}(?:${some(...weekdays)},? ${smallWords})?$`,
    ),
    boundAfter: boundsAfter === undefined ? undefined : pattern(`^${some(boundsAfter)}${wordEnd}`),
    ofDates: { before: listBefore(), after: listAfter(digits) },
    ofOthers: { before: listBefore(...unitNames), after: listAfter(...unitNames) },
    past: pattern(`${wordStart}${some(past)}${wordEnd}`),
    future: pattern(`${wordStart}${some(future)}${wordEnd}`),
  }
}

/** Whether a time only bounds the one that is meant, or is excluded: "before May 2024", "except in 2023". */
export const isBounded = (
  { boundBefore, boundAfter }: Surroundings,
  before: string,
  after: string,
): boolean => boundBefore.test(before) || boundAfter?.test(after) === true

/** Whether a time is one of several, or of a longer number: "3 and 4 May", "in 2022 or 2023", "twenty two days ago". */
export const isListed = (
  { ofDates, ofOthers }: Surroundings,
  before: string,
  after: string,
  isDate: boolean,
): boolean => {
  const patterns = isDate ? ofDates : ofOthers
  return patterns.before.test(before) || patterns.after.test(after)
}

/** Whether a query asks about the past or the future; undefined if its words say neither, or both. */
export function tenseOf({ past, future }: Surroundings, query: string): Tense | undefined {
  const isPast = past.test(query)
  if (isPast === future.test(query)) return undefined
  return isPast ? 'past' : 'future'
}
