import { fitNonNegative, matchingPursuit } from '@memory/engine/belief/matching-pursuit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveCosine, randomFrom, randomVector } from '../naive.ts'

const shape = fc.record({
  count: fc.integer({ min: 0, max: 8 }),
  dimensions: fc.integer({ min: 1, max: 12 }),
  seed: fc.nat(),
})
const few = fc.record({
  count: fc.integer({ min: 1, max: 3 }),
  dimensions: fc.integer({ min: 3, max: 12 }),
  seed: fc.nat(),
})
const vectorsOf = ({ count, dimensions, seed }: { count: number; dimensions: number; seed: number }) => {
  const random = randomFrom(seed)
  const [query = expect.fail(), ...vectors] = Array.from({ length: count + 1 }, () =>
    randomVector(random, dimensions, false),
  )
  return { query, vectors }
}
const unit = (vector: Float32Array) => vector.map((x) => x / Math.hypot(...vector))

const fitExactly = (query: Float32Array, units: readonly Float32Array[]) =>
  fitNonNegative(
    Float64Array.from(query),
    units.map((vector) => Float64Array.from(vector)),
  )

/** Squared length of what is left of the query when the vectors are taken with these weights. */
function residualOf(
  query: Float32Array,
  vectors: readonly Float32Array[],
  weights: readonly number[],
): number {
  return query.reduce((sum, x, d) => {
    const fitted = vectors.reduce((all, vector, i) => all + (weights[i] as number) * (vector[d] as number), 0)
    return sum + (x - fitted) ** 2
  }, 0)
}

/** For each vector, how much a little more of it would explain: its product with what is left of the query. */
const slopesOf = (query: Float32Array, vectors: readonly Float32Array[], weights: readonly number[]) =>
  vectors.map((vector) =>
    vector.reduce((sum, x, d) => {
      const fitted = vectors.reduce((all, other, i) => all + (weights[i] as number) * (other[d] as number), 0)
      return sum + x * ((query[d] as number) - fitted)
    }, 0),
  )

describe('pursue', () => {
  it('explains ever more, from nothing to all', () => {
    fc.assert(
      fc.property(shape, (given) => {
        const { query, vectors } = vectorsOf(given)
        const { shares, chosen } = matchingPursuit(query, vectors, 3)
        expect(shares).toHaveLength(3)
        expect(new Set(chosen).size).toBe(chosen.length)
        let last = 0
        for (const share of shares) {
          expect(share).toBeGreaterThanOrEqual(last)
          expect(share).toBeLessThanOrEqual(1)
          last = share
        }
      }),
    )
  })

  it('takes the most similar vector first, which explains its squared cosine', () => {
    fc.assert(
      fc.property(shape, (given) => {
        const { query, vectors } = vectorsOf(given)
        const best = Math.max(0, ...vectors.map((vector) => naiveCosine(query, vector)))
        expect(matchingPursuit(query, vectors, 1).shares[0]).toBeCloseTo(best ** 2, 4)
      }),
    )
  })

  it('explains with two about as much as the best of all pairs can, and never more', () => {
    let total = 0
    let greatest = 0
    fc.assert(
      fc.property(shape, (given) => {
        const { query, vectors } = vectorsOf(given)
        const units = vectors.map(unit)
        const length = residualOf(query, [], [])
        const pairs = units.flatMap((a) => units.map((b) => [a, b]))
        const best = Math.max(
          0,
          ...pairs.map((pair) => 1 - residualOf(query, pair, fitExactly(query, pair)) / length),
        )
        const [, share = 0] = matchingPursuit(query, vectors, 2).shares
        expect(share).toBeLessThanOrEqual(best + 1e-4)
        total += share
        greatest += best
      }),
      { seed: 1, numRuns: 300 },
    )
    expect(total / greatest).toBeGreaterThan(0.95)
  })

  it('finds the two vectors that a sum is made of among unrelated ones', () => {
    const random = randomFrom(5)
    const vectors = Array.from({ length: 32 }, () => unit(randomVector(random, 384, false)))
    const [a = expect.fail(), b = expect.fail()] = [vectors[7], vectors[21]]
    const sum = a.map((x, d) => x + 0.8 * (b[d] as number))
    const { shares, chosen } = matchingPursuit(sum, vectors, 3)
    expect(chosen.slice(0, 2)).toEqual([7, 21])
    expect(shares[0]).toBeLessThan(0.75)
    expect(shares[1]).toBeCloseTo(1, 5)
  })

  it('never subtracts: the opposite of the query explains nothing', () => {
    const query = Float32Array.of(1, 2, 3)
    expect(matchingPursuit(query, [query.map((x) => -x)], 2)).toEqual({ shares: [0, 0], chosen: [] })
  })

  it.each([
    ['no vectors', [], 0],
    ['a zero vector', [Float32Array.of(0, 0)], 0],
    ['a vector of another length', [Float32Array.of(1, 1, 1)], 0],
    ['a vector that is no number', [Float32Array.of(Number.NaN, 1)], 0],
    ['the same vector thrice', [1, 2, 3].map((x) => Float32Array.of(x, 2 * x)), 1],
  ])('is defined for %s', (_name, vectors, share) => {
    const { shares } = matchingPursuit(Float32Array.of(1, 2), vectors, 3)
    expect(shares).toEqual([1, 2, 3].map(() => expect.closeTo(share, 6)))
  })

  it('explains nothing of a query without direction', () => {
    expect(matchingPursuit(new Float32Array(2), [Float32Array.of(1, 0)], 2).shares).toEqual([0, 0])
    expect(matchingPursuit(Float32Array.of(Number.NaN, 1), [Float32Array.of(1, 0)], 2).shares).toEqual([0, 0])
  })
})

describe('fitNonNegative', () => {
  it('is the optimum: no weight is negative, and neither more nor less of any vector explains more', () => {
    fc.assert(
      fc.property(few, (given) => {
        const { query, vectors } = vectorsOf(given)
        const units = vectors.map(unit)
        const weights = fitExactly(query, units)
        const length = Math.hypot(...query)
        // The conditions of Karush, Kuhn and Tucker, which hold at the optimum of a convex problem and nowhere else.
        for (const [i, slope] of slopesOf(query, units, weights).entries()) {
          expect(weights[i]).toBeGreaterThanOrEqual(0)
          if ((weights[i] as number) > 0) expect(Math.abs(slope / length)).toBeLessThan(1e-6)
          // A vector within a thousandth of the span of others is left out.
          else expect(slope / length).toBeLessThan(2e-3)
        }
      }),
      // Vectors that nearly span a plane, for which whatever descends takes long. The same cases in every run: where one of
      // three lies within a thousandth of the plane of the others (two that are nearly opposite), all three together are not
      // tried, and another may be left out by more than that. Of two million random cases it was one.
      { seed: 1, numRuns: 200, examples: [[{ count: 3, dimensions: 3, seed: 1_272_656_719 }]] },
    )
  })
})
