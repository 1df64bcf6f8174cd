import { javascriptKernels } from '@memory/engine/kernels/javascript'
import { type Kernels, kernels, type Matrix, RowFlag } from '@memory/engine/kernels/kernels'
import { TopK } from '@memory/engine/kernels/top-k'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byScoreThenLabel, naiveCosine, randomFrom, randomVector } from './naive.ts'

/** Sums of at most 1,537 products in float64 differ by less than this, in whatever order they are added. */
const rounding = 1e-12

/** Around the widths of vector registers and unrolled loops, and the lengths that embeddings have. */
const laneDimensions = [
  ...[1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257],
  ...[383, 384, 385, 511, 512, 513, 767, 768, 769, 1023, 1024, 1025, 1535, 1536, 1537],
]

const anyDimensions = fc.oneof(
  { arbitrary: fc.constantFrom(...laneDimensions), weight: 3 },
  { arbitrary: fc.integer({ min: 1, max: 1537 }), weight: 1 },
)

describe('TopK', () => {
  const offers = fc.uniqueArray(
    fc.record({
      label: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      // Five scores only: most offers tie with others.
      score: fc.oneof(fc.constantFrom(-1, -0.5, 0, 0.5, 1), fc.double({ min: -1, max: 1, noNaN: true })),
    }),
    { selector: (offer) => offer.label, maxLength: 60, size: 'max' },
  )

  it('keeps the k first of the offers sorted by score, then label, in whatever order they come', () => {
    fc.assert(
      fc.property(offers, fc.integer({ min: 0, max: 70 }), (all, k) => {
        const best = new TopK(k)
        for (const { score, label } of all) best.offer(score, label)
        const expected = all.toSorted(byScoreThenLabel).slice(0, k)
        const { labels, scores } = best.sorted()
        expect([...labels]).toEqual(expected.map(({ label }) => label))
        // -0 and 0 are one score.
        expect([...scores].map((score) => score + 0)).toEqual(expected.map(({ score }) => score + 0))
      }),
      { numRuns: 300 },
    )
  })
})

interface Case {
  matrix: Matrix
  rows: Float32Array[]
  query: Float32Array
  allowed: Uint8Array | undefined
}

/** A matrix of random rows: some repeated, some dead, some vectors among texts, labels in no order. */
function newCase(seed: number, dimensions: number, count: number, restrict: boolean): Case {
  const random = randomFrom(seed)
  const whole = random() < 0.5
  const rows: Float32Array[] = []
  for (let row = 0; row < count; row++) {
    const twin = rows[Math.floor(random() * rows.length)]
    rows.push(twin !== undefined && random() < 0.3 ? twin : randomVector(random, dimensions, whole))
  }
  // Arrays longer than the rows in use hold what a search must not read.
  const spare = Math.floor(random() * 3)
  const values = new Float32Array((count + spare) * dimensions).fill(9)
  rows.forEach((row, at) => {
    values.set(row, at * dimensions)
  })
  const inverseNorms = new Float64Array(count + spare).fill(1e9)
  rows.forEach((row, at) => {
    inverseNorms[at] = 1 / Math.sqrt(row.reduce((sum, value) => sum + value * value, 0))
  })
  const labels = Int32Array.from({ length: count + spare }, (_, at) => at * 7)
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[labels[at], labels[other]] = [labels[other] as number, labels[at] as number]
  }
  const kinds = [0, RowFlag.alive, RowFlag.alive | RowFlag.text]
  const flags = Uint8Array.from(
    { length: count + spare },
    () => kinds[Math.floor(random() * kinds.length)] as number,
  )
  return {
    matrix: { dimensions, count, values, inverseNorms, labels, flags },
    rows,
    query: randomVector(random, dimensions, whole),
    allowed: restrict ? Uint8Array.from({ length: count }, () => (random() < 0.5 ? 1 : 0)) : undefined,
  }
}

function eligible({ matrix, rows, query, allowed }: Case, requiredFlags: number) {
  return rows.flatMap((row, at) =>
    ((matrix.flags[at] as number) & requiredFlags) === requiredFlags && allowed?.[at] !== 0
      ? [{ label: matrix.labels[at] as number, score: naiveCosine(row, query) }]
      : [],
  )
}

const implementations = new Set<Kernels>([javascriptKernels, kernels])

