import { randomUUID } from 'node:crypto'
import * as store from '@memory/memory/store'
import { asTenant, type Database } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPattern } from '../support/pattern.ts'
import { asOwner, newOrganization, openTestDatabase } from './open-database.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

/** How many rows have the hash that the database gives their key, and another. */
async function countHashes(spaceId: string) {
  const { rows } = await asTenant(database.queries, { spaceId }, (trx) =>
    sql<{ same: number; other: number }>`
      select count(*) filter (where key_hash = app.pattern_key_hash(key))::int as same,
             count(*) filter (where key_hash <> app.pattern_key_hash(key))::int as other
        from app.patterns where space_id = ${spaceId}`.execute(trx),
  )
  return rows[0]
}

it('hashes a new key as the database does, which keys are looked up by', async () => {
  const { spaceId } = await newOrganization(database.queries)
  const keys = [[1], [-0.1, 3e38], [1e-45, 1], Array.from({ length: 1_537 }, (_, i) => Math.sin(i))]
  const patterns = keys.map((key) => newPattern({ key: Float32Array.from(key) }))
  await store.insertPatterns(database.queries, spaceId, -1, 'test', patterns)
  expect(await countHashes(spaceId)).toEqual({ same: keys.length, other: 0 })
})

it('hashes a key again that changes', async () => {
  const { spaceId } = await newOrganization(database.queries)
  const pattern = newPattern({ text: 'before' })
  await store.insertPatterns(database.queries, spaceId, -1, 'test', [pattern])
  const embedding = { text: 'after', key: Float32Array.of(3, 4), textHash: '00', model: 'test' }
  expect(await store.updatePattern(database.queries, spaceId, pattern.id, { embedding })).toBeDefined()
  expect(await countHashes(spaceId)).toEqual({ same: 1, other: 0 })
})

it('hashes a key that comes without its hash', async () => {
  const { spaceId } = await newOrganization(database.queries)
  await sql`
    select * from app.insert_patterns(
      ${spaceId}, -1, '{pat_a}', '{null}', '{null}', array['[1,2]']::vector[], array[null]::vector[], '{null}',
      '{null}', 'test', '{general}', '{false}', '{null}', '{null}', null)`.execute(database.queries)
  expect(await countHashes(spaceId)).toEqual({ same: 1, other: 0 })
})

it('stores nothing in a space that is not there', async () => {
  const storing = store.insertPatterns(database.queries, randomUUID(), -1, 'test', [newPattern({})])
  await expect(storing).rejects.toMatchObject({ code: '23503' })
})

it('removes no space that still has patterns', async () => {
  const { spaceId } = await newOrganization(database.queries)
  await store.insertPatterns(database.queries, spaceId, -1, 'test', [newPattern({})])
  const removing = asOwner(database.queries, (trx) =>
    sql`delete from app.spaces where id = ${spaceId}`.execute(trx),
  )
  await expect(removing).rejects.toMatchObject({ code: '23503' })
  await store.emptySpace(database.queries, spaceId)
})

it('takes changes of processes of the release before, as revisions like all others', async () => {
  const { spaceId } = await newOrganization(database.queries)
  const patterns = [newPattern({ text: 'before' }), newPattern({ text: null, key: Float32Array.of(0, 1) })]
  await store.insertPatterns(database.queries, spaceId, -1, 'test', patterns)
  const [text] = patterns as [store.NewPattern, store.NewPattern]
  const changed = await sql`
    select * from app.update_pattern(
      ${spaceId}, ${text.id}, 'after', '[3,4]', '00', 'test', true, '{"a": 1}', null, false)`.execute(
    database.queries,
  )
  expect(changed.rows).toEqual([{ idx: 0, version: 2 }])
  await sql`select * from app.update_pattern(
    ${spaceId}, ${text.id}, null, null, null, null, false, null, null, false)`.execute(database.queries)
  const put = await sql`
    select * from app.put_vector(${spaceId}, '[0,1]', '[7]', false, null, null, false)`.execute(
    database.queries,
  )
  expect(put.rows).toEqual([{ idx: 1, is_text: false, version: 4 }])
  const { rows } = await asTenant(database.queries, { spaceId }, (trx) =>
    sql`
      select p.idx, p.text, p.metadata, p.value::text as value, p.revision, p.change, array(
        select v.text from app.pattern_versions v where v.space_id = p.space_id and v.idx = p.idx order by v.revision
      ) as texts from app.patterns p order by p.idx`.execute(trx),
  )
  const shared = { change: 'updated' }
  expect(rows).toEqual([
    {
      ...shared,
      idx: 0,
      text: 'after',
      metadata: { a: 1 },
      value: null,
      revision: 3,
      texts: ['before', 'after'],
    },
    { ...shared, idx: 1, text: null, metadata: null, value: '[7]', revision: 2, texts: [null] },
  ])
})
