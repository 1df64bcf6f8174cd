import { randomUUID } from 'node:crypto'
import { routes } from '@memory/api/routes'
import { isScope } from '@memory/shared/catalogue/operation'
import { notify } from '@memory/shared/notifications/notify'
import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  // Few connections, so that each serves many organizations.
  server = await startServer({ DATABASE_POOL_SIZE: '2' })
})

afterAll(() => server.close())

/** What one organization must not see or touch of the other, for one operation. */
type Case = (ben: ConformingClient, ada: Secrets) => Promise<void>

interface Secrets {
  client: ConformingClient
  id: string
  text: string
  metadata: Record<string, unknown>
  embedding: number[]
}

const unknownId = 'pat_01kagw5zdpk2r4f9m0x7y3v8qe'
const path = (id: string) => `/v1/memory/patterns/${id}`

/** An answer as two callers compare it: without what differs from request to request. */
const comparable = ({ status, headers, body }: Answer) => ({
  status,
  body,
  headers: [...headers].filter(([name]) => !['x-request-id', 'date', 'server-timing'].includes(name)),
})

const expectUnknown = async (foreign: Promise<Answer>, unknown: Promise<Answer>) => {
  const answer = await foreign
  expect(answer.status).toBe(404)
  expect(comparable(answer)).toEqual(comparable(await unknown))
}

const candidatesPath = '/v1/memory/explore/consolidation-candidates?min_priority=0'

const conflictsPath = '/v1/memory/conflicts'

/** Has a client's sleep find a conflict. @returns its id */
async function findConflict(client: ConformingClient): Promise<string> {
  await client.store(['I pay 450 euros of rent a month', 'I pay 540 euros of rent a month'])
  expect((await client.post('/v1/memory/sleep')).body.conflicts).toBe(1)
  return (await client.get(conflictsPath)).body.conflicts[0].conflict_id
}

/** What an operation answers that sees no stored data at all. */
const holdsNothing: Case = async () => {}

async function newNotification({ organizationId }: ConformingClient): Promise<string> {
  const { queries } = server.context.database
  return asTenant(queries, { organizationId }, async (trx) => {
    await notify(trx, organizationId, 'billing.payment_failed', { webhookId: 'x' })
    const { rows } = await sql<{ id: string }>`select id from app.notifications order by n desc`.execute(trx)
    return rows[0]?.id as string
  })
}

async function newWebhook(client: ConformingClient): Promise<string> {
  return (await client.post('/v1/webhooks', { url: 'https://1.1.1.1/hook' })).body.id
}

/** What is done to a webhook of Ada's is done to none, and changes none of hers. */
function onForeignWebhook(attack: (ben: ConformingClient, at: string) => Promise<Answer>): Case {
  return async (ben, { client }) => {
    const id = await newWebhook(client)
    const before = (await client.get('/v1/webhooks')).body
    await expectUnknown(attack(ben, `/v1/webhooks/${id}`), attack(ben, `/v1/webhooks/${randomUUID()}`))
    expect((await client.get('/v1/webhooks')).body).toEqual(before)
  }
}

/** What is in memory of Ada's stays there, and nobody is told how much it is. */
async function onForeignCache(client: ConformingClient, attack: () => Promise<Answer>): Promise<void> {
  await client.retrieve('anything')
  expect((await attack()).body).toEqual({ cleared: true, previous_cache_size: 0 })
  const { body } = await client.delete('/v1/memory/prefetch/invalidate')
  expect(body).toEqual({ cleared: true, previous_cache_size: 1 })
}

