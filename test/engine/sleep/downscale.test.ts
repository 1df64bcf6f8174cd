import { daysOfDisuse, weakened } from '@memory/engine/sleep/downscale'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const day = 86_400_000
const now = 1_800_000_000_000

describe('the days for which a pattern is weakened', () => {
  it('count from a week without use on, and from the last time', () => {
    const days = (used: number, weakenedBefore: number | null) =>
      daysOfDisuse(
        { usedAt: now - used * day, weakenedAt: weakenedBefore === null ? null : now - weakenedBefore * day },
        now,
      )
    expect(days(6.9, null)).toBe(0)
    expect(days(10, null)).toBeCloseTo(3, 9)
    expect(days(10, 1)).toBeCloseTo(1, 9)
    expect(days(10, 30)).toBeCloseTo(3, 9)
    expect(days(100, 0)).toBe(0)
    expect(days(-1, null)).toBe(0)
  })

  it('add up to the same in one run or in several', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 50, noNaN: true }),
        fc.double({ min: 0.1, max: 50, noNaN: true }),
        (first, second) => {
          const usedAt = now - (7 + first + second) * day
          const between = now - second * day
          const whole = weakened(0.9, daysOfDisuse({ usedAt, weakenedAt: null }, now))
          const half = weakened(0.9, daysOfDisuse({ usedAt, weakenedAt: null }, between))
          const both = weakened(half, daysOfDisuse({ usedAt, weakenedAt: between }, now))
          expect(both).toBeCloseTo(whole, 9)
        },
      ),
    )
  })
})

describe('a weakened strength', () => {
  it('is 0.95 of it a day, what a pattern starts with at least, and never more than before', () => {
    expect(weakened(0.9, 1)).toBeCloseTo(0.855, 12)
    expect(weakened(0.9, 10)).toBeCloseTo(0.9 * 0.95 ** 10, 12)
    expect(weakened(0.9, 1_000)).toBe(0.5)
    expect(weakened(0.3, 5)).toBe(0.3)
    expect(weakened(0.9, -3)).toBe(0.9)
    const strength = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(strength, fc.double({ min: 0, max: 1e6, noNaN: true }), (before, days) => {
        const after = weakened(before, days)
        expect(after).toBeLessThanOrEqual(before)
        expect(after).toBeGreaterThanOrEqual(Math.min(before, 0.5))
      }),
    )
  })
})
