export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const firstMondayMs = 4 * dayMs

/** Days that a period of the history has. */
const daysOf = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const
const stepOf = { hourly: hourMs, daily: dayMs, weekly: weekMs } as const

export type HistoryPeriod = keyof typeof daysOf
export type Granularity = keyof typeof stepOf

/** The beginning of the hour, day or whatever lasts `unitMs` that holds a moment, in UTC. */
export function floorTo(moment: Date | number, unitMs: number, from = 0): number {
  return from + Math.floor((Number(moment) - from) / unitMs) * unitMs
}

/** The calendar month (UTC) of a moment: its first moment, and that of the next month. */
export function monthOf(moment: Date): { start: Date; end: Date } {
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()]
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}

/** The points of a history, each as long as the next begins after it. */
export interface Points {
  /** What was before counts in no point, not even in one that began earlier. */
  from: Date
  /** Begins of the points, ascending; never none. */
  starts: number[]
  stepMs: number
}

/**
 * The points of a period that ends now. Hours and days are as many as the period has, the last one begun; weeks are
 * those (Monday to Sunday) into which its days fall.
 */
export function historyPoints(now: Date, period: HistoryPeriod, granularity: Granularity): Points {
  const days = daysOf[period]
  const stepMs = stepOf[granularity]
  const last = floorTo(now, stepMs, granularity === 'weekly' ? firstMondayMs : 0)
  const from =
    granularity === 'hourly' ? last - (days * 24 - 1) * hourMs : floorTo(now, dayMs) - (days - 1) * dayMs
  const starts: number[] = []
  for (let start = last; start > from - stepMs; start -= stepMs) starts.unshift(start)
  return { from: new Date(from), starts, stepMs }
}

/** The point that holds a moment; undefined for what is before the first or after the last. */
export function pointOf({ starts, stepMs }: Points, moment: Date): number | undefined {
  const point = Math.floor((moment.getTime() - (starts[0] as number)) / stepMs)
  return point >= 0 && point < starts.length ? point : undefined
}
