import * as einsumScript from '@memory/engine/kernels/einsum'
import * as hdc from '@memory/engine/kernels/hdc'
import { type Kernels, nativeKernels } from '@memory/engine/kernels/kernels'
import { slerp } from '@memory/engine/kernels/slerp'
import { logSumExp, softmax } from '@memory/engine/kernels/softmax'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../engine/naive.ts'
import { anyDimensions } from '../support/lane-dimensions.ts'

type Operations = Pick<Kernels, keyof typeof hdc | 'einsum' | 'slerp' | 'softmax' | 'logSumExp'>

const javascript: Operations = { ...hdc, ...einsumScript, slerp, softmax, logSumExp }
const implementations: [string, Operations][] = [['javascript', javascript]]
if (nativeKernels !== null) implementations.push(['native', nativeKernels])

/** What ENGINE's kernels agree to. */
const tolerance = 1e-5

function expectNear(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(found).toHaveLength(expected.length)
  for (let i = 0; i < expected.length; i++)
    if (!(Math.abs((found[i] as number) - (expected[i] as number)) <= tolerance))
      expect(`${found[i]} at ${i}`).toBe(expected[i])
}

const value = fc.float({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true })

function vectorOf(length: number): fc.Arbitrary<Float32Array> {
  return fc.array(value, { minLength: length, maxLength: length }).map((values) => Float32Array.from(values))
}

/** Two vectors of one length: any values of short ones, seeded ones of long ones. */
const anyPair = fc.oneof(
  fc.integer({ min: 0, max: 70 }).chain((length) => fc.tuple(vectorOf(length), vectorOf(length))),
  fc.tuple(anyDimensions, fc.integer({ min: 1, max: 2 ** 31 })).map(([length, seed]) => {
    const random = randomFrom(seed)
    return [randomVector(random, length, false), randomVector(random, length, false)] as const
  }),
)