describe.each([...implementations].map((one) => ({ name: one.name, one })))('$name kernels', ({ one }) => {
  it('find the rows that a full scan by the definition finds, within rounding', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        anyDimensions,
        fc.integer({ min: 0, max: 24 }),
        fc.integer({ min: 0, max: 40 }),
        fc.constantFrom(RowFlag.alive, RowFlag.text, RowFlag.alive | RowFlag.text),
        fc.boolean(),
        fc.oneof(fc.constantFrom(-1, 0, 1), fc.double({ min: -1, max: 1, noNaN: true })),
        (seed, dimensions, count, k, requiredFlags, restrict, minScore) => {
          const given = newCase(seed, dimensions, count, restrict)
          const { labels, scores } = one.nearest(given.matrix, given.query, k, minScore, {
            requiredFlags,
            allowed: given.allowed,
          })
          const expected = new Map(eligible(given, requiredFlags).map(({ label, score }) => [label, score]))

          // What was found may be found, has its score, and stands in order.
          const found = [...labels].map((label, at) => ({ label, score: scores[at] as number }))
          expect(new Set(labels).size).toBe(labels.length)
          for (const { label, score } of found) {
            expect(Math.abs(score - (expected.get(label) ?? Number.NaN))).toBeLessThan(rounding)
            expect(score).toBeGreaterThanOrEqual(minScore)
            expect(Math.abs(score)).toBeLessThanOrEqual(1)
          }
          expect(found).toEqual(found.toSorted(byScoreThenLabel))
          // What was left out is no better than the last one, or below the least score.
          const reached = [...expected.values()]
          const surely = reached.filter((score) => score > minScore + rounding).length
          const perhaps = reached.filter((score) => score > minScore - rounding).length
          expect(found.length).toBeGreaterThanOrEqual(Math.min(k, surely))
          expect(found.length).toBeLessThanOrEqual(Math.min(k, perhaps))
          if (found.length === k && k > 0) {
            const last = found.at(-1)?.score as number
            for (const [label, score] of expected) {
              if (!labels.includes(label)) expect(score).toBeLessThan(last + rounding)
            }
          }
        },
      ),
      { numRuns: 400 },
    )
  })

  it('give rows of equal values equal scores, so that the lower label comes first, at every dimension', () => {
    for (const dimensions of laneDimensions) {
      const row = randomVector(randomFrom(dimensions), dimensions, false)
      const labels = Int32Array.from([40, 10, 30, 20])
      const values = new Float32Array(4 * dimensions)
      for (let at = 0; at < 4; at++) values.set(row, at * dimensions)
      const inverseNorm = 1 / Math.sqrt(row.reduce((sum, value) => sum + value * value, 0))
      const inverseNorms = new Float64Array(4).fill(inverseNorm)
      const flags = new Uint8Array(4).fill(RowFlag.alive)
      const matrix = { dimensions, count: 4, values, inverseNorms, labels, flags }
      const query = randomVector(randomFrom(-dimensions), dimensions, false)
      const found = one.nearest(matrix, query, 3, -1, { requiredFlags: RowFlag.alive })
      expect([...found.labels], `${dimensions} dimensions`).toEqual([10, 20, 30])
    }
  })

  it('find nothing among no rows, for k = 0, and when no row is allowed', () => {
    const { matrix, query } = newCase(1, 8, 5, false)
    const selection = { requiredFlags: 0 }
    const none = { labels: new Int32Array(), scores: new Float64Array() }
    expect(one.nearest({ ...matrix, count: 0 }, query, 3, -1, selection)).toEqual(none)
    expect(one.nearest(matrix, query, 0, -1, selection)).toEqual(none)
    expect(one.nearest(matrix, query, 3, -1, { ...selection, allowed: new Uint8Array(5) })).toEqual(none)
    expect(one.nearest(matrix, query, 3, -1, selection).labels).toHaveLength(3)
  })

  it('compute a cosine that is symmetric, in [-1, 1], 1 with itself and -1 with its opposite', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        anyDimensions,
        // Squares of the largest and smallest scales leave float32's range.
        fc.constantFrom(1e-30, 1e-3, 1, 1e3, 1e30),
        (seed, dimensions, scale) => {
          const random = randomFrom(seed)
          const a = randomVector(random, dimensions, false).map((value) => value * scale)
          const b = randomVector(random, dimensions, false)
          const cosine = one.cosine(a, b)
          expect(Math.abs(cosine - naiveCosine(a, b))).toBeLessThan(rounding)
          expect(one.cosine(b, a)).toBe(cosine)
          expect(Math.abs(cosine)).toBeLessThanOrEqual(1)
          expect(one.cosine(a, a)).toBeCloseTo(1, 12)
          expect(
            one.cosine(
              a,
              a.map((value) => -value),
            ),
          ).toBeCloseTo(-1, 12)
        },
      ),
      { numRuns: 200 },
    )
  })
})
