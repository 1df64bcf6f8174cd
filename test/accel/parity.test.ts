import { readFileSync } from 'node:fs'
import { javascriptKernels } from '@memory/engine/kernels/javascript'
import {
  type Hits,
  type Kernels,
  type Matrix,
  nativeKernels,
  type Selection,
} from '@memory/engine/kernels/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom } from '../engine/naive.ts'
import { anyDimensions } from '../support/lane-dimensions.ts'

interface NearestCase {
  name: string
  rows: number[][]
  labels: number[]
  flags: number[]
  query: number[]
  k: number
  minScore: number
  requiredFlags: number
  allowed?: number[]
  expected: { labels: number[]; scores: number[] }
}

interface CosineCase {
  name: string
  a: number[]
  b: number[]
  expected: number
}

const nearestTable = read<NearestCase>('nearest')
const cosineTable = read<CosineCase>('cosine')

function read<Case>(name: string): { tolerance: number; cases: Case[] } {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'))
}

/** Arrays in memory that threads share, as the index holds them. */
function shared<T extends Float32Array | Float64Array | Int32Array | Uint8Array>(
  make: new (buffer: SharedArrayBuffer) => T,
  values: ArrayLike<number>,
): T {
  const bytes = (make as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT
  const array = new make(new SharedArrayBuffer(values.length * bytes))
  array.set(values)
  return array
}

function newMatrix(rows: number[][], labels: number[], flags: number[], dimensions: number): Matrix {
  const values = rows.map((row) => Float32Array.from(row))
  return {
    dimensions,
    count: rows.length,
    values: shared(Float32Array, rows.flat()),
    inverseNorms: shared(
      Float64Array,
      values.map((row) => 1 / Math.sqrt(row.reduce((sum, value) => sum + value * value, 0))),
    ),
    labels: shared(Int32Array, labels),
    flags: shared(Uint8Array, flags),
  }
}

function expectSame(found: Hits, expected: { labels: ArrayLike<number>; scores: ArrayLike<number> }): void {
  expect([...found.labels]).toEqual(Array.from(expected.labels))
  expect(found.scores).toHaveLength(expected.labels.length)
  for (const [at, score] of found.scores.entries())
    expect(Math.abs(score - (expected.scores[at] as number))).toBeLessThanOrEqual(nearestTable.tolerance)
}

const implementations: Kernels[] =
  nativeKernels === null ? [javascriptKernels] : [javascriptKernels, nativeKernels]

describe.each(implementations)('$name kernels', (kernels) => {
  it.each(nearestTable.cases)('nearest: $name', (given) => {
    const { rows, labels, flags, query, k, minScore, requiredFlags, allowed, expected } = given
    const matrix = newMatrix(rows, labels, flags, query.length)
    const selection = { requiredFlags, allowed: allowed && Uint8Array.from(allowed) }
    expectSame(kernels.nearest(matrix, Float32Array.from(query), k, minScore, selection), expected)
  })

  it.each(cosineTable.cases)('cosine: $name', ({ a, b, expected }) => {
    const found = kernels.cosine(Float32Array.from(a), Float32Array.from(b))
    expect(Math.abs(found - expected)).toBeLessThanOrEqual(cosineTable.tolerance)
  })
})

if (nativeKernels === null) {
  describe('native kernels', () => {
    it.skip('not built: run `npm run build:accel` where there is a Rust toolchain', () => {})
  })
} else {
  describe('native and JavaScript kernels', () => compare(nativeKernels as Kernels))
  describe('native kernels', () => refuse(nativeKernels as Kernels))
}

interface Search {
  matrix: Matrix
  query: Float32Array
  k: number
  minScore: number
  selection: Selection
}

/** Whole numbers make equal cosines frequent; close ones differ by less than float32 can tell. */
const anySearch: fc.Arbitrary<Search> = fc
  .record({
    dimensions: anyDimensions,
    count: fc.integer({ min: 0, max: 120 }),
    kind: fc.constantFrom('whole', 'real', 'close'),
    seed: fc.integer(),
    k: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 150 })),
    minScore: fc.oneof(fc.constantFrom(-1, 0, 1), fc.double({ min: -1, max: 1, noNaN: true })),
    requiredFlags: fc.integer({ min: 0, max: 3 }),
    restrict: fc.boolean(),
  })
  .map(({ dimensions, count, kind, seed, k, minScore, requiredFlags, restrict }) => {
    const random = randomFrom(seed)
    const base = vector()
    function vector(): number[] {
      const values = Array.from({ length: dimensions }, () =>
        kind === 'whole' ? Math.floor(random() * 3) - 1 : Math.fround(random() * 2 - 1),
      )
      if (!values.some(Boolean)) values[0] = 1
      return values
    }
    const rows = Array.from({ length: count }, () =>
      kind === 'close' ? base.map((value) => Math.fround(value * (1 + random() * 2e-7))) : vector(),
    )
    const matrix = newMatrix(
      rows,
      rows.map((_, row) => (row * 7_919 + 13) % 10_007),
      rows.map(() => Math.floor(random() * 4) | (requiredFlags * Number(random() < 0.8))),
      dimensions,
    )
    const allowed = restrict ? Uint8Array.from(rows, () => Math.floor(random() * 3)) : undefined
    const query = Float32Array.from(kind === 'close' ? base : vector())
    return { matrix, query, k, minScore, selection: { requiredFlags, allowed } }
  })

