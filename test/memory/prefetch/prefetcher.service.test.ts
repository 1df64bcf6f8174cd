import { parameters } from '@memory/engine/parameters'
import { Prefetcher } from '@memory/memory/prefetch/prefetcher'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../support/client.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { flush, search } from '../learning/space.ts'
import { getSpace } from '../space.ts'
import { storeVector } from '../vectors/vector-client.ts'
import { cached, invalidate } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const facts = [
  'The train to Porto leaves at nine.',
  'Bread needs flour, water, salt and yeast.',
  'Ada is allergic to peanuts.',
  'Interest rates rose by half a percent.',
  'The museum is closed on Mondays.',
  'Otters hold hands while they sleep.',
  'The printer is out of toner.',
]

/** A space in which the first fact is followed by the last one but two. */
async function newUsed() {
  const ada = await newConformingClient(server)
  const ids = await ada.store(facts)
  for (let n = 0; n < 3; n++) {
    const actor = `${Math.random()}`
    for (const idx of [0, 4]) await search(ada, facts[idx] as string, { actor, top_k: 1 })
  }
  await flush(server)
  await prefetch()
  await invalidate(ada)
  return { ada, ids }
}

const prefetch = () => server.context.memory.prefetcher.flush()

async function counted(name: string): Promise<number> {
  const metric = await server.context.metrics.registry.getSingleMetric(name)?.get()
  if (metric === undefined) throw new Error(`There is no ${name}`)
  return metric.values
    .filter(({ labels }) => (labels.result ?? 'taken') === 'taken')
    .reduce((sum, { value }) => sum + value, 0)
}

const searches: [string, (ada: Client) => Promise<unknown>][] = [
  [
    'recall',
    // Recall reads what might be arranged too: only what it finds, where nothing else is as similar.
    (ada) =>
      search(ada, facts[0] as string, { path: '/v1/memory/text/recall', top_k: 1, min_similarity: 0.99 }),
  ],
  ['text retrieve', (ada) => search(ada, facts[0] as string, { top_k: 1 })],
  [
    'vector retrieve',
    async (ada) => {
      const { body } = await ada.post('/v1/memory/text/embed', { text: facts[0] })
      await ada.post('/v1/memory/retrieve', { embedding: body.embedding, top_k: 1 })
    },
  ],
]

describe('what probably comes next', () => {
  it.each(searches)('is read into memory after a %s', async (_name, find) => {
    const { ada } = await newUsed()
    await find(ada)
    expect(await cached(server, ada)).toEqual([0])
    await prefetch()
    // What followed it, and what was stored next to either.
    expect(await cached(server, ada)).toEqual([0, 1, 4, 5])
  })

  it('is counted, and counted as used when it is asked for', async () => {
    const { ada } = await newUsed()
    const names = ['memory_prefetch_wishes_total', 'memory_prefetched_payloads_total']
    const before = await Promise.all(names.map(counted))
    const usedBefore = await counted('memory_prefetched_payloads_used_total')
    await search(ada, facts[0] as string, { top_k: 1 })
    await prefetch()
    expect(await Promise.all(names.map(counted))).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + 3])
    expect(await counted('memory_prefetched_payloads_used_total')).toBe(usedBefore)
    for (let n = 0; n < 2; n++) await search(ada, facts[4] as string, { top_k: 1 })
    expect(await counted('memory_prefetched_payloads_used_total')).toBe(usedBefore + 1)
  })

  it('is read with values where values were shown', async () => {
    const { ada } = await newUsed()
    const { body } = await ada.post('/v1/memory/text/embed', { text: facts[0] })
    const index = server.context.memory.spaces.peek((await getSpace(server, ada)).id)
    if (index === undefined) throw new Error('The space is not in memory')
    const { payloads } = server.context.memory
    await ada.post('/v1/memory/retrieve', { embedding: body.embedding, top_k: 1 })
    await prefetch()
    expect(payloads.hasValue(index, 4)).toBe(false)
    await ada.post('/v1/memory/query', { embedding: body.embedding, top_k: 1 })
    await prefetch()
    expect(payloads.hasValue(index, 4)).toBe(true)
  })

  it('is nothing that was forgotten after it was noted, nor anything after that', async () => {
    const { ada, ids } = await newUsed()
    await search(ada, facts[0] as string, { top_k: 1 })
    await ada.delete(`/v1/memory/patterns/${ids[4]}`)
    await prefetch()
    expect(await cached(server, ada)).toEqual([0, 1])
    await invalidate(ada)
    await search(ada, facts[0] as string, { top_k: 1 })
    await invalidate(ada)
    await ada.delete(`/v1/memory/patterns/${ids[0]}`)
    await prefetch()
    expect(await cached(server, ada)).toEqual([])
  })

  it('is nothing of a space that was emptied meanwhile', async () => {
    const { ada } = await newUsed()
    await search(ada, facts[0] as string, { top_k: 1 })
    await Promise.all([ada.delete('/v1/memory/patterns?confirm=all'), prefetch()])
    await prefetch()
    expect(await cached(server, ada)).toEqual([])
    expect(await ada.retrieve(facts[4] as string)).toEqual([])
  })

  it('is of the space alone in which something was found', async () => {
    const [{ ada }, { ada: ben }] = [await newUsed(), await newUsed()]
    await search(ada, facts[0] as string, { top_k: 1 })
    await prefetch()
    expect(await cached(server, ben)).toEqual([])
  })

  it('is nothing where nothing was found', async () => {
    const ada = await newConformingClient(server)
    await storeVector(ada, [1, 2])
    await ada.post('/v1/memory/query', { embedding: [1, 2, 3] })
    expect(await ada.retrieve('anything')).toEqual([])
    await prefetch()
    expect(await cached(server, ada)).toEqual([])
  })
})

