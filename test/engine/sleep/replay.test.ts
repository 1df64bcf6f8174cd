import { portions, rehearse, replayPriority, shortlist } from '@memory/engine/sleep/replay'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const day = 86_400_000
const now = 1_800_000_000_000

describe('the priority of a replay', () => {
  it('is recency times 1 + surprise times 1 + degree', () => {
    expect(replayPriority({ usedAt: now, degree: 0 }, 0, now)).toBe(1)
    expect(replayPriority({ usedAt: now - 7 * day, degree: 0.5 }, 0.4, now)).toBeCloseTo(0.5 * 1.4 * 1.5, 12)
    expect(replayPriority({ usedAt: now + day, degree: 0 }, 0, now)).toBe(1)
  })

  it('makes a short list whose order surprise may only change by a factor of two', () => {
    const candidate = fc.record({
      idx: fc.nat(1_000),
      usedAt: fc.integer({ min: now - 90 * day, max: now }),
      degree: fc.double({ min: 0, max: 32, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 50 }), fc.nat(20), (candidates, count) => {
        const listed = shortlist(candidates, count, now)
        expect(listed).toHaveLength(Math.min(count, candidates.length))
        const last = listed.at(-1)
        if (last === undefined) return
        const least = replayPriority(last, 0, now)
        for (const other of candidates.filter((each) => !listed.includes(each))) {
          expect(replayPriority(other, 1, now)).toBeLessThanOrEqual(2 * least)
        }
      }),
    )
  })
})

describe('what a replay strengthens', () => {
  it('is each pattern that was replayed, and each pair within a neighbourhood, once', () => {
    const replayed = [
      { idx: 3, neighbours: [1, 2] },
      { idx: 2, neighbours: [1, 9] },
      { idx: 7, neighbours: [] },
    ]
    expect(rehearse(replayed)).toEqual({
      patterns: [2, 3, 7],
      pairs: [
        { a: 1, b: 3 },
        { a: 2, b: 3 },
        { a: 1, b: 2 },
        { a: 2, b: 9 },
        { a: 1, b: 9 },
      ],
    })
    expect(rehearse([])).toEqual({ patterns: [], pairs: [] })
    expect(rehearse([{ idx: 4, neighbours: [4] }])).toEqual({ patterns: [4], pairs: [] })
  })
})

describe('portions of a rehearsal', () => {
  it('hold every pattern and every pair once, and no more pairs than they may', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            idx: fc.integer({ min: 0, max: 50 }),
            neighbours: fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 12 }),
          }),
          { maxLength: 8 },
        ),
        fc.integer({ min: 1, max: 40 }),
        (replayed, count) => {
          const rehearsal = rehearse(replayed)
          const parts = portions(rehearsal, count)
          expect(parts.flatMap(({ patterns }) => patterns)).toEqual(rehearsal.patterns)
          expect(parts.flatMap(({ pairs }) => pairs)).toEqual(rehearsal.pairs)
          for (const { pairs } of parts) expect(pairs.length).toBeLessThanOrEqual(count)
        },
      ),
    )
    expect(portions({ patterns: [], pairs: [] }, 5)).toEqual([])
  })
})
