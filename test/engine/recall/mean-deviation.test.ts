import { meanDeviation, noSignal, pooledMeanDeviation } from '@memory/engine/recall/mean-deviation'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 20 })

it('is over groups together what it is over all of their values', () => {
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 5 }), (groups) => {
      const pooled = pooledMeanDeviation(
        groups.map((values) => ({ ...meanDeviation(values), count: values.length })),
      )
      const all = meanDeviation(groups.flat())
      expect(pooled.mean).toBeCloseTo(all.mean, 9)
      expect(pooled.deviation).toBeCloseTo(all.deviation, 6)
    }),
  )
})

it('is no signal over nothing', () => {
  expect(pooledMeanDeviation([])).toEqual(noSignal)
})
