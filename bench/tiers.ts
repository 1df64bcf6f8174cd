/**
 * What tiers save and cost: a space whose patterns are asked for by Zipf's law for some weeks, with daily migration.
 *
 *   npm run bench -- tiers [--patterns 100000] [--days 60] [--queries 500] [--exponent 1] [--migrate-every 1]
 */

import { searchShardMany } from '../packages/memory/src/index/search-shard.ts'
import type { Shard } from '../packages/memory/src/index/shard.ts'
import { newShard } from '../packages/memory/src/index/shards.ts'
import { migrateTiers } from '../packages/memory/src/tiers/migrate-tiers.ts'
import { findCounters, getDistribution } from '../packages/memory/src/tiers/tier-store.ts'
import { rescore } from '../packages/memory/src/vectors/rescore.ts'
import { yieldToEventLoop } from '../packages/shared/src/platform/event-loop.ts'
import { readOptions } from '../scripts/read-options.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { BenchClock, startPausedService } from './support/paused-service.ts'
import { randomFrom, shuffled } from './support/random.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder } from './support/server.ts'
import { mean } from './support/statistics.ts'
import { Mixture } from './vectors/mixture.ts'

const { values: options } = readOptions({
  options: {
    patterns: { type: 'string', default: '100000' },
    days: { type: 'string', default: '60' },
    queries: { type: 'string', default: '500' },
    exponent: { type: 'string', default: '1' },
    'migrate-every': { type: 'string', default: '1' },
  },
})
const patterns = Number(options.patterns)
const days = Number(options.days)
const queriesADay = Number(options.queries)
const exponent = Number(options.exponent)
/** Days between two migrations: the service makes one a day. */
const migrateEvery = Number(options['migrate-every'])
const dimensions = 384
const topK = 10
const dayMs = 86_400_000
/** How far a query is from the key that it asks for, of the key's length. */
const noise = 0.3
/** Queries of one pass over the shard. */
const block = 64

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const random = randomFrom(1)
const clock = new BenchClock()
const dataDir = newFolder()
const service = await startPausedService({ dataDir, clock })
const { memory } = service.context
const { queries, spaces, accesses } = memory
try {
  const { connection, spaceId } = await service.newTenant()
  const mixture = new Mixture(dimensions, Math.ceil(patterns / 100), patterns)
  const keys: Float32Array[] = []
  for (let first = 0; first < patterns; first += 1_000) {
    const some = Array.from({ length: Math.min(1_000, patterns - first) }, () => mixture.next())
    keys.push(...some)
    const stored = some.map((key) => ({ key: [...key], value: [1] }))
    await connection.json('POST', '/v1/memory/batch/store', { patterns: stored })
  }
  connection.close()
  const version = async () => {
    await spaces.refresh(spaceId)
    return spaces.get(spaceId, 0)
  }
  const shardOf = async () => (await version()).shard(dimensions) as Shard
  const allHot = (await shardOf()).bytes
  const drawn = zipf(patterns, exponent)
  const rates: { day: number; hot: number; warm: number; cold: number; rate: number; bytes: number }[] = []
  let counted = { hot: 0, all: 0 }
  for (let day = 1; day <= days; day++) {
    const shard = await shardOf()
    let answered = 0
    for (let first = 0; first < queriesADay; first += block) {
      const asked = Array.from({ length: Math.min(block, queriesADay - first) }, () =>
        near(keys[drawn()] as Float32Array),
      )
      for (const { labels } of searchShardMany(shard.target, asked, {
        k: topK,
        minScore: -1,
        textOnly: false,
      })) {
        accesses.record(spaceId, labels.slice(0, topK))
        answered++
      }
      await yieldToEventLoop()
    }
    if (answered !== queriesADay) throw new Error(`${answered} of ${queriesADay} queries were answered.`)
    await accesses.flush()
    clock.advance(dayMs)
    if (day % migrateEvery === 0) await migrateAll(spaceId)
    if (day % 10 === 0) {
      const held = await getDistribution(queries, spaceId)
      const now = await hitsOf(spaceId)
      const rate = (now.hot - counted.hot) / (now.all - counted.all)
      counted = now
      const { bytes } = await shardOf()
      rates.push({ day, ...held, rate, bytes })
      console.log(`day ${day}: ${JSON.stringify({ ...held, rate })}, ${(bytes / 2 ** 20).toFixed(0)} MB`)
    }
  }
  const probes = Array.from({ length: 200 }, () => near(keys[drawn()] as Float32Array))
  const strangers = Array.from({ length: 200 }, () => mixture.next())
  const recall = { asked: await recallOf(probes, keys), others: await recallOf(strangers, keys) }
  const last = rates.at(-1)
  console.log(
    `\n${table(
      [
        'patterns',
        'days',
        'MB all hot',
        'MB with tiers',
        'hot hit rate of the last ten days',
        'recall@10, queries as asked',
        'others',
      ],
      [
        [
          patterns.toLocaleString('en'),
          String(days),
          (allHot / 2 ** 20).toFixed(0),
          ((last?.bytes ?? 0) / 2 ** 20).toFixed(0),
          (last?.rate ?? 0).toFixed(3),
          recall.asked.toFixed(4),
          recall.others.toFixed(4),
        ],
      ],
    )}`,
  )
  writeResult('tiers', environment, {
    patterns,
    days,
    queriesADay,
    exponent,
    migrateEvery,
    topK,
    dimensions,
    allHotBytes: allHot,
    course: rates,
    recall,
  })

  /** The share of the exact ten nearest that the space finds, as a request settles them. */
  async function recallOf(asked: readonly Float32Array[], all: readonly Float32Array[]): Promise<number> {
    const shard = await shardOf()
    const search = { k: topK, minScore: -1, textOnly: false }
    const found = await rescore(
      queries,
      spaceId,
      shard,
      asked,
      searchShardMany(shard.target, asked, search),
      search,
    )
    // The same keys, all as float32, in a shard of few rows at a time: each is scanned.
    const shares = asked.map(() => [] as { label: number; score: number }[])
    for (let first = 0; first < all.length; first += 4_000) {
      const part = newShard(dimensions, null)
      part.put(
        all
          .slice(first, first + 4_000)
          .map((key, i) => ({ idx: first + i, key, isText: false, tier: 'hot' })),
      )
      for (const [i, { labels, scores }] of searchShardMany(part.target, asked, search).entries()) {
        shares[i]?.push(...Array.from(labels, (label, at) => ({ label, score: scores[at] as number })))
      }
    }
    return mean(
      asked.map((_, i) => {
        const best = (shares[i] ?? []).sort((a, b) => b.score - a.score || a.label - b.label).slice(0, topK)
        const labels = new Set(found[i]?.labels)
        return best.filter(({ label }) => labels.has(label)).length / topK
      }),
    )
  }
} finally {
  await service.stop()
  removeFolder(dataDir)
}

