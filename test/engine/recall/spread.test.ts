import { spreadActivation } from '@memory/engine/recall/spread'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const now = Date.UTC(2026, 0, 1)
const day = 86_400_000

type Link = [a: number, b: number, weight: number, ageDays?: number]

function associates(links: readonly Link[]) {
  const all = new Map<number, Map<number, { weight: number; at: number }>>()
  for (const [a, b, weight, ageDays = 0] of links) {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const row = all.get(from) ?? new Map()
      all.set(from, row.set(to, { weight, at: now - ageDays * day }))
    }
  }
  return (idx: number) => all.get(idx) ?? new Map()
}

/** Deviation and mean over all patterns, those without activation included. */
function momentsOf(activation: ReadonlyMap<number, number>, patterns: number) {
  const values = Array.from({ length: patterns }, (_, idx) => activation.get(idx) ?? 0)
  const mean = values.reduce((sum, value) => sum + value, 0) / patterns
  return { mean, deviation: Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / patterns) }
}

describe('spreadActivation', () => {
  it('is a_i w_ij / sqrt(d_i d_j)', () => {
    const links = associates([
      [0, 1, 0.5],
      [0, 2, 0.3],
      [2, 3, 0.1],
    ])
    const { activation } = spreadActivation([{ idx: 0, activation: 0.8 }], links, 4, now)
    expect([...activation.keys()]).toEqual([1, 2])
    expect(activation.get(1)).toBeCloseTo((0.8 * 0.5) / Math.sqrt(0.8 * 0.5), 12)
    expect(activation.get(2)).toBeCloseTo((0.8 * 0.3) / Math.sqrt(0.8 * 0.4), 12)
  })

  it('adds up what several pass on', () => {
    const links = associates([
      [0, 2, 0.5],
      [1, 2, 0.25],
    ])
    const seeds = [
      { idx: 0, activation: 1 },
      { idx: 1, activation: 0.5 },
    ]
    const { activation } = spreadActivation(seeds, links, 3, now)
    expect(activation.get(2)).toBeCloseTo(0.5 / Math.sqrt(0.5 * 0.75) + 0.125 / Math.sqrt(0.25 * 0.75), 12)
  })

  it('passes less to and from what is associated with much: the fan effect', () => {
    const hub: Link[] = Array.from({ length: 20 }, (_, i) => [1, 10 + i, 0.5])
    const links = associates([[0, 1, 0.5], [0, 2, 0.5], ...hub])
    const { activation } = spreadActivation([{ idx: 0, activation: 1 }], links, 40, now)
    expect(activation.get(1)).toBeLessThan(0.25 * (activation.get(2) as number))
    const fromHub = spreadActivation([{ idx: 1, activation: 1 }], links, 40, now).activation.get(10)
    const fromOne = spreadActivation([{ idx: 2, activation: 1 }], links, 40, now).activation.get(0)
    expect(fromHub).toBeLessThan(fromOne as number)
  })

  it('counts each weight as it has faded since', () => {
    const links = associates([
      [0, 1, 0.4, 30],
      [0, 2, 0.2, 0],
    ])
    const { activation } = spreadActivation([{ idx: 0, activation: 1 }], links, 3, now)
    expect(activation.get(1)).toBeCloseTo(activation.get(2) as number, 12)
  })

  it('gives mean and deviation over all patterns', () => {
    const links = associates([
      [0, 1, 0.5],
      [0, 2, 0.3],
    ])
    const { activation, meanDeviation } = spreadActivation([{ idx: 0, activation: 1 }], links, 50, now)
    const expected = momentsOf(activation, 50)
    expect(meanDeviation.mean).toBeCloseTo(expected.mean, 12)
    expect(meanDeviation.deviation).toBeCloseTo(expected.deviation, 12)
  })

  it('is nothing without seeds, links or patterns', () => {
    const nothing = { activation: new Map(), meanDeviation: { mean: 0, deviation: 0 } }
    expect(spreadActivation([], associates([[0, 1, 0.5]]), 2, now)).toEqual(nothing)
    expect(spreadActivation([{ idx: 0, activation: 1 }], associates([]), 2, now)).toEqual(nothing)
    expect(spreadActivation([], associates([]), 0, now)).toEqual(nothing)
  })

  it('is finite and never negative, however long ago and however weak', () => {
    const idx = fc.integer({ min: 0, max: 9 })
    const link = fc.tuple(
      idx,
      idx,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: -10, max: 1e6 }),
    )
    const seed = fc.record({ idx, activation: fc.double({ min: 0, max: 1, noNaN: true }) })
    fc.assert(
      fc.property(fc.array(link), fc.array(seed), (links, seeds) => {
        const distinct = links.filter(([a, b]) => a !== b)
        const { activation, meanDeviation } = spreadActivation(seeds, associates(distinct), 10, now)
        for (const value of activation.values()) {
          expect(value).toSatisfy(Number.isFinite)
          expect(value).toBeGreaterThan(0)
        }
        expect(meanDeviation.mean).toSatisfy(Number.isFinite)
        expect(meanDeviation.deviation).toSatisfy(Number.isFinite)
      }),
    )
  })
})