describe('wishes', () => {
  /** A prefetcher of its own, and what it has heard. */
  function newPrefetcher(options: { isBusy?: () => boolean; budgetMs?: number } = {}) {
    const heard = { taken: 0, dropped: 0 }
    const prefetcher = new Prefetcher(server.context.memory, {
      ...options,
      onHints: (taken, dropped) => {
        heard.taken += taken
        heard.dropped += dropped
      },
    })
    return { prefetcher, heard }
  }

  it('are dropped while there is something better to do', async () => {
    const { ada } = await newUsed()
    const { id } = await getSpace(server, ada)
    let busy = true
    const { prefetcher, heard } = newPrefetcher({ isBusy: () => busy })
    prefetcher.warmLater(id, [0])
    await prefetcher.flush()
    busy = false
    await prefetcher.flush()
    expect(heard).toEqual({ taken: 0, dropped: 1 })
    expect(await cached(server, ada)).toEqual([])
    prefetcher.warmLater(id, [0])
    await prefetcher.flush()
    expect(heard).toEqual({ taken: 1, dropped: 1 })
    expect(await cached(server, ada)).toEqual([1, 4, 5])
  })

  it('are dropped when there is no time left', async () => {
    const { ada } = await newUsed()
    const { id } = await getSpace(server, ada)
    const { prefetcher, heard } = newPrefetcher({ budgetMs: 0 })
    prefetcher.warmLater(id, [0, 1])
    await prefetcher.flush()
    expect(heard).toEqual({ taken: 0, dropped: 2 })
    expect(await cached(server, ada)).toEqual([])
  })

  it('are one for each pattern of a space, and no more than a bound', async () => {
    const { prefetcher, heard } = newPrefetcher({ budgetMs: Number.POSITIVE_INFINITY })
    for (let n = 0; n < 1_000; n++) prefetcher.warmLater('a space', [n % 5])
    await prefetcher.flush()
    expect(heard).toEqual({ taken: 5, dropped: 0 })
    for (let n = 0; n < 100; n++) prefetcher.warmLater('a space', [n])
    for (let n = 0; n < 1_000; n++) prefetcher.warmLater(`space ${n}`, [1])
    prefetcher.warmLater('another', [])
    await prefetcher.flush()
    expect(heard).toEqual({ taken: 5 + 32 + 255, dropped: 68 + 745 })
  })

  it('that many patterns lead to are followed to so many of them', async () => {
    const ada = await newConformingClient(server)
    for (let n = 0; n < 100; n++) await storeVector(ada, [1, n])
    const { id } = await getSpace(server, ada)
    await server.context.memory.spaces.get(id, 100)
    await invalidate(ada)
    const { prefetcher } = newPrefetcher()
    prefetcher.warmLater(
      id,
      Array.from({ length: 30 }, (_, n) => 3 * n),
    )
    await prefetcher.flush()
    const { length } = await cached(server, ada)
    expect(length).toBeGreaterThan(20)
    expect(length).toBeLessThanOrEqual(parameters.prefetch.predictedMax)
  })
})
