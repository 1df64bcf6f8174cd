import { randomNormal, sample, seededRandom } from '@memory/engine/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const draws = (seed: string, count: number) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, random)
}

describe('a seeded random source', () => {
  it('gives the same numbers for a seed, and others for another', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(draws(one, 8)).toEqual(draws(one, 8))
        if (one !== other) expect(draws(one, 8)).not.toEqual(draws(other, 8))
      }),
    )
  })

  it('is uniform in [0, 1), without correlation from one to the next or from seed to seed', () => {
    for (const numbers of [
      draws('a', 40_000),
      Array.from({ length: 40_000 }, (_, i) => draws(`space:${i}`, 1)[0] as number),
    ]) {
      const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length
      const variance = numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length
      const lagged = numbers
        .slice(1)
        .reduce((sum, x, i) => sum + (x - mean) * ((numbers[i] as number) - mean), 0)
      // Six standard errors of each.
      expect(Math.abs(mean - 0.5)).toBeLessThan(6 * Math.sqrt(1 / 12 / numbers.length))
      expect(Math.abs(variance - 1 / 12)).toBeLessThan(6 * Math.sqrt(1 / 180 / numbers.length))
      expect(Math.abs(lagged / numbers.length / variance)).toBeLessThan(6 / Math.sqrt(numbers.length))
      expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...numbers)).toBeLessThan(1)
    }
  })

  it('makes normal numbers', () => {
    const random = seededRandom('normal')
    const numbers = Array.from({ length: 20_000 }, () => randomNormal(random))
    const share = (sigma: number) => numbers.filter((x) => Math.abs(x) < sigma).length / numbers.length
    expect(share(1)).toBeCloseTo(0.6827, 1)
    expect(share(2)).toBeCloseTo(0.9545, 1)
    expect(numbers.every(Number.isFinite)).toBe(true)
  })

  it('samples different items, each as often', () => {
    const random = seededRandom('sample')
    const counts = new Array<number>(6).fill(0)
    for (let i = 0; i < 6_000; i++) {
      const drawn = sample([0, 1, 2, 3, 4, 5], 2, random)
      expect(new Set(drawn).size).toBe(2)
      for (const item of drawn) counts[item] = (counts[item] as number) + 1
    }
    for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(250)
    expect(sample([], 3, random)).toEqual([])
    expect(sample([1, 2], 5, random).toSorted()).toEqual([1, 2])
    expect(sample([1, 2], -1, random)).toEqual([])
  })
})
