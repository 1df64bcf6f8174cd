import {
  consolidationPriority,
  expectedGain,
  observeTrial,
  trialGain,
  uncertainty,
  unknownValidity,
} from '@memory/engine/exploration/gain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const steps = 200_000

/** KL(Beta(a1, b1) || Beta(a2, b2)) by a midpoint sum over the densities. */
function integratedDivergence(a1: number, b1: number, a2: number, b2: number): number {
  const density = (a: number, b: number, x: number) => (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x)
  const points = Array.from({ length: steps }, (_, i) => (i + 0.5) / steps)
  const massOf = (a: number, b: number) =>
    points.reduce((sum, x) => sum + Math.exp(density(a, b, x)), 0) / steps
  const [mass1, mass2] = [massOf(a1, b1), massOf(a2, b2)]
  return (
    points.reduce((sum, x) => {
      const p = Math.exp(density(a1, b1, x)) / mass1
      return sum + p * (density(a1, b1, x) - Math.log(mass1) - density(a2, b2, x) + Math.log(mass2))
    }, 0) / steps
  )
}

const parameter = fc.double({ min: 1, max: 500, noNaN: true })

describe('what a trial tells', () => {
  it.each([
    [1, 1],
    [2, 1],
    [1, 7],
    [3.5, 2.25],
    [20, 30],
  ])('is the divergence of the Beta after it from Beta(%d, %d)', (a, b) => {
    expect(trialGain({ a, b }, true)).toBeCloseTo(integratedDivergence(a + 1, b, a, b), 5)
    expect(trialGain({ a, b }, false)).toBeCloseTo(integratedDivergence(a, b + 1, a, b), 5)
  })

  it('is on average what was expected, and never less than nothing', () => {
    fc.assert(
      fc.property(parameter, parameter, (a, b) => {
        const [valid, invalid] = [trialGain({ a, b }, true), trialGain({ a, b }, false)]
        expect(Math.min(valid, invalid)).toBeGreaterThanOrEqual(0)
        const mean = (a * valid + b * invalid) / (a + b)
        expect(Math.abs(mean - expectedGain({ a, b }))).toBeLessThan(1e-9)
      }),
    )
  })

  it('is ln 2 - 1/2 at first, whatever comes out', () => {
    for (const valid of [true, false]) {
      expect(trialGain(unknownValidity, valid)).toBeCloseTo(Math.LN2 - 0.5, 12)
    }
    expect(observeTrial(observeTrial(unknownValidity, true), false)).toEqual({ a: 2, b: 2 })
  })
})

describe('the uncertainty of a pair', () => {
  it('is 1 where nothing is known, and falls with every trial that comes out as before', () => {
    expect(uncertainty(unknownValidity)).toBeCloseTo(1, 12)
    // Beta(2, 1): variance 1/18.
    expect(uncertainty({ a: 2, b: 1 })).toBeCloseTo(Math.sqrt(12 / 18), 12)
    fc.assert(
      fc.property(parameter, (a) => {
        expect(uncertainty({ a: a + 1, b: 1 })).toBeLessThan(uncertainty({ a, b: 1 }))
      }),
    )
  })
})

describe('the priority of a pair', () => {
  it('is the geometric mean of validity, coherence and novelty', () => {
    expect(consolidationPriority({ a: 3, b: 1 }, 0.5, undefined)).toBeCloseTo(Math.cbrt(0.75 * 0.5), 12)
    expect(consolidationPriority({ a: 3, b: 1 }, 0.5, 0.6)).toBeCloseTo(Math.cbrt(0.75 * 0.5 * 0.4), 12)
    expect(consolidationPriority({ a: 3, b: 1 }, 0.5, 1)).toBe(0)
    expect(consolidationPriority({ a: 3, b: 1 }, 0.5, -0.4)).toBe(
      consolidationPriority({ a: 3, b: 1 }, 0.5, undefined),
    )
  })

  it('is in [0, 1]', () => {
    const any = fc.double({ min: -2, max: 2, noNaN: true })
    fc.assert(
      fc.property(parameter, parameter, any, any, (a, b, coherence, similarity) => {
        const priority = consolidationPriority({ a, b }, coherence, similarity)
        expect(priority).toBeGreaterThanOrEqual(0)
        expect(priority).toBeLessThanOrEqual(1)
      }),
    )
  })
})
