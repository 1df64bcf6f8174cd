import { eraseExpired, purgeTraces } from '@memory/memory/housekeeping'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../platform/open-database.ts'
import type { Client } from '../../support/client.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { beforeItComes, until } from '../../support/until.ts'
import { getSpace, inSpace } from '../space.ts'
import { flush, readLearned, search } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const facts = [
  { text: 'Ada moved to Lisbon in May.', metadata: { user: 'ada' } },
  { text: 'The printer is out of toner.', metadata: { user: 'ben' } },
  { text: 'Ada is allergic to peanuts.', metadata: { user: 'ada' } },
  { text: 'Bread needs flour, water, salt and yeast.', metadata: { user: 'ben' } },
]
const queries = ['Who moved to Lisbon?', 'Is there toner?', 'Who is allergic?', 'What does bread need?']

/** A space in which each of the facts has been found, by one actor, and all of them together. */
async function newUsed(more: object = {}) {
  const ada = await newConformingClient(server)
  const { body } = await ada.post('/v1/memory/text/batch-store', {
    items: facts.map((fact) => ({ ...fact, ...more })),
  })
  await search(ada, 'Ada', { path: '/v1/memory/text/recall', top_k: 4 })
  for (const query of queries) await search(ada, query, { top_k: 1 })
  await flush(server)
  const { id } = await getSpace(server, ada)
  expect(mentioned(await readLearned(server, ada))).toEqual([0, 1, 2, 3])
  expect(await held(id)).toEqual([0, 1, 2, 3])
  return { ada, id, ids: body.pattern_ids as string[] }
}

/** Patterns that anything in the tables of what is learned mentions. */
function mentioned({
  associations,
  transitions,
  accesses,
  traces,
}: Awaited<ReturnType<typeof readLearned>>): number[] {
  const indexes = [
    ...[...associations.keys()].flatMap((pair) => pair.split('-').map(Number)),
    ...[...transitions.keys()].flatMap((step) => step.split('>').map(Number)),
    ...accesses.keys(),
    ...traces.flatMap(({ patterns }) => patterns),
    ...traces.flatMap(({ trace }) =>
      Array.from(JSON.stringify(trace).matchAll(/"idx":(\d+)/g), ([, idx]) => Number(idx)),
    ),
  ]
  return [...new Set(indexes)].toSorted((a, b) => a - b)
}

/** Patterns that what this process holds of a space mentions. */
async function held(spaceId: string): Promise<number[]> {
  const learning = await server.context.memory.learned.get(spaceId, 0)
  const indexes = new Set([...learning.uses()].map(({ idx }) => idx))
  for (let idx = 0; idx < 10; idx++) {
    for (const other of learning.associatesOf(idx).keys()) indexes.add(idx).add(other)
  }
  for (const [source, targets] of learning.transitions)
    for (const target of targets.keys()) indexes.add(source).add(target)
  return [...indexes].toSorted((a, b) => a - b)
}

const forgettings: [string, number[], (ada: Client, ids: string[]) => Promise<unknown>][] = [
  ['a pattern', [0, 2, 3], (ada, ids) => ada.delete(`/v1/memory/patterns/${ids[1]}`)],
  ['by query', [1, 2, 3], (ada) => ada.delete('/v1/memory/text/forget', { query: facts[0]?.text })],
  ['by filter', [1, 3], (ada) => ada.delete('/v1/memory/text/forget', { filter: { user: 'ada' } })],
  ['everything', [], (ada) => ada.delete('/v1/memory/patterns?confirm=all')],
]

