import { compose } from '@memory/engine/composition'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveCosine, randomFrom, randomVector } from './naive.ts'

const shape = fc.record({
  count: fc.integer({ min: 1, max: 10 }),
  dimensions: fc.integer({ min: 1, max: 40 }),
  seed: fc.nat(),
})
const keysOf = ({ count, dimensions, seed }: { count: number; dimensions: number; seed: number }) => {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () => randomVector(random, dimensions, false))
}
const weightsOf = (count: number, seed: number) => {
  const random = randomFrom(seed + 1)
  return Array.from({ length: count }, () => 4 * random() - 2)
}

describe('compose', () => {
  it('is what its formula says', () => {
    fc.assert(
      fc.property(shape, (given) => {
        const keys = keysOf(given)
        const weights = weightsOf(given.count, given.seed)
        const sum = Array.from({ length: given.dimensions }, (_, at) =>
          keys.reduce(
            (total, key, i) => total + ((weights[i] as number) * (key[at] as number)) / Math.hypot(...key),
            0,
          ),
        )
        const length = Math.hypot(...sum)
        const total = weights.reduce((all, weight) => all + Math.abs(weight), 0)
        fc.pre(length > 1e-3 * total)
        const { vector, agreement } = compose(keys, weights) ?? expect.fail('no direction')
        expect(Array.from(vector)).toEqual(sum.map((value) => expect.closeTo(value / length, 5)))
        expect(agreement).toBeCloseTo(length / total, 9)
      }),
    )
  })

  it('does not depend on the lengths of keys, nor on a common factor of the weights', () => {
    fc.assert(
      fc.property(
        shape,
        fc.constantFrom(1e-30, 0.25, 3, 1e30),
        fc.constantFrom(1e-300, 2, 1e300),
        (given, a, b) => {
          const keys = keysOf(given)
          const weights = weightsOf(given.count, given.seed)
          const plain = compose(keys, weights)
          fc.pre(plain !== undefined && plain.agreement > 1e-3)
          const scaled = compose(
            keys.map((key) => key.map((value) => value * a)),
            weights.map((weight) => weight * b),
          )
          expect(scaled?.agreement).toBeCloseTo(plain.agreement, 5)
          expect(naiveCosine(scaled?.vector ?? [], plain.vector)).toBeCloseTo(1, 6)
        },
      ),
    )
  })

  it('agrees with itself alone, and turns round with a negative weight', () => {
    const key = Float32Array.of(3, 4)
    expect(compose([key, key], [1, 5])).toEqual({
      vector: Float32Array.of(0.6, 0.8),
      agreement: expect.closeTo(1, 12),
    })
    expect(compose([key], [-2])?.vector).toEqual(Float32Array.of(-0.6, -0.8))
  })

  it('has no direction where the keys cancel, exactly or but for rounding', () => {
    const third = (turn: number) =>
      Float32Array.of(Math.cos((turn * 2 * Math.PI) / 3), Math.sin((turn * 2 * Math.PI) / 3))
    expect(compose([Float32Array.of(0.1, 0.7), Float32Array.of(-0.2, -1.4)], [1, 1])).toBe(undefined)
    expect(compose([third(0), third(1), third(2)], [1, 1, 1])).toBe(undefined)
    expect(compose([third(0), third(1), third(2)], [1, 1, 1.001])).toBeDefined()
  })
})
