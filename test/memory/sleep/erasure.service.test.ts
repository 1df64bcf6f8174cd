import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exploreSpace } from '@memory/memory/exploration/explore-space'
import { shardsPersist } from '@memory/memory/index/shards'
import { recordUses } from '@memory/memory/schedule/schedule'
import type { SpaceWork } from '@memory/memory/schedule/scheduled-run'
import { sleepSpace } from '@memory/memory/sleep/sleep-space'
import { migrateSpaceTiers } from '@memory/memory/tiers/migrate-space-tiers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../support/client.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { dumpTables, type StoredRow } from '../../support/tables.ts'
import { flush, search } from '../learning/space.ts'
import { getSpace, inSpace } from '../space.ts'
import { batchStore } from '../vectors/vector-client.ts'
import { readConsolidation, run } from './space.ts'

const text = 'The canary Quillfeather sings at dawn.'
const actor = 'actor-quillfeather'
/** Numbers that no other key has. */
const key = Float32Array.of(0.123456, 7.654321, 0.424242, 3.1313, 0.787878, 1.9191, 0.565656, 2.3232)
/** So many are kept in files between starts. */
const others = 4_999

let server: TestServer
let ada: Client

beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'trace' })
  ada = await newConformingClient(server)
  await live()
})

afterAll(() => server.close())

/** Has a space be used, sleep, explore, change tiers, be saved and be told of, with a canary in it. */
async function live(): Promise<void> {
  const { clock } = server
  const { log, memory, usage } = server.context
  const work: SpaceWork = { ...memory, log }
  expect((await ada.post('/v1/webhooks', { url: 'https://1.1.1.1/' })).status).toBe(201)
  const user = { user: 'quillfeather' }
  // Twice, so that sleep merges one into the other.
  await ada.store([
    { text, metadata: user },
    { text, metadata: user },
    'The robin sings at dusk.',
    'Birds sing in spring.',
    'The printer is out of toner.',
  ])
  await batchStore(ada, [
    { key: [...key], value: [1], metadata: user },
    ...Array.from({ length: others }, (_, i) => ({ key: [1, i + 1, i % 7, 0, 0, 0, 0, 1], value: [1] })),
  ])
  for (const query of [text, 'Which bird sings at dawn?', 'spring']) {
    await search(ada, query, { actor })
    await run(ada, '/v1/memory/text/explain', { query })
  }
  await run(ada, '/v1/memory/query', { embedding: [...key] })
  await flush(server)
  const { id } = await getSpace(server, ada)
  for (let day = 0; day < 9; day++) {
    await usage.log.flush()
    clock.advance(86_400_000)
    await recordUses(work)
    await exploreSpace(work, id)
    await inSpace(server, ada, (trx) => sql`update app.pair_trials set valid = 9, invalid = 0`.execute(trx))
    while ((await sleepSpace(work, id)) === 'unfinished');
    while ((await migrateSpaceTiers(work, id)) === 'unfinished');
    await run(ada, '/v1/memory/text/retrieve', { query: text })
  }
  await flush(server)
  await memory.spaces.save()
}

interface Traces {
  tables: string[]
  files: string[]
}

/** Every place in which the canary is, in the database or in files beside it. */
async function traces(): Promise<Traces> {
  const { database, config } = server.context
  const rows = await dumpTables(database.queries)
  const holds = ({ text: row }: StoredRow) => /quillfeather/i.test(row) || row.includes('0.123456')
  const files = readdirSync(config.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    // The database's own files are read by its tables above; what it has freed there, it writes over later.
    .filter((path) => !path.startsWith(join(config.dataDir, 'database')))
  const needles = [text, 'uillfeather', Buffer.from(key.buffer)].map((needle) =>
    Buffer.from(needle as string),
  )
  return {
    tables: [...new Set(rows.filter(holds).map(({ table }) => table))],
    files: files.filter((path) => {
      const bytes = readFileSync(path)
      return needles.some((needle) => bytes.includes(needle))
    }),
  }
}

describe('what is forgotten after sleep, exploration, tiers and notifications', () => {
  it('was in the space, in its compositions and trials, and in a file', async () => {
    const { tables, files } = await traces()
    expect(tables).toEqual(['patterns'])
    if (shardsPersist) expect(files.length).toBeGreaterThan(0)
    const { trials, compositions } = await readConsolidation(server, ada)
    expect(trials.some(({ a }) => a === 0)).toBe(true)
    expect(compositions.some(({ a }) => a === 0)).toBe(true)
    const { data } = await run(ada, '/v1/notifications')
    expect(data.map(({ type }: { type: string }) => type)).toContain('consolidation_completed')
    const { warm } = await run(ada, '/v1/memory/tiered/distribution')
    expect(warm).toBeGreaterThan(0)
    expect(await ada.retrieve('Quillfeather')).toContain(text)
  })

  it('is in no table, file, answer or line of the log afterwards', async () => {
    const forgotten = await ada.delete('/v1/memory/text/forget', { filter: { user: 'quillfeather' } })
    expect(forgotten.body).toMatchObject({ forgotten: 2 })
    await flush(server)
    await server.context.memory.spaces.checkSnapshots()
    await server.context.memory.spaces.save()
    expect(await traces()).toEqual({ tables: [], files: [] })
    const { trials, compositions } = await readConsolidation(server, ada)
    const ends = [...trials, ...compositions].flatMap(({ a, b }) => [a, b])
    // The text that stayed of the two, and the vector.
    for (const idx of [0, 1, 5]) expect(ends).not.toContain(idx)
    for (const query of [text, 'Which bird sings at dawn?']) {
      expect(await ada.retrieve(query)).not.toContain(text)
      expect(JSON.stringify(await run(ada, '/v1/memory/text/recall', { query }))).not.toContain(
        'Quillfeather sings',
      )
    }
    expect(server.logLines.join('')).not.toMatch(/quillfeather/i)
  })

  it('comes back with no run of the background work', async () => {
    const { clock } = server
    const { log, memory, usage } = server.context
    const { id } = await getSpace(server, ada)
    await usage.log.flush()
    clock.advance(4 * 86_400_000)
    const work: SpaceWork = { ...memory, log }
    await recordUses(work)
    expect(await exploreSpace(work, id)).toBe('done')
    expect(await sleepSpace(work, id)).toBe('done')
    expect(await traces()).toEqual({ tables: [], files: [] })
  })
})
