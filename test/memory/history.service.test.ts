import { purgeVersions } from '@memory/memory/housekeeping'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { expectCountersToMatch, faultsOf, getSpace, inSpace, tablesHolding } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ MEMORY_VERSIONS_KEPT: '3' })
})

afterAll(() => server.close())

const texts = '/v1/memory/text/store'
const vectors = '/v1/memory/store'
const patterns = '/v1/memory/patterns'
const path = (id: string | undefined) => `${patterns}/${id}`

interface Version {
  version: number
  text: string | null
  change: string
  changed_at: string
}

const history = async (client: ConformingClient, id: string | undefined): Promise<Version[]> =>
  (await client.get(`${path(id)}/history`)).body.versions

const textsOf = (versions: readonly Version[]) => versions.map(({ version, text }) => `${version} ${text}`)

describe('the version of a pattern', () => {
  it('counts its changes, and is the ETag of what shows and changes it', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['one'])
    const first = await ada.get(path(id))
    expect([first.body.version, first.headers.get('ETag')]).toEqual([1, '"1"'])
    expect(first.body.updated_at).toBe(first.body.created_at)
    const second = await ada.patch(path(id), { text: 'two' })
    expect([second.body.version, second.headers.get('ETag')]).toEqual([2, '"2"'])
    const third = await ada.patch(path(id), { metadata: { a: 1 } })
    expect([third.body.version, third.headers.get('ETag')]).toEqual([3, '"3"'])
    expect(third.body.updated_at > second.body.updated_at).toBe(true)
    const same = await ada.patch(path(id), {})
    expect(same.body).toEqual(third.body)
    expect((await ada.get(patterns)).body.patterns).toEqual([third.body])
  })

  it.each([
    ['"1"', 200],
    ['*', 200],
    ['"7", "1"', 200],
    ['"2"', 412],
    ['W/"1"', 412],
    ['1', 412],
    ['""', 412],
  ])('is asked for by If-Match: %s is answered with %i', async (tag, status) => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['one'])
    const ifMatch = { 'If-Match': tag }
    for (const answer of [
      await ada.request('PATCH', path(id), {}, ifMatch),
      await ada.request('POST', `${path(id)}/revert`, { version: 1 }, ifMatch),
      await ada.request('PATCH', path(id), { text: 'two' }, ifMatch),
    ]) {
      expect(answer.status).toBe(status)
    }
    expect((await ada.get(path(id))).body.text).toBe(status === 200 ? 'two' : 'one')
    const now = status === 200 ? { 'If-Match': '"2"' } : ifMatch
    expect((await ada.request('DELETE', path(id), undefined, now)).status).toBe(status)
  })

  it('lets one of 20 changes through that all saw the same', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['start'])
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        ada.request('PATCH', path(id), { metadata: { i } }, { 'If-Match': '"1"' }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)])
    expect((await ada.get(path(id))).body.version).toBe(2)
  })
})

