import { unitAround } from '../contradiction/units.ts'

const number = /\p{N}+(?:[.,:]\p{N}+)*/u

/** What a value measures, or counts, by its first number; undefined: it has none. */
function measureOf(value: string): string | undefined {
  const found = number.exec(value)
  if (found === null) return undefined
  const [digits] = found
  if (/^\d{1,2}:\d\d$/.test(digits)) return 'clock'
  const unit = unitAround(value.slice(0, found.index), value.slice(found.index + digits.length))
  // Hours are written as times of day are.
  return unit === undefined || unit.name === 'h' ? 'number' : unit.dimension
}

/** What a number alone may be: a price, years, or a time of day. */
const mayBeBare = /^(?:number|clock|currency|duration|share)$/

/**
 * Whether values measure different things: 9:30 and 15 minutes, 7 and 1.20 m, or 7 and "ill". A number of many digits is as well a
 * code, in whose place may come a word.
 */
export function measureOthers(one: string, other: string): boolean {
  const [a, b] = [measureOf(one), measureOf(other)]
  if (a !== undefined && b !== undefined)
    return a !== b && !([a, b].includes('number') && [a, b].every((measure) => mayBeBare.test(measure)))
  const measured = a ?? b
  return measured !== undefined && (measured !== 'number' || !/\p{N}{4}/u.test(one + other))
}
