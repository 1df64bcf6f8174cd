import { parameters } from '@memory/engine/parameters'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import { searchTexts } from './search-texts.ts'

/** A stored text and its embedding. */
export interface NearText {
  idx: number
  id: string
  text: string
  vector: Float32Array
  /** With the query. */
  cosine: number
}

/** The nearest texts (of `among`, where it is given), best first, as many as belief compares; one that is deleted meanwhile is left out. */
export async function findNearestTexts(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  query: Float32Array,
  among?: PatternSet,
): Promise<NearText[]> {
  const { labels, scores } = await searchTexts(context, caller, index, query, {
    k: parameters.belief.candidates,
    minScore: -1,
    among,
  })
  const shard = index.shard(context.compute.dimensions)
  if (labels.length === 0 || shard === undefined) return []
  const [keys, payloads] = await Promise.all([
    findShardKeys(context.queries, caller.spaceId, shard, labels),
    context.payloads.find(caller.spaceId, index, labels, { value: false }),
  ])
  const found = Array.from(labels, (idx, i) => {
    const vector = keys.get(idx)
    const payload = payloads.get(idx)
    if (vector === undefined || payload?.text == null) return undefined
    return { idx, id: payload.id, text: payload.text, vector, cosine: scores[i] as number }
  })
  return found.filter((candidate) => candidate !== undefined)
}