describe('GET /v1/memory/patterns/{pattern_id}/history', () => {
  it('shows what the pattern was, newest first, with when, by whom and how', async () => {
    const ada = await newConformingClient(server)
    const { body } = await ada.post(texts, { text: 'one', metadata: { n: 1 }, external_id: 'x' })
    await ada.post(texts, { text: 'two', external_id: 'x' })
    await ada.patch(path('ext:x'), { text: 'three', metadata: { n: 3 } })
    const versions = await history(ada, 'ext:x')
    expect(versions).toMatchObject([
      { version: 3, text: 'three', value: null, metadata: { n: 3 }, change: 'updated' },
      { version: 2, text: 'two', metadata: {}, change: 'updated' },
      { version: 1, text: 'one', metadata: { n: 1 }, change: 'created', redacted: false },
    ])
    for (const version of versions) expect(version).toMatchObject({ changed_by: ada.keyId })
    const times = versions.map(({ changed_at }) => changed_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(versions[2]?.changed_at).toBe((await ada.get(path(body.pattern_id))).body.created_at)
  })

  it('has no version of what stayed as it was', async () => {
    const ada = await newConformingClient(server)
    const record = { text: 'Ada lives in Porto.', external_id: 'crm/17', metadata: { of: ['crm', 1] } }
    const [id] = [(await ada.post(texts, record)).body.pattern_id]
    await ada.post(texts, { ...record, text: 'Ada lives in Lisbon.', occurred_at: '2026-05-01' })
    const { body: before } = await ada.get(path(id))
    for (let night = 0; night < 4; night++) {
      const again = { ...record, text: 'Ada lives in Lisbon.', occurred_at: '2026-05-01T00:00:00Z' }
      expect((await ada.post(texts, again)).body).toMatchObject({ pattern_id: id, created: false })
      const batch = { items: [again, { text: 'Ben sings.', external_id: 'crm/18' }] }
      expect((await ada.post('/v1/memory/text/batch-store', batch)).body.created).toEqual([
        false,
        night === 0,
      ])
      const patch = {
        text: again.text,
        metadata_patch: { of: ['crm', 1] },
        occurred_at: '2026-05-01',
        expires_at: null,
      }
      expect((await ada.patch(path(id), patch)).body).toEqual(before)
    }
    expect((await ada.get(path(id))).body).toEqual(before)
    expect(textsOf(await history(ada, id))).toEqual(['2 Ada lives in Lisbon.', '1 Ada lives in Porto.'])
    expect(await history(ada, 'ext:crm%2F18')).toMatchObject([{ version: 1, change: 'created' }])
    const found = await ada.post('/v1/memory/text/retrieve', { query: 'Ada lives in Lisbon.', top_k: 1 })
    expect(found.body.results).toMatchObject([{ pattern_id: id }])
    const vector = { key: [1, 2], value: [3], external_id: 'v' }
    for (let night = 0; night < 2; night++) await ada.post(vectors, vector)
    await ada.put('/v1/memory/pattern', { key: [1, 2], new_value: [3] })
    expect(await history(ada, 'ext:v')).toHaveLength(1)
    await expectCountersToMatch(server, ada)
  })

  it.each([
    { text: 'two' },
    { metadata: { a: 2 } },
    { occurred_at: '2026-05-02' },
    { expires_at: '2999-01-02' },
    { valid_from: '2026-05-02' },
    { valid_to: '2998-01-02' },
    { subject: 'ada' },
    { protected: true },
  ])('has a version where a store or PATCH differs in %o', async (change) => {
    const ada = await newConformingClient(server)
    const record = { text: 'one', external_id: 'x', metadata: { a: 1 } }
    await ada.post(texts, record)
    await ada.post(texts, { ...record, ...change })
    expect(await history(ada, 'ext:x')).toHaveLength(2)
    await ada.post(texts, { ...record, external_id: 'y' })
    await ada.patch(path('ext:y'), change)
    expect(await history(ada, 'ext:y')).toHaveLength(2)
  })

  it('shows the values of vectors', async () => {
    const ada = await newConformingClient(server)
    const { body } = await ada.post(vectors, { key: [1, 0], value: [0.1, 7], metadata: { n: 1 } })
    await ada.put('/v1/memory/pattern', { key: [1, 0], new_value: [8] })
    await ada.put('/v1/memory/pattern', { key: [1, 0], new_value: [1, 0] })
    expect(await history(ada, body.pattern_id)).toMatchObject([
      { version: 3, value: [1, 0], text: null, metadata: { n: 1 }, change: 'updated' },
      { version: 2, value: [8], text: null },
      { version: 1, value: [0.1, 7], text: null, change: 'created' },
    ])
  })

  it('keeps as many as the setting says, for a year, and pages through them', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['1'])
    for (let n = 2; n <= 6; n++) await ada.patch(path(id), { text: `${n}` })
    expect(textsOf(await history(ada, id))).toEqual(['6 6', '5 5', '4 4', '3 3'])
    const first = (await ada.get(`${path(id)}/history?limit=2`)).body
    expect(textsOf(first.versions)).toEqual(['6 6', '5 5'])
    const rest = (await ada.get(`${path(id)}/history?cursor=${first.next_cursor}`)).body
    expect(textsOf(rest.versions)).toEqual(['4 4', '3 3'])
    expect(rest.next_cursor).toBe(null)
    expect((await ada.get(`${path(id)}/history?cursor=x`)).status).toBe(422)

    await inSpace(server, ada, (trx) =>
      sql`update app.pattern_versions set replaced_at = now() - interval '366 days' where revision = 3`.execute(
        trx,
      ),
    )
    await purgeVersions(server.context.database.queries)
    expect(textsOf(await history(ada, id))).toEqual(['6 6', '5 5', '4 4'])
  })

  it('is empty of others and of what is deleted, and goes with the pattern', async () => {
    const ada = await newConformingClient(server)
    const ben = await newConformingClient(server)
    const secret = `secret-${ada.organizationId}`
    const [id] = await ada.store([secret])
    await ada.patch(path(id), { text: 'harmless' })
    expect(await tablesHolding(server, secret)).toEqual(['pattern_versions'])
    expect((await ben.get(`${path(id)}/history`)).status).toBe(404)
    expect((await ben.post(`${path(id)}/revert`, { version: 1 })).status).toBe(404)
    expect((await ben.delete(`${path(id)}/history/1`)).status).toBe(404)
    await ada.delete(path(id))
    expect(await tablesHolding(server, secret)).toEqual([])
    expect((await ada.get(`${path(id)}/history`)).status).toBe(404)
  })
})

