import { unknownValidity, type Validity } from '@memory/engine/exploration/gain'
import { choosePairs, type Pair, pairName, pairOf } from '@memory/engine/exploration/pairs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const pairsFrom = (first: number, count: number): Pair[] =>
  Array.from({ length: count }, (_, i) => ({ a: first + i, b: 1_000 }))
const unknown = () => unknownValidity
const empty = { associated: [], near: [], random: [] }

describe('the pairs that are tried', () => {
  it('are two in five associated, two near and one random', () => {
    const sources = { associated: pairsFrom(0, 50), near: pairsFrom(100, 50), random: pairsFrom(200, 50) }
    const chosen = choosePairs(sources, unknown, 20)
    const from = (first: number) => chosen.filter(({ a }) => a >= first && a < first + 100).length
    expect([from(0), from(100), from(200)]).toEqual([8, 8, 4])
  })

  it('come from where there are any', () => {
    expect(choosePairs({ ...empty, random: pairsFrom(0, 5) }, unknown, 4)).toHaveLength(4)
    expect(choosePairs({ ...empty, near: pairsFrom(0, 3) }, unknown, 20)).toHaveLength(3)
    expect(choosePairs(empty, unknown, 5)).toEqual([])
  })

  it('are those of which a trial tells most', () => {
    const known: Record<string, Validity> = { '0,1000': { a: 9, b: 1 }, '1,1000': { a: 2, b: 1 } }
    const sources = { ...empty, associated: pairsFrom(0, 3) }
    const chosen = choosePairs(sources, (pair) => known[pairName(pair)] ?? unknownValidity, 2)
    expect(chosen.map(({ a }) => a)).toEqual([2, 1])
    expect(chosen[0]?.gain).toBeCloseTo(Math.LN2 - 0.5, 12)
  })

  it('are each once, of two patterns, and as many as wanted if there are as many', () => {
    const pair = fc.tuple(fc.nat(8), fc.nat(8)).map(([one, other]) => pairOf(one, other))
    const pairs = fc.array(pair, { maxLength: 30 })
    fc.assert(
      fc.property(pairs, pairs, pairs, fc.nat(40), (associated, near, random, count) => {
        const chosen = choosePairs({ associated, near, random }, unknown, count)
        const all = [...associated, ...near, ...random].filter(({ a, b }) => a !== b).map(pairName)
        expect(chosen).toHaveLength(Math.min(count, new Set(all).size))
        expect(new Set(chosen.map(pairName)).size).toBe(chosen.length)
        for (const { a, b } of chosen) expect(a).toBeLessThan(b)
      }),
    )
  })
})
