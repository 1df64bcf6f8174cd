import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../../engine/naive.ts'
import type { Client } from '../../support/client.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { flush, search } from '../learning/space.ts'
import { asOwner, faultsOf, rule } from '../space.ts'
import { batchStore } from '../vectors/vector-client.ts'
import {
  cached,
  clusterPath,
  countStatements,
  embed,
  invalidate,
  invalidateClusterPath,
  invalidatePath,
  warmup,
  warmupPath,
} from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const facts = [
  'The train to Porto leaves at nine.',
  'The train to Porto takes three hours.',
  'The train to Faro leaves at ten.',
  'Trains to Porto are red.',
  'A ticket to Porto costs thirty euros.',
  'Bread needs flour, water, salt and yeast.',
  'Ada is allergic to peanuts.',
  'Interest rates rose by half a percent.',
  'The museum is closed on Mondays.',
]

async function newSpace(): Promise<{ ada: Client; ids: string[] }> {
  const ada = await newConformingClient(server)
  return { ada, ids: await ada.store(facts) }
}

/** Finds facts one after the other, as an actor of its own. */
async function find(client: Client, ...indexes: number[]): Promise<void> {
  const actor = `${Math.random()}`
  for (const idx of indexes) await search(client, facts[idx] as string, { actor, top_k: 1 })
}

