import { createHash, randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { withFailures } from '../../platform/open-database.ts'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { expectCountersToMatch, faultsOf, inSpace, tablesHolding } from '../space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const facts = [
  { text: 'Ada keeps bees on the roof.', subject: 'ada' },
  { text: 'Ben keeps bees in the garden.', subject: 'ben' },
  { text: 'Bees make honey.' },
  { text: 'Ada sings in a choir.', subject: 'ada' },
]

async function newFacts(): Promise<{ client: ConformingClient; ids: string[] }> {
  const client = await newConformingClient(server)
  return { client, ids: await client.store(facts) }
}

/** The lines of a subject's export. */
// biome-ignore lint/suspicious/noExplicitAny: what is in a line is under test
async function exportedOf({ key }: ConformingClient, subject: string): Promise<any[]> {
  const answer = await fetch(`${server.url}/v1/memory/subjects/${subject}/export`, {
    headers: { 'X-API-Key': key },
  })
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
  const lines = (await answer.text()).split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

const textsOf = (results: { text: string }[]) => results.map(({ text }) => text).toSorted()
const deletion = '/v1/memory/patterns/delete'
const of = (...places: number[]) => places.map((at) => facts[at]?.text).toSorted()

describe('subject', () => {
  const selectors: [string, unknown, number[]][] = [
    ['one end user', 'ada', [0, 3]],
    ['several', ['ada', 'ben'], [0, 1, 3]],
    ['those of none', null, [2]],
    ['nobody that there is', 'cleo', []],
  ]

  it.each(['.', '..'])(
    'is not %s where something becomes theirs, and still found and deleted',
    async (subject) => {
      const { client, ids } = await newFacts()
      const text = 'Ada keeps a goat.'
      for (const [path, body, method] of [
        ['/v1/memory/text/store', { text, subject }],
        ['/v1/memory/text/batch-store', { items: [{ text, subject }] }],
        ['/v1/memory/store', { key: [1], value: [1], subject }],
        ['/v1/memory/subject-tokens', { subject }],
        [`/v1/memory/patterns/${ids[0]}`, { subject }, 'PATCH'],
      ] as const) {
        const answer = await client.request(method ?? 'POST', path, body)
        expect(answer.status, path).toBe(422)
        expect(JSON.stringify(answer.body)).toContain('subject must not be . or .., which no URL can name')
      }
      await inSpace(server, client, (trx) =>
        sql`update app.patterns set subject = ${subject} where subject = 'ben'`.execute(trx),
      )
      expect((await client.post('/v1/memory/patterns/count', { subject })).body.count).toBe(1)
      expect((await client.post(deletion, { subject })).body.deleted).toBe(1)
    },
  )

  it.each(selectors)('narrows searches and lists to %s', async (_name, subject, expected) => {
    const { client } = await newFacts()
    const { embedding } = (await client.post('/v1/memory/text/embed', { text: 'bees' })).body
    const ask = async (path: string, body: object) => (await client.post(path, { ...body, subject })).body
    const found = {
      retrieve: (await ask('/v1/memory/text/retrieve', { query: 'bees', top_k: 10 })).results,
      recall: (await ask('/v1/memory/text/recall', { query: 'bees', top_k: 10 })).results,
      tiered: (await ask('/v1/memory/tiered/retrieve', { query: 'bees', top_k: 10 })).results,
      search: (await ask('/v1/memory/patterns/search', {})).patterns,
    }
    for (const [name, results] of Object.entries(found))
      expect(textsOf(results), name).toEqual(of(...expected))
    expect((await ask('/v1/memory/patterns/count', {})).count).toBe(expected.length)
    for (const path of ['/v1/memory/query', '/v1/memory/retrieve']) {
      expect((await ask(path, { embedding, top_k: 10 })).results, path).toHaveLength(expected.length)
    }
    const batch = { queries: [{ embedding, top_k: 10, subject }] }
    expect((await client.post('/v1/memory/batch/retrieve', batch)).body.results[0]).toHaveLength(
      expected.length,
    )
    const explained = await ask('/v1/memory/text/explain', { query: 'Who keeps bees?' })
    for (const { text } of facts.filter((_, i) => !expected.includes(i))) {
      expect(explained.explanation).not.toContain(text)
    }
  })

  it('finds what an end user has among many nearer ones of others', async () => {
    const { client } = await newFacts()
    const nearer = Array.from({ length: 50 }, (_, n) => ({
      text: `Ben sings in choir ${n}.`,
      subject: 'ben',
    }))
    await client.store(nearer)
    for (const path of ['/v1/memory/text/retrieve', '/v1/memory/text/recall']) {
      const { results } = (
        await client.post(path, { query: 'Ben sings in choir 7.', top_k: 1, subject: 'ada' })
      ).body
      expect(textsOf(results), path).toEqual(of(3))
    }
  })

  it('narrows a list by its query, and with a filter what both choose', async () => {
    const { client } = await newFacts()
    await client.store([{ text: 'Ada swims.', subject: 'ada', metadata: { kind: 'sport' } }])
    const { patterns } = (await client.get('/v1/memory/patterns?subject=ada')).body
    expect(textsOf(patterns)).toEqual(['Ada swims.', ...of(0, 3)].toSorted())
    const filter = { kind: 'sport' }
    const both = await client.post('/v1/memory/text/retrieve', { query: 'swims', subject: 'ada', filter })
    expect(textsOf(both.body.results)).toEqual(['Ada swims.'])
    const none = await client.post('/v1/memory/text/retrieve', { query: 'swims', subject: 'ben', filter })
    expect(none.body.results).toEqual([])
  })

  it.each(selectors)('is what forget goes by: %s', async (_name, subject, expected) => {
    const { client, ids } = await newFacts()
    const { body } = await client.post('/v1/memory/text/forget', { subject })
    expect(body.pattern_ids).toEqual(expected.map((at) => ids[at]))
    expect(textsOf((await client.get('/v1/memory/patterns')).body.patterns)).toEqual(
      textsOf(facts.filter((_, at) => !expected.includes(at))),
    )
    await expectCountersToMatch(server, client)
  })

  it.each(selectors)('is what delete goes by: %s', async (_name, subject, expected) => {
    const { client, ids } = await newFacts()
    const tried = await client.post(deletion, { subject, dry_run: true })
    expect(tried.body).toEqual({
      deleted: expected.length,
      pattern_ids: expected.map((at) => ids[at]),
    })
    const { body } = await client.post(deletion, { subject })
    expect(body).toMatchObject(tried.body)
    if (expected.length > 0) {
      const { receipt, pattern_ids } = body
      const asked = { receipt, pattern_ids, selector: { subject } }
      const verified = (await client.post('/v1/memory/receipts/verify', asked)).body
      expect(verified).toMatchObject({ valid: true, selector_matches: true })
      expect(verified.claims.counts.patterns).toBe(expected.length)
    }
    expect(textsOf((await client.get('/v1/memory/patterns')).body.patterns)).toEqual(
      textsOf(facts.filter((_, at) => !expected.includes(at))),
    )
    await expectCountersToMatch(server, client)
  })

  it('narrows the filter of a delete, and goes with no ids', async () => {
    const { client, ids } = await newFacts()
    const filter = { $text: { $contains: 'bees' } }
    expect((await client.post(deletion, { filter, subject: 'ada' })).body.pattern_ids).toEqual([ids[0]])
    expect((await client.post(deletion, { filter, subject: null })).body.pattern_ids).toEqual([ids[2]])
    for (const body of [
      { subject: 'ada', pattern_ids: [ids[3]] },
      { subject: 'ada', external_ids: ['x'] },
      { subject: 'ada', filter: {} },
      { subject: 'ada', filter: null },
      { pattern_ids: [ids[3]], filter: null },
      { subject: '' },
      { subject: [] },
      { subject: ['ada', null] },
    ]) {
      expect((await client.post(deletion, body)).status, JSON.stringify(body)).toBe(422)
    }
    expect((await client.post('/v1/memory/patterns/count', {})).body.count).toBe(2)
  })

  it('narrows what a query or category forgets', async () => {
    const { client, ids } = await newFacts()
    const { body } = await client.post('/v1/memory/text/forget', {
      ...{ query: 'Bees make honey.', threshold: 0.5, guard: false, subject: 'ben' },
    })
    expect(body.pattern_ids).toEqual([ids[1]])
  })

  it.each([[''], ['x'.repeat(129)], [[]], [['ada', 7]], [7], [{ name: 'ada' }]])(
    'is refused as %j',
    async (subject) => {
      const { client } = await newFacts()
      const answer = await client.post('/v1/memory/text/retrieve', { query: 'bees', subject })
      for (const { loc } of faultsOf(answer) as { loc: unknown[] }[])
        expect(loc.slice(0, 2)).toEqual(['body', 'subject'])
    },
  )

  it('is who is learned of, unless an actor is named', async () => {
    const { client } = await newFacts()
    const actors = async () => {
      await server.context.memory.learning.flush()
      return inSpace(server, client, async (trx) => {
        const { rows } = await sql<{
          actor: string
        }>`select encode(actor, 'hex') as actor from app.actor_traces`.execute(trx)
        return rows.map(({ actor }) => actor)
      })
    }
    const space = await inSpace(server, client, async (_trx, { id }) => id)
    const hashed = (user: string) =>
      createHash('sha256').update(`${space}\0${user}`).digest('hex').slice(0, 32)
    await client.post('/v1/memory/text/retrieve', { query: 'bees', subject: 'ada' })
    expect(await actors()).toEqual([hashed('ada')])
    await client.post(
      '/v1/memory/text/retrieve',
      { query: 'bees', subject: 'ada' },
      { 'X-Memory-Actor': 'phone' },
    )
    expect((await actors()).toSorted()).toEqual([hashed('ada'), hashed('phone')].toSorted())
  })
})

describe('/v1/memory/subjects', () => {
  it('lists who there is, page by page, and by how names begin', async () => {
    const { client } = await newFacts()
    await client.store([{ text: 'Bob is new.', subject: 'bob' }])
    const first = (await client.get('/v1/memory/subjects?limit=2')).body
    const second = (await client.get(`/v1/memory/subjects?limit=2&cursor=${first.next_cursor}`)).body
    const counts = [...first.subjects, ...second.subjects].map(({ subject, patterns }) => [subject, patterns])
    expect(counts).toEqual([
      ['ada', 2],
      ['ben', 1],
      ['bob', 1],
    ])
    expect(second.next_cursor).toBeNull()
    const { subjects } = (await client.get('/v1/memory/subjects?prefix=b')).body
    expect(subjects.map(({ subject }: { subject: string }) => subject)).toEqual(['ben', 'bob'])
    expect((await client.get('/v1/memory/subjects?cursor=x')).status).toBe(422)
  })

  it('tells of one, and 404 of one of whom nothing is stored', async () => {
    const { client } = await newFacts()
    await client.post('/v1/memory/store', { key: [1, 2], value: [3], subject: 'ada' })
    const { body } = await client.get('/v1/memory/subjects/ada')
    expect(body).toMatchObject({ subject: 'ada', patterns: 3, texts: 2 })
    expect(Date.parse(body.first_stored_at)).toBeLessThanOrEqual(Date.parse(body.last_stored_at))
    expect((await client.get('/v1/memory/subjects/cleo')).status).toBe(404)
  })

  it('exports one, a pattern a line', async () => {
    const { client } = await newFacts()
    const lines = await exportedOf(client, 'ada')
    expect(lines.map(({ text }) => text)).toEqual([facts[0]?.text, facts[3]?.text])
  })

  it('has an export counted, and answers one that fails before its first line', async () => {
    const { client } = await newFacts()
    const other = async () => (await client.get('/v1/usage/summary')).body.api_calls.other
    const before = await other()
    await exportedOf(client, 'ada')
    expect(await other()).toBe(before + 1)
    const failing = withFailures(server.context.memory.queries)
    vi.spyOn(server.context.memory, 'queries', 'get').mockReturnValue(failing.queries)
    failing.failing = 'p.key::text'
    try {
      const headers = { 'X-API-Key': client.key }
      const answer = await fetch(`${server.url}/v1/memory/subjects/ada/export`, { headers })
      expect([answer.status, answer.headers.get('content-disposition')]).toEqual([503, null])
      expect(await answer.json()).toEqual({ detail: 'Service unavailable' })
    } finally {
      vi.restoreAllMocks()
    }
    expect(await other()).toBe(before + 1)
  })

  it('exports what its patterns say of themselves, and beside it vectors, category, model and versions', async () => {
    const client = await newConformingClient(server)
    const times = {
      occurred_at: '2024-02-29T12:00:00.123Z',
      valid_from: '2024-03-01T00:00:00Z',
      valid_to: '2024-04-01T00:00:00Z',
      expires_at: '2999-01-01T00:00:00Z',
    }
    for (const [path, body] of [
      ['text/store', { text: 'plain' }],
      ['text/store', { text: 'with metadata', metadata: { n: 1.5, deep: [{ x: null }] } }],
      ['text/store', { text: 'with times', ...times }],
      ['text/store', { text: 'of long ago', occurred_at: '2001-01-01' }],
      ['text/store', { text: 'to come', valid_from: '2999-01-01', protected: true }],
      ['text/store', { text: 'old', external_id: 'old' }],
      ['text/store', { text: 'new', supersedes: 'ext:old' }],
      ['text/store', { text: 'changed', external_id: 'changed' }],
      ['store', { key: [1, 2], value: [3] }],
      ['store', { key: [1, 3], value: [1, 3], source_dim: 8, metadata: {} }],
    ] as const) {
      const { status } = await client.post(`/v1/memory/${path}`, { ...body, subject: 'ada' })
      expect(status, JSON.stringify(body)).toBe(200)
    }
    await client.patch('/v1/memory/patterns/ext:changed', { metadata: { seen: true } })
    await client.post('/v1/memory/text/recall', { query: 'plain', top_k: 5 })
    await server.context.memory.accesses.flush()
    const shown = (await client.get('/v1/memory/patterns?include_superseded=true')).body.patterns
    expect(shown).toHaveLength(10)
    for (const pattern of shown) {
      expect((await client.get(`/v1/memory/patterns/${pattern.pattern_id}`)).body).toEqual(pattern)
    }
    const lines = await exportedOf(client, 'ada')
    const beside = ['key', 'value', 'source_dim', 'category', 'model', 'versions']
    expect(
      lines.map((line) =>
        Object.fromEntries(Object.entries(line).filter(([name]) => !beside.includes(name))),
      ),
    ).toEqual(
      // Of protection they have what somebody said, for an import to say it again.
      shown.map(({ protected: _, ...pattern }: Record<string, unknown>) =>
        pattern.asked_protected === null ? pattern : { ...pattern, protected: pattern.asked_protected },
      ),
    )
    expect(lines[0]).toMatchObject({ metadata: {}, valid_from: lines[0]?.occurred_at, supersedes: null })
    expect(lines[5]).toMatchObject({ superseded_by: lines[6]?.pattern_id })
    expect(lines[6]).toMatchObject({ supersedes: lines[5]?.pattern_id })
    expect(lines[8]).toMatchObject({ text: null, metadata: null, key: [1, 2], value: [3] })
    for (const line of lines) {
      expect(Object.keys(line)).toEqual(expect.arrayContaining(beside.slice(0, 5)))
      const { versions } = (await client.get(`/v1/memory/patterns/${line.pattern_id}/history`)).body
      expect(line.versions ?? []).toEqual(versions.slice(1))
    }
  })

  it('exports of one what a filter describes, also what is not valid now', async () => {
    const client = await newConformingClient(server)
    const items = Array.from({ length: 250 }, (_, n) => ({
      key: [1, n],
      value: [n],
      metadata: { n, kind: n % 2 === 0 ? 'note' : 'mail' },
      subject: n < 240 ? 'ada' : 'bo',
      ...(n === 7 && { valid_from: '2001-01-01', valid_to: '2002-01-01' }),
    }))
    await client.post('/v1/memory/batch/store', { patterns: items })
    const exported = async (filter: object) => {
      const query = new URLSearchParams({ filter: JSON.stringify(filter) })
      const answer = await fetch(`${server.url}/v1/memory/subjects/ada/export?${query}`, {
        headers: { 'X-API-Key': client.key },
      })
      expect(answer.status).toBe(200)
      const lines = (await answer.text()).split('\n').slice(0, -1)
      return lines.map((line) => JSON.parse(line).metadata.n)
    }
    const odd = Array.from({ length: 120 }, (_, i) => 2 * i + 1)
    expect(await exported({ kind: 'mail' })).toEqual(odd)
    expect(await exported({ kind: 'mail', n: { $lt: 10 } })).toEqual([1, 3, 5, 7, 9])
    expect(await exported({ kind: 'letter' })).toEqual([])
    const refused = await client.get('/v1/memory/subjects/ada/export?filter=%7B%22%24or%22%3A1%7D')
    expect(refused.status).toBe(422)
  })

  it('takes names with any characters', async () => {
    const client = await newConformingClient(server)
    const subject = 'a/b?c#d %é'
    await client.store([{ text: 'Odd names.', subject }])
    const path = `/v1/memory/subjects/${encodeURIComponent(subject)}`
    expect((await client.get(path)).body).toMatchObject({ subject, patterns: 1 })
    expect((await client.delete(path)).body).toMatchObject({ subject, erased: 1 })
  })
})

describe('DELETE /v1/memory/subjects/{subject}', () => {
  it('erases all that there is of an end user, and says so in a receipt', async () => {
    const secret = randomUUID()
    const client = await newConformingClient(server)
    const ids = await client.store(
      facts.map(({ text, subject }) => ({
        text: subject === 'ada' ? `${text} ${secret}` : text,
        ...(subject && { subject }),
      })),
    )
    for (const query of ['bees', 'choir']) {
      await client.post(
        '/v1/memory/text/retrieve',
        { query, top_k: 4, subject: ['ada', 'ben'] },
        { 'X-Memory-Actor': 'ada' },
      )
    }
    await client.patch(`/v1/memory/patterns/${ids[0]}`, { text: 'Ada keeps wasps.' })
    await client.patch(`/v1/memory/patterns/${ids[2]}`, { metadata: { seen: true } })
    await server.context.memory.accesses.flush()
    const { status, body } = await client.delete('/v1/memory/subjects/ada')
    expect(status).toBe(200)
    expect(body).toMatchObject({ subject: 'ada', erased: 2 })
    expect(decodeJwt(body.receipt)).toMatchObject({
      selector_sha256: createHash('sha256').update('{"subject":"ada"}').digest('hex'),
      ids_sha256: createHash('sha256').update([ids[0], ids[3]].toSorted().join('\n')).digest('hex'),
      counts: { patterns: 2, versions: 1 },
    })
    expect(textsOf((await client.get('/v1/memory/patterns')).body.patterns)).toEqual(of(1, 2))
    expect(
      (await client.post('/v1/memory/text/recall', { query: 'Ada', top_k: 5 })).body.results,
    ).toHaveLength(2)
    for (const held of [secret, 'keeps wasps']) expect(await tablesHolding(server, held)).toEqual([])
    await expectCountersToMatch(server, client)
    expect((await client.delete('/v1/memory/subjects/ada')).status).toBe(404)
    const verified = await client.post('/v1/memory/receipts/verify', {
      receipt: body.receipt,
      pattern_ids: [ids[0], ids[3]],
    })
    expect(verified.body).toMatchObject({ valid: true, remaining: 0 })
  })

  it('erases revisions of a pattern that is another’s by now', async () => {
    const secret = randomUUID()
    const client = await newConformingClient(server)
    const ids = await client.store([{ text: secret, subject: 'ada' }])
    await client.patch(`/v1/memory/patterns/${ids[0]}`, { text: 'It is about bees.', subject: 'ben' })
    expect((await client.delete('/v1/memory/subjects/ada')).body.erased).toBe(0)
    expect(await tablesHolding(server, secret)).toEqual([])
    expect((await client.get(`/v1/memory/patterns/${ids[0]}`)).body).toMatchObject({ subject: 'ben' })
  })

  it('erases the traces of all actors that requests of the subject named, and no other’s', async () => {
    const client = await newConformingClient(server)
    await client.store([{ text: 'The office opens at nine.' }])
    const readers = await Promise.all(
      ['eva', 'evan'].map((name) =>
        newConformingClient(server, {
          organizationId: client.organizationId,
          subject: { name, isShared: true },
        }),
      ),
    )
    const traces = async () => {
      await server.context.memory.learning.flush()
      const { rows } = await inSpace(server, client, (trx) =>
        sql<{ count: number }>`select count(*)::int as count from app.actor_traces`.execute(trx),
      )
      return rows[0]?.count
    }
    for (const reader of readers) {
      for (const device of [{ 'X-Memory-Actor': 'phone' }, { 'X-Memory-Actor': 'watch' }, undefined]) {
        await reader.post('/v1/memory/text/retrieve', { query: 'office', min_similarity: -1 }, device)
      }
    }
    expect(await traces()).toBe(6)
    expect((await client.delete('/v1/memory/subjects/eva')).status).toBe(200)
    expect(await traces()).toBe(3)
    expect((await client.delete('/v1/memory/subjects/eva')).status).toBe(404)
    const [, evan] = readers
    await evan?.post('/v1/memory/text/retrieve', { query: 'office' }, { 'X-Memory-Actor': 'phone' })
    expect((await evan?.delete('/v1/memory/subjects/evan'))?.status).toBe(200)
    expect(await traces()).toBe(0)
  })

  it('answers the same again under an Idempotency-Key', async () => {
    const { client } = await newFacts()
    const once = () =>
      client.request('DELETE', '/v1/memory/subjects/ada', undefined, { 'Idempotency-Key': 'once' })
    const first = await once()
    expect((await once()).body).toEqual(first.body)
    expect((await client.get('/v1/memory/receipts')).body.receipts).toHaveLength(1)
  })

  it('refuses an Idempotency-Key that another end user was erased under, and erases nothing', async () => {
    const { client } = await newFacts()
    const erase = (subject: string) =>
      client.request('DELETE', `/v1/memory/subjects/${subject}`, undefined, { 'Idempotency-Key': 'erase' })
    expect((await erase('ada')).body).toMatchObject({ erased: 2 })
    expect(faultsOf(await erase('ben'))).toEqual([
      expect.objectContaining({
        loc: ['header', 'idempotency-key'],
        msg: expect.stringContaining('another request'),
      }),
    ])
    expect((await client.get('/v1/memory/subjects/ben')).body).toMatchObject({ patterns: 1 })
  })

  it('erases 30,000 patterns in one', async () => {
    const client = await newConformingClient(server, { plan: 'enterprise' })
    for (let batch = 0; batch < 6; batch++) {
      const patterns = Array.from({ length: 5_000 }, (_, n) => ({
        key: [1, n, batch],
        value: [n],
        subject: 'ada',
      }))
      await client.post('/v1/memory/batch/store', { patterns })
    }
    await client.post('/v1/memory/store', { key: [1, 2, 3], value: [1], subject: 'ben' })
    const { body } = await client.delete('/v1/memory/subjects/ada')
    expect(body).toMatchObject({ erased: 30_000 })
    expect((await client.post('/v1/memory/patterns/count', {})).body.count).toBe(1)
    await expectCountersToMatch(server, client)
  })
})
