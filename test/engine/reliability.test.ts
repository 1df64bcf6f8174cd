import { digamma } from '@memory/engine/digamma'
import {
  fadeReliability,
  informationGain,
  meanReliability,
  observeUse,
  unknownReliability,
} from '@memory/engine/reliability'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const day = 86_400_000

const entropy = (p: number) => (p <= 0 || p >= 1 ? 0 : -p * Math.log(p) - (1 - p) * Math.log(1 - p))

/** The mutual information by its definition, with the expectation as a midpoint sum over the Beta density. */
function integratedGain(a: number, b: number): number {
  const steps = 100_000
  let mass = 0
  let expected = 0
  for (let i = 0; i < steps; i++) {
    const rate = (i + 0.5) / steps
    const density = rate ** (a - 1) * (1 - rate) ** (b - 1)
    mass += density
    expected += density * entropy(rate)
  }
  return entropy(a / (a + b)) - expected / mass
}

describe('digamma', () => {
  const euler = 0.5772156649015329

  it('has its known values', () => {
    expect(digamma(1)).toBeCloseTo(-euler, 13)
    expect(digamma(0.5)).toBeCloseTo(-euler - 2 * Math.LN2, 13)
    expect(digamma(0.25)).toBeCloseTo(-euler - Math.PI / 2 - 3 * Math.LN2, 12)
    const harmonic = Array.from({ length: 99 }, (_, i) => 1 / (i + 1)).reduce((sum, term) => sum + term)
    expect(digamma(100)).toBeCloseTo(harmonic - euler, 13)
  })

  it('is psi(x + 1) - 1/x, across the expansion’s border too', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (x) => {
        const scale = 1 + 1 / x
        expect(Math.abs(digamma(x) - (digamma(x + 1) - 1 / x))).toBeLessThan(1e-12 * scale)
      }),
    )
  })

  it('refuses what has none', () => {
    for (const x of [0, -1, Number.NaN]) expect(() => digamma(x)).toThrow(RangeError)
  })
})

describe('the information in the next outcome', () => {
  it.each([
    [1, 1],
    [2, 1],
    [1, 9],
    [3.5, 2.25],
    [40, 15],
  ])('for Beta(%d, %d) is what numeric integration gives', (a, b) => {
    expect(informationGain({ a, b })).toBeCloseTo(integratedGain(a, b), 6)
  })

  it('falls with every outcome at an unchanged mean, and never below 0', () => {
    expect(informationGain({ a: 1, b: 1 })).toBeCloseTo(Math.LN2 - 0.5, 12)
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e7, noNaN: true }),
        fc.double({ min: 1, max: 1e7, noNaN: true }),
        (a, b) => {
          const gain = informationGain({ a, b })
          expect(gain).toBeGreaterThanOrEqual(0)
          expect(gain).toBeLessThanOrEqual(Math.LN2)
          expect(informationGain({ a: 2 * a, b: 2 * b })).toBeLessThanOrEqual(gain + 1e-12)
        },
      ),
    )
  })
})

describe('reliability', () => {
  it('counts useful and useless answers', () => {
    let known = observeUse(unknownReliability, true, 5 * day)
    known = observeUse(known, true, 5 * day)
    known = observeUse(known, false, 5 * day)
    expect(known).toEqual({ a: 3, b: 2, at: 5 * day })
    expect(meanReliability(known)).toBe(0.6)
    expect(meanReliability(unknownReliability)).toBe(0.5)
  })

  it('fades to ignorance by half in 30 days', () => {
    const known = { a: 9, b: 3, at: 100 * day }
    expect(fadeReliability(known, 130 * day)).toEqual({ a: 5, b: 2, at: 130 * day })
    expect(observeUse(known, false, 160 * day)).toEqual({ a: 3, b: 2.5, at: 160 * day })
    expect(meanReliability(fadeReliability(known, 100_000 * day))).toBeCloseTo(0.5, 12)
  })

  it('does not grow when the clock goes back', () => {
    const known = { a: 9, b: 3, at: 100 * day }
    expect(fadeReliability(known, 0)).toEqual(known)
    expect(observeUse(known, true, 0)).toEqual({ a: 10, b: 3, at: 100 * day })
  })
})