describe('POST /v1/memory/prefetch/warmup', () => {
  it('reads the nearest of a key, and what followed them', async () => {
    const { ada } = await newSpace()
    for (let n = 0; n < 3; n++) await find(ada, 0, 7)
    await flush(server)
    await invalidate(ada)
    const { warmed_up, patterns_prefetched, cache_size } = await warmup(ada, {
      context_keys: [await embed(ada, facts[0] as string)],
    })
    // The fact after the last of the five in store order comes too.
    expect(await cached(server, ada)).toEqual([0, 1, 2, 3, 4, 5, 7])
    expect({ warmed_up, patterns_prefetched, cache_size }).toEqual({
      warmed_up: true,
      patterns_prefetched: 7,
      cache_size: 7,
    })
  })

  it('hops as often as it is told, and counts what is new', async () => {
    const { ada } = await newSpace()
    for (let n = 0; n < 3; n++) await find(ada, 0, 7)
    await flush(server)
    await invalidate(ada)
    const context_keys = [await embed(ada, facts[0] as string)]
    expect(await warmup(ada, { context_keys, depth: 1 })).toMatchObject({ patterns_prefetched: 7 })
    expect(await warmup(ada, { context_keys, depth: 1 })).toMatchObject({ patterns_prefetched: 0 })
    expect(await warmup(ada, { context_keys, depth: 2 })).toMatchObject({
      patterns_prefetched: 2,
      cache_size: 9,
    })
  })

  it.each([undefined, {}, { context_keys: null }])('begins with what was used last for %j', async (body) => {
    const { ada } = await newSpace()
    await find(ada, 6)
    await flush(server)
    await invalidate(ada)
    expect(await warmup(ada, body)).toEqual({ warmed_up: true, patterns_prefetched: 2, cache_size: 2 })
    expect(await cached(server, ada)).toEqual([6, 7])
  })

  it('takes the latest of what was used, that of this second too', async () => {
    const ada = await newConformingClient(server)
    const random = randomFrom(1)
    const keys = Array.from({ length: 40 }, () => [...randomVector(random, 8, false)])
    await batchStore(
      ada,
      keys.map((key) => ({ key, value: [1] })),
    )
    const find = (idx: number) =>
      ada.post('/v1/memory/query', { embedding: keys[idx], top_k: 1 }, { 'X-Memory-Actor': `${idx}` })
    for (let idx = 0; idx < 38; idx += 2) {
      await find(idx)
      server.clock.advance(1_000)
      if (idx < 34) await flush(server)
    }
    await invalidate(ada)
    // The last sixteen of nineteen, and what was stored after each.
    expect((await warmup(ada)).cache_size).toBe(32)
    const warmed = await cached(server, ada)
    expect(warmed).toEqual(Array.from({ length: 32 }, (_, i) => i + 6))
  })

  it('takes keys of several lengths, and finds nothing where there is nothing', async () => {
    const ada = await newConformingClient(server)
    const nothing = { warmed_up: false, patterns_prefetched: 0, cache_size: 0 }
    expect(await warmup(ada, { context_keys: [[1], [1, 2]] })).toEqual(nothing)
    expect(await warmup(ada)).toEqual(nothing)
    await batchStore(ada, [
      { key: [1], value: [1] },
      { key: [1, 2], value: [2] },
      { key: [1, 2, 3], value: [3] },
    ])
    await invalidate(ada)
    expect(await warmup(ada, { context_keys: [[1, 2, 3, 4]] })).toEqual(nothing)
    const longer = Array.from({ length: 64 }, (_, i) => i + 1)
    const { patterns_prefetched } = await warmup(ada, { context_keys: [[1], [1, 2], [1, 2, 3], longer] })
    expect(patterns_prefetched).toBe(3)
  })

  it('is not needed for what was stored here since: answers are those of the database, without a question to it', async () => {
    const ada = await newConformingClient(server)
    const embedding = [0.25, 0.5]
    const keep = (n: number) =>
      ada.post('/v1/memory/store', { key: embedding, value: [n, 0.1], metadata: { b: n, aa: [1], 10: {} } })
    const ask = async (path: string) => JSON.stringify((await ada.post(path, { embedding })).body.results)
    const both = async () => [await ask('/v1/memory/query'), await ask('/v1/memory/retrieve')]
    await keep(1)
    await both()
    await keep(2)
    expect(await countStatements(server, () => ask('/v1/memory/query'))).toBe(0)
    const answers = await both()
    await invalidate(ada)
    expect(await both()).toEqual(answers)
  })

  it('saves searches the question for payloads: none is left', async () => {
    const { ada } = await newSpace()
    const query = facts[0] as string
    const embedding = await embed(ada, query)
    const statements = async () => ({
      text: await countStatements(server, () => search(ada, query)),
      values: await countStatements(server, () => ada.post('/v1/memory/query', { embedding })),
    })
    // What the process needs once.
    await statements()
    await invalidate(ada)
    expect(await statements()).toEqual({ text: 1, values: 1 })
    await invalidate(ada)
    await warmup(ada, { context_keys: [embedding] })
    expect(await statements()).toEqual({ text: 0, values: 0 })
  })

  it.each([
    [{ context_keys: [] }, 'too_short', ['body', 'context_keys']],
    [{ context_keys: [[]] }, 'too_short', ['body', 'context_keys', 0]],
    [{ context_keys: Array.from({ length: 101 }, () => [1]) }, 'too_long', ['body', 'context_keys']],
    [{ context_keys: [[1], [1, 'two']] }, 'float_parsing', ['body', 'context_keys', 1, 1]],
    [{ context_keys: [new Array(40).fill(0)] }, 'value_error', ['body', 'context_keys', 0]],
    [{ context_keys: 'all' }, 'list_type', ['body', 'context_keys']],
    [{ depth: 0 }, 'greater_than_equal', ['body', 'depth']],
    [{ depth: 6 }, 'less_than_equal', ['body', 'depth']],
    [{ depth: 1.5 }, 'int_from_float', ['body', 'depth']],
    [{ depth: null }, 'int_type', ['body', 'depth']],
  ])('refuses %j', async (body, type, loc) => {
    const answer = await (await newConformingClient(server)).post(warmupPath, body)
    expect(faultsOf(answer)).toEqual([expect.objectContaining({ type, loc })])
  })
})

describe('POST /v1/memory/diagnostics/prefetch/warmup', () => {
  it('tells how many patterns are around a key, and how many of them were read', async () => {
    const { ada } = await newSpace()
    const body = { embedding: await embed(ada, facts[0] as string) }
    await search(ada, facts[0] as string, { top_k: 1 })
    // That one is in memory, but not its value.
    expect((await ada.post(clusterPath, body)).body).toEqual({ patterns_prefetched: 6, cluster_size: 6 })
    expect((await ada.post(clusterPath, body)).body).toEqual({ patterns_prefetched: 0, cluster_size: 6 })
    const alone = await newConformingClient(server)
    expect((await alone.post(clusterPath, body)).body).toEqual({ patterns_prefetched: 0, cluster_size: 0 })
  })

  it('refuses what is no key', async () => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(clusterPath, { embedding: [0, 0] }))).toEqual([
      rule(['body', 'embedding'], 'vector must not be all zero'),
    ])
    expect(faultsOf(await ada.post(clusterPath, {}))).toEqual([
      { type: 'missing', loc: ['body', 'embedding'], msg: 'Field required' },
    ])
  })
})