describe('forgetting', () => {
  it.each(forgettings)('%s leaves nothing that mentions what is gone', async (_name, left, forget) => {
    const { ada, id, ids } = await newUsed()
    expect(await forget(ada, ids)).toMatchObject({ status: 200 })
    const learned = await readLearned(server, ada)
    expect([...learned.accesses.keys()]).toEqual(left)
    for (const idx of mentioned(learned)) expect(left).toContain(idx)
    // A trace goes with any of its patterns.
    expect(learned.traces).toEqual([])
    for (const idx of await held(id)) expect(left).toContain(idx)
    if (left.length > 2) expect(learned.associations.size).toBeGreaterThan(0)
  })

  it('everything forgets what was asked and found last, though not how surprising it was', async () => {
    const { ada, id } = await newUsed()
    const state = () => server.context.memory.learning.read(id)
    const before = await state()
    expect(before).toMatchObject({ asked: { count: 5 }, lastTop: 3 })
    await ada.delete('/v1/memory/patterns?confirm=all')
    const asked = { mean: [], count: 0 }
    expect(await state()).toEqual({ ...before, asked, lastTop: null, forgotten: expect.any(Number) })
    await ada.store(['This is new.'])
    await search(ada, 'What is new?', { path: '/v1/memory/text/recall' })
    expect((await server.context.memory.learned.get(id, 0)).state.asked.count).toBe(0)
    expect((await state()).asked.count).toBe(1)
  })

  it.each([
    ['deleted', 3, (ada: Client, ids: string[]) => ada.delete(`/v1/memory/patterns/${ids[3]}`)],
    [
      'forgotten by filter',
      3,
      (ada: Client) => ada.delete('/v1/memory/text/forget', { filter: { user: 'ben' } }),
    ],
    [
      'deleted by its key',
      3,
      async (ada: Client) => {
        const { body } = await ada.get('/v1/memory/pattern/3')
        return ada.delete('/v1/memory/pattern', body.key)
      },
    ],
    ['not deleted', null, (ada: Client, ids: string[]) => ada.delete(`/v1/memory/patterns/${ids[1]}`)],
  ])('forgets that a pattern was found last when it is %s', async (_name, gone, forget) => {
    const { ada, id, ids } = await newUsed()
    const before = await server.context.memory.learning.read(id)
    expect(before.lastTop).toBe(3)
    expect(await forget(ada, ids)).toMatchObject({ status: 200 })
    const after = await server.context.memory.learning.read(id)
    expect(after).toMatchObject({ modulation: before.modulation, lastTop: gone === null ? 3 : null })
  })

  it('forgets that a pattern was found last which is being written meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const { ada, id, ids } = await newUsed()
      await search(ada, 'toner', { top_k: 1 })
      await Promise.all([flush(server), ada.delete(`/v1/memory/patterns/${ids[1]}`), flush(server)])
      expect((await server.context.memory.learning.read(id)).lastTop).not.toBe(1)
    }
  })

  it('holds for uses that are not written yet', async () => {
    const { ada, id, ids } = await newUsed()
    for (const query of ['toner, peanuts and Lisbon', 'toner', 'peanuts and toner']) {
      await search(ada, query, { top_k: 4 })
    }
    await ada.delete(`/v1/memory/patterns/${ids[1]}`)
    await flush(server)
    const learned = await readLearned(server, ada)
    expect(mentioned(learned)).not.toContain(1)
    expect(learned.accesses.get(2)?.access_count).toBeGreaterThan(2)
    expect(await held(id)).not.toContain(1)
  })

  it('holds for uses that are being written meanwhile', async () => {
    const { ada, id, ids } = await newUsed()
    await search(ada, 'toner, peanuts and Lisbon', { top_k: 4 })
    await Promise.all([flush(server), ada.delete(`/v1/memory/patterns/${ids[1]}`), flush(server)])
    await flush(server)
    expect(mentioned(await readLearned(server, ada))).not.toContain(1)
    expect(await held(id)).not.toContain(1)
  })

  it('holds for what expires', async () => {
    const { ada, id } = await beforeItComes((expires_at) => newUsed({ expires_at }))
    await ada.store(['This stays.'])
    await search(ada, 'What stays?', { top_k: 5 })
    await flush(server)
    await until(
      async () => (await ada.get('/v1/memory/text/stats')).body.total_patterns === 1,
      'the texts expire',
    )
    await eraseExpired(server.context.database.queries)
    expect((await search(ada, 'What stays?', { top_k: 5 })).length).toBe(1)
    await flush(server)
    expect(mentioned(await readLearned(server, ada))).toEqual([4])
    expect(await held(id)).toEqual([4])
    const { body } = await ada.get('/v1/memory/brain')
    expect(body).toMatchObject({ patterns_total: 1, temporal_predictions: [] })
  })
})

