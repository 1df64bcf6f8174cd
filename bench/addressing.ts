/**
 * What own ids, versions and filters cost over HTTP: stores under own ids beside plain ones, changes of a pattern and what
 * a version of it takes on the disk, searches of the past beside those of now, recall under filters, and a filter that
 * nothing meets beside a search of an empty space.
 *
 *   npm run bench -- addressing [--texts 10000] [--requests 300]
 */
import { join } from 'node:path'
import { sql } from 'kysely'
import { limits } from '../packages/shared/src/catalogue/limits.ts'
import { openEmbedded } from '../packages/shared/src/platform/database/embedded.ts'
import { readOptions } from '../scripts/read-options.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { timed } from './support/load.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, startServer } from './support/server.ts'
import { digits, quantile } from './support/statistics.ts'
import { TextSource } from './support/texts.ts'
import { Mixture } from './vectors/mixture.ts'

const { values: options } = readOptions({
  options: {
    texts: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '300' },
  },
})
const texts = Number(options.texts)
const requests = Number(options.requests)
const dimensions = 384
const atOnce = 100
const storedBatches = 30
/** As many as a request may have. */
const textsAtOnce = limits.batchStoreItems
const warmUp = 100
const users = 100
/** Texts that have earlier versions, and how many each. */
const changedTexts = 200
const versions = 5

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const dataDir = newFolder()
const server = await startServer({ dataDir, settings: { MEMORY_DEFAULT_PLAN: 'scale' } })
const connection = await server.connect()
const vectors = new Mixture(dimensions, 1_000, 1)
const source = new TextSource(1)

const storesPerSecond = await measureStores()
await fillTexts()
const beforeVersions = new Date().toISOString()
const patchMs = await measureChanges()
const p50 = await measureSearches()
connection.close()
await server.stop()
const versionBytes = await measureVersions()
removeFolder(dataDir)

console.log(
  table(
    ['vectors stored', 'a second'],
    Object.entries(storesPerSecond).map(([name, rate]) => [name, digits(rate)]),
  ),
)
console.log(
  table(
    ['request', 'p50 ms'],
    Object.entries({ 'a change of metadata': patchMs, ...p50 }).map(([name, ms]) => [name, digits(ms)]),
  ),
)
console.log(`A version of a text takes ${Math.round(versionBytes)} bytes on the disk.`)
writeResult('addressing', environment, { texts, dimensions, storesPerSecond, patchMs, versionBytes, p50 })

/** How patterns of a batch are named, and what the request says of names that are there. */
interface Named {
  name?: (n: number) => string
  options?: object
}

/** Batches by turns, so that whatever else the machine does meets all alike. */
async function measureStores(): Promise<Record<string, number>> {
  const known = (n: number) => `known-${n % (4 * atOnce)}`
  const kinds: Record<string, Named> = {
    'without own ids': {},
    'under new own ids': { name: (n) => `new-${n}` },
    'replaced by own ids': { name: known },
    'skipped by own ids': { name: known, options: { on_conflict: 'skip' } },
  }
  const store = ({ name, options }: Named, first: number) => {
    const patterns = Array.from({ length: atOnce }, (_, i) => ({
      key: Array.from(vectors.next()),
      value: [first + i],
      external_id: name?.(first + i) ?? null,
    }))
    return timed(() => connection.json('POST', '/v1/memory/batch/store', { patterns, ...options }))
  }
  for (let i = 0; i < 4; i++) await store({ name: known }, i * atOnce)
  const samples = new Map<string, number[]>(Object.keys(kinds).map((name) => [name, []]))
  for (let batch = 0; batch < storedBatches; batch++) {
    for (const [name, kind] of Object.entries(kinds))
      samples.get(name)?.push(await store(kind, batch * atOnce))
  }
  return Object.fromEntries(Array.from(samples, ([name, ms]) => [name, (1_000 * atOnce) / quantile(ms, 0.5)]))
}

async function fillTexts(): Promise<void> {
  for (let first = 0; first < texts; first += textsAtOnce) {
    const items = source.take('short', Math.min(textsAtOnce, texts - first)).map((text, i) => ({
      text,
      external_id: `text-${first + i}`,
      metadata: { user: `user-${(first + i) % users}`, kind: i % 2 === 0 ? 'note' : 'mail' },
    }))
    await connection.json('POST', '/v1/memory/text/batch-store', { items })
  }
}

async function measureChanges(): Promise<number> {
  const samples: number[] = []
  for (let version = 0; version < versions; version++) {
    for (let n = 0; n < changedTexts; n++) {
      const change = { metadata_patch: { version } }
      samples.push(await timed(() => connection.json('PATCH', `/v1/memory/patterns/ext:text-${n}`, change)))
    }
  }
  return quantile(samples, 0.5)
}

/** By turns too. */
async function measureSearches(): Promise<Record<string, number>> {
  const emptyDir = newFolder()
  const other = await startServer({ dataDir: emptyDir })
  const empty = await other.connect()
  const queries = new TextSource(2).take('short', 50)
  const ask = (path: string, body: object, from = connection) => {
    return (query: string) =>
      timed(() => from.json('POST', `/v1/memory/${path}`, { query, top_k: 10, ...body }))
  }
  const query = (body: object, from = connection) => {
    return () =>
      timed(() =>
        from.json('POST', '/v1/memory/query', { embedding: Array.from(vectors.next()), top_k: 10, ...body }),
      )
  }
  const kinds: Record<string, (query: string) => Promise<number>> = {
    'recall without a filter': ask('text/recall', {}),
    'recall of one user': ask('text/recall', { filter: { user: 'user-17' } }),
    'recall of half': ask('text/recall', { filter: { kind: 'note' } }),
    'recall of nothing': ask('text/recall', { filter: { user: 'nobody' } }),
    'retrieve now': ask('text/retrieve', {}),
    'retrieve as of then': ask('text/retrieve', { as_of: beforeVersions }),
    'vector query of nothing': query({ filter: { user: 'nobody' } }),
    'vector query of an empty space': query({}, empty),
  }
  const samples = new Map<string, number[]>(Object.keys(kinds).map((name) => [name, []]))
  for (let i = -warmUp; i < requests; i++) {
    for (const [name, take] of Object.entries(kinds)) {
      const ms = await take(queries[(i + warmUp) % queries.length] as string)
      if (i >= 0) samples.get(name)?.push(ms)
    }
  }
  empty.close()
  await other.stop()
  removeFolder(emptyDir)
  return Object.fromEntries(Array.from(samples, ([name, ms]) => [name, quantile(ms, 0.5)]))
}

/** Bytes of a version with what finds it, as the database counts them. */
async function measureVersions(): Promise<number> {
  const database = await openEmbedded(join(dataDir, 'database'))
  try {
    const { rows } = await sql<{ bytes: number }>`
      select pg_total_relation_size('app.pattern_versions')::float8 as bytes`.execute(database.queries)
    return (rows[0]?.bytes ?? Number.NaN) / (changedTexts * versions + storedBatches * atOnce)
  } finally {
    await database.close()
  }
}
