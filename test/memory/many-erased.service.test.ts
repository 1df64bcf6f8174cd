import { patternsAtOnce } from '@memory/memory/slices'
import { removePatterns } from '@memory/memory/store'
import { decodeJwt } from 'jose'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { getSpace, inSpace } from './space.ts'

/** More than one statement may name, in each space. */
const many = patternsAtOnce + 1

let server: TestServer
/** The most patterns that a statement of the service has named. */
let named = 0

beforeAll(async () => {
  server = await startServer()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind === 'RawNode' && node.sqlFragments.some((text) => text.includes('app.'))) {
        for (const { value } of node.parameters as readonly { value?: unknown }[]) {
          if (Array.isArray(value)) named = Math.max(named, value.length)
        }
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const { memory } = server.context
  Object.assign(memory, { queries: memory.queries.withPlugin(plugin) })
})

afterAll(() => server.close())

/** A client whose space has so many small patterns of one end user, in one category, each linked to the next. */
async function newCrowd(): Promise<ConformingClient> {
  const client = await newConformingClient(server)
  await inSpace(server, client, async (trx, { id }) => {
    await sql`insert into app.patterns
      (space_id, idx, id, key, key_hash, metadata, version, category, subject)
      select ${id}::uuid, i, 'pat_' || i, '[1,2]', sha256('k'), '{"kind":"small"}', 1, 'crowd', 'ben'
        from generate_series(0, ${many - 1}::int) i`.execute(trx)
    await sql`insert into app.transitions (space_id, source, target, count, at, engine_version)
      select ${id}::uuid, i, i + 1, 1, now(), 1 from generate_series(0, ${many - 2}::int) i`.execute(trx)
    await sql`update app.spaces s set version = 1, next_idx = ${many}, patterns_used = ${many},
        storage_bytes = (select sum(p.bytes) from app.patterns p where p.space_id = s.id)
      where s.id = ${id}`.execute(trx)
  })
  named = 0
  return client
}

const forget = (body: object) => (client: ConformingClient) => client.post('/v1/memory/text/forget', body)

const ways: Record<
  string,
  (client: ConformingClient) => Promise<{ status: number; body: { receipt: string } }>
> = {
  'forget by a filter': forget({ filter: { kind: 'small' } }),
  'forget by a category': forget({ category: 'crowd' }),
  'forget of an end user': forget({ subject: 'ben' }),
  'deletion by a filter': (client) =>
    client.post('/v1/memory/patterns/delete', { filter: { kind: 'small' } }),
  'erasure of an end user': (client) => client.delete('/v1/memory/subjects/ben'),
  'deletion of all': (client) => client.delete('/v1/memory/patterns?confirm=all'),
}

describe('more patterns than a statement can remove in its time', () => {
  it.each(Object.entries(ways))('are gone after the %s, with one receipt of all', async (_, erase) => {
    const client = await newCrowd()
    const { status, body } = await erase(client)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(named).toBe(patternsAtOnce)
    expect(decodeJwt(body.receipt).counts).toMatchObject({ patterns: many, transitions: many - 1 })
    const ids = Array.from({ length: many }, (_, i) => `pat_${i}`)
    const verified = await client.post('/v1/memory/receipts/verify', {
      receipt: body.receipt,
      pattern_ids: ids,
    })
    expect(verified.body).toMatchObject({ valid: true, remaining: 0 })
    expect((await getSpace(server, client)).patterns_used).toBe(0)
  })

  it('are found each once among those like a text', async () => {
    const client = await newCrowd()
    const patterns = await inSpace(server, client, async (trx, { id }) => {
      const found = Array.from({ length: many }, (_, idx) => idx)
      const query = Float32Array.of(1, 2)
      // A search of version 0 has seen none of them, so that each statement looks at all of them by itself.
      const similar = { found, seen: 0, query, threshold: 0.5, textHash: '00' }
      return (await removePatterns(trx, id, { similar, textOnly: false, dryRun: true })).patterns
    })
    expect(patterns.map(({ idx }) => idx)).toEqual(Array.from({ length: many }, (_, idx) => idx))
  })
})
