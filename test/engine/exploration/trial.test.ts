import { inverseTemperature } from '@memory/engine/energy'
import {
  beginTrial,
  coherenceOf,
  drawHalf,
  isValidTrial,
  pointBetween,
  randomLevel,
  relaxFrom,
} from '@memory/engine/exploration/trial'
import { kernels } from '@memory/engine/kernels/kernels'
import { type Random, seededRandom } from '@memory/engine/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blend, matrixOf, mixtureOf, randomUnit } from '../random-keys.ts'

const dimensions = 256

/** The idx below `count` in a random half. */
function halfOf(count: number, always: readonly number[], random: Random): number[] {
  const bits = new Uint8Array(Math.ceil(count / 8))
  drawHalf(bits, always, random)
  return Array.from({ length: count }, (_, idx) => idx).filter(
    (idx) => (bits[idx >> 3] as number) & (1 << (idx & 7)),
  )
}

/** The share of valid trials of a pair among all keys, each with a half of them. */
function validShare(keys: readonly Float32Array[], a: number, b: number, trials = 20): number {
  const random = seededRandom(`${a},${b}`)
  let valid = 0
  for (let i = 0; i < trials; i++) {
    const half = halfOf(keys.length, [a, b], random)
    const matrix = matrixOf(half.map((idx) => keys[idx] as Float32Array))
    const queries = beginTrial(keys[a] as Float32Array, keys[b] as Float32Array, random)
    const search = (query: Float32Array) => {
      const { labels, scores } = kernels.nearest(matrix, query, 10, -1, { requiredFlags: 1 })
      return { labels: labels.map((row) => half[row] as number), scores }
    }
    const beta = inverseTemperature(half.length)
    const cosines = relaxFrom(matrix.values, matrix.inverseNorms, queries.between, beta)
    const findings = {
      a,
      b,
      neighbours: [...search(queries.between).labels],
      relaxed: { labels: half, cosines },
      recovered: search(queries.unbound),
    }
    if (isValidTrial(findings)) valid++
  }
  return valid / trials
}

describe('a trial', () => {
  const random = seededRandom('planted')
  const others = Array.from({ length: 120 }, () => randomUnit(dimensions, random))

  it('finds parts of a common structure valid among keys of none', () => {
    const [one, other] = mixtureOf(2, 0.6, dimensions, random)
    const keys = [one as Float32Array, other as Float32Array, ...others]
    expect(validShare(keys, 0, 1)).toBeGreaterThan(0.9)
  })

  it('finds no pair valid whose middle is another pattern', () => {
    const [one, other] = mixtureOf(2, 0.3, dimensions, random) as [Float32Array, Float32Array]
    const middles = [0.35, 0.45, 0.55, 0.65].map((alpha) => kernels.slerp(one, other, alpha).vector)
    // In half of the keys there is nearly always one of those in the middle.
    expect(validShare([one, other, ...middles, ...others], 0, 1, 40)).toBeLessThan(0.4)
  })

  it('finds no pair valid that lies apart in a crowd of others', () => {
    const [a, b] = [randomUnit(dimensions, random), randomUnit(dimensions, random)]
    const between = Array.from({ length: 60 }, () =>
      blend([1, a], [1, b], [0.7, randomUnit(dimensions, random)]),
    )
    expect(validShare([a, b, ...between, ...others], 0, 1)).toBe(0)
  })

  it('takes a pattern with the same key for the part that is looked for', () => {
    const scores = Float64Array.of(0.5, 0.5, 0.1)
    const findings = { a: 1, b: 2, neighbours: [1, 2], relaxed: { labels: [1, 2], cosines: [0.9, 0.8] } }
    const found = (labels: number[]) => ({
      ...findings,
      recovered: { labels: Int32Array.from(labels), scores },
    })
    expect(isValidTrial(found([0, 2, 5]))).toBe(true)
    expect(isValidTrial(found([0, 5, 2]))).toBe(false)
    expect(isValidTrial(found([0, 5, 6]))).toBe(false)
    const nothing = { labels: new Int32Array(), scores: new Float64Array() }
    expect(isValidTrial({ ...findings, recovered: nothing })).toBe(false)
  })

  it('looks between 0.3 and 0.7 of the way', () => {
    const [a, b] = [Float32Array.of(1, 0), Float32Array.of(0, 1)]
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const { between } = beginTrial(a, b, seededRandom(seed))
        const share = Math.atan2(between[1] as number, between[0] as number) / (Math.PI / 2)
        expect(share).toBeGreaterThan(0.2999)
        expect(share).toBeLessThan(0.7001)
      }),
    )
  })

  it.each([2 ** 127, 2 ** -149])('looks the same way between keys %d times as long', (scale) => {
    const [a, b] = [Float32Array.of(1, 1, 0), Float32Array.of(-1, 1, 1)]
    const scaled = (key: Float32Array) => key.map((value) => value * scale)
    expect(beginTrial(scaled(a), scaled(b), seededRandom('x'))).toEqual(beginTrial(a, b, seededRandom('x')))
    expect(pointBetween(scaled(a), scaled(b), 0.5)).toEqual(pointBetween(a, b, 0.5))
    const large = pointBetween(Float32Array.of(3e38, 3e38), Float32Array.of(-3e38, 3e38), 0.5)
    expect(large[0]).toBeCloseTo(0, 6)
    expect(large[1]).toBeGreaterThan(0.5)
  })

  it('has both parts in a half of the patterns', () => {
    const half = halfOf(101, [3, 50], seededRandom('half'))
    expect(half).toContain(3)
    expect(half).toContain(50)
    // Six deviations of a binomial of 99.
    expect(Math.abs(half.length - 51.5)).toBeLessThan(30)
    expect(halfOf(0, [], seededRandom('half'))).toEqual([])
  })
})

describe('the coherence of a pair', () => {
  it('is its cosine above the random level, times the share of neighbours near both', () => {
    const near = { toA: 0.5, toB: 0.5 }
    const far = { toA: 0.5, toB: 0.1 }
    expect(coherenceOf(0.6, 0.2, [near, near, far, far])).toBeCloseTo(0.25, 12)
    expect(coherenceOf(0.1, 0.2, [near])).toBe(0)
    expect(coherenceOf(1, 0.2, [near])).toBe(1)
    expect(coherenceOf(0.6, 0.2, [])).toBe(0)
    expect(coherenceOf(1, 1, [near])).toBe(0)
  })
})

describe('the random level', () => {
  it('is the mean cosine of pairs', () => {
    const random = seededRandom('level')
    expect(randomLevel(mixtureOf(64, 0.4, 512, random), 1_000, random)).toBeCloseTo(0.4, 1)
    expect(Math.abs(randomLevel(mixtureOf(64, 0, 512, random), 1_000, random))).toBeLessThan(0.02)
    expect(randomLevel([], 10, random)).toBe(0)
    expect(randomLevel([Float32Array.of(1)], 10, random)).toBe(0)
  })
})
