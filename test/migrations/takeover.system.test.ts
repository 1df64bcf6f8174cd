import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import type { MigrationConnection } from '@memory/shared/platform/database/migration-connection'
import {
  listMigrations,
  MigrationError,
  migrate,
  pendingMigrations,
} from '@memory/shared/platform/database/migrations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../support/client.ts'
import { bare, newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { connectOwner, type Owner, openBare, openFolder } from '../support/owner.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { catalogueOf } from './catalogue.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url))
/** What answers gave when the databases were made; the keys open nothing else. */
const made = JSON.parse(read('at-0038.json').toString())[onPostgres ? 'postgres' : 'embedded'] as {
  patternId: string
  /** Of two organizations. */
  keys: [string, string]
}

/** A copy of the database at migration 0038. */
interface Former {
  open(): Promise<Owner>
  /** What a service needs to run on it. */
  settings: Record<string, string>
  remove(): Promise<void>
}

async function copyFormer(): Promise<Former> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-former-'))
  if (!onPostgres) {
    unpack(folder)
    return {
      open: () => openFolder(join(folder, 'database')),
      settings: { MEMORY_DATA_DIR: folder },
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    }
  }
  const database = (await newDatabase(bare)) as TestDatabase
  const restoring = await connectOwner(database.url)
  // Roles are the server's, and so in no dump of a database.
  await restoring.exec(
    `do $$ begin create role memory_app nologin; exception when duplicate_object then null; end $$`,
  )
  await restoring.exec(gunzipSync(read('postgres-0038.sql.gz')).toString())
  await restoring.close()
  return {
    open: () => connectOwner(database.url),
    settings: { DATABASE_URL: database.url, MEMORY_DATA_DIR: folder },
    remove: async () => {
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function unpack(folder: string): void {
  const archive = join(folder, 'archive.tar')
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 }
  writeFileSync(archive, brotliDecompressSync(read('data-directory-0038.tar.br'), { params }))
  execFileSync('tar', ['-xf', archive, '-C', folder])
  rmSync(archive)
  mkdirSync(join(folder, 'outbox'), { recursive: true })
}

/** Names of columns by table. */
type Columns = Record<string, string[]>

async function columnsOf({ query }: Owner): Promise<Columns> {
  const rows = await query<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(quote_ident(column_name) order by ordinal_position) as columns
      from information_schema.columns where table_schema = 'app' group by 1`,
  )
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
}

/** Number of rows of each table, and a checksum of what they hold in these columns; in all where none are named. */
async function contentsOf({ query }: Owner, columns?: Columns): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'app' and tablename <> 'migrations' order by 1`,
  )
  const contents: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as sum
        from (select ${columns?.[name]?.join() ?? '*'} from app.${name}) t`,
    )
    contents[name] = (row as { sum: string }).sum
  }
  return contents
}

/** The schema as pg_dump writes it; nothing where there is none of the server's version. */
async function dumpOf({ query }: Owner): Promise<string> {
  const { TEST_DATABASE_URL: serverUrl, TEST_POSTGRES_BIN: bin } = process.env
  if (serverUrl === undefined || bin === undefined) return ''
  const [row] = await query<{ name: string }>('select current_database() as name')
  const url = Object.assign(new URL(serverUrl), { pathname: `/${row?.name}` }).href
  const dump = execFileSync(join(bin, 'pg_dump'), ['--schema-only', '-n', 'app', url], { encoding: 'utf8' })
  // The key of these lines is another each time.
  return dump.replace(/^\\(un)?restrict .*$/gm, '')
}

const namesOf = (isChosen: (name: string) => boolean) =>
  listMigrations()
    .map(({ name }) => name)
    .filter(isChosen)
/** Those that a database at 0038 needs. */
const needed = () => namesOf((name) => name > '0109-messages.sql')

/** What the former migrations have left over, and nothing calls; and what a later release has dropped. */
const dropped = [
  'authenticate_api_key',
  'authenticate_session',
  'claim_idempotency_key', // of five arguments
  'count_queries',
  'filter_patterns',
  'forget_traces',
  'insert_patterns', // with a default
  'names_text',
  'pseudonymise_audit', // of one user
  'record_accesses', // of five arguments
  'release_idempotency_key',
]

describe('a database at migration 0038', () => {
  let former: Former
  let owner: Owner
  let isOpen = false
  let server: TestServer | undefined
  let schema: string[]
  let contents: Record<string, string>
  let columns: Columns

  beforeAll(async () => {
    former = await copyFormer()
    owner = await former.open()
    isOpen = true
    schema = await catalogueOf(owner)
    columns = await columnsOf(owner)
    // What was asked of a space begins anew with 0144.
    columns.space_states = columns.space_states?.map((name) =>
      name === 'state' ? `state - 'asked' as state` : name,
    ) as string[]
    contents = await contentsOf(owner, columns)
  })

  afterAll(async () => {
    await server?.close()
    if (isOpen) await owner.close()
    await former?.remove()
  })

  it('is taken over as it is: what follows and the functions are applied', async () => {
    expect(await pendingMigrations(owner)).toEqual(needed())
    expect(await migrate(owner)).toEqual(needed())
    expect(await pendingMigrations(owner)).toEqual([])
    expect(await migrate(owner)).toEqual([])
    const applied = await owner.query<{ name: string }>('select name from app.migrations order by name')
    expect(applied.map(({ name }) => name)).toEqual(expect.arrayContaining(namesOf(() => true)))
    // For the way back: the version before finds what it has applied.
    expect(applied.filter(({ name }) => name < '0101')).toHaveLength(38)
  })

  it('keeps every row', async () => {
    expect(Object.keys(contents).length).toBeGreaterThan(35)
    const counts = Object.fromEntries(
      ['organizations', 'users', 'patterns', 'idempotency_keys', 'webhooks', 'invitations'].map((table) => [
        table,
        Number(contents[table]?.split(' ')[0]),
      ]),
    )
    expect(counts).toMatchObject({ users: 2, idempotency_keys: 1, webhooks: 1, invitations: 1 })
    expect(counts.organizations).toBeGreaterThanOrEqual(2)
    expect(counts.patterns).toBe(19)
    // Tables that came later have nothing.
    const later = {
      passages: '0 ',
      pattern_versions: '0 ',
      receipts: '0 ',
      receipt_keys: '0 ',
      erasures_under_way: '0 ',
      subject_queries: '0 ',
      conflicts: '0 ',
      space_runs: '0 ',
      webhook_attempts: '0 ',
      encoder: '0 ',
    }
    expect(await contentsOf(owner, columns)).toEqual({ ...contents, ...later })
  })

  it('has the tables, indexes, policies and triggers that 0101 to 0109 make', async () => {
    const fresh = await openBare()
    try {
      await fresh.exec('drop schema if exists app cascade; create schema app')
      for (const { name, statements } of listMigrations()) {
        if (name <= '0109-messages.sql') await fresh.exec(statements)
      }
      const tables = (lines: string[]) => lines.filter((line) => !/^function|\bmigrations/.test(line))
      expect(tables(schema).length).toBeGreaterThan(500)
      expect(tables(schema)).toEqual(tables(await catalogueOf(fresh)))
    } finally {
      await fresh.close()
    }
  })

  it('has the functions that it had, but for what was dropped on purpose', async () => {
    const signatures = (lines: string[]) =>
      lines.flatMap((line) => /^function CREATE OR REPLACE FUNCTION app\.(.*)/.exec(line)?.[1] ?? [])
    const now = signatures(await catalogueOf(owner))
    const gone = signatures(schema).filter((signature) => !now.includes(signature))
    expect(gone.map((signature) => signature.replace(/\(.*/, ''))).toEqual(dropped)
  })

  it('has the schema of a new one', async () => {
    const fresh = await openBare()
    try {
      await fresh.exec('drop schema if exists app cascade')
      await migrate(fresh)
      expect(await catalogueOf(owner)).toEqual(await catalogueOf(fresh))
      expect(await dumpOf(owner)).toEqual(await dumpOf(fresh))
    } finally {
      await fresh.close()
    }
  })

  it('serves: keys work, searches find', async () => {
    await owner.close()
    isOpen = false
    server = await startServer(former.settings)
    const [ada, ben] = made.keys.map(
      (key) => new Client(server?.url ?? '', { key, keyId: '', organizationId: '' }),
    ) as [Client, Client]
    const query = 'Where does Ada live?'
    const found = await ada.post('/v1/memory/text/retrieve', { query, top_k: 3 })
    expect(found.status).toBe(200)
    expect(found.body.results[0]).toMatchObject({
      text: 'Ada moved to Lisbon in May.',
      pattern_id: made.patternId,
    })
    const recalled = await ada.post('/v1/memory/text/recall', { query: 'What is the cat called?' })
    expect(recalled.body.results[0].text).toBe('Our cat is called Minka.')
    const embedding = Array.from({ length: 8 }, (_, i) => (i === 3 ? 1 : 0.1))
    const vectors = await ada.post('/v1/memory/query', { embedding })
    expect(vectors.body.results[0].value).toEqual([3, 9])
    const others = await ben.post('/v1/memory/text/retrieve', { query, top_k: 10 })
    expect(others.body.results.map(({ text }: { text: string }) => text)).toEqual([
      'Ben’s dentist is Dr. Silva.',
    ])
    expect((await ben.post('/v1/memory/text/store', { text: 'Ben moved to Faro.' })).status).toBe(200)
  })
})

describe('a database that is not at 0038', () => {
  let former: Former
  let owner: Owner

  beforeAll(async () => {
    former = await copyFormer()
    owner = await former.open()
  })

  afterAll(async () => {
    await owner.close()
    await former.remove()
  })

  it('but before it is left as it is, with the version to start first', async () => {
    const schema = await catalogueOf(owner)
    await owner.exec('create temporary table removed as select * from app.migrations')
    await owner.exec("delete from app.migrations where name > '0024'")
    const refused =
      /^The database is at migration 0023-schedules\.sql of an earlier version: start .+ once, .+\.$/
    await expect(migrate(owner)).rejects.toThrow(MigrationError)
    await expect(migrate(owner)).rejects.toThrow(refused)
    await expect(pendingMigrations(owner)).rejects.toThrow(refused)
    expect(await catalogueOf(owner)).toEqual(schema)
    await owner.exec('insert into app.migrations select * from removed on conflict do nothing')
  })

  it('but was taken over half way is completed', async () => {
    const last = listMigrations().at(-1)
    const interrupted: MigrationConnection = {
      ...owner,
      exec: async (statements) => {
        if (statements === last?.statements) throw new Error('interrupted')
        await owner.exec(statements)
      },
    }
    await expect(migrate(interrupted)).rejects.toThrow('interrupted')
    const functions = namesOf((name) => name.startsWith('functions/'))
    expect(await pendingMigrations(owner)).toEqual(functions)
    expect(await migrate(owner)).toEqual(functions)
    expect(await pendingMigrations(owner)).toEqual([])
  })
})
