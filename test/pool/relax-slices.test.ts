import { sliceNumbersMax, slicesOf } from '@memory/api/pool/relax-slices'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('slicesOf', () => {
  it('keeps all in their order, and no slice of several is longer than a slice may be', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 2 * sliceNumbersMax }), { maxLength: 40 })
    fc.assert(
      fc.property(lengths, (each) => {
        const iterations = each.map((length, at) => ({ at, values: { length } as Float32Array }))
        const slices = [...slicesOf(iterations)]
        expect(slices.flat()).toEqual(iterations)
        for (const slice of slices) {
          const numbers = slice.reduce((sum, { values }) => sum + values.length, 0)
          expect(slice.length === 1 || (slice.length > 0 && numbers <= sliceNumbersMax)).toBe(true)
        }
      }),
    )
  })
})
