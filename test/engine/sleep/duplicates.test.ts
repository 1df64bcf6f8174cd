import { moveAssociations, moveTransitions } from '@memory/engine/sleep/duplicates'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const halfLife = 30 * 86_400_000
const now = 1_800_000_000_000
const link = (one: number, other: number, value: number, at = now) => ({ one, other, value, at })
const keptOf = new Map([
  [5, 1],
  [6, 1],
  [8, 2],
])

describe('the associations of duplicates', () => {
  it('become those of what they merge into', () => {
    const moved = moveAssociations([link(3, 5, 0.5), link(3, 6, 0.2), link(5, 8, 0.1)], keptOf, now)
    expect(moved.map(({ a, b }) => [a, b])).toEqual([
      [1, 3],
      [1, 2],
    ])
    expect(moved[0]?.kept).toBeCloseTo(0.5 * 0.8, 12)
    expect(moved[1]?.kept).toBeCloseTo(0.9, 12)
  })

  it('are dropped between a pattern and its duplicates, and have faded', () => {
    expect(moveAssociations([link(1, 5, 0.5), link(5, 6, 0.5)], keptOf, now)).toEqual([])
    expect(moveAssociations([link(3, 5, 0.5, now - halfLife)], keptOf, now)[0]?.kept).toBeCloseTo(0.75, 12)
    expect(moveAssociations([], keptOf, now)).toEqual([])
  })

  it('are as strong in whatever order, and in [0, 1]', () => {
    const links = fc.array(
      fc
        .tuple(fc.nat(9), fc.nat(9), fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([a, b, w]) => link(a, b, w)),
    )
    fc.assert(
      fc.property(links, (all) => {
        const table = (rows: ReturnType<typeof moveAssociations>) =>
          new Map(rows.map(({ a, b, kept }) => [`${a},${b}`, kept]))
        const [forwards, backwards] = [
          table(moveAssociations(all, keptOf, now)),
          table(moveAssociations(all.toReversed(), keptOf, now)),
        ]
        expect(new Set(forwards.keys())).toEqual(new Set(backwards.keys()))
        for (const [name, kept] of forwards) {
          expect(kept).toBeGreaterThanOrEqual(0)
          expect(kept).toBeLessThanOrEqual(1)
          expect(kept).toBeCloseTo(backwards.get(name) as number, 12)
        }
      }),
    )
  })
})

describe('the transitions of duplicates', () => {
  it('add up, keep their direction, and lead from no pattern to itself', () => {
    const moved = moveTransitions(
      [link(5, 3, 2), link(6, 3, 1), link(3, 5, 4, now - halfLife), link(5, 1, 7), link(8, 6, 1)],
      keptOf,
      now,
    )
    expect(moved).toEqual([
      { source: 1, target: 3, count: 3 },
      { source: 3, target: 1, count: 2 },
      { source: 2, target: 1, count: 1 },
    ])
  })
})
