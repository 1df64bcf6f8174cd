import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../platform/open-database.ts'
import { newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { auditOf, setPatternsUsed } from './support.ts'

let server: TestServer
let admin: User

beforeAll(async () => {
  server = await startServer()
  admin = await newUser(server, { platformAdmin: true })
})

afterAll(() => server.close())

const planOf = ({ organizationId }: User) => `/v1/admin/organizations/${organizationId}/plan`

describe('a plan', () => {
  it('is changed by platform admins, effective at once and audited', async () => {
    const ada = await newUser(server)
    const create = () => ada.post('/v1/api-keys', { name: 'n' })
    await create()
    await create()
    expect((await create()).status).toBe(403)
    const { status, body } = await admin.put(planOf(ada), { plan: 'starter' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: ada.organizationId,
      name: expect.any(String),
      plan: 'starter',
      limits: { patterns: 10_000, queries_per_day: 10_000, api_keys: 5, members: 3 },
      subject_limits: { patterns: null, queries_per_day: null },
      created_at: expect.any(String),
    })
    expect((await create()).status).toBe(200)
    expect((await ada.get(`/v1/organizations/${ada.organizationId}`)).body.plan).toBe('starter')
    // The same plan once more changes nothing.
    expect((await admin.put(planOf(ada), { plan: 'starter' })).status).toBe(200)
    expect(await auditOf(server, ada, /^plan_changed$/)).toMatchObject([
      {
        actor: 'user',
        actor_id: admin.userId,
        target: ada.organizationId,
        details: { from: 'free', to: 'starter' },
      },
    ])
    // Nor is where those who run the service were when they did it.
    const { entries } = (await ada.get('/v1/security/audit-log?action=plan_changed')).body
    expect(entries).toEqual([
      {
        action: 'plan_changed',
        actor_email: admin.email,
        details: { from: 'free', to: 'starter' },
        success: true,
        timestamp: expect.any(String),
      },
    ])
  })

  it('that holds less than is stored is told of, as are patterns that are more than it holds', async () => {
    const ada = await newUser(server)
    const change = (plan: string) => admin.put(planOf(ada), { plan })
    const told = async () => {
      const { body } = await ada.get('/v1/notifications')
      return body.data.map(({ type, details }: { type: string; details: object }) => [type, details]).sort()
    }
    await change('enterprise')
    await setPatternsUsed(server, ada, 9_000)
    await change('starter')
    const near = ['pattern_limit_warning', { patterns_used: 9_000, patterns_limit: 10_000 }]
    expect(await told()).toEqual([near])
    await change('free')
    const reached = ['pattern_limit_reached', { patterns_used: 9_000, patterns_limit: 5_000 }]
    expect(await told()).toEqual([reached, near])
    await change('pro')
    expect(await told()).toHaveLength(2)
  })

  it('is told of by what has not expired alone', async () => {
    const ada = await newUser(server)
    const client = await server.newClient({ organizationId: ada.organizationId, plan: 'free' })
    const told = async () => {
      const { body } = await ada.get('/v1/notifications')
      return body.data.map(({ details }: { details: object }) => details)
    }
    const store = async (count: number) => {
      const patterns = Array.from({ length: count }, (_, i) => ({ key: [1, i], value: [i] }))
      expect((await client.post('/v1/memory/batch/store', { patterns })).status).toBe(200)
    }
    await store(500)
    await asOwner(server.context.database.queries, (trx) =>
      sql`update app.patterns set expires_at = now() - interval '1 second' from app.spaces s
        where s.id = space_id and s.organization_id = ${ada.organizationId}`.execute(trx),
    )
    await setPatternsUsed(server, ada, 3_900)
    await store(600)
    expect(await told()).toEqual([])
    // 3,999 and the 500 that have expired.
    await setPatternsUsed(server, ada, 4_499)
    await store(2)
    expect(await told()).toEqual([{ patterns_used: 4_001, patterns_limit: 5_000 }])
  })

  it('is not for anybody else to change', async () => {
    const ada = await newUser(server)
    expect(await ada.put(planOf(ada), { plan: 'enterprise' })).toMatchObject({
      status: 403,
      body: { detail: 'Platform admin required' },
    })
    expect((await ada.get(`/v1/organizations/${ada.organizationId}`)).body.plan).toBe('free')
  })

  it.each([[{}], [{ plan: 'gold' }], [{ plan: null }], [undefined]])('is not changed by %j', async (body) => {
    expect((await admin.put(planOf(await newUser(server)), body)).status).toBe(422)
  })

  it('belongs to an organization that is there', async () => {
    const unknown = `/v1/admin/organizations/${randomUUID()}/plan`
    expect(await admin.put(unknown, { plan: 'pro' })).toMatchObject({
      status: 404,
      body: { detail: 'Organization not found' },
    })
    expect((await admin.put('/v1/admin/organizations/1/plan', { plan: 'pro' })).status).toBe(422)
  })

  it('that becomes smaller keeps what is stored, refuses more, and deleting makes room', async () => {
    const ada = await newUser(server)
    await admin.put(planOf(ada), { plan: 'starter' })
    const store = (i: number) => ada.post('/v1/memory/store', { key: [1, i], value: [1, i] })
    for (const i of [0, 1, 2]) expect((await store(i)).status).toBe(200)
    await setPatternsUsed(server, ada, 5_002)
    await admin.put(planOf(ada), { plan: 'free' })
    expect(await store(3)).toMatchObject({ status: 429, body: { detail: 'Pattern storage limit reached' } })
    const { body: found } = await ada.post('/v1/memory/retrieve', { embedding: [1, 2] })
    expect(found.results).toHaveLength(3)
    for (const i of [0, 1]) expect((await ada.delete('/v1/memory/pattern', [1, i])).status).toBe(200)
    expect((await store(3)).status).toBe(429)
    expect((await ada.delete('/v1/memory/pattern', [1, 2])).status).toBe(200)
    expect((await store(3)).body).toMatchObject({ patterns_used: 5_000, patterns_limit: 5_000 })
    expect((await store(4)).status).toBe(429)
    await admin.put(planOf(ada), { plan: 'starter' })
    expect((await store(4)).body).toMatchObject({ patterns_used: 5_001, patterns_limit: 10_000 })
  })
})
