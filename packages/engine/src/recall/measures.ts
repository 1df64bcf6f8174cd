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

/**
 * Whether values surely measure different things, as 9:30 and 15 minutes. A number alone may be of any kind, and a word in place of
 * one may tell that it has ended.
 */
export function measureOthers(one: string, other: string): boolean {
  const [a, b] = [measureOf(one), measureOf(other)]
  const areTold = [a, b].every((measure) => measure !== undefined && measure !== 'number')
  return areTold && a !== b && ![a, b].includes('share')
}
