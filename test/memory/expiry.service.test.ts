import { eraseExpired, purgeTombstones } from '@memory/memory/housekeeping'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { beforeItComes, until } from '../support/until.ts'
import { expectCountersToMatch, getSpace, inSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

interface Item {
  text: string
  metadata?: object
  supersedes?: string
}

/** Stores texts that expire soon, and returns when they have. @returns their ids. */
async function storeExpired(client: Client, items: Item[]): Promise<string[]> {
  const total = async () => (await client.get('/v1/memory/text/stats')).body.total_patterns
  const before = await total()
  const ids = await beforeItComes(async (expires_at) => {
    const { status, body } = await client.post('/v1/memory/text/batch-store', {
      items: items.map((item) => ({ ...item, expires_at })),
    })
    expect(status).toBe(200)
    return body.pattern_ids
  })
  await until(async () => (await total()) === before, 'the texts expire')
  return ids
}

const pattern = (id: string | undefined) => `/v1/memory/patterns/${id}`

const list = async (client: ConformingClient): Promise<Record<string, unknown>[]> =>
  (await client.get('/v1/memory/patterns')).body.patterns

describe('a pattern whose expires_at has passed', () => {
  const fading = { text: 'The code is 1234.', metadata: { category: 'credentials', user: 'ada' } }
  const lasting = { text: 'The code is 1235.', metadata: { category: 'credentials', user: 'ada' } }
  let ada: ConformingClient
  let gone: string | undefined
  let kept: string | undefined

  beforeAll(async () => {
    ada = await newConformingClient(server)
    ;[kept] = await ada.store([lasting])
    ;[gone] = await storeExpired(ada, [fading])
  })

  it('is in no search', async () => {
    expect(await ada.retrieve(fading.text, { top_k: 50 })).toEqual([lasting.text])
    expect(await ada.retrieve(fading.text, { top_k: 1 })).toEqual([lasting.text])
    expect(await ada.retrieve(fading.text, { filter: { user: 'ada' } })).toEqual([lasting.text])
  })

  it('is in no list and no count', async () => {
    expect((await list(ada)).map(({ pattern_id }) => pattern_id)).toEqual([kept])
    expect((await ada.get('/v1/memory/text/stats')).body.total_patterns).toBe(1)
  })

  it('is an unknown pattern to GET, PATCH and DELETE', async () => {
    for (const answer of [
      await ada.get(pattern(gone)),
      await ada.patch(pattern(gone), { text: 'revived' }),
      await ada.patch(pattern(gone), { metadata: { user: 'ben' } }),
      await ada.delete(pattern(gone)),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ detail: 'Pattern not found' })
    }
  })

  it.each<[string, object]>([
    ['query', { query: fading.text, threshold: 0.5, guard: false }],
    ['category', { category: 'credentials' }],
    ['filter', { filter: { user: 'ada' } }],
  ])('is not among what forgetting by %s would remove', async (_name, body) => {
    const { body: answer } = await ada.delete('/v1/memory/text/forget', { ...body, dry_run: true })
    expect(answer).toMatchObject({ forgotten: 1, pattern_ids: [kept], kept: [] })
  })

  it('is not counted by the forgetting that erases it', async () => {
    const { body } = await ada.delete('/v1/memory/text/forget', { filter: { user: 'ada' } })
    expect(body).toMatchObject({ forgotten: 1, pattern_ids: [kept], kept: [] })
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 0, storage_bytes: 0 })
  })
})

it('counts what has expired in no answer of a store, also where that changes nothing', async () => {
  const ada = await newConformingClient(server)
  const own = { text: 'I live in Oslo.', external_id: 'a' }
  await ada.post('/v1/memory/text/store', own)
  await storeExpired(ada, [{ text: 'one' }, { text: 'two' }])
  for (const on_conflict of ['skip', 'replace']) {
    const { body } = await ada.post('/v1/memory/text/store', { ...own, on_conflict })
    expect(body).toMatchObject({ created: false, patterns_used: 1 })
  }
})