function compare(native: Kernels): void {
  it('find the same rows with the same scores', () => {
    fc.assert(
      fc.property(anySearch, ({ matrix, query, k, minScore, selection }) => {
        const found = native.nearest(matrix, query, k, minScore, selection)
        expectSame(found, javascriptKernels.nearest(matrix, query, k, minScore, selection))
      }),
      { numRuns: 500 },
    )
  })

  it('compute the same cosines', () => {
    fc.assert(
      fc.property(anySearch, ({ matrix, query }) => {
        const row = matrix.values.subarray(0, matrix.dimensions)
        if (row.length === 0) return
        expect(native.cosine(row, query)).toBe(javascriptKernels.cosine(row, query))
      }),
    )
  })

  it('read views that start inside an array', () => {
    const matrix = newMatrix(
      [
        [9, 9],
        [1, 0],
        [0, 1],
      ],
      [7, 8, 9],
      [1, 1, 1],
      2,
    )
    const inner: Matrix = {
      dimensions: 2,
      count: 2,
      values: matrix.values.subarray(2),
      inverseNorms: matrix.inverseNorms.subarray(1),
      labels: matrix.labels.subarray(1),
      flags: matrix.flags.subarray(1),
    }
    const query = Float32Array.of(0, 0, 1).subarray(1)
    expectSame(native.nearest(inner, query, 1, -1, { requiredFlags: 1 }), { labels: [9], scores: [1] })
  })
}

function refuse(native: Kernels): void {
  const matrix = newMatrix(
    [
      [1, 0],
      [0, 1],
    ],
    [0, 1],
    [1, 1],
    2,
  )
  const query = Float32Array.of(1, 0)
  const all = { requiredFlags: 1 }

  it.each<[string, () => unknown]>([
    [
      'the query has 1 dimensions, the matrix 2',
      () => native.nearest(matrix, Float32Array.of(1), 1, -1, all),
    ],
    [
      'query is not a finite number at 1',
      () => native.nearest(matrix, Float32Array.of(1, Number.NaN), 1, -1, all),
    ],
    [
      'values has 4 elements, the matrix needs 6',
      () => native.nearest({ ...matrix, count: 3 }, query, 1, -1, all),
    ],
    [
      'labels has 0 elements',
      () => native.nearest({ ...matrix, labels: new Int32Array(0) }, query, 1, -1, all),
    ],
    [
      'flags has 0 elements',
      () => native.nearest({ ...matrix, flags: new Uint8Array(0) }, query, 1, -1, all),
    ],
    [
      'inverseNorms has 1 elements',
      () => native.nearest({ ...matrix, inverseNorms: Float64Array.of(1) }, query, 1, -1, all),
    ],
    [
      'allowed has 1 elements',
      () => native.nearest(matrix, query, 1, -1, { ...all, allowed: Uint8Array.of(1) }),
    ],
    ['count is -1, not a whole number', () => native.nearest({ ...matrix, count: -1 }, query, 1, -1, all)],
    [
      'dimensions is 1.5, not a whole',
      () => native.nearest({ ...matrix, dimensions: 1.5 }, query, 1, -1, all),
    ],
    ['k is NaN, not a whole number', () => native.nearest(matrix, query, Number.NaN, -1, all)],
    [
      'values has 4 elements, the matrix needs 8589934590',
      () => native.nearest({ ...matrix, count: 2 ** 32 - 1 }, query, 1, -1, all),
    ],
    ['the vectors have 1 and 2 dimensions', () => native.cosine(Float32Array.of(1), query)],
  ])('refuse: %s', (message, call) => {
    expect(call).toThrow(message)
  })

  it.each<[string, unknown]>([
    ['an array of numbers', [1, 0]],
    ['float64', Float64Array.of(1, 0)],
    ['nothing', undefined],
  ])('refuse a query that is %s', (_, wrong) => {
    expect(() => native.nearest(matrix, wrong as Float32Array, 1, -1, all)).toThrow()
  })
}
