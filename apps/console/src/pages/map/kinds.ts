import type { AnswerOf } from 'memory-service-sdk'
import type { MapColouring, MemoriesSearch } from '../../searches.ts'
import { type Mark, markOf } from './marks.ts'

export type SpaceMap = AnswerOf<'GET /v1/memory/map'>

/** A kind of points: what they have in common. */
export interface Kind {
  mark: Mark
  count: number
  what:
    | { by: 'cluster'; words: string[]; number: number }
    | { by: 'tier'; tier: (typeof tiers)[number] }
    | { by: 'age'; from: Date; to: Date }
  /** The list of its memories; undefined where it has no words to look for. */
  search: MemoriesSearch | undefined
}

const tiers = ['hot', 'warm', 'cold'] as const
/** Of as many memories each. */
const ages = 5

/** The kinds that points are of, and the kind of each point. */
export function kindsOf(map: SpaceMap, by: MapColouring): { kinds: Kind[]; of: Uint8Array } {
  if (by === 'cluster') return { kinds: clustersOf(map), of: Uint8Array.from(map.cluster) }
  if (by === 'tier') {
    const kinds = tiers.map(
      (tier, n): Kind => ({
        mark: markOf(n),
        count: map.tier.filter((each) => each === n).length,
        what: { by, tier },
        search: { filter: JSON.stringify({ $tier: tier }) },
      }),
    )
    return { kinds, of: Uint8Array.from(map.tier) }
  }
  return agesOf(map)
}

function clustersOf({ clusters }: SpaceMap): Kind[] {
  return clusters.map(({ words, patterns }, n) => ({
    mark: markOf(n),
    count: patterns,
    what: { by: 'cluster', words, number: n + 1 },
    search: words.length === 0 ? undefined : { way: 'meaning', q: words.join(' ') },
  }))
}

/** Parts with about as many memories each, the oldest first; what was stored in the same second is in one of them. */
function agesOf({ created_s: created }: SpaceMap): { kinds: Kind[]; of: Uint8Array } {
  const sorted = Float64Array.from(created).sort()
  const starts = [
    ...new Set(
      Array.from({ length: ages }, (_, n) => sorted[Math.floor((n * sorted.length) / ages)] as number),
    ),
  ]
  const of = Uint8Array.from(created, (at) => starts.findLastIndex((start) => start <= at))
  const kinds = starts.map((from, n): Kind => {
    const to = (starts[n + 1] ?? (sorted.at(-1) as number) + 1) - 1
    const range = {
      $gte: new Date(1_000 * from).toISOString(),
      $lt: new Date(1_000 * (to + 1)).toISOString(),
    }
    return {
      mark: markOf(n),
      count: of.filter((each) => each === n).length,
      what: { by: 'age', from: new Date(1_000 * from), to: new Date(1_000 * to) },
      search: { filter: JSON.stringify({ $created_at: range }) },
    }
  })
  return { kinds, of }
}
