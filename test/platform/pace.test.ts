import { Pace } from '@memory/shared/platform/pace'
import { expect, it } from 'vitest'

/** A pace whose work takes as long as it is told; each call is a turn. */
function newPaced(share: number, restMaxMs: number) {
  let now = 0
  let done = 0
  const pace = new Pace({ share, restMaxMs, nowMs: () => now })
  return {
    async turnAt(at: number, takesMs: number, { fails = false, isUrgent = false } = {}): Promise<boolean> {
      now = at
      const before = done
      await pace.turn(async () => {
        done++
        now += takesMs
        if (fails) throw new Error('not done')
      }, isUrgent)
      return done > before
    },
  }
}

it('does work that takes little at each turn', async () => {
  const { turnAt } = newPaced(0.1, 1_000)
  for (const at of [0, 100, 200, 300]) expect(await turnAt(at, 5)).toBe(true)
})

it('rests after work that took long, so that it takes its share of the time', async () => {
  const { turnAt } = newPaced(0.1, 10_000)
  expect(await turnAt(0, 50)).toBe(true)
  expect(await turnAt(549, 50)).toBe(false)
  expect(await turnAt(550, 50)).toBe(true)
  expect(await turnAt(700, 50)).toBe(false)
})

it('rests no longer than it may, and not when the work is urgent', async () => {
  const { turnAt } = newPaced(0.1, 1_000)
  expect(await turnAt(0, 500)).toBe(true)
  expect(await turnAt(1_000, 500, { isUrgent: true })).toBe(true)
  expect(await turnAt(2_499, 500)).toBe(false)
  expect(await turnAt(2_500, 500)).toBe(true)
})

it('rests after work that failed, and says that it did', async () => {
  const { turnAt } = newPaced(0.1, 10_000)
  await expect(turnAt(0, 50, { fails: true })).rejects.toThrow('not done')
  expect(await turnAt(549, 50)).toBe(false)
  expect(await turnAt(550, 50)).toBe(true)
})
