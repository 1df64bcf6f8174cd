import { parameters } from '@memory/engine/parameters'
import { type PatternUse, salienceOf } from '@memory/engine/salience'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const now = Date.UTC(2026, 0, 1)
const s = 1_000
const day = 86_400 * s

const used = (storedAgo: number, ...agos: number[]): PatternUse => ({
  storedAt: now - storedAgo,
  count: agos.length,
  lastAt: now - Math.min(storedAgo, ...agos),
  strength: 0.5,
})

/** Base-level activation of what has the strength that patterns start with. */
const baseLevelOf = (use: PatternUse): number => salienceOf(use, now) / parameters.salience.baseShare

/** The base-level learning equation: ln(sum over uses of age^-0.5), ages in seconds. */
const exact = (agos: number[]): number => Math.log(agos.reduce((sum, ago) => sum + (ago / s) ** -0.5, 0))

describe('salienceOf', () => {
  it('is the definition for what was stored and never used', () => {
    for (const ago of [s, 60 * s, day, 400 * day])
      expect(baseLevelOf(used(ago))).toBeCloseTo(exact([ago]), 12)
  })

  it('lies within the bounds of an integral for uses that are evenly spaced', () => {
    // Of a falling function, the sum over a grid without its first point is at most the integral, without its last at least.
    for (const count of [1, 2, 10, 100, 5_000]) {
      for (const [first, last] of [
        [day, 10 * s],
        [400 * day, day],
        [20 * s, 10 * s],
      ] as const) {
        const agos = Array.from({ length: count }, (_, i) => last + (i * (first - last)) / count)
        const sum = Math.exp(exact([...agos, first]))
        const approximated = Math.exp(baseLevelOf(used(first, ...agos)))
        expect(approximated).toBeGreaterThanOrEqual(sum * (1 - 1e-12))
        const slack = (last / s) ** -0.5 - (first / s) ** -0.5
        expect(approximated).toBeLessThanOrEqual((sum + slack) * (1 + 1e-12))
      }
    }
  })

  it('is the definition where all uses were at once', () => {
    expect(baseLevelOf(used(day, day, day, day))).toBeCloseTo(exact([day, day, day, day]), 12)
  })

  it('counts strength beside it: ln(strength/0.5)', () => {
    const before = salienceOf(used(day, s), now)
    expect(salienceOf({ ...used(day, s), strength: 1 }, now) - before).toBeCloseTo(Math.log(2), 12)
    expect(salienceOf({ ...used(day, s), strength: 0.25 }, now) - before).toBeCloseTo(-Math.log(2), 12)
    expect(salienceOf({ ...used(day, s), strength: 0 }, now)).toBeLessThan(before - 30)
  })

  it('rises with more uses and later ones, and falls with time', () => {
    const use = { storedAt: now - 30 * day, count: 3, lastAt: now - day, strength: 0.5 }
    const salience = salienceOf(use, now)
    expect(salienceOf({ ...use, count: 4 }, now)).toBeGreaterThan(salience)
    expect(salienceOf({ ...use, lastAt: now - s }, now)).toBeGreaterThan(salience)
    expect(salienceOf(use, now + day)).toBeLessThan(salience)
  })

  it('is finite for any times, counts and strengths', () => {
    const time = fc.double({ min: -1e13, max: 1e13, noNaN: true })
    const count = fc.oneof(fc.nat(), fc.constantFrom(0, 1_000_000, 2 ** 31 - 1))
    const strength = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(time, time, count, strength, time, (storedAt, lastAt, count, strength, at) => {
        expect(salienceOf({ storedAt, lastAt, count, strength }, at)).toSatisfy(Number.isFinite)
      }),
    )
    expect(baseLevelOf({ storedAt: now, lastAt: now, count: 1e6, strength: 0.5 })).toBeCloseTo(
      Math.log(1e6 + 1),
      10,
    )
  })

  it('takes anything for the last use of what was in no answer', () => {
    expect(salienceOf({ ...used(day), lastAt: Number.NaN }, now)).toBe(salienceOf(used(day), now))
  })
})