/** What a call gives, or the message that it is refused with. */
describe.each(implementations)('%s operations', (_, operations) => {
  it('slerp goes along the great circle, lengths along a line', () => {
    const blend = operations.slerp(Float32Array.of(2, 0), Float32Array.of(0, 4), 1 / 3)
    expect(blend.type).toBe('spherical')
    expect(blend.angle).toBeCloseTo(Math.PI / 2, 12)
    expectNear(blend.vector, [(8 / 3) * Math.cos(Math.PI / 6), (8 / 3) * Math.sin(Math.PI / 6)])
  })

  it('slerp of nearly one direction is linear', () => {
    const blend = operations.slerp(Float32Array.of(1, 0), Float32Array.of(3, 1e-5), 0.5)
    expect(blend.type).toBe('linear')
    expectNear(blend.vector, [2, 1e-5 / 3])
  })

  it('slerp of opposite directions leads through a fixed corner', () => {
    const at = (alpha: number) =>
      operations.slerp(Float32Array.of(3, 4, 0), Float32Array.of(-3, -4, 0), alpha)
    expect(at(0.5).type).toBe('antipodal')
    expectNear(at(0).vector, [3, 4, 0])
    expectNear(at(0.5).vector, [0, 0, 5])
    expectNear(at(1).vector, [-3, -4, 0])
    expect(operations.slerp(Float32Array.of(2), Float32Array.of(-4), 0.5)).toMatchObject({ type: 'linear' })
  })

  it('slerp refuses a vector without direction and vectors of unequal length', () => {
    expect(() => operations.slerp(Float32Array.of(0), Float32Array.of(1), 0.5)).toThrow('no direction')
    expect(() => operations.slerp(Float32Array.of(1), Float32Array.of(1, 2), 0.5)).toThrow(
      '1 and 2 dimensions',
    )
  })

  it('softmax and logSumExp weigh by the exponential without overflow', () => {
    expectNear(operations.softmax(Float64Array.of(0, Math.LN2, -1e6), 1), [1 / 3, 2 / 3, 0])
    expectNear(operations.softmax(Float64Array.of(1000, 1000), 10), [0.5, 0.5])
    expect(operations.softmax(new Float64Array(0), 1)).toHaveLength(0)
    expect(operations.logSumExp(Float64Array.of(1000, 1000), 2)).toBeCloseTo(2000 + Math.LN2, 9)
    expect(operations.logSumExp(new Float64Array(0), 1)).toBe(Number.NEGATIVE_INFINITY)
  })

  it('bindCircular is the circular convolution, unbindCircular the correlation', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const sum = (k: number, other: (i: number, k: number) => number) =>
          a.reduce((total, x, i) => total + x * (b[other(i, k)] as number), 0)
        const n = a.length
        expectNear(
          operations.bindCircular(a, b),
          a.map((_, k) => sum(k, (i) => (k - i + n) % n)),
        )
        expectNear(
          operations.unbindCircular(b, a),
          a.map((_, k) => sum(k, (i) => (i + k) % n)),
        )
      }),
    )
  })

  it('bindProduct multiplies', () => {
    expect([...operations.bindProduct(Float32Array.of(1, -1, 2), Float32Array.of(3, 4, 0.5))]).toEqual([
      3, -4, 1,
    ])
    expect(() => operations.bindProduct(Float32Array.of(1), new Float32Array(0))).toThrow(
      '1 and 0 dimensions',
    )
  })

  it('bundle is the weighted sum of the rows', () => {
    expect([...operations.bundle(Float32Array.of(1, 2, 3, 4), 2, Float64Array.of(2, -1))]).toEqual([-1, 0])
    expect([...operations.bundle(new Float32Array(0), 2, new Float64Array(0))]).toEqual([0, 0])
    expect(() => operations.bundle(Float32Array.of(1), 2, Float64Array.of(1))).toThrow(
      '1 weights and 1 values',
    )
  })

  it.each<[string, number[], number[], number[], number[]]>([
    ['ik,jk->ij', [2, 2], [2, 2], [2, 2], [50, 110, 110, 250]],
    ['ik,jk->ji', [2, 2], [2, 2], [2, 2], [50, 110, 110, 250]],
    ['ik,kj->ij', [2, 2], [2, 2], [2, 2], [70, 100, 150, 220]],
    ['bi,bi->b', [2, 2], [2, 2], [2], [50, 250]],
    ['bi,bi->', [2, 2], [2, 2], [], [300]],
    ['ii,ij->j', [2, 2], [2, 2], [2], [130, 180]],
    ['ij,kl->', [2, 2], [2, 2], [], [1000]],
    ['ij,k->jk', [2, 2], [4], [2, 4], [40, 80, 120, 160, 60, 120, 180, 240]],
  ])('einsum %s', (spec, a, b, shape, values) => {
    const found = operations.einsum(
      spec,
      { shape: a, values: Float32Array.of(1, 2, 3, 4) },
      { shape: b, values: Float32Array.of(10, 20, 30, 40) },
    )
    expect(found.shape).toEqual(shape)
    expect([...found.values]).toEqual(values)
  })

  it.each([
    ['i,i', [2], "'i,i' is not of the form 'ab,bc->ac'"],
    ['ij,i->i', [2], "'ij' names 2 dimensions, the operand has 1"],
    ['i,j->k', [2], "the result's 'k' must be in an operand, and once in the result"],
    ['i,j->ii', [2], "the result's 'i' must be in an operand, and once in the result"],
    ['ij,i->i', [1, 2], "'i' is 1 and 2 long"],
    ['i,j->i', [3], 'has 2 values'],
  ])('einsum refuses %s with %j', (spec, shape, message) => {
    const values = Float32Array.of(1, 2)
    const call = () => operations.einsum(spec, { shape, values }, { shape: [2], values })
    expect(call).toThrow(message)
  })
})

