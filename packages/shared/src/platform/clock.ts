/** Gives the current time. It is passed as a parameter so that tests can control it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Whether `ms` have passed from one time to another. Also where that is the earlier one: the clock was set back. */
export const havePassed = (ms: number, from: number, to: number): boolean => to < from || to - from >= ms
