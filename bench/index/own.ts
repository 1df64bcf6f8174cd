/** The service's index in a process of its own: all rows in one tier, `mix`, or `flat`, which is hot without lists. */
import { kernels } from '../../packages/engine/src/kernels/kernels.ts'
import type { Tier } from '../../packages/engine/src/tiers.ts'
import { searchShard } from '../../packages/memory/src/index/search-shard.ts'
import { newShard } from '../../packages/memory/src/index/shards.ts'
import { type Answer, type Asked, type Index, k, serve } from './serve.ts'

/** As many rows at a time as the service loads from its database. */
const putAtOnce = 5_000

await serve(build)

async function build({ kind, dimensions, rows }: Asked): Promise<Index> {
  const shard = newShard(dimensions, null)
  for (let first = 0; first < rows.length; first += putAtOnce) {
    const some = rows.slice(first, first + putAtOnce)
    shard.put(some.map((key, i) => ({ idx: first + i, key, isText: true, tier: tierOf(kind, first + i) })))
  }
  // As the service does in the background from 4,097 rows on.
  if (kind !== 'flat') await shard.arrange?.()
  const readsRows = kind !== 'hot' && kind !== 'flat'
  return { settings: [{ setting: '', search }], ownBytes: shard.bytes, readsRows }

  /** The k nearest; keys that the index does not hold come from an array here, and in the service from the database. */
  function search(query: Float32Array): Answer {
    const { labels, scores, exact } = searchShard(shard.target, query, { k, minScore: -1, textOnly: false })
    let fetched = 0
    const scored = Array.from(labels, (label, i) => {
      if (exact?.[i] !== 0) return { label, score: scores[i] as number }
      fetched++
      return { label, score: kernels.cosine(query, rows[label] as Float32Array) }
    })
    if (fetched > 0) scored.sort((a, b) => b.score - a.score || a.label - b.label)
    return { labels: scored.slice(0, k).map(({ label }) => label), fetched }
  }
}

/** Of a mix a fifth is hot, three tenths warm, half cold, spread over the rows. */
function tierOf(kind: string, row: number): Tier {
  if (kind === 'flat') return 'hot'
  if (kind !== 'mix') return kind as Tier
  const tenth = row % 10
  return tenth < 2 ? 'hot' : tenth < 5 ? 'warm' : 'cold'
}
