import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { operations } from '../support/operations.ts'
import type { Answer } from '../support/requests.ts'
import { isReadKnown, rowsRead } from '../support/rows-read.ts'
import { startServer, type TestServer } from '../support/server.ts'

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

async function done(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer
}

/** Stores vectors that have names, each of an end user with eight. */
async function store(count: number): Promise<void> {
  const first = stored
  stored += count
  const patterns = Array.from({ length: count }, (_, i) => ({
    key: keyOf(first + i),
    value: [first + i],
    external_id: `n${first + i}`,
    subject: `s${(first + i) >> 3}`,
    metadata: { user: `u${(first + i) >> 3}` },
  }))
  await done(ada.post('/v1/memory/batch/store', { patterns }))
}

/** Stores vectors, and asks for some of them. */
async function use(count: number): Promise<void> {
  const first = stored
  await store(count)
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

const facts = [
  'Ada lives in Lisbon',
  'Ada owes Ben 20 euros',
  'Ben plays chess',
  'The train to Porto leaves at nine',
]

/** As new texts. */
let texts = 0
const newText = () => `${facts[texts % facts.length]}, says note ${texts++}.`

async function idOf(name: string): Promise<string> {
  const { body } = await done(ada.get(`/v1/memory/patterns/ext:${name}`))
  return body.pattern_id
}

const memory = (path: string) => `/v1/memory/${path}`
const question = { query: 'Where does Ada live?', top_k: 5 }
const embedding = keyOf(1)

/** What is asked of each operation; several of some. */
const works: Record<string, () => Promise<unknown>> = {
  storeText: () => ada.post(memory('text/store'), { text: newText() }),
  'storeText again': () => ada.post(memory('text/store'), { text: facts[0], external_id: 'fact' }),
  batchStoreTexts: () =>
    ada.post(memory('text/batch-store'), { items: [{ text: newText() }, { text: newText() }] }),
  retrieveTexts: () => ada.post(memory('text/retrieve'), question),
  'retrieveTexts by a filter': () =>
    ada.post(memory('text/retrieve'), { ...question, filter: { user: 'u1' } }),
  'retrieveTexts of a subject': () => ada.post(memory('text/retrieve'), { ...question, subject: 's1' }),
  'retrieveTexts of a period': () => ada.post(memory('text/retrieve'), { ...question, after: '2020-01-01' }),
  explainText: () => ada.post(memory('text/explain'), question),
  recallTexts: () => ada.post(memory('text/recall'), question),
  readContext: () => ada.post(memory('context'), { query: question.query }),
  'readContext of a subject': () => ada.post(memory('context'), { query: question.query, subject: 's1' }),
  predictTexts: () => ada.post(memory('text/predict'), question),
  giveFeedback: async () => {
    await done(ada.post(memory('feedback'), { pattern_id: await idOf('n1'), useful: true }))
    await settle()
  },
  textStatistics: () => ada.get(memory('text/stats')),
  forgetTexts: async () => {
    const text = newText()
    await done(ada.post(memory('text/store'), { text }))
    await done(ada.post(memory('text/forget'), { query: text, threshold: 0.99, dry_run: true }))
    await done(ada.delete(memory('text/forget'), { query: text, threshold: 0.99 }))
  },
  forgetTextsByPost: () => ada.post(memory('text/forget'), { query: newText(), filter: { user: 'u1' } }),
  'forgetTextsByPost of a category': () => ada.post(memory('text/forget'), { category: 'health' }),
  listImportant: () => ada.get(memory('text/important')),
  listPatterns: () => ada.get(memory('patterns?limit=10')),
  'listPatterns with all': () => ada.get(memory('patterns?limit=10&include_superseded=true')),
  'listPatterns of a subject': () => ada.get(memory('patterns?limit=10&subject=s1')),
  searchPatterns: () => ada.post(memory('patterns/search'), { filter: { user: 'u1' }, limit: 5 }),
  countPatterns: () => ada.post(memory('patterns/count'), { filter: { user: 'u1' } }),
  getPattern: () => idOf('n2'),
  changePattern: () => ada.patch(memory('patterns/ext:n1'), { metadata: { user: `u${texts++}` } }),
  'changePattern of a text': () => ada.patch(memory('patterns/ext:fact'), { text: newText() }),
  deletePattern: async () => {
    await done(ada.post(memory('store'), { key: keyOf(3), value: [3], external_id: 'gone' }))
    await done(ada.delete(memory('patterns/ext:gone')))
  },
  getPatterns: () => ada.post(memory('patterns/get'), { external_ids: ['n1', 'n2', 'n3'] }),
  deletePatterns: async () => {
    await done(ada.post(memory('store'), { key: keyOf(3), value: [3], external_id: 'gone', subject: 'eve' }))
    await done(ada.post(memory('patterns/delete'), { external_ids: ['gone'] }))
  },
  'deletePatterns of a subject': async () => {
    await done(ada.post(memory('store'), { key: keyOf(3), value: [3], subject: 'eve' }))
    await done(ada.post(memory('patterns/delete'), { subject: 'eve' }))
  },
  listVersions: () => ada.get(memory('patterns/ext:fact/history')),
  revertPattern: () => ada.post(memory('patterns/ext:fact/revert'), { version: 1 }),
  redactVersion: async () => {
    const { versions } = (await done(ada.get(memory('patterns/ext:fact/history')))).body
    const { version } = versions.slice(1).find(({ redacted }: { redacted: boolean }) => !redacted)
    await done(ada.delete(memory(`patterns/ext:fact/history/${version}`)))
  },
  listRuns: () => ada.get(memory('runs')),
  listConflicts: () => ada.get(memory('conflicts')),
  exploreSuggestions: () => ada.get(memory('explore/suggestions')),
  consolidationCandidates: () => ada.get(memory('explore/consolidation-candidates')),
  classifyBelief: () => ada.post(memory('belief/classify'), { query: facts[0] }),
  decideRouting: () => ada.post(memory('routing/decide'), { query: facts[0] }),
  evaluateEfe: () => ada.post(memory('efe/evaluate'), { query: facts[0] }),
  warmPrefetch: () => ada.post(memory('prefetch/warmup'), { context_keys: [embedding] }),
  invalidatePrefetch: () => ada.delete(memory('prefetch/invalidate')),
  warmCluster: () => ada.post(memory('diagnostics/prefetch/warmup'), { embedding }),
  invalidateCluster: () => ada.post(memory('diagnostics/prefetch/invalidate')),
  listReceipts: () => ada.get(memory('receipts?limit=5')),
  verifyReceipt: async () => {
    const pattern_id = (await ada.post(memory('store'), { key: keyOf(3), value: [3] })).body.pattern_id
    const { receipt } = (await done(ada.post(memory('patterns/delete'), { pattern_ids: [pattern_id] }))).body
    await done(ada.post(memory('receipts/verify'), { receipt, pattern_ids: [pattern_id] }))
  },
  listSubjects: () => ada.get(memory('subjects?limit=5')),
  getSubject: () => ada.get(memory('subjects/s1')),
  exportSubject: () => ada.get(memory('subjects/s1/export')),
  eraseSubject: async () => {
    await done(ada.post(memory('store'), { key: keyOf(3), value: [3], subject: 'eve' }))
    await done(ada.delete(memory('subjects/eve')))
  },
  retrieveTiered: () => ada.post(memory('tiered/retrieve'), question),
  storeVector: () => ada.post(memory('store'), { key: keyOf(texts++ + 20_000), value: [1] }),
  batchStoreVectors: () => {
    const named = (_: unknown, n: number) => ({ key: keyOf(n), value: [n], external_id: `n${n}` })
    return done(ada.post(memory('batch/store'), { patterns: Array.from({ length: 10 }, named) }))
  },
  queryVectors: () => ada.post(memory('query'), { embedding }),
  batchRetrieveVectors: () => ada.post(memory('batch/retrieve'), { queries: [{ embedding }, { embedding }] }),
  retrieveVectors: async () => {
    for (let n = 0; n < 10; n++) await ask(n)
    await settle()
  },
  querySemantic: () => ada.post(memory('query/semantic'), { embedding }),
  changeVector: () => ada.put(memory('pattern'), { key: keyOf(4), new_value: [texts++] }),
  deleteVectors: async () => {
    await done(ada.post(memory('store'), { key: keyOf(30_000), value: [3] }))
    await done(ada.delete(memory('pattern'), keyOf(30_000)))
  },
  getVector: () => ada.get(memory('pattern/2')),
}

/** Operations that look through a space, or at none of its patterns. */
const others = {
  ofAll: ['spaceMap', 'emptySpace', 'sleep', 'explore', 'detectSpurious'],
  ofCounts: ['readBrain', 'tierDistribution', 'tierStatistics'],
  ofNone:
    `compareTexts embedText resolveConflict reopenConflict regime regimeHistory injectAnomaly modulationState
    modulationHistory calibrateModulation issueSubjectToken composeVectors composeFractional accelerationStatus
    runAccelerationBenchmark`.split(/\s+/),
}

describe.runIf(isReadKnown)('rows that are read', () => {
  it('are known of every operation on memory', () => {
    const asked = Object.keys(works).map((name) => name.split(' ')[0])
    const known = new Set([...asked, ...Object.values(others).flat()])
    const all = operations.filter(({ path }) => path.startsWith('/v1/memory/')).map(({ id }) => id)
    expect(all.filter((id) => !known.has(id))).toEqual([])
  })

  it('do not grow with a space, though statements were planned while it was empty', async () => {
    await use(40)
    for (let n = 0; n < 3; n++) {
      await done(ada.post(memory('text/store'), { text: newText(), external_id: 'fact' }))
    }
    await server.context.database.upkeep?.keep(0)
    const read: Record<string, Map<string, number>[]> = {}
    for (const _ of ['small', 'large']) {
      for (const [name, work] of Object.entries(works)) {
        const asked = async () => {
          const answer = (await work()) as Answer | undefined
          if (answer?.status !== undefined)
            expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBe(200)
        }
        await asked()
        const before = await rowsRead(server.context.database.queries)
        await asked()
        const after = await rowsRead(server.context.database.queries)
        read[name] ??= []
        read[name].push(new Map([...after].map(([table, rows]) => [table, rows - (before.get(table) ?? 0)])))
      }
      if (stored < 1_000) {
        await use(1_000)
        for (let n = 0; n < 4; n++) await store(1_000)
        // As the service does every two seconds.
        await server.context.database.upkeep?.keep(0)
      }
    }
    const grown = Object.entries(read).flatMap(([name, [small, large]]) =>
      [...(large ?? [])]
        // What was learned together is more in a larger space, up to what a pattern keeps.
        .filter(([table, rows]) => rows >= 5 * (small?.get(table) ?? 0) + 1_000)
        .map(([table, rows]) => `${name}: ${table} ${small?.get(table) ?? 0} -> ${rows}`),
    )
    expect(grown).toEqual([])
  })

  it('by a sleep do not grow by the copies of a text that other end users have', async () => {
    const read: number[] = []
    for (const count of [100, 400]) {
      const client = await server.newClient()
      const items = Array.from({ length: count }, (_, n) => ({ text: facts[0], subject: `s${n}` }))
      for (let at = 0; at < count; at += 50) {
        await done(client.post(memory('text/batch-store'), { items: items.slice(at, at + 50) }))
      }
      const before = await rowsRead(server.context.database.queries)
      await done(client.post(memory('sleep'), { batch_size: 1 }))
      const after = await rowsRead(server.context.database.queries)
      read.push((after.get('patterns') ?? 0) - (before.get('patterns') ?? 0))
    }
    const [small, large] = read as [number, number]
    expect(large).toBeLessThan(6 * small)
  })
})
