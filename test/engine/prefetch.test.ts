import { nextHop } from '@memory/engine/prefetch'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const linksOf =
  (links: Record<number, [number, number][]>) =>
  (idx: number): [number, number][] =>
    links[idx] ?? []

describe('a hop', () => {
  it('adds up what all links of all patterns pass on', () => {
    const links = linksOf({
      1: [
        [3, 0.5],
        [4, 0.2],
        [4, 0.1],
      ],
      2: [[3, 1]],
    })
    const last = new Map([
      [1, 1],
      [2, 0.25],
    ])
    const hop = [...nextHop(last, new Set([1, 2]), links, 9)]
    expect(hop.map(([idx]) => idx)).toEqual([3, 4])
    expect(hop[0]?.[1]).toBeCloseTo(0.75)
    expect(hop[1]?.[1]).toBeCloseTo(0.3)
  })

  it('takes the strongest, equal ones by pattern', () => {
    const links = linksOf({
      0: [
        [5, 0.5],
        [4, 0.5],
        [6, 0.9],
        [7, 0.1],
      ],
    })
    expect([...nextHop(new Map([[0, 1]]), new Set([0]), links, 3).keys()]).toEqual([6, 4, 5])
  })

  it('leads on from nothing to nothing, and over links without strength nowhere', () => {
    expect(nextHop(new Map(), new Set(), linksOf({}), 3).size).toBe(0)
    expect(nextHop(new Map([[0, 1]]), new Set([0]), linksOf({ 0: [[1, 0]] }), 3).size).toBe(0)
  })

  it('never returns what was reached, nor more than its width', () => {
    const link = fc.tuple(fc.nat(30), fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(30), fc.double({ min: 0, max: 1, noNaN: true }))),
        fc.array(fc.array(link), { maxLength: 31 }),
        fc.array(fc.nat(30)),
        fc.nat(8),
        (last, links, before, width) => {
          const from = new Map(last)
          const reached = new Set([...before, ...from.keys()])
          const hop = nextHop(from, reached, (idx) => links[idx] ?? [], width)
          expect(hop.size).toBeLessThanOrEqual(width)
          for (const idx of hop.keys()) expect(reached.has(idx)).toBe(false)
          const strengths = [...hop.values()]
          expect(strengths).toEqual(strengths.toSorted((a, b) => b - a))
        },
      ),
    )
  })
})
