import { parameters } from '@memory/engine/parameters'
import { demotedTier, promotedTier, scoreAt, type Tier, tiers } from '@memory/engine/tiers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const hour = 3_600_000
const day = 24 * hour
const stored = new Date('2026-01-01T00:00:00Z')
const later = (ms: number) => new Date(stored.getTime() + ms)

const tier = fc.constantFrom<Tier>(...tiers)
const score = fc.oneof(
  fc.double({ min: 0, max: 3, noNaN: true }),
  fc.constantFrom(0.05, 0.5, 0.05 - 1e-12, 0.5 - 1e-12),
)

describe('scoreAt', () => {
  it.each([
    [0, 1],
    [7 * day, 0.5],
    [14 * day, 0.25],
    [3.5 * day, Math.SQRT1_2],
    [70 * day, 1 / 1_024],
  ])('of one access %d ms ago is %d', (ms, expected) => {
    expect(scoreAt({ value: 1, at: stored }, later(ms))).toBeCloseTo(expected, 12)
  })

  it('is the sum over the accesses of 2^(-age / 7 days), whenever it was added up', () => {
    const ages = fc.array(fc.integer({ min: 0, max: 100 * 24 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(ages, fc.nat({ max: 1_000 }), (hours, wait) => {
        const times = hours.toSorted((a, b) => a - b)
        const kept = times.reduce(
          (last, time) => {
            const at = later(time * hour)
            return { value: scoreAt(last, at) + 1, at }
          },
          { value: 0, at: stored },
        )
        const now = (times.at(-1) as number) + wait
        const naive = times.reduce((sum, time) => sum + 2 ** (-(now - time) / (7 * 24)), 0)
        expect(scoreAt(kept, later(now * hour))).toBeCloseTo(naive, 9)
      }),
    )
  })

  it('takes a moment before its own for its own', () => {
    expect(scoreAt({ value: 2, at: later(day) }, stored)).toBe(2)
  })
})

describe('demotedTier', () => {
  it.each<[Tier, number, boolean, Tier]>([
    ['hot', 0.5, false, 'hot'],
    ['hot', 0.4999, false, 'warm'],
    ['hot', 0.05, false, 'warm'],
    ['hot', 0.0499, false, 'cold'],
    ['warm', 9, false, 'warm'],
    ['warm', 0.05, false, 'warm'],
    ['warm', 0.0499, false, 'cold'],
    ['cold', 9, false, 'cold'],
    ['hot', 0.5, true, 'hot'],
    ['hot', 0.4999, true, 'warm'],
    ['hot', 0, true, 'warm'],
    ['warm', 0, true, 'warm'],
    ['cold', 0, true, 'warm'],
  ])('takes a %s pattern with score %d (protected: %s) to %s', (from, a, isProtected, to) => {
    expect(demotedTier(from, a, isProtected)).toBe(to)
  })

  it('leaves its own result as it is, takes nothing protected to cold, and moves nothing else up', () => {
    fc.assert(
      fc.property(tier, score, fc.boolean(), (from, a, isProtected) => {
        const to = demotedTier(from, a, isProtected)
        expect(demotedTier(to, a, isProtected)).toBe(to)
        if (isProtected) expect(to).not.toBe('cold')
        else expect(tiers.indexOf(to)).toBeGreaterThanOrEqual(tiers.indexOf(from))
      }),
    )
  })

  it('takes a pattern the further down the less it is used', () => {
    fc.assert(
      fc.property(tier, score, score, fc.boolean(), (from, a, b, isProtected) => {
        const place = (value: number) => tiers.indexOf(demotedTier(from, value, isProtected))
        expect(place(Math.min(a, b))).toBeGreaterThanOrEqual(place(Math.max(a, b)))
      }),
    )
  })

  it('takes a pattern that nobody asks for to warm after a week and to cold after about a month', () => {
    const unused = (days: number) =>
      demotedTier('hot', scoreAt({ value: 1, at: stored }, later(days * day)), false)
    expect([0, 7, 7.01, 30, 30.2, 30.3, 10_000].map(unused)).toEqual([
      'hot',
      'hot',
      'warm',
      'warm',
      'warm',
      'cold',
      'cold',
    ])
  })
})

describe('promotedTier', () => {
  it.each<[Tier, number, Tier]>([
    ['cold', 0, 'warm'],
    ['cold', 0.7, 'warm'],
    ['warm', 0.4999, 'warm'],
    ['warm', 0.5, 'hot'],
    ['hot', 0, 'hot'],
    ['hot', 1, 'hot'],
  ])('takes a %s pattern with score %d to %s', (from, a, to) => {
    expect(promotedTier(from, a)).toBe(to)
  })

  it('gives a pattern a tier that its score then keeps', () => {
    fc.assert(
      fc.property(tier, score, (from, a) => {
        const to = promotedTier(from, a)
        expect(demotedTier(to, a + 1, false)).toBe(to)
      }),
    )
  })
})

it('the thresholds are in order', () => {
  const { hotMin, warmMin } = parameters.tiers
  expect(warmMin).toBeGreaterThan(0)
  expect(hotMin).toBeGreaterThan(warmMin)
  // A new pattern is hot.
  expect(hotMin).toBeLessThan(1)
})
