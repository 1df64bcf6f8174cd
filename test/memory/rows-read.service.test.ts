import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'

// The embedded database has one session, so that what it has read is known at once.
const isEmbedded = process.env.TEST_DATABASE_URL === undefined

let server: TestServer
let ada: Client

beforeAll(async () => {
  server = await startServer()
  ada = await server.newClient()
})

afterAll(() => server.close())

const dimensions = 16
let stored = 0

/** A vector of its own for each number. */
const keyOf = (n: number) =>
  Array.from({ length: dimensions }, (_, i) => Math.sin((n + 1) * (i + 1) * 0.7) + Math.cos(n * 1.3 + i * i))

async function done(asked: Promise<Answer>): Promise<void> {
  const { status, body } = await asked
  expect(status, JSON.stringify(body)).toBe(200)
}

/** Stores vectors that have names, and asks for some of them. */
async function use(count: number): Promise<void> {
  const first = stored
  stored += count
  const patterns = Array.from({ length: count }, (_, i) => ({
    key: keyOf(first + i),
    value: [first + i],
    external_id: `n${first + i}`,
    metadata: { user: `u${(first + i) % 7}` },
  }))
  await done(ada.post('/v1/memory/batch/store', { patterns }))
  for (let i = 0; i < count; i += 5) {
    await ask(first + i)
    // Of what is asked in one second a part is learned.
    if (i % 20 === 0) await settle()
  }
  await settle()
}

async function ask(n: number): Promise<void> {
  await done(ada.post('/v1/memory/retrieve', { embedding: keyOf(n), top_k: 10 }))
}

/** Writes what has been learned, and counted, of what was asked. */
async function settle(): Promise<void> {
  const { learning, accesses } = server.context.memory
  await learning.flush()
  await accesses.flush()
}

/** Rows that statements have read so far, by table. */
async function rowsRead(): Promise<Map<string, number>> {
  const { queries } = server.context.database
  await sql`select pg_stat_force_next_flush()`.execute(queries)
  const { rows } = await sql<{ name: string; read: number }>`
    select t.relname as name, (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::int as read
      from pg_stat_user_tables t left join pg_stat_user_indexes i on i.relid = t.relid
      where t.schemaname = 'app' group by t.relid, t.relname, t.seq_tup_read`.execute(queries)
  return new Map(rows.map(({ name, read }) => [name, read]))
}

/** What is done once, by name. */
const works: Record<string, () => Promise<unknown>> = {
  'searches and what they teach': async () => {
    for (let n = 0; n < 10; n++) await ask(n)
    await settle()
  },
  'replacing by a name': () => {
    const named = (_: unknown, n: number) => ({ key: keyOf(n), value: [n], external_id: `n${n}` })
    return done(ada.post('/v1/memory/batch/store', { patterns: Array.from({ length: 10 }, named) }))
  },
  'changing a pattern': () => done(ada.patch('/v1/memory/patterns/ext:n1', { metadata: { user: 'u9' } })),
  'deleting by names': async () => {
    await done(ada.post('/v1/memory/store', { key: keyOf(3), value: [3], external_id: 'gone' }))
    await done(ada.post('/v1/memory/patterns/delete', { external_ids: ['gone'] }))
  },
  'looking up by names': () =>
    done(ada.post('/v1/memory/patterns/get', { external_ids: ['n1', 'n2', 'n3'] })),
  'what teaches by feedback': async () => {
    const pattern_id = (await ada.get('/v1/memory/patterns/ext:n1')).body.pattern_id
    await done(ada.post('/v1/memory/feedback', { pattern_id, useful: true }))
    await settle()
  },
}

describe.runIf(isEmbedded)('rows that are read', () => {
  it('do not grow with a space, though statements were planned while it was empty', async () => {
    await use(40)
    await server.context.database.upkeep?.keep(0)
    const read: Record<string, Map<string, number>[]> = {}
    for (const _ of ['small', 'large']) {
      for (const [name, work] of Object.entries(works)) {
        await work()
        const before = await rowsRead()
        await work()
        const after = await rowsRead()
        read[name] ??= []
        read[name].push(new Map([...after].map(([table, rows]) => [table, rows - (before.get(table) ?? 0)])))
      }
      if (stored < 1_000) {
        await use(1_000)
        // As the service does every two seconds.
        await server.context.database.upkeep?.keep(0)
      }
    }
    for (const [name, [small, large]] of Object.entries(read)) {
      for (const [table, rows] of large ?? []) {
        // What was learned together is more in a larger space, up to what a pattern keeps.
        expect(rows, `${name}: ${table}`).toBeLessThan(5 * (small?.get(table) ?? 0) + 1_000)
      }
    }
  })
})