const cases: Record<string, Case> = {
  async storeText(ben) {
    const { body } = await ben.post('/v1/memory/text/store', { text: 'Ben drinks tea.' })
    expect(body.patterns_used).toBe(1)
  },
  async batchStoreTexts(ben) {
    const [id] = await ben.store(['Ben drinks tea.'])
    expect((await ben.get(path(id as string))).body.pattern_idx).toBe(0)
  },
  async retrieveTexts(ben, { text, metadata }) {
    await ben.store(['Ben drinks tea.'])
    expect(await ben.retrieve(text, { top_k: 50 })).toEqual(['Ben drinks tea.'])
    expect(await ben.retrieve(text, { top_k: 50, filter: metadata })).toEqual([])
  },
  async textStatistics(ben) {
    const { body } = await ben.get('/v1/memory/text/stats')
    expect(body).toMatchObject({ total_patterns: 0, storage_bytes: 0 })
  },
  async listImportant(ben) {
    const [id] = await ben.store([{ text: 'Ben has asthma.', metadata: { category: 'health' } }])
    const { body } = await ben.get('/v1/memory/text/important')
    expect(body.important).toMatchObject([{ pattern_id: id, text: 'Ben has asthma.' }])
  },
  async forgetTexts(ben, { text, metadata }) {
    for (const body of [
      { query: text, threshold: 0.5 },
      { category: metadata.category },
      { filter: metadata },
      { filter: metadata, dry_run: true },
    ]) {
      const answer = await ben.delete('/v1/memory/text/forget', body)
      expect(answer.body).toEqual({ forgotten: 0, pattern_ids: [], kept: [] })
    }
  },
  async forgetTextsByPost(ben, { text, metadata }) {
    for (const body of [
      { query: text, threshold: 0.5 },
      { category: metadata.category },
      { filter: metadata },
      { filter: metadata, dry_run: true },
    ]) {
      const answer = await ben.post('/v1/memory/text/forget', body)
      expect(answer.body).toEqual({ forgotten: 0, pattern_ids: [], kept: [] })
    }
  },
  async listPatterns(ben, { client }) {
    await client.store(['another', 'and another'])
    const { body: foreign } = await client.get('/v1/memory/patterns?limit=1')
    await ben.store(['Ben drinks tea.', 'Ben reads.'])
    const { body } = await ben.get('/v1/memory/patterns')
    const own = body.patterns.map((each: { text: string }) => each.text)
    expect(own).toEqual(['Ben drinks tea.', 'Ben reads.'])
    const { body: after } = await ben.get(`/v1/memory/patterns?cursor=${foreign.next_cursor}`)
    expect(after.patterns.map((each: { text: string }) => each.text)).toEqual(['Ben reads.'])
  },
  async searchPatterns(ben, { text, metadata }) {
    for (const body of [{}, { filter: metadata }, { q: text }, { order: '-occurred_at' }]) {
      const answer = await ben.post('/v1/memory/patterns/search', body)
      expect(answer.body).toEqual({ patterns: [], next_cursor: null })
    }
  },
  async countPatterns(ben, { text, metadata }) {
    for (const body of [{}, { filter: metadata }, { q: text }]) {
      const answer = await ben.post('/v1/memory/patterns/count', body)
      expect(answer.body).toEqual({ count: 0 })
    }
  },
  async spaceMap(ben, { client, metadata }) {
    // What others have been shown is known by then.
    expect((await client.get('/v1/memory/map')).body.total).toBeGreaterThan(0)
    for (const query of ['', `?filter=${encodeURIComponent(JSON.stringify(metadata))}`, '?dimensions=384']) {
      const { status, body } = await ben.get(`/v1/memory/map${query}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ total: 0, pattern_ids: [], clusters: [] })
    }
  },
  async getPattern(ben, { id }) {
    await expectUnknown(ben.get(path(id)), ben.get(path(unknownId)))
  },
  async changePattern(ben, { id }) {
    for (const body of [{ text: 'taken over' }, { metadata: null }, {}, undefined]) {
      await expectUnknown(ben.patch(path(id), body), ben.patch(path(unknownId), body))
    }
    const invalid = await ben.patch(path(id), { text: '' })
    expect(comparable(invalid)).toEqual(comparable(await ben.patch(path(unknownId), { text: '' })))
  },
  async deletePattern(ben, { id }) {
    await expectUnknown(ben.delete(path(id)), ben.delete(path(unknownId)))
  },
  async getPatterns(ben, { client, id }) {
    await client.post('/v1/memory/text/store', { text: 'another', external_id: 'hers' })
    const body = { pattern_ids: [id], external_ids: ['hers'], pattern_indexes: [0] }
    expect((await ben.post('/v1/memory/patterns/get', body)).body).toEqual({ patterns: [null, null, null] })
  },
  async deletePatterns(ben, { id }) {
    const { body } = await ben.post('/v1/memory/patterns/delete', { pattern_ids: [id] })
    expect(body).toEqual({ deleted: 0, pattern_ids: [] })
  },
  async listVersions(ben, { id }) {
    await expectUnknown(ben.get(`${path(id)}/history`), ben.get(`${path(unknownId)}/history`))
  },
  async revertPattern(ben, { id }) {
    const revert = (of: string) => ben.post(`${path(of)}/revert`, { version: 1 })
    await expectUnknown(revert(id), revert(unknownId))
  },
  async redactVersion(ben, { id }) {
    await expectUnknown(ben.delete(`${path(id)}/history/1`), ben.delete(`${path(unknownId)}/history/1`))
  },
  async listSubjects(ben, { client }) {
    await client.store([{ text: 'Of Ada.', subject: 'ada' }])
    expect((await client.get('/v1/memory/subjects')).body.subjects).toHaveLength(1)
    expect((await ben.get('/v1/memory/subjects')).body).toEqual({ subjects: [], next_cursor: null })
  },
  async getSubject(ben, { client }) {
    await client.store([{ text: 'Of Ada.', subject: 'ada' }])
    expect((await ben.get('/v1/memory/subjects/ada')).status).toBe(404)
  },
  async exportSubject(ben, { client }) {
    await client.store([{ text: 'Of Ada.', subject: 'ada' }])
    expect((await ben.get('/v1/memory/subjects/ada/export')).status).toBe(404)
  },
  async eraseSubject(ben, { client }) {
    await client.store([{ text: 'Of Ada.', subject: 'ada' }])
    expect((await ben.delete('/v1/memory/subjects/ada')).status).toBe(404)
    expect((await client.get('/v1/memory/subjects/ada')).body.patterns).toBe(1)
  },
  async issueSubjectToken(ben, { client, text }) {
    await client.store([{ text: 'Of Ada.', subject: 'ada' }])
    const { token } = (await ben.post('/v1/memory/subject-tokens', { subject: 'ada' })).body
    const headers = { Authorization: `Bearer ${token}` }
    const listed = await (await fetch(`${server.url}/v1/memory/patterns`, { headers })).json()
    expect(listed.patterns).toEqual([])
    expect(await client.retrieve(text, { top_k: 1 })).toEqual([text])
  },
  async emptySpace(ben) {
    const { body } = await ben.delete('/v1/memory/patterns?confirm=all')
    expect(body).toEqual({ message: '0 patterns deleted' })
  },
  async accelerationStatus(ben) {
    const { body } = await ben.get('/v1/memory/acceleration/status')
    expect(JSON.stringify(body)).not.toMatch(/pat_|key_/)
  },
  async runAccelerationBenchmark(ben) {
    const { body } = await ben.post('/v1/memory/acceleration/benchmark', {
      operations: ['slerp'],
      n_iterations: 1,
    })
    expect(Object.keys(body.results)).toEqual(['slerp'])
  },
  async storeVector(ben) {
    const { body } = await ben.post('/v1/memory/store', { key: [1], value: [1] })
    expect(body.patterns_used).toBe(1)
    expect((await ben.get('/v1/memory/pattern/0')).body).toEqual({ key: [1], value: [1], metadata: null })
  },
  async batchStoreVectors(ben) {
    await ben.post('/v1/memory/batch/store', { patterns: [{ key: [1], value: [2] }] })
    expect((await ben.get('/v1/memory/pattern/0')).body.value).toEqual([2])
  },
  async queryVectors(ben, { embedding, metadata }) {
    for (const body of [{}, { top_k: 100 }, { filter: metadata }, { min_similarity: -1 }]) {
      const answer = await ben.post('/v1/memory/query', { embedding, ...body })
      expect(answer.body.results).toEqual([])
    }
  },
  async batchRetrieveVectors(ben, { embedding }) {
    const { body } = await ben.post('/v1/memory/batch/retrieve', { queries: [{ embedding, top_k: 100 }] })
    expect(body.results).toEqual([[]])
  },
  async retrieveVectors(ben, { embedding, metadata }) {
    for (const filter of [undefined, metadata]) {
      const { body } = await ben.post('/v1/memory/retrieve', { embedding, top_k: 100, filter })
      expect(body).toMatchObject({ results: [], info: { n_candidates: 0, original_top_score: 0 } })
    }
  },
  async querySemantic(ben, { embedding }) {
    const { body } = await ben.post('/v1/memory/query/semantic', { embedding, top_k: 50 })
    expect(body).toMatchObject({ results: [], info: { n_candidates: 0 } })
  },
  async composeFractional(ben, { id }) {
    const own = (await ben.store(['Ben drinks tea.']))[0]
    const between = (a: string | undefined, b: string | undefined) =>
      ben.post('/v1/memory/compose/fractional', { pattern_a_id: a, pattern_b_id: b })
    await expectUnknown(between(own, id), between(own, unknownId))
    await expectUnknown(between(id, id), between(unknownId, unknownId))
  },
  async changeVector(ben, { client, embedding }) {
    await client.post('/v1/memory/store', { key: embedding, value: [1] })
    const change = (key: number[]) => ben.request('PUT', '/v1/memory/pattern', { key, new_value: [2] })
    await expectUnknown(change(embedding), change([1]))
    expect((await client.get('/v1/memory/pattern/1')).body.value).toEqual([1])
  },
  async deleteVectors(ben, { embedding }) {
    const remove = (key: number[]) => ben.delete('/v1/memory/pattern', key)
    await expectUnknown(remove(embedding), remove([1]))
  },
  async getVector(ben) {
    await expectUnknown(ben.get('/v1/memory/pattern/0'), ben.get('/v1/memory/pattern/1'))
  },
  async retrieveTiered(ben, { text, metadata }) {
    for (const body of [{}, { tier: 'hot' }, { filter: metadata }, { tier: 'hot', filter: metadata }]) {
      const answer = await ben.post('/v1/memory/tiered/retrieve', { query: text, ...body })
      expect(answer.body).toEqual({ results: [] })
    }
  },
  async tierDistribution(ben) {
    const { body } = await ben.get('/v1/memory/tiered/distribution')
    expect(body).toEqual({ hot: 0, warm: 0, cold: 0, total: 0 })
  },
  async tierStatistics(ben) {
    const { body } = await ben.get('/v1/memory/tiered/stats')
    expect(body).toMatchObject({ hot_hit_rate: 0, total_accesses: 0 })
  },
  async explainText(ben, { text }) {
    const { body } = await ben.post('/v1/memory/text/explain', { query: text })
    expect(body).toMatchObject({ method: 'no_evidence', confidence: 0 })
    expect(body.explanation).not.toContain(text)
  },
  async classifyBelief(ben, { text }) {
    const { body } = await ben.post('/v1/memory/belief/classify', { query: text })
    expect(body).toMatchObject({ classification: 'novel', best_match_id: null, confidence: 1 })
  },
  async decideRouting(ben, { text }) {
    const { body } = await ben.post('/v1/memory/routing/decide', { query: text, context: text })
    expect(body).toMatchObject({ pathway: 'exact', geometric_surprise: 1 })
  },
  async evaluateEfe(ben, { text }) {
    const { body } = await ben.post('/v1/memory/efe/evaluate', { query: text })
    expect(body.evaluations.exact).toMatchObject({ epistemic_value: 0 })
    expect(body.evaluations.attention).toEqual(body.evaluations.exact)
  },
  async recallTexts(ben, { client, text, metadata }) {
    // Whatever somebody else's space has been taught.
    await client.post('/v1/memory/text/recall', { query: text })
    for (const body of [{ top_k: 50 }, { filter: metadata }, { min_similarity: -1 }]) {
      const answer = await ben.post('/v1/memory/text/recall', { query: text, ...body })
      expect(answer.body).toMatchObject({
        results: [],
        info: { candidates: 0, lexical_hits: 0, surprise: 1 },
      })
    }
    await ben.store(['Ben drinks tea.'])
    const { body } = await ben.post('/v1/memory/text/recall', { query: text, top_k: 50 })
    expect(body.results.map((each: { text: string }) => each.text)).toEqual(['Ben drinks tea.'])
  },
  async readContext(ben, { client, text, metadata }) {
    await client.store([{ text: 'It stands.', metadata: { protected: true } }])
    for (const body of [{}, { query: text }, { filter: metadata }, { since: '2001-01-01T00:00:00Z' }]) {
      const answer = await ben.post('/v1/memory/context', { format: 'json', ...body })
      expect(answer.body).toMatchObject({ items: [], tokens: 0, omitted: 0 })
    }
  },
  async predictTexts(ben, { client, text }) {
    await client.store(['another'])
    const { body } = await ben.post('/v1/memory/text/predict', { query: text, top_k: 50 })
    expect(body).toEqual({ predictions: [] })
  },
  async giveFeedback(ben, { client, id, text }) {
    const feedback = (pattern_id: string, query?: string) =>
      ben.post('/v1/memory/feedback', { pattern_id, useful: true, query })
    const before = (await client.get('/v1/memory/brain')).body
    await expectUnknown(feedback(id), feedback(unknownId))
    await expectUnknown(feedback(id, text), feedback(unknownId, text))
    expect((await client.get('/v1/memory/brain')).body).toEqual(before)
  },
  async readBrain(ben, { client, text }) {
    await client.retrieve(text)
    const { body } = await ben.get('/v1/memory/brain')
    expect(body).toMatchObject({ surprise: 0, temporal_predictions: [], patterns_total: 0, regime: 'normal' })
  },
  async regime(ben, { client }) {
    await client.post('/v1/memory/regime/inject-anomaly', { magnitude: 100 })
    const { body } = await ben.get('/v1/memory/regime')
    expect(body).toMatchObject({ regime: 'normal', anomaly_active: false, modulation_signal: 0 })
  },
  async regimeHistory(ben, { client, text }) {
    await client.retrieve(text)
    const { body } = await ben.get('/v1/memory/regime/history')
    expect(body).toMatchObject({ history: [], transitions: 0 })
  },
  async injectAnomaly(ben, { client }) {
    await ben.post('/v1/memory/regime/inject-anomaly', { magnitude: 100 })
    expect((await client.get('/v1/memory/regime')).body).toMatchObject({ regime: 'normal' })
  },
  async modulationState(ben, { client, text }) {
    const before = (await ben.get('/v1/memory/neuromodulation/state')).body
    await client.retrieve(text)
    expect((await ben.get('/v1/memory/neuromodulation/state')).body).toEqual(before)
  },
  async modulationHistory(ben, { client, text }) {
    await client.retrieve(text)
    const { body } = await ben.get('/v1/memory/neuromodulation/history')
    expect(body).toEqual({ signals: [], gates: [], timestamps: [] })
  },
  async calibrateModulation(ben, { client }) {
    const before = (await client.get('/v1/memory/neuromodulation/state')).body
    await ben.post('/v1/memory/neuromodulation/calibrate', { reason: 'test' })
    expect((await client.get('/v1/memory/neuromodulation/state')).body).toEqual(before)
  },
  async listNotifications(ben, { client }) {
    await newNotification(client)
    const { body } = await ben.get('/v1/notifications')
    expect(body).toMatchObject({ data: [], unread_count: 0, pagination: { total: 0, total_pages: 0 } })
  },
  async readNotification(ben, { client }) {
    const path = (id: string) => `/v1/notifications/${id}/read`
    const id = await newNotification(client)
    await expectUnknown(ben.patch(path(id)), ben.patch(path('notif_none')))
    expect((await client.get('/v1/notifications')).body.unread_count).toBe(1)
  },
  async readAllNotifications(ben, { client }) {
    await newNotification(client)
    expect((await ben.post('/v1/notifications/read-all')).body.marked_read).toBe(0)
    expect((await client.get('/v1/notifications')).body.unread_count).toBe(1)
  },
  async deleteNotification(ben, { client }) {
    const path = (id: string) => `/v1/notifications/${id}`
    const id = await newNotification(client)
    await expectUnknown(ben.delete(path(id)), ben.delete(path('notif_none')))
    expect((await client.get('/v1/notifications')).body.data).toMatchObject([{ id }])
  },
  async deleteReadNotifications(ben, { client }) {
    await newNotification(client)
    await client.post('/v1/notifications/read-all')
    const { body } = await ben.delete('/v1/notifications/read')
    expect(body).toEqual({ deleted: 0, preserved_unread: 0 })
    expect((await client.get('/v1/notifications')).body.data).toHaveLength(1)
  },
  async createWebhook(ben, { client }) {
    await newWebhook(ben)
    expect((await client.get('/v1/webhooks')).body.webhooks).toEqual([])
  },
  async listWebhooks(ben, { client }) {
    await newWebhook(client)
    expect((await ben.get('/v1/webhooks')).body).toEqual({ webhooks: [] })
  },
  getWebhook: onForeignWebhook((ben, at) => ben.get(at)),
  changeWebhook: onForeignWebhook((ben, at) => ben.patch(at, { status: 'disabled' })),
  deleteWebhook: onForeignWebhook((ben, at) => ben.delete(at)),
  rotateWebhookSecret: onForeignWebhook((ben, at) => ben.post(`${at}/rotate-secret`)),
  testWebhook: onForeignWebhook((ben, at) => ben.post(`${at}/test`)),
  listWebhookDeliveries: onForeignWebhook((ben, at) => ben.get(`${at}/deliveries`)),
  async redeliverWebhook(ben, { client }) {
    const hers = await newWebhook(client)
    const own = await newWebhook(ben)
    const { id } = (await client.post(`/v1/webhooks/${hers}/test`)).body
    const redeliver = (webhook: string, delivery: string) =>
      ben.post(`/v1/webhooks/${webhook}/deliveries/${delivery}/redeliver`)
    await expectUnknown(redeliver(hers, id), redeliver(randomUUID(), randomUUID()))
    await expectUnknown(redeliver(own, id), redeliver(own, randomUUID()))
  },
  async getWebhookDelivery(ben, { client }) {
    const hers = await newWebhook(client)
    const own = await newWebhook(ben)
    const { id } = (await client.post(`/v1/webhooks/${hers}/test`)).body
    const read = (webhook: string, delivery: string) =>
      ben.get(`/v1/webhooks/${webhook}/deliveries/${delivery}`)
    await expectUnknown(read(hers, id), read(randomUUID(), randomUUID()))
    await expectUnknown(read(own, id), read(own, randomUUID()))
  },
  async streamNotifications(ben, { client }) {
    const stream = async (after: Record<string, string>) => {
      const response = await fetch(`${ben.url}/v1/notifications/stream?max_seconds=1`, {
        headers: { 'X-API-Key': ben.key, ...after },
      })
      return response.text()
    }
    const [, last] = /^id: (.+)$/m.exec(await stream({})) as unknown as [string, string]
    await newNotification(client)
    const told = await stream({ 'Last-Event-ID': last })
    expect(told).toContain('event: unread')
    expect(told).not.toContain('event: notification')
  },
  async summarizeUsage(ben, { client }) {
    await client.retrieve('q')
    const { body } = await ben.get('/v1/usage/summary')
    expect(body).toMatchObject({
      patterns: { used: 0 },
      api_calls: { total: 0 },
      storage_mb: 0,
      rate_limit: { current: 0, peak_usage: 0 },
    })
  },
  async readUsageHistory(ben, { client }) {
    await client.retrieve('q')
    const { body } = await ben.get('/v1/usage/history?period=7d')
    const nothing = { api_calls: 0, stores: 0, retrieves: 0, patterns_total: 0, storage_mb: 0 }
    expect(body.data_points).toEqual(
      body.data_points.map(({ date }: { date: string }) => ({ date, ...nothing })),
    )
  },
  async readLatencies(ben, { client }) {
    await client.retrieve('q')
    const { body } = await ben.get('/v1/usage/latency')
    expect(body).toMatchObject({ total_requests: 0, percentiles: { p99: 0 } })
  },
  async breakDownUsage(ben, { client }) {
    await client.store([{ text: 'Of Ada.', subject: 'ada' }])
    const breakdown = async (by: string) => (await ben.get(`/v1/usage/breakdown?by=${by}`)).body
    expect(await breakdown('key')).toMatchObject({ total: 0, items: [] })
    expect(await breakdown('subject')).toMatchObject({ total: 0, items: [] })
    expect(await breakdown('operation')).toMatchObject({ total: 0 })
  },
  async readOrganizationUsage(ben, { client }) {
    const of = (id: string) => `/v1/usage/organization/${id}`
    await expectUnknown(ben.get(of(client.organizationId)), ben.get(of(randomUUID())))
    await ben.retrieve('q')
    const { body } = await ben.get(of(ben.organizationId))
    expect(body.by_key).toMatchObject([{ key_id: `key_${ben.keyId}`, api_calls: 1 }])
  },
  async sleep(ben, { client, text }) {
    await client.store([text])
    const { body } = await ben.post('/v1/memory/sleep', { batch_size: 20 })
    expect(body).toEqual({
      consolidated: 0,
      compositions_discovered: 0,
      patterns_strengthened: 0,
      patterns_weakened: 0,
      conflicts: 0,
    })
    // The text that was stored twice is still there twice.
    expect((await client.get('/v1/memory/text/stats')).body.total_patterns).toBe(2)
  },
  async listRuns(ben, { client }) {
    await client.post('/v1/memory/sleep', {})
    expect((await client.get('/v1/memory/runs')).body.runs).toHaveLength(1)
    expect((await ben.get('/v1/memory/runs')).body).toEqual({ runs: [], next_cursor: null })
  },
  async listConflicts(ben, { client }) {
    await findConflict(client)
    expect((await ben.get(conflictsPath)).body).toEqual({ conflicts: [], next_cursor: null })
  },
  async resolveConflict(ben, { client }) {
    const id = await findConflict(client)
    const resolve = (of: string) => ben.post(`${conflictsPath}/${of}/resolve`, { resolution: 'supersede' })
    await expectUnknown(resolve(id), resolve('cfl_01kagw5zdpk2r4f9m0x7y3v8qe'))
    expect((await client.get(conflictsPath)).body.conflicts).toMatchObject([
      { conflict_id: id, status: 'open' },
    ])
  },
  async reopenConflict(ben, { client }) {
    const id = await findConflict(client)
    await client.post(`${conflictsPath}/${id}/resolve`, { resolution: 'keep' })
    const reopen = (of: string) => ben.post(`${conflictsPath}/${of}/reopen`)
    await expectUnknown(reopen(id), reopen('cfl_01kagw5zdpk2r4f9m0x7y3v8qe'))
    expect((await client.get(`${conflictsPath}?status=kept`)).body.conflicts).toMatchObject([
      { conflict_id: id, status: 'kept' },
    ])
  },
  async explore(ben, { client }) {
    await client.store(['another'])
    const { body } = await ben.post('/v1/memory/explore', { batch_size: 20 })
    expect(body).toEqual({ explorations: [], total_explored: 0 })
    expect((await client.get(candidatesPath)).body).toEqual({ candidates: [] })
  },
  async exploreSuggestions(ben, { client }) {
    await client.store(['another'])
    expect((await client.get('/v1/memory/explore/suggestions')).body.suggestions).toHaveLength(1)
    expect((await ben.get('/v1/memory/explore/suggestions')).body).toEqual({ suggestions: [] })
  },
  async consolidationCandidates(ben, { client }) {
    await client.store(['another'])
    await client.post('/v1/memory/explore', { batch_size: 20 })
    expect((await client.get(candidatesPath)).body.candidates).toHaveLength(1)
    expect((await ben.get(candidatesPath)).body).toEqual({ candidates: [] })
  },
  async detectSpurious(ben, { client, text }) {
    await client.store([`${text} Indeed.`, `${text} Yes.`])
    const { body } = await ben.post('/v1/memory/explore/detect-spurious')
    expect(body).toEqual({ spurious_pairs: [], total_checked: 0, spurious_rate: 0 })
  },
  async warmPrefetch(ben, { client, text, embedding }) {
    await client.store(['another'])
    await client.retrieve(text)
    for (const body of [{}, { context_keys: [embedding], depth: 5 }]) {
      const answer = await ben.post('/v1/memory/prefetch/warmup', body)
      expect(answer.body).toEqual({ warmed_up: false, patterns_prefetched: 0, cache_size: 0 })
    }
  },
  async warmCluster(ben, { client, text, embedding }) {
    await client.retrieve(text)
    const { body } = await ben.post('/v1/memory/diagnostics/prefetch/warmup', { embedding })
    expect(body).toEqual({ patterns_prefetched: 0, cluster_size: 0 })
  },
  invalidatePrefetch: (ben, { client }) =>
    onForeignCache(client, () => ben.delete('/v1/memory/prefetch/invalidate')),
  invalidateCluster: (ben, { client }) =>
    onForeignCache(client, () => ben.post('/v1/memory/diagnostics/prefetch/invalidate')),
  async listReceipts(ben, { client, text }) {
    await client.store(['another'])
    await client.post('/v1/memory/text/forget', { query: 'another', threshold: 1 })
    expect((await client.get('/v1/memory/receipts')).body.receipts).toHaveLength(1)
    expect((await ben.get('/v1/memory/receipts')).body).toEqual({ receipts: [], next_cursor: null })
    expect(await client.retrieve(text, { top_k: 1 })).toEqual([text])
  },
  async verifyReceipt(ben, { client, id }) {
    await client.store(['another'])
    const { receipt } = (await client.post('/v1/memory/text/forget', { query: 'another', threshold: 1 })).body
    const { body } = await ben.post('/v1/memory/receipts/verify', { receipt, pattern_ids: [id] })
    expect(body).toMatchObject({ valid: false, fault: 'organization', remaining: null, claims: null })
  },
  composeVectors: holdsNothing,
  compareTexts: holdsNothing,
  embedText: holdsNothing,
  createEmbeddings: holdsNothing,
}

async function newAda(): Promise<Secrets> {
  const client = await newConformingClient(server)
  const secret = { text: 'Ada has asthma.', metadata: { category: 'health', user: 'ada' } }
  const [id] = await client.store([secret])
  await client.retrieve(secret.text)
  await server.context.memory.accesses.flush()
  const { body } = await client.post('/v1/memory/text/embed', { text: secret.text })
  return { client, id: id as string, ...secret, embedding: body.embedding }
}

describe('an organization', () => {
  it('I5 is tried by API key against every operation that is open to keys', () => {
    const open = routes.map((route) => route.operation).filter(({ access }) => isScope(access))
    expect(open.map(({ id }) => id).toSorted()).toEqual(Object.keys(cases).toSorted())
  })

  it.each(Object.entries(cases))(
    'I5 I6 neither sees nor touches another one’s data by %s',
    async (_id, attack) => {
      const ada = await newAda()
      const ben = await newConformingClient(server)
      const before = comparable(await ada.client.get(path(ada.id)))
      await attack(ben, ada)
      expect(comparable(await ada.client.get(path(ada.id)))).toEqual(before)
      expect(await ada.client.retrieve(ada.text, { top_k: 1 })).toEqual([ada.text])
    },
  )

  it('I5 gets no answer kept for another one’s Idempotency-Key', async () => {
    const [ada, ben] = [await newConformingClient(server), await newConformingClient(server)]
    const send = (client: ConformingClient) =>
      client.post('/v1/memory/text/store', { text: 'the same' }, { 'Idempotency-Key': 'guessable' })
    const first = await send(ada)
    const second = await send(ben)
    expect(second.headers.get('Idempotent-Replay')).toBe(null)
    expect(second.body.pattern_id).not.toBe(first.body.pattern_id)
  })

  it('I6 counts its own queries and patterns alone', async () => {
    const { queries } = server.context.database
    const [ada, ben] = [
      await newConformingClient(server, { plan: 'free' }),
      await newConformingClient(server, { plan: 'free' }),
    ]
    for (let i = 0; i < 5; i++) await ada.retrieve('q')
    await ben.retrieve('q')
    const used = await queries.transaction().execute(async (trx) => {
      await sql`set local role none`.execute(trx)
      const { rows } = await sql<{ used: number }>`
        select c.used::int as used from app.query_counts c join app.spaces s on s.id = c.space_id
          where s.organization_id in (${ada.organizationId}, ${ben.organizationId}) order by 1`.execute(trx)
      return rows.map((row) => row.used)
    })
    expect(used).toEqual([1, 5])
  })

  it('I3 sees only its own rows in 400 requests of four organizations, 32 at a time', async () => {
    const names = ['Ada', 'Ben', 'Cleo', 'Dan']
    const clients = await Promise.all(
      names.map(async (name) => {
        const client = await newConformingClient(server)
        await client.store([`${name} likes tea`, `${name} likes music`])
        return { name, client }
      }),
    )
    const ask = async (client: ConformingClient, i: number) => {
      switch (i % 4) {
        case 0:
          return (await client.post('/v1/memory/text/retrieve', { query: 'likes tea' })).body.results
        case 1:
          return (await client.get('/v1/memory/patterns')).body.patterns
        case 2:
          return client.patch(path(unknownId), { text: 'likes tea' }).then(() => [])
        default:
          return (await client.delete('/v1/memory/text/forget', { query: 'none', threshold: 1 })).body
            .pattern_ids
      }
    }
    const answers: { name: string; texts: string[] }[] = []
    let left = 100
    // More at a time would wait for one of the two connections longer than they may.
    const askInTurn = async () => {
      for (let i = --left; i >= 0; i = --left) {
        const four = clients.map(async ({ name, client }) => {
          const found = await ask(client, i)
          answers.push({ name, texts: found.map((each: { text: string }) => each.text) })
        })
        await Promise.all(four)
      }
    }
    await Promise.all(Array.from({ length: 8 }, askInTurn))
    for (const { name, texts } of answers) {
      for (const text of texts) expect(text).toMatch(new RegExp(`^${name} `))
    }
    expect(answers.flatMap(({ texts }) => texts)).toHaveLength(4 * 50 * 2)
  })
})

describe('a statement without a tenant', () => {
  it('I2 runs as a role that owns nothing and can bypass nothing', async () => {
    const { queries } = server.context.database
    const { rows } = await sql<Record<string, unknown>>`
      select current_user::text as name, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
             exists (select from pg_class where relowner = r.oid) as owns
        from pg_roles r where rolname = current_user`.execute(queries)
    expect(rows).toEqual([
      {
        name: 'memory_app',
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        owns: false,
      },
    ])
  })

  it('I1 I3 sees no row of any tenant table, each of which forces row level security', async () => {
    await newAda()
    const { queries } = server.context.database
    const { rows: tables } = await sql<{ name: string; secured: boolean }>`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as secured
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'app' and c.relkind = 'r' order by 1`.execute(queries)
    const readable = tables.filter(({ name }) => !['migrations', 'plans', 'encoder'].includes(name))
    expect(readable.length).toBeGreaterThanOrEqual(8)
    for (const { name, secured } of readable) {
      expect(secured, name).toBe(true)
      const { rows } = await sql`select from ${sql.table(`app.${name}`)} limit 1`.execute(queries)
      expect(rows, name).toEqual([])
    }
  })
})
