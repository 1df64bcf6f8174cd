const units = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const

/** A time to wait, in the largest unit of which it is more than one; never less than it is. */
export function durationOf(seconds: number, locale: string): string {
  const [unit, size] = units.findLast(([, size]) => seconds > size) ?? units[0]
  const shown = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  return shown.format(Math.ceil(seconds / size))
}