describe('the mean of what is asked', () => {
  const asking = { query: 'Which illness does Carol have?', top_k: 1 }
  const searches = ['retrieve', 'recall'].map((name) => `/v1/memory/text/${name}`)

  /** A space with a text of Carol's, a client of hers, and how many questions the space's mean has in it. */
  async function newCarols() {
    const ada = await newConformingClient(server)
    const [id] = await ada.store([
      { text: 'Carol has diabetes.', subject: 'carol', metadata: { user: 'carol' } },
      { text: 'The office opens at nine.' },
    ])
    const subject = { name: 'carol', isShared: true }
    const carol = await newConformingClient(server, { organizationId: ada.organizationId, subject })
    const space = await getSpace(server, ada)
    const count = async () => (await server.context.memory.learning.read(space.id)).asked.count
    return { ada, carol, id, count }
  }

  it('has nothing in it of searches that are bound to an end user, or narrowed', async () => {
    const { ada, carol, count } = await newCarols()
    for (const path of searches) {
      for (const narrowed of [{ subject: 'carol' }, { subject: ['carol'] }, { filter: { user: 'carol' } }])
        expect((await ada.post(path, { ...asking, ...narrowed })).body.results).toHaveLength(1)
      expect((await carol.post(path, asking)).body.results).toHaveLength(1)
    }
    const { query } = asking
    expect((await ada.post('/v1/memory/context', { query, subject: 'carol' })).status).toBe(200)
    expect((await carol.post('/v1/memory/context', { query })).status).toBe(200)
    expect(await count()).toBe(0)
    for (const path of searches) await ada.post(path, { ...asking, min_similarity: 0.1 })
    expect((await ada.post('/v1/memory/context', { query })).status).toBe(200)
    expect(await count()).toBe(3)
  })

  const byFilter = { filter: { user: 'carol' } }
  const bySubject = { subject: 'carol' }
  it.each<[string, number, (clients: Awaited<ReturnType<typeof newCarols>>) => Promise<unknown>]>([
    ['an end user is erased', 0, ({ ada }) => ada.delete('/v1/memory/subjects/carol')],
    ['an end user erases what is theirs', 0, ({ carol }) => carol.delete('/v1/memory/subjects/carol')],
    ['a filter says what is forgotten', 0, ({ ada }) => ada.delete('/v1/memory/text/forget', byFilter)],
    ['a subject says what is forgotten', 0, ({ ada }) => ada.delete('/v1/memory/text/forget', bySubject)],
    ['a filter says what is deleted', 0, ({ ada }) => ada.post('/v1/memory/patterns/delete', byFilter)],
    ['a subject says what is deleted', 0, ({ carol }) => carol.post('/v1/memory/patterns/delete', bySubject)],
    [
      'a filter is tried out',
      2,
      ({ ada }) => ada.delete('/v1/memory/text/forget', { ...byFilter, dry_run: true }),
    ],
    [
      'a filter finds nothing',
      2,
      ({ ada }) => ada.delete('/v1/memory/text/forget', { filter: { user: 'dan' } }),
    ],
    ['an id is deleted', 2, ({ ada, id }) => ada.post('/v1/memory/patterns/delete', { pattern_ids: [id] })],
    [
      'a text is forgotten',
      2,
      ({ ada }) => ada.delete('/v1/memory/text/forget', { query: 'Carol has diabetes.' }),
    ],
    [
      'a text of an end user is forgotten',
      2,
      ({ ada }) => ada.delete('/v1/memory/text/forget', { ...bySubject, query: 'Carol has diabetes.' }),
    ],
  ])('when %s has %i questions in it', async (_name, left, forget) => {
    const space = await newCarols()
    for (const path of searches) await space.ada.post(path, asking)
    expect(await space.count()).toBe(2)
    expect(await forget(space)).toMatchObject({ status: 200 })
    expect(await space.count()).toBe(left)
  })

  it('has nothing in it that was asked before and is written afterwards, nor is there a trace of it', async () => {
    const { ada, count } = await newCarols()
    for (const path of searches) await ada.post(path, asking)
    await ada.delete('/v1/memory/text/forget', byFilter)
    expect(await count()).toBe(0)
    expect((await readLearned(server, ada)).traces).toEqual([])
    for (const path of searches) await ada.post(path, asking)
    expect(await count()).toBe(2)
    expect((await readLearned(server, ada)).traces).toHaveLength(1)
  })
})

describe('traces of actors', () => {
  it('are purged after half an hour, of every space', async () => {
    const [{ ada }, { ada: ben }] = [await newUsed(), await newUsed()]
    const { queries } = server.context.database
    await purgeTraces(queries)
    expect((await readLearned(server, ada)).traces).toHaveLength(1)
    await asOwner(queries, (trx) =>
      sql`update app.actor_traces set at = at - interval '31 minutes'`.execute(trx),
    )
    await purgeTraces(queries)
    for (const owner of [ada, ben]) expect((await readLearned(server, owner)).traces).toEqual([])
    expect(
      await inSpace(
        server,
        ada,
        async (trx) => (await sql`select from app.transitions`.execute(trx)).rows.length,
      ),
    ).toBe(4)
  })
})