it('ends nothing any more that it took the place of', async () => {
  const ada = await newConformingClient(server)
  const old = (await ada.store(['Ada lives in Porto.']))[0] as string
  await storeExpired(ada, [{ text: 'Ada lives in Faro.', supersedes: old }])
  expect((await ada.get(pattern(old))).body.superseded_by).toBe(null)
  const next = await ada.post('/v1/memory/text/store', { text: 'Ada lives in Beja.', supersedes: old })
  expect(next.status).toBe(200)
  expect((await ada.get(pattern(old))).body.superseded_by).toBe(next.body.pattern_id)
})

it('is found again where the clock had been set ahead and is set back', async () => {
  const ada = await newConformingClient(server)
  const item = { text: 'The code is 1234.', expires_at: new Date(server.clock.now().getTime() + 3_600_000) }
  await ada.post('/v1/memory/text/store', item)
  const found = async () => {
    const recalled = await ada.post('/v1/memory/text/recall', { query: item.text, top_k: 5 })
    const texts = recalled.body.results.map(({ text }: { text: string }) => text)
    return [await ada.retrieve(item.text), texts]
  }
  expect(await found()).toEqual([[item.text], [item.text]])
  server.clock.advance(7_200_000)
  expect(await found()).toEqual([[], []])
  server.clock.advance(-7_200_000)
  expect(await found()).toEqual([[item.text], [item.text]])
})

describe('eraseExpired', () => {
  it('erases what has expired in every space, and nothing else', async () => {
    const { queries } = server.context.database
    const [ada, ben] = [await newConformingClient(server), await newConformingClient(server)]
    await eraseExpired(queries)
    await ada.store(['Ada stays.'])
    await ben.store(['Ben stays.'])
    await storeExpired(ada, [{ text: 'Ada goes.' }, { text: 'Ada goes too.' }])
    await storeExpired(ben, [{ text: 'Ben goes.' }])

    expect(await eraseExpired(queries)).toBe(3)
    expect(await eraseExpired(queries)).toBe(0)

    for (const [client, text] of [
      [ada, 'Ada stays.'],
      [ben, 'Ben stays.'],
    ] as const) {
      expect(await getSpace(server, client)).toMatchObject({ patterns_used: 1 })
      await expectCountersToMatch(server, client)
      expect(await client.retrieve('goes', { top_k: 50 })).toEqual([text])
    }
  })

  it('leaves what was prolonged after it had been found', async () => {
    const ada = await newConformingClient(server)
    const expires_at = new Date(Date.now() + 60_000).toISOString()
    await ada.post('/v1/memory/text/store', { text: 'prolonged', expires_at })
    await storeExpired(ada, [{ text: 'over' }])
    const erase = () =>
      inSpace(server, ada, async (trx, { id }) => {
        const { rows } = await sql<{ n: number }>`select app.erase_expired(${id}, '{0,1}') as n`.execute(trx)
        return rows[0]?.n
      })
    expect([await erase(), await erase()]).toEqual([1, 0])
    expect(await ada.retrieve('prolonged', { top_k: 50 })).toEqual(['prolonged'])
    await expectCountersToMatch(server, ada)
  })

  it('erases a pattern that was changed after it was given its expiry', async () => {
    const ada = await newConformingClient(server)
    const expires_at = new Date(Date.now() + 60_000).toISOString()
    const { body } = await ada.post('/v1/memory/text/store', { text: 'old', expires_at })
    await ada.patch(pattern(body.pattern_id), { text: 'new' })
    await inSpace(server, ada, (trx, { id }) =>
      sql`update app.patterns set expires_at = now() - interval '1 second' where space_id = ${id}`.execute(
        trx,
      ),
    )
    expect(await eraseExpired(server.context.database.queries)).toBe(1)
    expect(await ada.retrieve('new')).toEqual([])
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 0 })
  })
})