describe.skipIf(nativeKernels === null)('native and JavaScript operations', () => {
  const native = nativeKernels as Operations

  it('slerp to the same point', () => {
    const alpha = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(anyPair, alpha, fc.constantFrom(0, 1, -1), ([a, b], alpha, parallel) => {
        const other = parallel === 0 ? b : a.map((value) => parallel * value)
        fc.pre(a.some(Boolean) && other.some(Boolean))
        const found = native.slerp(a, other, alpha)
        const expected = javascript.slerp(a, other, alpha)
        expect(found.type).toBe(expected.type)
        expect(found.angle).toBeCloseTo(expected.angle, 9)
        expectNear(found.vector, expected.vector)
      }),
    )
  })

  it('weigh, bind and bundle alike', () => {
    fc.assert(
      fc.property(anyPair, fc.integer({ min: -200, max: 200 }), ([a, b], shift) => {
        const scores = Float64Array.from(a)
        expectNear(native.softmax(scores, shift), javascript.softmax(scores, shift))
        if (a.length > 0)
          expect(native.logSumExp(scores, shift)).toBeCloseTo(javascript.logSumExp(scores, shift), 9)
        expect(native.bindProduct(a, b)).toEqual(javascript.bindProduct(a, b))
        expectNear(native.bindCircular(a, b), javascript.bindCircular(a, b))
        expectNear(native.unbindCircular(a, b), javascript.unbindCircular(a, b))
        expect(native.bundle(a, a.length, Float64Array.of(0.7))).toEqual(
          javascript.bundle(a, a.length, Float64Array.of(0.7)),
        )
      }),
    )
  })

  it('contract alike', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 3 })
    const result = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 })
    const sizes = fc.record({ a: fc.nat(4), b: fc.nat(4), c: fc.nat(4), d: fc.nat(20) })
    fc.assert(
      fc.property(letters, letters, result, sizes, fc.integer({ min: 1 }), (a, b, result, sizes, seed) => {
        const kept = result.filter((letter) => `${a}${b}`.includes(letter)).join('')
        const tensor = (letters: string, seed: number) => {
          const shape = [...letters].map((letter) => sizes[letter as 'a'])
          const length = shape.reduce((product, size) => product * size, 1)
          return { shape, values: Float32Array.from({ length }, (_, i) => Math.sin(seed + 7 * i)) }
        }
        const [left, right] = [tensor(a, seed % 1000), tensor(b, seed % 777)]
        const found = native.einsum(`${a},${b}->${kept}`, left, right)
        const expected = javascript.einsum(`${a},${b}->${kept}`, left, right)
        expect(found.shape).toEqual(expected.shape)
        // Float32 sums are relative to the sum of the products' magnitudes.
        const positive = ({ shape, values }: typeof left) => ({ shape, values: values.map(Math.abs) })
        const magnitude = javascript.einsum(`${a},${b}->${kept}`, positive(left), positive(right)).values
        const relative = (value: number, i: number) => value / Math.max(1, magnitude[i] as number)
        expectNear(found.values.map(relative), expected.values.map(relative))
      }),
      { numRuns: 300 },
    )
  })

  it('contract axes of any length alike', () => {
    const anySpec = fc.constantFrom('bd,nd->bn', 'db,nd->bn', 'nd,d->n', 'd,dn->n', 'd,d->', 'bd,nd->b')
    const anySizes = fc.record({
      b: fc.integer({ min: 1, max: 5 }),
      n: fc.integer({ min: 1, max: 70 }),
      d: anyDimensions,
    })
    fc.assert(
      fc.property(anySpec, anySizes, fc.integer({ min: 1, max: 2 ** 31 }), (spec, sizes, seed) => {
        const random = randomFrom(seed)
        const [a, b] = spec.split(/,|->/).map((letters) => {
          const shape = [...letters].map((letter) => sizes[letter as 'd'])
          const length = shape.reduce((product, size) => product * size, 1)
          return { shape, values: randomVector(random, length, false) }
        }) as [einsumScript.Tensor, einsumScript.Tensor]
        const found = native.einsum(spec, a, b)
        const expected = javascript.einsum(spec, a, b)
        expect(found.shape).toEqual(expected.shape)
        // The products of one sum are below 1.
        const sum = sizes.d * (spec.endsWith('b') ? sizes.n : 1)
        expectNear(
          found.values.map((value) => value / sum),
          expected.values.map((value) => value / sum),
        )
      }),
    )
  })
})
