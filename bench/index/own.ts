/** The service's index in a process of its own, as index_peers.py is for others; `candidate.ts` starts it. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { kernels } from '../../packages/shared/src/engine/kernels/kernels.ts'
import type { Tier } from '../../packages/shared/src/engine/tiers.ts'
import { searchShard } from '../../packages/shared/src/memory/index/search-shard.ts'
import { newShard } from '../../packages/shared/src/memory/index/shards.ts'
import { residentMemory } from '../support/process-use.ts'
import type { Built, Pass } from './candidate.ts'

const k = 10
/** As many rows at a time as the service loads from its database. */
const putAtOnce = 5_000

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string' }, queries: { type: 'string' }, dimensions: { type: 'string' } },
})
const kind = positionals[0] as Tier | 'mix'
const dimensions = Number(values.dimensions)
const rows = readVectors(values.rows as string)
const queries = readVectors(values.queries as string)

const before = resident()
const started = performance.now()
const shard = newShard(dimensions, null)
for (let first = 0; first < rows.length; first += putAtOnce) {
  const some = rows.slice(first, first + putAtOnce)
  shard.put(some.map((key, i) => ({ idx: first + i, key, isText: true, tier: tierOf(first + i) })))
}
// As the service does in the background from 4,097 rows on.
await shard.arrange?.()
const buildMs = performance.now() - started
const built: Built = { buildMs, residentBytes: resident() - before, ownBytes: shard.bytes }
process.stdout.write(`${JSON.stringify(built)}\n`)
for await (const _ of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify([measure()])}\n`)
}

/** Of a mix a fifth is hot, three tenths warm, half cold, spread over the rows. */
function tierOf(row: number): Tier {
  if (kind !== 'mix') return kind
  const tenth = row % 10
  return tenth < 2 ? 'hot' : tenth < 5 ? 'warm' : 'cold'
}

function measure(): Pass {
  const pass: Pass & { fetched: number } = { setting: '', ms: [], found: [], fetched: 0 }
  for (const query of queries.slice(0, 20)) search(query)
  for (const query of queries) {
    const since = performance.now()
    const { labels, fetched } = search(query)
    pass.ms.push(performance.now() - since)
    pass.found.push(labels)
    pass.fetched += fetched / queries.length
  }
  return pass
}

/** The k nearest; keys that the index does not hold come from an array here, and in the service from the database. */
function search(query: Float32Array): { labels: number[]; fetched: number } {
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

function readVectors(path: string): Float32Array[] {
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  const all = new Float32Array(buffer, byteOffset, byteLength / 4)
  return Array.from({ length: all.length / dimensions }, (_, row) =>
    all.subarray(row * dimensions, (row + 1) * dimensions),
  )
}

function resident(): number {
  globalThis.gc?.()
  return residentMemory(process.pid).now * 2 ** 20
}
