import { createHash } from 'node:crypto'
import { purgeIdempotencyKeys } from '@memory/memory/housekeeping'
import { plans } from '@memory/shared/catalogue/plans'
import { IdempotencyClaims } from '@memory/shared/platform/idempotency'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { faultsOf, getSpace, inSpace, rule } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterEach(() => void vi.restoreAllMocks())

afterAll(() => server.close())

const store = '/v1/memory/text/store'
const batchStore = '/v1/memory/text/batch-store'
const under = (key: string) => ({ 'Idempotency-Key': key })

describe('Idempotency-Key', () => {
  it.each<[string, object]>([
    [store, { text: 'once' }],
    [batchStore, { items: [{ text: 'once' }, { text: 'twice' }] }],
  ])('F3 repeats the first answer of %s and stores once', async (path, body) => {
    const ada = await newConformingClient(server)
    const first = await ada.post(path, body, under('k1'))
    const again = await ada.post(path, body, under('k1'))
    expect(first.status).toBe(200)
    expect(first.headers.get('Idempotent-Replay')).toBe(null)
    expect(again.status).toBe(200)
    expect(again.headers.get('Idempotent-Replay')).toBe('true')
    expect(again.body).toEqual(first.body)
    const count = path === store ? 1 : 2
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: count, next_idx: count })
  })

  it('F3 refuses another body under the same key with 422 and stores nothing more', async () => {
    const ada = await newConformingClient(server)
    await ada.post(store, { text: 'one' }, under('k1'))
    const other = await ada.post(store, { text: 'another' }, under('k1'))
    expect(faultsOf(other)).toEqual([
      rule(['header', 'idempotency-key'], 'this Idempotency-Key was used with another body'),
    ])
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 1 })
    const { headers } = await ada.post(store, { text: 'one' }, under('k1'))
    expect(headers.get('Idempotent-Replay')).toBe('true')
  })

  it('F3 lets one of 20 parallel twins store; the others get its answer or 409', async () => {
    const ada = await newConformingClient(server)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ada.post(store, { text: 'contested' }, under('twins'))),
    )
    const stored = answers.filter(({ status }) => status === 200)
    expect(new Set(stored.map(({ body }) => body.pattern_id)).size).toBe(1)
    expect(stored.filter(({ headers }) => headers.get('Idempotent-Replay') === null)).toHaveLength(1)
    for (const { status, body, headers } of answers) {
      if (status === 200) continue
      expect(status).toBe(409)
      expect(body).toEqual({ detail: 'A request with this Idempotency-Key is still running' })
      expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
    }
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 1, next_idx: 1 })
    const later = await ada.post(store, { text: 'contested' }, under('twins'))
    expect(later.body).toEqual(stored[0]?.body)
  })

  it('answers 409 while the first request runs', async () => {
    const ada = await newConformingClient(server)
    const embedding = Promise.withResolvers<Float32Array>()
    const embed = vi.spyOn(server.context.memory.compute, 'embed').mockReturnValueOnce(embedding.promise)
    const first = ada.post(store, { text: 'slow' }, under('k1'))
    await vi.waitFor(() => expect(embed).toHaveBeenCalled())
    expect((await ada.post(store, { text: 'slow' }, under('k1'))).status).toBe(409)
    expect((await ada.post(store, { text: 'other' }, under('k1'))).status).toBe(422)
    embedding.resolve(new Float32Array(384).fill(1))
    expect((await first).status).toBe(200)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 1 })
  })

  it('can be used again after a request that was not valid', async () => {
    const ada = await newConformingClient(server)
    expect((await ada.post(store, { text: '' }, under('k1'))).status).toBe(422)
    const { status, headers } = await ada.post(store, { text: 'valid' }, under('k1'))
    expect(status).toBe(200)
    expect(headers.get('Idempotent-Replay')).toBe(null)
  })

  it('can be used again after a request that failed', async () => {
    const ada = await newConformingClient(server)
    vi.spyOn(server.context.memory.compute, 'embed').mockRejectedValueOnce(new Error('broken'))
    expect((await ada.post(store, { text: 'flaky' }, under('k1'))).status).toBe(500)
    expect((await ada.post(store, { text: 'flaky' }, under('k1'))).status).toBe(200)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 1 })
  })

  it('can be used again after the storage limit has made way', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    const setUsed = (used: number) =>
      inSpace(server, ada, (trx, { id }) =>
        trx
          .withSchema('app')
          .updateTable('spaces')
          .set({ patterns_used: used })
          .where('id', '=', id)
          .execute(),
      )
    await setUsed(plans.free.patterns)
    expect((await ada.post(store, { text: 'patient' }, under('k1'))).status).toBe(429)
    await setUsed(0)
    expect((await ada.post(store, { text: 'patient' }, under('k1'))).status).toBe(200)
    await setUsed(plans.free.patterns)
    const replayed = await ada.post(store, { text: 'patient' }, under('k1'))
    expect(replayed.status).toBe(200)
    expect(replayed.headers.get('Idempotent-Replay')).toBe('true')
  })

  it('belongs to one route, one space and one organization', async () => {
    const ada = await newConformingClient(server)
    const { organizationId } = ada
    const test = await newConformingClient(server, { environment: 'test', organizationId })
    const ben = await newConformingClient(server)
    const answers = [
      await ada.post(store, { text: 'a' }, under('shared')),
      await ada.post(batchStore, { items: [{ text: 'b' }] }, under('shared')),
      await test.post(store, { text: 'c' }, under('shared')),
      await ben.post(store, { text: 'd' }, under('shared')),
    ]
    expect(answers.map(({ status, headers }) => [status, headers.get('Idempotent-Replay')])).toEqual(
      answers.map(() => [200, null]),
    )
    expect(await ada.retrieve('letter')).toHaveLength(2)
    expect(await test.retrieve('letter')).toEqual(['c'])
    expect(await ben.retrieve('letter')).toEqual(['d'])
  })

  it('is shared by the keys of one organization', async () => {
    const ada = await newConformingClient(server)
    const second = await newConformingClient(server, { organizationId: ada.organizationId })
    const first = await ada.post(store, { text: 'same space' }, under('k1'))
    const again = await second.post(store, { text: 'same space' }, under('k1'))
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('Idempotent-Replay')).toBe('true')
  })

  it.each(['k', 'k'.repeat(255), 'a b/c:"d"', '../..'])('may be %j', async (key) => {
    const ada = await newConformingClient(server)
    expect((await ada.post(store, { text: 'keyed' }, under(key))).status).toBe(200)
    expect((await ada.post(store, { text: 'keyed' }, under(key))).headers.get('Idempotent-Replay')).toBe(
      'true',
    )
  })

  it.each<[string, string, unknown]>([
    [
      'empty',
      '',
      {
        type: 'string_too_short',
        loc: ['header', 'idempotency-key'],
        msg: 'String should have at least 1 character',
        ctx: { min_length: 1 },
      },
    ],
    [
      'longer than 255 characters',
      'k'.repeat(256),
      {
        type: 'string_too_long',
        loc: ['header', 'idempotency-key'],
        msg: 'String should have at most 255 characters',
        ctx: { max_length: 255 },
      },
    ],
  ])('may not be %s', async (_name, key, fault) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(store, { text: 'keyed' }, under(key)))).toEqual([fault])
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 0 })
  })

  it('is not looked at by what stores nothing', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['fact'])
    for (const query of ['fact', 'another']) {
      const { status, headers } = await ada.post('/v1/memory/text/retrieve', { query }, under('k1'))
      expect(status).toBe(200)
      expect(headers.get('Idempotent-Replay')).toBe(null)
    }
  })

  it('ends after 24 hours', async () => {
    const ada = await newConformingClient(server)
    const age = (interval: string) =>
      inSpace(server, ada, (trx) =>
        sql`update app.idempotency_keys set created_at = now() - ${interval}::interval`.execute(trx),
      )
    const kept = () =>
      inSpace(server, ada, async (trx) => {
        const { rows } = await sql`select from app.idempotency_keys`.execute(trx)
        return rows.length
      })
    const first = await ada.post(store, { text: 'daily' }, under('k1'))
    await age('23 hours 59 minutes')
    await purgeIdempotencyKeys(server.context.database.queries)
    expect((await ada.post(store, { text: 'daily' }, under('k1'))).body).toEqual(first.body)
    await age('24 hours 1 minute')
    const anew = await ada.post(store, { text: 'daily' }, under('k1'))
    expect(anew.headers.get('Idempotent-Replay')).toBe(null)
    expect(anew.body.patterns_used).toBe(2)
    await age('24 hours 1 minute')
    await purgeIdempotencyKeys(server.context.database.queries)
    expect(await kept()).toBe(0)
  })

  it('is held by a request for as long as it runs', async () => {
    const ada = await newConformingClient(server)
    const embedding = Promise.withResolvers<Float32Array>()
    const embed = vi.spyOn(server.context.memory.compute, 'embed').mockReturnValueOnce(embedding.promise)
    const slow = ada.post(store, { text: 'slow' }, under('k1'))
    await vi.waitFor(() => expect(embed).toHaveBeenCalled())
    await inSpace(server, ada, (trx) =>
      sql`update app.idempotency_keys set claimed_until = now() - interval '1 second'`.execute(trx),
    )
    expect((await ada.post(store, { text: 'slow' }, under('k1'))).status).toBe(409)
    embedding.resolve(new Float32Array(384).fill(1))
    expect((await slow).status).toBe(200)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 1 })
  })

  it('that another process took over makes what the first would store be rolled back', async () => {
    const ada = await newConformingClient(server)
    const embedding = Promise.withResolvers<Float32Array>()
    const embed = vi.spyOn(server.context.memory.compute, 'embed').mockReturnValueOnce(embedding.promise)
    const body = { text: 'stalled' }
    const stalled = ada.post(store, body, under('k1'))
    await vi.waitFor(() => expect(embed).toHaveBeenCalled())
    await inSpace(server, ada, (trx) =>
      sql`update app.idempotency_keys set claimed_until = now() - interval '1 second'`.execute(trx),
    )
    const { database, log } = server.context
    const other = new IdempotencyClaims(database.queries, log)
    const { id: spaceId } = await getSpace(server, ada)
    const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest()
    const taken = await other.claim({ spaceId, route: 'storeText', key: 'k1', bodyHash })
    if (taken.outcome !== 'claimed') throw new Error(taken.outcome)
    embedding.resolve(new Float32Array(384).fill(1))
    expect((await stalled).status).toBe(409)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 0 })
    await other.release(taken.held)
    expect((await ada.post(store, body, under('k1'))).status).toBe(200)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 1 })
  })
})
