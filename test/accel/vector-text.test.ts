import { accel } from '@memory/accel'
import { vectorTexts } from '@memory/engine/kernels/vector-text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const implementations: [string, typeof vectorTexts][] = [['javascript', vectorTexts]]
if (accel !== null) implementations.push(['native', accel.vectorTexts])

/** Every bit pattern of a finite float32 is as likely: a quarter has more than nine digits before the point. */
const anyValue = fc.oneof(
  fc
    .integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
    .map((bits) => new Float32Array(Int32Array.of(bits).buffer)[0]!)
    .filter(Number.isFinite),
  fc.float({ min: -1, max: 1, noNaN: true }),
  fc
    .constantFrom(0, -0, 1, 1e-45, -1e-45, 2 ** -126, 2 ** -13, 2 ** 24, 3.4028234663852886e38)
    .map(Math.fround),
)

describe.each(implementations)('%s texts of vectors', (_, texts) => {
  it('read back as the same float32', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 200 }), (list) => {
        const values = Float32Array.from(list)
        const [text] = texts(values, values.length) as [string]
        // By identity: 0 and -0 are told apart.
        expect((JSON.parse(text) as number[]).map(Math.fround)).toEqual([...values])
      }),
      { numRuns: 500 },
    )
  })

  it('are short, a row each', () => {
    const values = Float32Array.of(0.1, -0.25, 1, 0, -0, 1e-7, 0.3, 16_777_216)
    expect(texts(values, 4)).toEqual(['[0.1,-0.25,1,0]', '[-0,1e-7,0.3,16777216]'])
    expect(texts(new Float32Array(0), 3)).toEqual([])
  })

  it('have at most nine digits', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const [text] = texts(Float32Array.of(value), 1) as [string]
        const digits = text
          .replace(/e.*/, '')
          .replace(/\D/g, '')
          .replace(/^0+|0+$/g, '')
        if (Math.abs(value) < 1e9) expect(digits.length).toBeLessThanOrEqual(9)
      }),
      { numRuns: 500 },
    )
  })

  it('are refused for values that JSON cannot hold, and for parts of rows', () => {
    expect(() => texts(Float32Array.of(1, Number.NaN), 1)).toThrow('values is not a finite number at 1')
    expect(() => texts(Float32Array.of(Number.NEGATIVE_INFINITY), 1)).toThrow('not a finite number at 0')
    expect(() => texts(new Float32Array(3), 2)).toThrow('3 values are no whole rows of 2 dimensions')
    expect(() => texts(new Float32Array(1), 0)).toThrow('1 values are no whole rows of 0 dimensions')
  })
})
