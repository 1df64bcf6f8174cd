import { parameters } from '@memory/engine/parameters'
import {
  type Calibration,
  estimateCalibration,
  geometricSurprise,
  standardScore,
  startCalibration,
  updateCalibration,
} from '@memory/engine/surprise'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom } from './naive.ts'
import { normals } from './observations.ts'

const { rate, stdMin } = parameters.surprise
const surprises = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1))

describe('geometricSurprise', () => {
  it.each([
    [1, 0],
    [Math.cos(Math.PI / 8), 0.25],
    [0.5, 2 / 3],
    [Math.SQRT1_2, 0.5],
    [0, 1],
    [-0.5, 1],
    [undefined, 1],
  ])('of the nearest key at cosine %d is %d', (cosine, expected) => {
    expect(geometricSurprise(cosine)).toBeCloseTo(expected, 12)
  })

  it('is in [0, 1] for every number, and never less for a lower cosine', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), (one, other) => {
        for (const cosine of [one, other]) {
          expect(geometricSurprise(cosine)).toBeGreaterThanOrEqual(0)
          expect(geometricSurprise(cosine)).toBeLessThanOrEqual(1)
        }
        if (one <= other) expect(geometricSurprise(one)).toBeGreaterThanOrEqual(geometricSurprise(other))
      }),
    )
  })

  it('takes rounding over 1 for 1', () => {
    expect(geometricSurprise(1 + 1e-7)).toBe(0)
  })
})

describe('updateCalibration', () => {
  it('has the exponentially weighted mean and variance of surprises that are not outliers', () => {
    const scores = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { maxLength: 40 })
    fc.assert(
      fc.property(scores, (list) => {
        let calibration: Calibration = startCalibration
        // What is known of the start counts as an observation with its mean and variance.
        const seen: { value: number; variance: number }[] = [
          { value: calibration.mean, variance: calibration.std ** 2 },
        ]
        for (const score of list) {
          const value = calibration.mean + score * calibration.std
          if (value < 0 || value > 1) continue
          seen.push({ value, variance: 0 })
          calibration = updateCalibration(calibration, value)
        }
        const weights = seen.map((_, i) => (i === 0 ? 1 : rate) * (1 - rate) ** (seen.length - 1 - i))
        const mean = seen.reduce((sum, { value }, i) => sum + weights[i]! * value, 0)
        const variance = seen.reduce(
          (sum, { value, variance }, i) => sum + weights[i]! * ((value - mean) ** 2 + variance),
          0,
        )
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12)
        expect(calibration.mean).toBeCloseTo(mean, 12)
        expect(calibration.std).toBeCloseTo(Math.sqrt(variance), 12)
      }),
    )
  })

  it('counts an outlier as two standard deviations', () => {
    const usual = { mean: 0.2, std: 0.05 }
    expect(updateCalibration(usual, 0.9)).toEqual(updateCalibration(usual, 0.3))
    expect(updateCalibration(usual, 0.9).mean).toBeCloseTo(0.201, 12)
  })

  it('finds the mean and nearly the deviation of what a space sees', () => {
    const random = randomFrom(1)
    let calibration: Calibration = startCalibration
    const trail: Calibration[] = []
    for (const value of normals(random, 20_000, 0.3, 0.08)) {
      calibration = updateCalibration(calibration, value)
      trail.push(calibration)
    }
    const late = trail.slice(2_000)
    const average = (pick: (each: Calibration) => number) =>
      late.reduce((sum, each) => sum + pick(each), 0) / late.length
    expect(average(({ mean }) => mean)).toBeCloseTo(0.3, 2)
    expect(average(({ std }) => std) / 0.08).toBeGreaterThan(0.92)
    expect(average(({ std }) => std) / 0.08).toBeLessThan(0.97)
  })

  it('stays in bounds whatever it sees', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(surprises, fc.double()), { maxLength: 300 }), (list) => {
        const { mean, std } = list.reduce(updateCalibration, startCalibration)
        expect(mean).toBeGreaterThanOrEqual(0)
        expect(mean).toBeLessThanOrEqual(1)
        expect(std).toBeGreaterThanOrEqual(stdMin)
        expect(std).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('standardScore', () => {
  it('is the distance from the mean in deviations, the least of which is 0.02', () => {
    expect(standardScore(0.8, { mean: 0.5, std: 0.1 })).toBeCloseTo(3, 12)
    expect(standardScore(0.4, { mean: 0.5, std: 0.1 })).toBeCloseTo(-1, 12)
    expect(standardScore(0.54, { mean: 0.5, std: 0 })).toBeCloseTo(2, 12)
  })
})

describe('estimateCalibration', () => {
  it('is mean and sample deviation', () => {
    const { mean, std } = estimateCalibration([0.2, 0.4, 0.4, 0.4, 0.5, 0.5, 0.7, 0.9, 0.1, 0.9])
    expect(mean).toBeCloseTo(0.5, 12)
    expect(std).toBeCloseTo(Math.sqrt(0.64 / 9), 12)
  })

  it('of fewer than ten is that of the start', () => {
    expect(estimateCalibration([])).toEqual(startCalibration)
    expect(estimateCalibration(Array.from({ length: 9 }, () => 0.1))).toEqual(startCalibration)
  })

  it('of equal ones has the least deviation', () => {
    expect(estimateCalibration(Array.from({ length: 10 }, () => 0.25))).toEqual({ mean: 0.25, std: stdMin })
  })
})
