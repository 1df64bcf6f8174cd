import { PatternSet } from '@memory/memory/index/pattern-set'
import fc from 'fast-check'
import { expect, it } from 'vitest'

it('spreads patterns evenly: each the first from which its share of all has passed', () => {
  const indexes = fc.uniqueArray(fc.nat({ max: 5_000 }), { maxLength: 600 })
  fc.assert(
    fc.property(indexes, fc.integer({ min: 1, max: 700 }), (some, count) => {
      const all = some.toSorted((a, b) => a - b)
      const step = Math.max(1, all.length / count)
      const expected = Array.from(
        { length: Math.min(count, all.length) },
        (_, i) => all[Math.floor(i * step)],
      )
      expect(PatternSet.of(some).spread(count)).toEqual(expected)
    }),
  )
})