describe('POST /v1/memory/patterns/{pattern_id}/revert', () => {
  it('makes a text what it was, in a new version that searches see', async () => {
    const ada = await newConformingClient(server)
    const { body } = await ada.post(texts, {
      text: 'Ada lives in Porto.',
      metadata: { a: 1 },
      occurred_at: '2001-01-01T00:00:00Z',
      external_id: 'home',
    })
    await ada.post(texts, { text: 'Photosynthesis needs light.', external_id: 'home' })
    const reverted = await ada.post(`${path(body.pattern_id)}/revert`, { version: 1 })
    expect(reverted.body).toMatchObject({
      text: 'Ada lives in Porto.',
      metadata: { a: 1 },
      occurred_at: '2001-01-01T00:00:00.000Z',
      external_id: 'home',
      version: 3,
    })
    expect(await ada.retrieve('Where does Ada live?', { min_similarity: 0.3 })).toEqual([
      'Ada lives in Porto.',
    ])
    const { results } = (await ada.post('/v1/memory/text/recall', { query: 'Porto' })).body
    expect(results[0].text).toBe('Ada lives in Porto.')
    expect(await history(ada, 'ext:home')).toMatchObject([
      { version: 3, change: 'reverted' },
      { version: 2, text: 'Photosynthesis needs light.' },
      { version: 1 },
    ])
    await expectCountersToMatch(server, ada)
  })

  it('makes a vector what it was: key, value and metadata', async () => {
    const ada = await newConformingClient(server)
    await ada.post(vectors, { key: [1, 0], value: [1], metadata: { n: 1 }, external_id: 'v' })
    await ada.post(vectors, { key: [0, 1, 0], value: [2, 2], external_id: 'v' })
    expect((await ada.post(`${path('ext:v')}/revert`, { version: 1 })).body.metadata).toEqual({ n: 1 })
    const query = async (embedding: number[]) =>
      (await ada.post('/v1/memory/query', { embedding })).body.results.map(
        ({ value }: { value: number[] }) => value,
      )
    expect(await query([1, 0])).toEqual([[1]])
    expect(await query([0, 1, 0])).toEqual([])
    await expectCountersToMatch(server, ada)
  })

  it('answers 404 for a version that is not kept, and changes nothing for the one that is there', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['one'])
    const none = await ada.post(`${path(id)}/revert`, { version: 2 })
    expect([none.status, none.body.detail]).toEqual([404, 'Version not found'])
    expect((await ada.post(`${path(id)}/revert`, { version: 1 })).body.version).toBe(1)
    expect(faultsOf(await ada.post(`${path(id)}/revert`, {}))).toMatchObject([{ type: 'missing' }])
  })
})

