import { javascriptKernels } from '@memory/engine/kernels/javascript'
import { type Kernels, nativeKernels } from '@memory/engine/kernels/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveCosine, randomFrom, randomVector } from '../engine/naive.ts'
import { anyDimensions } from '../support/lane-dimensions.ts'

const implementations: Kernels[] =
  nativeKernels === null ? [javascriptKernels] : [javascriptKernels, nativeKernels]

interface Memory {
  dimensions: number
  values: Float32Array
  inverseNorms: Float64Array
  state: Float32Array
}

const anyMemory: fc.Arbitrary<Memory> = fc
  .record({
    dimensions: anyDimensions.filter((dimensions) => dimensions > 1),
    count: fc.integer({ min: 1, max: 200 }),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
  })
  .map(({ dimensions, count, seed }) => {
    const random = randomFrom(seed)
    const values = randomVector(random, count * dimensions, false)
    const inverseNorms = javascriptKernels.norms(values, dimensions).map((norm) => 1 / norm)
    return { dimensions, values, inverseNorms, state: randomVector(random, dimensions, false) }
  })

const anyBeta = fc.constantFrom(0.5, 4, 20, 60)

describe.each(implementations)('$name Hopfield steps', (kernels) => {
  it('are those of the formula', () => {
    fc.assert(
      fc.property(anyMemory, anyBeta, ({ dimensions, values, inverseNorms, state }, beta) => {
        const rows = Array.from(inverseNorms, (_, row) =>
          values.subarray(row * dimensions, (row + 1) * dimensions),
        )
        const powers = rows.map((row) => Math.exp(beta * naiveCosine(row, state)))
        const total = powers.reduce((sum, power) => sum + power)
        const sum = Float64Array.from(state, (_, i) =>
          rows.reduce((sum, row, at) => sum + (powers[at]! / total) * row[i]! * inverseNorms[at]!, 0),
        )
        const norm = Math.hypot(...sum)

        const step = kernels.hopfieldStep(values, inverseNorms, state, beta)
        expect(Math.abs(step.energy - (0.5 - Math.log(total) / beta))).toBeLessThan(1e-5)
        for (const [at, weight] of step.weights.entries())
          expect(Math.abs(weight - powers[at]! / total)).toBeLessThan(1e-5)
        for (const [i, value] of step.state.entries())
          expect(Math.abs(value - sum[i]! / norm)).toBeLessThan(1e-5)
      }),
    )
  })

  it.each([2 ** -149, 2 ** -130, 2 ** -101, 2 ** 101, 2 ** 124])(
    'take keys that are %d times as long for the same ones',
    (scale) => {
      const random = randomFrom(7)
      // More dimensions make rows so long that 1 / length is denormal itself.
      for (const dimensions of [2, 400, 8_192]) {
        // Whole numbers, so that the smallest factor rounds none of them.
        const values = Float32Array.from({ length: 20 * dimensions }, () => Math.round(16 * (random() - 0.5)))
        const state = randomVector(random, dimensions, false)
        const inverses = (rows: Float32Array) => kernels.norms(rows, dimensions).map((norm) => 1 / norm)
        // Every other row as it is: rows of all sizes meet in one sum.
        const scaled = values.map((value, at) => (Math.floor(at / dimensions) % 2 ? value : value * scale))
        const expected = javascriptKernels.hopfieldStep(values, inverses(values), state, 4)
        const found = kernels.hopfieldStep(scaled, inverses(scaled), state, 4)
        expect(Math.abs(found.energy - expected.energy)).toBeLessThan(1e-5)
        for (const [row, weight] of expected.weights.entries())
          expect(Math.abs((found.weights[row] as number) - weight)).toBeLessThan(1e-5)
        for (const [i, value] of expected.state.entries())
          expect(Math.abs((found.state[i] as number) - value)).toBeLessThan(1e-5)
      }
    },
  )

  it('never raise the energy', () => {
    fc.assert(
      fc.property(anyMemory, anyBeta, ({ values, inverseNorms, state }, beta) => {
        let at = state
        let before = Number.POSITIVE_INFINITY
        for (let steps = 0; steps < 6; steps++) {
          const step = kernels.hopfieldStep(values, inverseNorms, at, beta)
          expect(step.energy).toBeLessThanOrEqual(before + 1e-6)
          before = step.energy
          at = step.state
        }
      }),
    )
  })

  it('are refused where there is no next state', () => {
    const one = Float64Array.of(1)
    const step = (values: number[], norms: Float64Array, state: number[], beta: number) => () =>
      kernels.hopfieldStep(Float32Array.from(values), norms, Float32Array.from(state), beta)
    expect(step([], new Float64Array(0), [1], 1)).toThrow('there are no rows')
    expect(step([1, 2], one, [1], 1)).toThrow('2 values are no whole rows of 1 dimensions')
    expect(step([1, 2], one, [1, Number.NaN], 1)).toThrow('state is not a finite number at 1')
    expect(step([1, 2], one, [1, 0], 0)).toThrow('beta is not a number above 0')
    expect(step([1, 2], one, [1, 0], Number.POSITIVE_INFINITY)).toThrow('beta is not a number above 0')
    expect(step([1, 2], one, [0, 0], 1)).toThrow('all zero')
    expect(step([1, 0, -1, 0], Float64Array.of(1, 1), [0, 1], 1)).toThrow('all zero')
    expect(step([1, 0, Number.POSITIVE_INFINITY, 0], Float64Array.of(1, 1), [1, 0], 1)).toThrow(
      'values is not a finite number at',
    )
  })

  it('norms are those of each row', () => {
    expect([...kernels.norms(Float32Array.of(3, 4, 0, 0, 5, 12), 2)]).toEqual([5, 0, 13])
    expect([...kernels.norms(new Float32Array(0), 0)]).toEqual([])
    expect(() => kernels.norms(Float32Array.of(1), 2)).toThrow('1 values are no whole rows of 2 dimensions')
    expect(() => kernels.norms(Float32Array.of(1), 0)).toThrow('1 values are no whole rows of 0 dimensions')
  })
})

it.skipIf(nativeKernels === null)('native and JavaScript norms have the same bits', () => {
  fc.assert(
    fc.property(anyMemory, ({ dimensions, values }) => {
      expect(nativeKernels!.norms(values, dimensions)).toEqual(javascriptKernels.norms(values, dimensions))
    }),
  )
})
