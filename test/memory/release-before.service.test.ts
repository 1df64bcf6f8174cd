import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { inSpace } from './space.ts'

/** What processes of the release before call while both releases work on one database. */

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const vectors = '/v1/memory/store'
const patterns = '/v1/memory/patterns'
const vector = { key: [1, 0], value: [1] }
const health = { category: 'health' }

/** What such a process knows of a pattern: what its protection comes to, and nothing of what was said of it. */
interface Described {
  metadata?: object
  category?: string
  protected: boolean
}

const jsonOf = ({ metadata }: Described) => (metadata === undefined ? null : JSON.stringify(metadata))

async function beforeStores(ada: ConformingClient, name: string, told: Described): Promise<void> {
  const { outcome } = await inSpace(server, ada, async (trx, { id }) => {
    const { rows } = await sql<{ outcome: string }>`
      select outcomes[1] as outcome from app.store_patterns(
        ${id}, -1, ${[`pat_${name.padStart(26, '0')}`]}::text[], ${[null]}::text[], ${[jsonOf(told)]}::text[],
        ${['[1,0]']}::vector[], ${['[1]']}::vector[], ${[null]}::int[], ${[null]}::text[], 'model',
        ${[told.category ?? null]}::text[], ${[told.protected]}::bool[], ${[null]}::timestamptz[],
        ${[null]}::timestamptz[], array[encode(app.pattern_key_hash('[1,0]'), 'hex')], null, ${[name]}::text[], null,
        null, null, 'replace', 20, null)`.execute(trx)
    return rows[0] as { outcome: string }
  })
  expect(outcome).toBeOneOf(['created', 'replaced'])
}

const beforeChanges = (ada: ConformingClient, name: string, { metadata, ...told }: Described) =>
  inSpace(server, ada, async (trx, { id }) => {
    const changes = { category: null, ...told, ...(metadata && { metadata }) }
    const { rows } = await sql`
      select c.* from app.patterns p, app.change_pattern(
        ${id}, p.id, null, null, null, null, ${JSON.stringify(changes)}::jsonb, 20, null, 'updated') c
        where p.space_id = ${id} and p.external_id = ${name}`.execute(trx)
    expect(rows).toHaveLength(1)
  })

const path = (name: string) => `${patterns}/ext:${name}`
const isProtected = async (ada: ConformingClient, name: string) => {
  const { body } = await ada.get(path(name))
  return [body.protected, body.asked_protected]
}

