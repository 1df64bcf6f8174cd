import { type Kernels, nativeKernels } from '@memory/engine/kernels/kernels'
import * as javascript from '@memory/engine/kernels/quantize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyDimensions } from '../support/lane-dimensions.ts'

type Quantize = Pick<Kernels, keyof typeof javascript>

const implementations: [string, Quantize][] = [['javascript', javascript]]
if (nativeKernels !== null) implementations.push(['native', nativeKernels])

const values = Float32Array.of(1, 0, 1, 1, -1, 0.5, 2, 0.1)
const rows = {
  dimensions: 2,
  count: 4,
  labels: Int32Array.of(4, 3, 2, 1),
  flags: Uint8Array.of(1, 1, 1, 0),
}
const alive = { requiredFlags: 1 }

describe.each(implementations)('%s codes', (_, codes) => {
  it('keep the largest value of a row as 127', () => {
    const found = codes.quantizeBytes(Float32Array.of(1, -0.5, 0.25, -4, 0, 0), 3)
    expect([...found.codes]).toEqual([127, -63, 32, -127, 0, 0])
    expect([...found.scales]).toEqual([1 / 127, 4 / 127])
    expect(codes.quantizeBytes(new Float32Array(2), 2).inverseNorms[0]).toBe(0)
    expect(() => codes.quantizeBytes(Float32Array.of(1), 2)).toThrow('1 values are no whole rows of 2')
    expect(() => codes.quantizeBytes(Float32Array.of(1), 0)).toThrow('1 values are no whole rows of 0')
  })

  it('are scanned for the best of the selected rows', () => {
    const { codes: bytes, inverseNorms } = codes.quantizeBytes(values, 2)
    const near = codes.nearestBytes(
      { ...rows, values: bytes, inverseNorms },
      Float32Array.of(5, 0),
      2,
      0,
      alive,
    )
    expect([...near.labels]).toEqual([4, 3])
    expect(near.scores[0]).toBe(1)
    expect(near.scores[1]).toBeCloseTo(Math.SQRT1_2, 12)
  })
})

describe.skipIf(nativeKernels === null)('native and JavaScript codes', () => {
  const native = nativeKernels as Quantize
  const anySearch = fc.record({
    dimensions: anyDimensions,
    count: fc.integer({ min: 0, max: 60 }),
    seed: fc.integer({ min: 1, max: 100_000 }),
    k: fc.integer({ min: 0, max: 70 }),
    minScore: fc.constantFrom(-1, 0, 0.05),
    restrict: fc.boolean(),
  })

  it('are the same, and find the same rows with the same scores', () => {
    fc.assert(
      fc.property(anySearch, ({ dimensions, count, seed, k, minScore, restrict }) => {
        const values = Float32Array.from({ length: dimensions * count }, (_, i) => Math.sin(seed + i * i))
        const query = Float32Array.from({ length: dimensions }, (_, i) => Math.sin(seed * i + 1))
        const rows = {
          dimensions,
          count,
          labels: Int32Array.from({ length: count }, (_, row) => (row * 7_919) % 10_007),
          flags: Uint8Array.from({ length: count }, (_, row) => (row * seed) % 4),
        }
        const allowed = restrict
          ? Uint8Array.from({ length: count }, (_, row) => (row + seed) % 3)
          : undefined
        const selection = { requiredFlags: seed % 3, allowed }

        const bytes = native.quantizeBytes(values, dimensions)
        expect(bytes).toEqual(javascript.quantizeBytes(values, dimensions))
        const byteMatrix = { ...rows, values: bytes.codes, inverseNorms: bytes.inverseNorms }
        expect(native.nearestBytes(byteMatrix, query, k, minScore, selection)).toEqual(
          javascript.nearestBytes(byteMatrix, query, k, minScore, selection),
        )
      }),
    )
  })

  it('refuse arrays that do not fit', () => {
    const matrix = { ...rows, values: new Int8Array(7), inverseNorms: new Float64Array(4) }
    const call = () => native.nearestBytes(matrix, Float32Array.of(1, 0), 1, -1, alive)
    expect(call).toThrow('values has 7 elements, the matrix needs 8')
  })
})