describe('purgeTombstones', () => {
  it('drops what deletes left an hour ago, and searches stay right', async () => {
    const ada = await newConformingClient(server)
    const [first, second] = await ada.store(['first', 'second', 'third'])
    expect(await ada.retrieve('first', { top_k: 50 })).toHaveLength(3)
    await ada.delete(pattern(first))
    const tombstones = () =>
      inSpace(server, ada, async (trx, { id }) => {
        const { rows } = await sql`select from app.pattern_tombstones where space_id = ${id}`.execute(trx)
        return rows.length
      })
    await inSpace(server, ada, (trx) => sql`delete from app.pattern_tombstones`.execute(trx))
    await ada.delete(pattern(second))
    expect(await tombstones()).toBe(1)
    await purgeTombstones(server.context.database.queries)
    expect(await tombstones()).toBe(1)
    await inSpace(server, ada, async (trx, { id }) => {
      const { rows } = await sql<{ version: number }>`
        delete from app.pattern_tombstones where space_id = ${id} returning version`.execute(trx)
      await sql`insert into app.pattern_tombstones (space_id, version, idx, deleted_at)
        values (${id}, ${rows[0]?.version}, 1, now() - interval '61 minutes')`.execute(trx)
    })
    await purgeTombstones(server.context.database.queries)
    expect(await tombstones()).toBe(0)
    server.context.memory.spaces.drop((await getSpace(server, ada)).id)
    expect(await ada.retrieve('first', { top_k: 50 })).toEqual(['third'])
  })
})

describe('occurred_at and expires_at', () => {
  it('show as they were given, in UTC', async () => {
    const ada = await newConformingClient(server)
    const { body } = await ada.post('/v1/memory/text/store', {
      text: 'imported',
      occurred_at: '2019-07-01T10:00:00+02:00',
      expires_at: '2100-01-01T00:00:00',
    })
    expect((await ada.get(pattern(body.pattern_id))).body).toMatchObject({
      occurred_at: '2019-07-01T08:00:00.000Z',
      expires_at: '2100-01-01T00:00:00.000Z',
    })
  })

  it('are now and never unless given', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['plain'])
    await ada.post('/v1/memory/text/store', { text: 'nulls', occurred_at: null, expires_at: null })
    const patterns = await list(ada)
    expect(patterns.map(({ expires_at }) => expires_at)).toEqual([null, null])
    for (const { occurred_at, created_at } of patterns) {
      expect(occurred_at).toBe(created_at)
      expect(Math.abs(Date.parse(String(created_at)) - Date.now())).toBeLessThan(10_000)
    }
    expect((await ada.get(pattern(id))).body).toEqual(patterns[0])
  })

  it('of a batch may differ from item to item', async () => {
    const ada = await newConformingClient(server)
    const days = ['2001-01-01T00:00:00.000Z', '1999-12-31T23:59:59.999Z']
    const items = days.map((occurred_at) => ({ text: 'diary', occurred_at }))
    await ada.post('/v1/memory/text/batch-store', { items })
    expect((await list(ada)).map(({ occurred_at }) => occurred_at)).toEqual(days)
  })

  it.each([
    '0001-01-01T00:00:00.000Z',
    '0064-07-18T00:00:00.000Z',
    '1066-10-14T09:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ])('come back as %s', async (moment) => {
    const ada = await newConformingClient(server)
    await ada.post('/v1/memory/text/store', { text: 'history', occurred_at: moment })
    expect((await list(ada))[0]?.occurred_at).toBe(moment)
  })
})

// Last: the service's clock stays ahead of the database's from here on.
describe('the index', () => {
  it('leaves out a text from the moment it expires, and gives its place to the next', async () => {
    const ada = await newConformingClient(server)
    const expires_at = new Date(server.clock.now().getTime() + 3_600_000).toISOString()
    await ada.post('/v1/memory/text/store', { text: 'for an hour', expires_at })
    await ada.store(['for ever', 'for good'])
    expect(await ada.retrieve('for an hour', { top_k: 1 })).toEqual(['for an hour'])
    server.clock.advance(3_599_000 - 60_000)
    expect(await ada.retrieve('for an hour', { top_k: 1 })).toEqual(['for an hour'])
    server.clock.advance(62_000)
    expect(await ada.retrieve('for an hour', { top_k: 2 })).toHaveLength(2)
    expect(await ada.retrieve('for an hour', { top_k: 3 })).not.toContain('for an hour')
  })

  it('refuses an expiry that has passed on its clock', async () => {
    const ada = await newConformingClient(server)
    const expires_at = new Date(Date.now() + 60_000).toISOString()
    expect((await ada.post('/v1/memory/text/store', { text: 'late', expires_at })).status).toBe(422)
  })
})