describe('a revert whose text is being embedded', () => {
  it.each<[string, (ada: ConformingClient, id: string, text: string) => Promise<{ status: number }>]>([
    ['forgotten', (ada, _, text) => ada.post('/v1/memory/text/forget', { query: text, threshold: 1 })],
    ['redacted', (ada, id) => ada.delete(`${path(id)}/history/1`)],
    ['kept no more', (ada, id) => ada.patch(path(id), { text: 'five' })],
  ])('does not bring back what is %s meanwhile', async (_, erase) => {
    const ada = await newConformingClient(server)
    const text = `secret-${ada.organizationId}`
    const [id = ''] = await ada.store([text])
    for (const next of ['two', 'three', 'four']) await ada.patch(path(id), { text: next })
    const embedding = Promise.withResolvers<Float32Array>()
    const embed = vi.spyOn(server.context.memory.compute, 'embed').mockReturnValueOnce(embedding.promise)
    // Its calls are those of this revert: else the change below might be what is held.
    onTestFinished(() => embed.mockRestore())
    const reverting = ada.post(`${path(id)}/revert`, { version: 1 })
    await vi.waitFor(() => expect(embed).toHaveBeenCalled(), { timeout: 30_000 })
    expect((await erase(ada, id, text)).status).toBe(200)
    embedding.resolve(new Float32Array(384).fill(1))
    expect(await reverting).toMatchObject({ status: 404, body: { detail: 'Version not found' } })
    expect(await tablesHolding(server, text)).toEqual([])
    expect((await ada.get(path(id))).body.text).not.toBe(text)
  })
})

describe('DELETE /v1/memory/patterns/{pattern_id}/history/{version}', () => {
  it('erases what the version held, for good, and nothing else', async () => {
    const ada = await newConformingClient(server)
    const secret = `secret-${ada.organizationId}`
    const { body } = await ada.post(texts, { text: 'plain', metadata: { secret }, external_id: secret })
    await ada.patch(path(body.pattern_id), { text: 'two', metadata: null, external_id: null })
    await ada.patch(path(body.pattern_id), { text: 'three' })
    const redacted = await ada.delete(`${path(body.pattern_id)}/history/1`)
    expect(redacted.status).toBe(200)
    expect(await tablesHolding(server, secret)).toEqual([])
    expect(await history(ada, body.pattern_id)).toMatchObject([
      { version: 3, text: 'three' },
      { version: 2, text: 'two', redacted: false },
      { version: 1, text: null, value: null, metadata: null, redacted: true, change: 'created' },
    ])
    expect((await ada.post(`${path(body.pattern_id)}/revert`, { version: 1 })).status).toBe(404)
    expect((await ada.delete(`${path(body.pattern_id)}/history/1`)).status).toBe(404)
  })

  it.each([
    ['3', 409],
    ['4', 404],
    ['0', 404],
    ['-1', 404],
    ['99999999999', 404],
    ['x', 422],
  ])('of version %s of three is answered with %i', async (version, status) => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['one'])
    await ada.patch(path(id), { text: 'two' })
    await ada.patch(path(id), { text: 'three' })
    expect((await ada.delete(`${path(id)}/history/${version}`)).status).toBe(status)
    expect(textsOf(await history(ada, id))).toEqual(['3 three', '2 two', '1 one'])
  })
})

describe('MEMORY_VERSIONS_KEPT=0', () => {
  it('keeps none, and counts all the same', async () => {
    const none = await startServer({ MEMORY_VERSIONS_KEPT: '0' })
    try {
      const ada = await newConformingClient(none)
      const [id] = await ada.store(['one'])
      await ada.patch(path(id), { text: 'two' })
      expect(textsOf(await history(ada, id))).toEqual(['2 two'])
      expect(await getSpace(none, ada)).toMatchObject({ patterns_used: 1 })
    } finally {
      await none.close()
    }
  })
})
