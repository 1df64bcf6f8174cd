const dayS = 24 * 3_600

/** Between marks of days there are so many seconds; with fewer than a day the same day would be marked twice. */
export const daySteps = [1, 2, 4, 7, 14, 28, 56, 91, 182, 364].map((days) => days * dayS)

/** The days that are marked: each begins at midnight of UTC. All times are in seconds. */
export function dayTicks(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / dayS) * dayS
  // There is no step where there is no place for any mark.
  if (step <= 0 || first > to) return []
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, at) => first + at * step)
}

/** Steps between values that differ when they are written with so many digits after the point. */
export function valueSteps(digits: number): number[] {
  const powers = Array.from({ length: digits + 13 }, (_, at) => at - digits)
  return powers.flatMap((power) => [1, 2, 5].map((first) => Number(`${first}e${power}`)))
}

interface Shown {
  language: string
  /** That of the reader unless given. */
  timeZone?: 'UTC' | undefined
}

/** Seconds with as many digits as tell marks apart that are less than one from each other; browsers know times to the millisecond. */
const withinSecond = (step: number): Intl.DateTimeFormatOptions => ({
  ...{ hour: 'numeric', minute: '2-digit', second: '2-digit' },
  fractionalSecondDigits: step < 0.01 ? 3 : step < 0.1 ? 2 : 1,
})

/** What stands at marks of time, in seconds: as much as tells them apart, and below it, where that changes, the rest. */
export function tickTexts(ticks: readonly number[], step: number, { language, timeZone }: Shown): string[] {
  const written = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...parts, timeZone })
  const isWithinDay = step < dayS
  const upper = written(
    step < 1
      ? withinSecond(step)
      : isWithinDay
        ? { timeStyle: step < 60 ? 'medium' : 'short' }
        : { day: 'numeric', month: 'short' },
  )
  const lower = written(isWithinDay ? { dateStyle: 'medium' } : { year: 'numeric' })
  let below: string | undefined
  return ticks.map((tick) => {
    const at = new Date(tick * 1_000)
    const before = below
    below = lower.format(at)
    return below === before ? upper.format(at) : `${upper.format(at)}\n${below}`
  })
}
