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
 * Does work that must be done before a moment, which comes soon because the test then waits for it. If the work fails after the
 * moment has come, as on a busy machine, it is done again with a later moment.
 * @param clock tells when the moment has come
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
