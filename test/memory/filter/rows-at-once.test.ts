import { rowsOfNext, turnsOf } from '@memory/memory/filter/rows-at-once'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const metadataBytesMax = 16 * 1024
const light = { metadata: null }
const heavy = { metadata: 'x'.repeat(metadataBytesMax) }

describe('the rows of one statement', () => {
  it('are few where those before were large, and many where they were small', () => {
    const first = rowsOfNext()
    expect(rowsOfNext(Array(first).fill(heavy))).toBeLessThan(first)
    expect(rowsOfNext(Array(first).fill(light))).toBeGreaterThan(first)
    expect(rowsOfNext(Array(first).fill({ ...heavy, text: 'x'.repeat(10_000_000) }))).toBeGreaterThan(0)
    expect(rowsOfNext([])).toBe(first)
  })
})

describe('the rows of one turn', () => {
  it('are all rows once and in order, and no more than one beyond what a turn may take', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(metadataBytesMax), { maxLength: 60 }), (lengths) => {
        const rows = lengths.map((length) => ({ metadata: 'x'.repeat(length) }))
        const turns = [...turnsOf(rows)]
        expect(turns.flat()).toEqual(rows)
        for (const turn of turns) {
          const bytes = turn.reduce((sum, { metadata }) => sum + metadata.length, 0)
          expect(bytes).toBeLessThan(5 * metadataBytesMax)
        }
      }),
    ))

  it('are bounded in number too', () => {
    expect([...turnsOf(Array(10_000).fill(light))].length).toBeGreaterThan(10)
  })
})
