import { type Clock, systemClock } from '@memory/shared/platform/clock'

/** Waits until `look` gives something other than undefined or false, asking again and again. */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  withinMs = 90_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== null && seen !== false) return seen
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/**
 * Does what must be done before a moment, which is to come soon because the test then waits for it. What fails when the
 * moment has come already, as on a busy machine, is done again with more time.
 * @param clock that the moment is told by
 */
export async function beforeItComes<T>(
  work: (moment: Date) => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  for (let ms = 1_000; ; ms *= 4) {
    const moment = new Date(clock.now().getTime() + ms)
    try {
      return await work(moment)
    } catch (error) {
      if (ms > 60_000 || clock.now() < moment) throw error
    }
  }
}
