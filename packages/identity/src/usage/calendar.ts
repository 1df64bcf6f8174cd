export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const firstMondayMs = 4 * dayMs

/** The number of days in each period of the history. */
const daysOf = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const
const stepOf = { hourly: hourMs, daily: dayMs, weekly: weekMs } as const

export type HistoryPeriod = keyof typeof daysOf
export type Granularity = keyof typeof stepOf

/** Rounds a moment down to the beginning of its hour, day or other unit of `unitMs`, in UTC. */
export function floorTo(moment: Date | number, unitMs: number, from = 0): number {
  return from + Math.floor((Number(moment) - from) / unitMs) * unitMs
}

/** The calendar month (UTC) of a moment: its first moment, and that of the next month. */
export function monthOf(moment: Date): { start: Date; end: Date } {
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()]
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}

/** The points of a history. Each covers `stepMs` from its start. */
export interface Points {
  /** The beginning of the period. Usage before it counts in no point, although the first point may start earlier. */
  from: Date
  /** The starts of the points, ascending, at least one. */
  starts: number[]
  stepMs: number
}

/**
 * The points of a period that ends now: all its hours or days, of which the last has only begun; or all weeks (Monday to Sunday)
 * that contain any of its days.
 */
export function historyPoints(now: Date, period: HistoryPeriod, granularity: Granularity): Points {
  const days = daysOf[period]
  const stepMs = stepOf[granularity]
  const last = floorTo(now, stepMs, granularity === 'weekly' ? firstMondayMs : 0)
  const from =
    granularity === 'hourly' ? last - (days * 24 - 1) * hourMs : floorTo(now, dayMs) - (days - 1) * dayMs
  const starts: number[] = []
  for (let start = last; start > from - stepMs; start -= stepMs) starts.push(start)
  return { from: new Date(from), starts: starts.reverse(), stepMs }
}

/** The index of the point that contains a moment; undefined before the first and after the last point. */
export function pointOf({ starts, stepMs }: Points, moment: Date): number | undefined {
  const point = Math.floor((moment.getTime() - (starts[0] as number)) / stepMs)
  return point >= 0 && point < starts.length ? point : undefined
}
