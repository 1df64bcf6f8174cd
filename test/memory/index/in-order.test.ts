import { inOrder } from '@memory/memory/index/in-order'
import fc from 'fast-check'
import { expect, it } from 'vitest'

it('inOrder sorts labels, close together or far apart', () => {
  const dense = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 200 })
  const sparse = fc.uniqueArray(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 20 })
  fc.assert(
    fc.property(fc.oneof(dense, sparse), (labels) => {
      expect([...inOrder(Int32Array.from(labels))]).toEqual(labels.toSorted((a, b) => a - b))
    }),
  )
})
