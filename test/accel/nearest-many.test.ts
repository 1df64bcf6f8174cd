import { javascriptKernels } from '@memory/engine/kernels/javascript'
import { type Kernels, type Matrix, nativeKernels } from '@memory/engine/kernels/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../engine/naive.ts'
import { anyDimensions } from '../support/lane-dimensions.ts'

const implementations: Kernels[] =
  nativeKernels === null ? [javascriptKernels] : [javascriptKernels, nativeKernels]

const anySearch = fc.record({
  dimensions: anyDimensions,
  count: fc.integer({ min: 0, max: 300 }),
  queries: fc.integer({ min: 0, max: 9 }),
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  k: fc.integer({ min: 0, max: 60 }),
  minScore: fc.constantFrom(-1, 0, 0.1),
  requiredFlags: fc.integer({ min: 0, max: 3 }),
  allowEvery: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  whole: fc.boolean(),
})

function newMatrix(seed: number, count: number, dimensions: number, whole: boolean): Matrix {
  const random = randomFrom(seed)
  const values = new Float32Array(count * dimensions)
  for (let row = 0; row < count; row++) values.set(randomVector(random, dimensions, whole), row * dimensions)
  return {
    dimensions,
    count,
    values,
    inverseNorms: javascriptKernels.norms(values, dimensions).map((norm) => 1 / norm),
    labels: Int32Array.from({ length: count }, (_, row) => (row * 7_919) % 10_007),
    flags: Uint8Array.from({ length: count }, () => Math.floor(random() * 4)),
  }
}

describe.each(implementations)('$name searches with many queries', (kernels) => {
  it('find what searches with single ones do', () => {
    fc.assert(
      fc.property(anySearch, (search) => {
        const { dimensions, count, queries, seed, k, minScore, requiredFlags, allowEvery, whole } = search
        const matrix = newMatrix(seed, count, dimensions, whole)
        const random = randomFrom(seed + 1)
        const rows = Array.from({ length: queries }, () => randomVector(random, dimensions, whole))
        const allowed =
          allowEvery === undefined
            ? undefined
            : Uint8Array.from({ length: count }, (_, row) => Number(row % allowEvery === 0))
        const all = Float32Array.from(rows.flatMap((row) => [...row]))
        const selection = { requiredFlags, allowed }
        const found = kernels.nearestMany(matrix, all, k, minScore, selection)
        expect(found).toEqual(rows.map((row) => kernels.nearest(matrix, row, k, minScore, selection)))
        // To the bit on every implementation.
        expect(found).toEqual(
          rows.map((row) => javascriptKernels.nearest(matrix, row, k, minScore, selection)),
        )
      }),
    )
  })

  it('are refused for parts of queries', () => {
    const matrix = newMatrix(1, 5, 3, false)
    const call = () => kernels.nearestMany(matrix, new Float32Array(4), 1, -1, { requiredFlags: 0 })
    expect(call).toThrow('4 values are no whole rows of 3 dimensions')
  })
})
