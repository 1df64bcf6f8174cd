import { type Access, makeAccesses } from '../predict/accesses.ts'
import type { Connection } from '../support/client.ts'
import { type PausedService, startPausedService } from '../support/paused-service.ts'
import { newFolder, removeFolder } from '../support/server.ts'
import { TextSource } from '../support/texts.ts'

/** Of the service's caches, half of which is for payloads. */
export const budgetsMb = [1, 2, 4, 32] as const

/** Text that goes with each fact, so that the caches hold 30, 60, 120 and all of them. */
const noteChars = 8_000

const plan = { facts: 500, routines: 30, steps: [6, 12] as const, actors: 6, noise: 0.2 }

/** Shares with one budget. */
export interface Condition {
  /** Of the accesses, those whose payload was in memory, without prefetch and with it. */
  alone: number
  prefetching: number
  /** Of the payloads that were prefetched, those that an answer needed. */
  used: number
}

/**
 * Replays routines: the first half of the accesses teaches a space; the second is asked of a service that has just
 * started on it, and learns nothing more, with each budget, without prefetch and with it. There is time to prefetch after
 * each access, as there is when people ask.
 */
export async function replay(seed: number, accesses: number): Promise<{ conditions: Condition[] }> {
  const dataDir = newFolder()
  const texts = new TextSource(seed).take('short', plan.facts)
  const all = makeAccesses({ ...plan, accesses }, seed)
  const teacher = await startPausedService({ dataDir })
  const key = await teacher.newKey()
  const connection = await teacher.connect(key)
  for (let i = 0; i < texts.length; i += 50) {
    const items = texts.slice(i, i + 50).map((text) => ({ text, metadata: { note: 'x'.repeat(noteChars) } }))
    await connection.json('POST', '/v1/memory/text/batch-store', { items })
  }
  for (const access of all.slice(0, accesses / 2)) {
    await find(connection, texts, access)
    await teacher.write()
  }
  connection.close()
  await teacher.stop()
  const tested = all.slice(accesses / 2)
  const conditions: Condition[] = []
  for (const budgetMb of budgetsMb) {
    const measure = (prefetches: boolean) =>
      measureHits({ dataDir, key, budgetMb, prefetches }, texts, tested)
    const alone = await measure(false)
    const prefetching = await measure(true)
    conditions.push({ alone: alone.hits, prefetching: prefetching.hits, used: prefetching.used })
  }
  removeFolder(dataDir)
  return { conditions }
}

async function measureHits(
  {
    dataDir,
    key,
    budgetMb,
    prefetches,
  }: { dataDir: string; key: string; budgetMb: number; prefetches: boolean },
  texts: readonly string[],
  accesses: readonly Access[],
): Promise<{ hits: number; used: number }> {
  const service = await startPausedService({ dataDir, settings: { MEMORY_CACHE_BUDGET: String(budgetMb) } })
  const connection = await service.connect(key)
  const { memory } = service.context
  for (const access of accesses) {
    await find(connection, texts, access)
    if (prefetches) await memory.prefetcher.flush()
  }
  const looked = await count(service, 'memory_payload_cache_lookups_total')
  const hits = await count(service, 'memory_payload_cache_lookups_total', 'hit')
  const prefetched = await count(service, 'memory_prefetched_payloads_total')
  const used = await count(service, 'memory_prefetched_payloads_used_total')
  // What was noted is not learned: the next condition meets the same space.
  memory.learning.forget(await service.spaceOf(key))
  connection.close()
  await service.stop()
  return { hits: hits / looked, used: used / prefetched }
}

async function count({ context }: PausedService, name: string, result?: string): Promise<number> {
  const metric = await context.metrics.registry.getSingleMetric(name)?.get()
  if (metric === undefined) throw new Error(`There is no ${name}`)
  return metric.values
    .filter(({ labels }) => result === undefined || labels.result === result)
    .reduce((sum, { value }) => sum + value, 0)
}

async function find(
  connection: Connection,
  texts: readonly string[],
  { actor, fact }: Access,
): Promise<void> {
  const body = { query: texts[fact], top_k: 1 }
  const path = '/v1/memory/text/retrieve'
  const { status, text } = await connection.send('POST', path, body, { 'x-memory-actor': actor })
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`)
}