describe.each([
  ['DELETE', invalidatePath],
  ['POST', invalidateClusterPath],
])('%s %s', (method, path) => {
  it('drops what is in memory of the space, and of no other', async () => {
    const [{ ada }, { ada: ben }] = [await newSpace(), await newSpace()]
    const test = await newConformingClient(server, {
      organizationId: ada.organizationId,
      environment: 'test',
    })
    await test.store(['A test.'])
    for (const client of [ada, ben, test]) await search(client, facts[0] as string)
    expect((await ada.request(method, path)).body).toEqual({ cleared: true, previous_cache_size: 5 })
    expect(await cached(server, ada)).toEqual([])
    expect((await ada.request(method, path)).body).toEqual({ cleared: true, previous_cache_size: 0 })
    expect((await ben.request(method, path)).body.previous_cache_size).toBe(5)
    expect((await test.request(method, path)).body.previous_cache_size).toBe(1)
  })
})

it.each([
  ['POST', warmupPath, {}],
  ['DELETE', invalidatePath, undefined],
  ['POST', clusterPath, { embedding: [1] }],
  ['POST', invalidateClusterPath, undefined],
])('%s %s needs memory:write', async (method, path, body) => {
  const reader = await newConformingClient(server, { scopes: ['memory:read'] })
  const answer = await reader.request(method, path, body)
  expect(answer).toMatchObject({
    status: 403,
    body: { detail: 'Insufficient scope: memory:write required' },
  })
  const writer = await newConformingClient(server, { scopes: ['memory:write'] })
  expect((await writer.request(method, path, body)).status).toBe(200)
})

it('leaves nothing in memory of what is forgotten meanwhile', async () => {
  for (let round = 0; round < 10; round++) {
    const { ada, ids } = await newSpace()
    const context_keys = [await embed(ada, facts[0] as string)]
    const [deleted] = await Promise.all([
      ada.delete(`/v1/memory/patterns/${ids[0]}`),
      warmup(ada, { context_keys }),
      warmup(ada, { context_keys, depth: 3 }),
    ])
    expect(deleted.status).toBe(200)
    expect(await cached(server, ada)).not.toContain(0)
    expect(await ada.retrieve(facts[0] as string, { top_k: 9 })).not.toContain(facts[0])
    await Promise.all([ada.delete('/v1/memory/patterns?confirm=all'), warmup(ada, { context_keys })])
    expect(await cached(server, ada)).toEqual([])
    expect(await ada.retrieve(facts[0] as string)).toEqual([])
  }
  expect(server.context.memory.payloads.size.entries).toBe(await heldBySpaces())
})

/** Payloads that some space in memory can find. */
async function heldBySpaces(): Promise<number> {
  const { spaces, payloads } = server.context.memory
  const owner = server.context.database.queries
  const ids = await asOwner(owner, (trx) => trx.withSchema('app').selectFrom('spaces').select('id').execute())
  const held = ids.map(({ id }) => spaces.peek(id)).filter((index) => index !== undefined)
  return held.reduce((sum, index) => sum + payloads.indexesOf(index).length, 0)
}

it('warming another organization’s key reads nothing of it', async () => {
  const [{ ada }, ben] = [await newSpace(), await newConformingClient(server)]
  await find(ada, 0, 7)
  await flush(server)
  await invalidate(ada)
  await ben.store(['Ben drinks tea.'])
  const context_keys = [await embed(ada, facts[0] as string)]
  expect(await warmup(ben, { context_keys, depth: 5 })).toEqual({
    warmed_up: true,
    patterns_prefetched: 1,
    cache_size: 1,
  })
  expect(await cached(server, ada)).toEqual([])
})