/** Patterns in answers so far, and those of them that were hot. */
async function hitsOf(spaceId: string): Promise<{ hot: number; all: number }> {
  const { hot_hits = 0, warm_hits = 0, cold_hits = 0 } = (await findCounters(queries, spaceId)) ?? {}
  return { hot: Number(hot_hits), all: Number(hot_hits) + Number(warm_hits) + Number(cold_hits) }
}

async function migrateAll(spaceId: string): Promise<void> {
  let next: number | undefined = 0
  while (next !== undefined) {
    const step = await migrateTiers(queries, spaceId, clock.now(), next, 1_000)
    next = step.next
    await yieldToEventLoop()
    if (step.moved > 0) await spaces.refresh(spaceId)
  }
}

/** Draws patterns so that the one of rank r is drawn in proportion to r^-s; which is of what rank is random. */
function zipf(count: number, s: number): () => number {
  const order = shuffled(
    Array.from({ length: count }, (_, idx) => idx),
    random,
  )
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += (rank + 1) ** -s
    sums[rank] = sum
  }
  return () => {
    const at = random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) < at) low = middle + 1
      else high = middle
    }
    return order[low] as number
  }
}

/** A vector near a key, in a random direction from it. */
function near(key: Float32Array): Float32Array {
  const away = Float32Array.from(key, () => random() - 0.5)
  const length = Math.hypot(...away)
  return key.map((value, i) => value + (noise * (away[i] as number)) / length)
}
