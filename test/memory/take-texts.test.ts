import type { SpaceIndex } from '@memory/memory/index/space-index'
import type { PatternCache } from '@memory/memory/patterns/pattern-cache'
import { takeTexts } from '@memory/memory/recall/take-texts'
import { describe, expect, it } from 'vitest'

/** Payloads of patterns, of which those in `texts` are texts, and how often they are asked for. */
function payloadsOf(texts: ReadonlySet<number>) {
  const asked: number[] = []
  const payload = (idx: number) => ({ idx, id: `pat_${idx}`, text: texts.has(idx) ? `text ${idx}` : null })
  const payloads = {
    find: async (_space: string, _index: SpaceIndex, indexes: readonly number[]) => {
      asked.push(...indexes, Number.NaN)
      return new Map(indexes.map((idx) => [idx, payload(idx)]))
    },
  } as unknown as PatternCache
  const take = async (count: number, k: number) => {
    const scored = Array.from({ length: count }, (_, idx) => ({ idx }))
    const taken = await takeTexts({ payloads }, 'space', {} as SpaceIndex, scored, k)
    return taken.map(({ scored: { idx } }) => idx)
  }
  const trips = () => asked.filter(Number.isNaN).length
  const looked = () => asked.filter((idx) => !Number.isNaN(idx))
  return { take, trips, looked }
}

describe('takeTexts', () => {
  it('makes few round trips, whatever lies between the texts, and asks for no pattern twice', async () => {
    const { take, trips, looked } = payloadsOf(new Set([700, 701, 900]))
    expect(await take(1_000, 1)).toEqual([700])
    expect(trips()).toBe(10)
    expect(looked()).toEqual(Array.from({ length: 1_000 }, (_, idx) => idx))
  })

  it('looks no further than it has to', async () => {
    const { take, looked } = payloadsOf(new Set([0, 1, 2, 3, 4, 5]))
    expect(await take(1_000, 3)).toEqual([0, 1, 2])
    expect(looked()).toEqual([0, 1, 2])
  })

  it('gives what there is', async () => {
    const { take } = payloadsOf(new Set([2, 8]))
    expect(await take(10, 5)).toEqual([2, 8])
    expect(await take(0, 5)).toEqual([])
  })
})