describe('what a process of the release before says of protection', () => {
  it('stays said when it stores: what differs from what follows', async () => {
    const ada = await newConformingClient(server)
    await beforeStores(ada, 'a', { protected: true })
    await beforeStores(ada, 'b', { metadata: health, ...health, protected: false })
    await beforeStores(ada, 'c', { protected: false })
    await beforeStores(ada, 'd', { metadata: { protected: true }, protected: true })
    await ada.patch(path('a'), { metadata: { n: 1 } })
    expect(await isProtected(ada, 'a')).toEqual([true, true])
    await ada.patch(path('b'), { metadata: { ...health, n: 1 } })
    expect(await isProtected(ada, 'b')).toEqual([false, false])
    await ada.patch(path('c'), { metadata: health })
    expect(await isProtected(ada, 'c')).toEqual([true, null])
    await ada.patch(path('d'), { metadata: {} })
    expect(await isProtected(ada, 'd')).toEqual([false, null])
  })

  it('takes the place of what one of this release was told', async () => {
    const ada = await newConformingClient(server)
    await ada.post(vectors, { ...vector, external_id: 'b', protected: false })
    await beforeStores(ada, 'b', { protected: true })
    expect(await isProtected(ada, 'b')).toEqual([true, true])
    await beforeStores(ada, 'b', { metadata: health, ...health, protected: false })
    expect(await isProtected(ada, 'b')).toEqual([false, false])
  })

  it('leaves what one of this release was told where it says nothing else', async () => {
    const ada = await newConformingClient(server)
    for (const protect of [true, false]) {
      const external_id = `${protect}`
      await ada.post(vectors, { ...vector, external_id, protected: protect })
      await beforeStores(ada, external_id, { protected: false })
      expect(await isProtected(ada, external_id)).toEqual([protect, protect])
      await beforeChanges(ada, external_id, { metadata: { n: 1 }, protected: protect })
      expect(await isProtected(ada, external_id)).toEqual([protect, protect])
      await ada.patch(path(external_id), { metadata: health })
      expect(await isProtected(ada, external_id)).toEqual([protect, protect])
    }
  })

  it('takes the place of it by a change, too', async () => {
    const ada = await newConformingClient(server)
    await ada.post(vectors, { ...vector, external_id: 'c', protected: true })
    await beforeChanges(ada, 'c', { protected: false })
    await ada.patch(path('c'), { metadata: { n: 1 } })
    expect(await isProtected(ada, 'c')).toEqual([false, null])
    await beforeChanges(ada, 'c', { protected: true })
    await ada.patch(path('c'), { metadata: { n: 2 } })
    expect(await isProtected(ada, 'c')).toEqual([true, true])
    await beforeChanges(ada, 'c', { metadata: health, ...health, protected: false })
    await ada.patch(path('c'), { metadata: { ...health, n: 3 } })
    expect(await isProtected(ada, 'c')).toEqual([false, false])
  })

  it('is known of what still earlier ones store and change', async () => {
    const ada = await newConformingClient(server)
    const id = `pat_${'e'.padStart(26, '0')}`
    await inSpace(server, ada, async (trx, space) => {
      await sql`select * from app.insert_patterns(
        ${space.id}, -1, ${[id]}::text[], ${[null]}::text[], ${[null]}::text[], ${['[1,0]']}::vector[],
        ${['[1]']}::vector[], ${[null]}::int[], ${[null]}::text[], 'model', ${[null]}::text[], ${[true]}::bool[],
        ${[null]}::timestamptz[], ${[null]}::timestamptz[], array[encode(app.pattern_key_hash('[1,0]'), 'hex')])`.execute(
        trx,
      )
    })
    const changed = async (metadata: object) => {
      const { body } = await ada.patch(`${patterns}/${id}`, { metadata })
      return [body.protected, body.asked_protected]
    }
    expect(await changed({ n: 1 })).toEqual([true, true])
    await inSpace(server, ada, async (trx, space) => {
      await sql`select * from app.update_pattern(
        ${space.id}, ${id}, null, null, null, null, true, '{"category": "health"}', 'health', true)`.execute(
        trx,
      )
    })
    expect(await changed({ n: 1 })).toEqual([true, true])
    await inSpace(server, ada, async (trx, space) => {
      await sql`select * from app.update_pattern(
        ${space.id}, ${id}, null, null, null, null, true, '{"category": "health"}', 'health', false)`.execute(
        trx,
      )
    })
    expect(await changed({ ...health, n: 2 })).toEqual([false, false])
  })
})

describe('what the release before has ended too early', () => {
  const began = '2020-05-01T00:00:00.000Z'
  const earlier = '2020-04-01T00:00:00.000Z'
  const later = '2021-01-01T00:00:00.000Z'

  it.each([
    ['a change', (ada: ConformingClient) => ada.patch(path('new'), { valid_from: later })],
    [
      'a store',
      (ada: ConformingClient) => ada.post(vectors, { ...vector, external_id: 'new', valid_from: later }),
    ],
  ])('follows what took its place: %s', async (_, move) => {
    const ada = await newConformingClient(server)
    await ada.post(vectors, { ...vector, external_id: 'old', valid_from: began })
    await ada.post(vectors, { ...vector, external_id: 'new', occurred_at: earlier, supersedes: 'ext:old' })
    await inSpace(server, ada, (trx, { id }) =>
      trx
        .withSchema('app')
        .updateTable('patterns')
        .set({ valid_to: new Date(earlier) })
        .where('space_id', '=', id)
        .where('external_id', '=', 'old')
        .execute(),
    )
    expect((await move(ada)).status).toBe(200)
    expect((await ada.get(path('old'))).body).toMatchObject({ valid_from: began, valid_to: later })
  })
})
