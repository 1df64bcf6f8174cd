import type { TestClock } from '../support/server.ts'

/** Moves a clock forward to the next moment of the day that is so many ms after midnight, UTC. */
export function advanceTo(clock: TestClock, timeOfDayMs: number): void {
  const dayMs = 86_400_000
  const now = clock.now().getTime()
  const midnight = Math.floor(now / dayMs) * dayMs
  const target = midnight + timeOfDayMs
  clock.advance((target > now ? target : target + dayMs) - now)
}

/** Moves a clock to the middle of the next month: a test that counts a month's requests must not run into another. */
export function advanceIntoMonth(clock: TestClock): void {
  const now = clock.now()
  clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12) - now.getTime())
}
