import { randomUUID } from 'node:crypto'
import { routes } from '@memory/api/routes'
import { newApiKey } from '@memory/identity/keys/api-key'
import { isScope } from '@memory/shared/catalogue/operation'
import type { PlanName } from '@memory/shared/catalogue/plans'
import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember, auditOf, setPlan } from '../organizations/support.ts'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import { ConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const stats = '/v1/memory/text/stats'
const aMinute = 60_000
const inAnHour = () => new Date(Date.now() + 60 * aMinute).toISOString()

/** A user whose organization may have 100 keys. */
async function newOwner(plan: PlanName = 'scale'): Promise<User> {
  const owner = await newUser(server)
  await setPlan(server, owner, plan)
  return owner
}

const presenting = (owner: User, key: string) =>
  new ConformingClient(server.url, { key, keyId: '', organizationId: owner.organizationId })

/** The two families of paths do the same. */
const families: [string, (user: User) => string][] = [
  ['the shortcut', () => '/v1/api-keys'],
  ['the organization’s path', ({ organizationId }) => `/v1/organizations/${organizationId}/api-keys`],
]

describe.each(families)('API keys by %s', (_name, pathOf) => {
  it('are made, used, changed and revoked', async () => {
    const ada = await newOwner()
    const path = pathOf(ada)
    const made = await ada.post(path, { name: 'production', scopes: ['memory:read'] })
    expect(made.status).toBe(200)
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'production',
      key: expect.stringMatching(/^mem_live_[0-9A-Za-z]{49}$/),
      key_prefix: made.body.key.slice(0, 16),
      environment: 'live',
      scopes: ['memory:read'],
      subject: null,
      shared: false,
      created_at: expect.any(String),
      message: expect.any(String),
    })
    const client = presenting(ada, made.body.key)
    expect((await client.get(stats)).status).toBe(200)

    const listed = await ada.get(path)
    const { key: _, message: __, ...created } = made.body
    const { id } = created
    const shown = { ...created, last_used_at: null }
    expect(listed.body).toEqual([{ ...shown, expires_at: null }])

    const expires_at = inAnHour()
    const changed = await ada.patch(`${path}/${id}`, { name: 'renamed', scopes: null, expires_at })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...shown, name: 'renamed', scopes: null, expires_at })
    expect((await client.post('/v1/memory/text/store', { text: 'now it may write' })).status).toBe(200)

    const revoked = await ada.delete(`${path}/${id}`)
    expect(revoked.status).toBe(200)
    expect((await client.get(stats)).status).toBe(401)
    expect((await ada.get(path)).body).toEqual([])
    expect((await ada.delete(`${path}/${id}`)).body).toEqual({ detail: 'API key not found' })
    expect((await ada.patch(`${path}/${id}`, { name: 'again' })).status).toBe(404)
  })

  it('are shown to members; administrators alone make, change and revoke them', async () => {
    const ada = await newOwner()
    const path = pathOf(ada)
    const { body: made } = await ada.post(path, { name: 'production' })
    const [admin, member] = [await newUser(server), await newUser(server)]
    await addMember(server, ada, admin, 'admin')
    await addMember(server, ada, member, 'member')
    const here = { 'X-Organization-Id': ada.organizationId }
    for (const user of [admin, member]) {
      expect((await user.get(path, here)).body.map(({ id }: { id: string }) => id)).toEqual([made.id])
    }
    const refusal = { status: 403, body: { detail: 'Organization admin required' } }
    expect(await member.post(path, { name: 'mine' }, here)).toMatchObject(refusal)
    expect(await member.patch(`${path}/${made.id}`, { name: 'mine' }, here)).toMatchObject(refusal)
    expect(await member.delete(`${path}/${made.id}`, undefined, here)).toMatchObject(refusal)
    expect(await member.delete(`${path}/${randomUUID()}`, undefined, here)).toMatchObject(refusal)
    expect((await admin.post(path, { name: 'second' }, here)).status).toBe(200)
    expect((await admin.patch(`${path}/${made.id}`, { name: 'theirs' }, here)).status).toBe(200)
    expect((await admin.delete(`${path}/${made.id}`, undefined, here)).status).toBe(200)
  })

  it('I5 of another organization are as unknown as a random id', async () => {
    const [ada, ben] = [await newOwner(), await newOwner()]
    const { body: made } = await ben.post('/v1/api-keys', { name: 'ben’s' })
    for (const id of [made.id, randomUUID()]) {
      const missing = { status: 404, body: { detail: 'API key not found' } }
      expect(await ada.patch(`${pathOf(ada)}/${id}`, { name: 'taken' })).toMatchObject(missing)
      expect(await ada.delete(`${pathOf(ada)}/${id}`)).toMatchObject(missing)
    }
    expect((await presenting(ben, made.key).get(stats)).status).toBe(200)
    expect((await ben.get('/v1/api-keys')).body[0].name).toBe('ben’s')
  })

  it.each<[string, object, (string | number)[], string]>([
    ['no name', {}, ['body', 'name'], 'missing'],
    ['an empty name', { name: '' }, ['body', 'name'], 'string_too_short'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, ['body', 'name'], 'string_too_long'],
    ['an unknown environment', { name: 'n', environment: 'staging' }, ['body', 'environment'], 'enum'],
    ['an unknown scope', { name: 'n', scopes: ['memory:read', 'all'] }, ['body', 'scopes', 1], 'enum'],
    ['scopes that are no list', { name: 'n', scopes: 'memory:read' }, ['body', 'scopes'], 'list_type'],
    [
      'an expiry that has passed',
      { name: 'n', expires_at: '2020-01-01T00:00:00Z' },
      ['body', 'expires_at'],
      'value_error',
    ],
    [
      'an expiry that is no time',
      { name: 'n', expires_at: 'tomorrow' },
      ['body', 'expires_at'],
      'datetime_from_date_parsing',
    ],
  ])('are not made with %s', async (_what, body, loc, type) => {
    const ada = await newOwner()
    const refused = await ada.post(pathOf(ada), body)
    expect(refused.status).toBe(422)
    expect(refused.body.detail).toEqual([expect.objectContaining({ loc, type })])
    expect((await ada.get(pathOf(ada))).body).toEqual([])
  })

  it('keep what a change leaves out, and are not changed to what is not valid', async () => {
    const ada = await newOwner()
    const expires_at = inAnHour()
    const request = { name: 'kept', environment: 'test', scopes: ['memory:read'], expires_at }
    const { body: made } = await ada.post(pathOf(ada), request)
    const path = `${pathOf(ada)}/${made.id}`
    for (const body of [{}, { name: null }, { unknown: 1 }, undefined]) {
      expect((await ada.patch(path, body)).body).toMatchObject(request)
    }
    for (const body of [
      { scopes: ['none'] },
      { expires_at: new Date(Date.now() - aMinute).toISOString() },
      { name: '' },
      { name: 5 },
    ]) {
      expect((await ada.patch(path, body)).status).toBe(422)
    }
    expect((await ada.get(pathOf(ada))).body).toMatchObject([request])
    expect((await ada.patch(path, { expires_at: null, scopes: null })).body).toMatchObject({
      name: 'kept',
      scopes: null,
      expires_at: null,
    })
    expect((await ada.patch(`${pathOf(ada)}/42`, {})).body.detail[0]).toMatchObject({
      type: 'uuid_parsing',
      loc: ['path', 'key_id'],
    })
  })

  it('with a subject have no scope that opens nothing for them', async () => {
    const ada = await newOwner()
    const fault = (index: number) => ({
      status: 422,
      body: { detail: [{ type: 'value_error', loc: ['body', 'scopes', index] }] },
    })
    const bound = { name: 'phone', subject: 'eve' }
    for (const scope of ['usage:read', 'webhooks:write', 'ops:run']) {
      const scopes = ['memory:read', scope]
      expect(await ada.post(pathOf(ada), { ...bound, scopes })).toMatchObject(fault(1))
    }
    const { status, body } = await ada.post(pathOf(ada), {
      ...bound,
      scopes: ['memory:read', 'memory:write'],
    })
    expect(status).toBe(200)
    const path = `${pathOf(ada)}/${body.id}`
    expect(await ada.patch(path, { scopes: ['usage:read'] })).toMatchObject(fault(0))
    expect((await ada.patch(path, { scopes: ['memory:read'] })).status).toBe(200)
    expect((await ada.patch(path, { scopes: null })).status).toBe(200)
  })

  it('are audited with their names, never with their values', async () => {
    const ada = await newOwner()
    const path = pathOf(ada)
    const { body: made } = await ada.post(path, { name: 'watched', environment: 'test' })
    await ada.patch(`${path}/${made.id}`, { scopes: ['memory:read'] })
    await ada.patch(`${path}/${made.id}`, {})
    // What is so already is no change.
    const same = { name: 'watched', scopes: ['memory:read'], expires_at: null }
    expect((await ada.patch(`${path}/${made.id}`, same)).body).toMatchObject(same)
    await ada.delete(`${path}/${made.id}`)
    await ada.post(path, { name: '' })
    await ada.delete(`${path}/${made.id}`)
    const entries = await auditOf(server, ada, /^key_/)
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['key_created', { key_name: 'watched', environment: 'test' }],
      ['key_updated', { key_name: 'watched', changed: ['scopes'] }],
      ['key_revoked', { key_name: 'watched' }],
    ])
    for (const entry of entries) {
      expect(entry).toMatchObject({
        actor: 'user',
        actor_id: ada.userId,
        actor_email: ada.email,
        session_id: ada.sessionId,
        user_id: ada.userId,
        target: made.id,
        success: true,
      })
      expect(JSON.stringify(entry)).not.toContain(made.key.slice(16))
    }
  })
})

describe('an API key made over HTTP', () => {
  it('names the user who made it', async () => {
    const ada = await newOwner()
    await ada.post('/v1/api-keys', { name: 'mine' })
    const { organizationId } = ada
    const row = await asTenant(server.context.database.queries, { organizationId }, (trx) =>
      trx.withSchema('app').selectFrom('api_keys').select('created_by').executeTakeFirstOrThrow(),
    )
    expect(row.created_by).toBe(ada.userId)
  })

  it('K2 belongs to the caller’s organization, whatever the body says', async () => {
    const [ada, ben] = [await newOwner(), await newOwner()]
    const claims = { organization_id: ben.organizationId, org_id: ben.organizationId, plan: 'enterprise' }
    const { body: made } = await ada.post('/v1/api-keys', { name: 'n', ...claims })
    expect((await ben.get('/v1/api-keys')).body).toEqual([])
    expect((await ada.get('/v1/api-keys')).body).toMatchObject([{ id: made.id }])
    await presenting(ada, made.key).store(['a fact of ada'])
    expect((await ben.get(stats)).body.total_patterns).toBe(0)
    expect((await ada.get(stats)).body.total_patterns).toBe(1)
  })

  it('grants nothing with an empty list of scopes', async () => {
    const ada = await newOwner()
    const { body: made } = await ada.post('/v1/api-keys', { name: 'n', scopes: [] })
    expect(made.scopes).toEqual([])
    const client = presenting(ada, made.key)
    expect((await client.get(stats)).status).toBe(403)
    expect((await client.post('/v1/memory/text/store', { text: 'no' })).status).toBe(403)
    expect((await ada.get('/v1/api-keys')).body[0].scopes).toEqual([])
  })

  it('K1 is in no list and in no answer but the first', async () => {
    const ada = await newOwner()
    const { body: made } = await ada.post('/v1/api-keys', { name: 'n' })
    const path = `/v1/api-keys/${made.id}`
    const answers = [
      await ada.get('/v1/api-keys'),
      await ada.patch(path, { name: 'm' }),
      await ada.delete(path),
    ]
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(made.key.slice(16))
    expect(server.logLines.join('\n')).not.toContain(made.key.slice(16))
  })

  it('K2 reaches no account, key, organization, session or administration endpoint', async () => {
    const ada = await newOwner()
    const { body: made } = await ada.post('/v1/api-keys', { name: 'n' })
    const client = presenting(ada, made.key)
    const closed = routes
      .map(({ operation }) => operation)
      .filter(({ access }) => access !== 'anyone' && !isScope(access))
    expect(closed.length).toBeGreaterThanOrEqual(8)
    for (const { method, path } of closed) {
      const target = path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
        name === 'org_id' ? ada.organizationId : name === 'key_id' ? made.id : randomUUID(),
      )
      const refused = await client.request(method.toUpperCase(), target, method === 'get' ? undefined : {})
      expect(refused, `${method} ${target}`).toMatchObject({
        status: 403,
        body: { detail: 'This endpoint requires a user access token' },
      })
    }
    expect((await client.get(stats)).status).toBe(200)
  })

  it('K4 is held to new scopes and a new expiry from the answer on, among many requests', async () => {
    const ada = await newOwner()
    const { body: made } = await ada.post('/v1/api-keys', { name: 'n' })
    const client = presenting(ada, made.key)
    const path = `/v1/api-keys/${made.id}`
    for (const [change, refusal] of [
      [() => ada.patch(path, { scopes: ['memory:write'] }), 403],
      [() => ada.patch(path, { scopes: ['memory:read'] }).then(() => expire(ada, made.id)), 401],
    ] as const) {
      expect((await ada.patch(path, { scopes: null })).status).toBe(200)
      let changed = false
      const ask = async (): Promise<number[]> => {
        const after: number[] = []
        while (after.length < 5) {
          const beganAfter = changed
          const { status } = await client.get(stats)
          if (beganAfter) after.push(status)
        }
        return after
      }
      const asked = [ask(), ask(), ask(), ask()]
      await change()
      changed = true
      expect((await Promise.all(asked)).flat()).toEqual(Array(20).fill(refusal))
    }
    expect((await ada.patch(path, { expires_at: null })).status).toBe(200)
    expect((await client.get(stats)).status).toBe(200)
  })
})

/** Makes a key look as if it had been made to expire by now. */
async function expire(owner: User, keyId: string): Promise<void> {
  const { organizationId } = owner
  await asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .updateTable('api_keys')
      .set({ expires_at: sql`now() - interval '1 second'` })
      .where('id', '=', keyId)
      .execute(),
  )
}

describe('the number of keys', () => {
  const tooMany = { status: 403, body: { detail: 'The free plan allows 2 API keys' } }
  const create = (user: User) => user.post('/v1/api-keys', { name: 'n' })

  it('Q1 is what the plan allows, named in the refusal; revoked and expired keys do not count', async () => {
    const ada = await newOwner('free')
    const { body: first } = await create(ada)
    const { body: second } = await create(ada)
    expect(await create(ada)).toMatchObject(tooMany)
    await ada.delete(`/v1/api-keys/${first.id}`)
    expect((await create(ada)).status).toBe(200)
    expect(await create(ada)).toMatchObject(tooMany)
    await expire(ada, second.id)
    expect((await create(ada)).status).toBe(200)
    expect(await create(ada)).toMatchObject(tooMany)
    // The expired one is still shown, and deleting is always possible.
    expect((await ada.get('/v1/api-keys')).body).toHaveLength(3)
    expect((await ada.delete(`/v1/api-keys/${second.id}`)).status).toBe(200)
  })

  it('Q1 refuses to revive an expired key that would be one too many', async () => {
    const ada = await newOwner('free')
    const { body: first } = await create(ada)
    await expire(ada, first.id)
    const { body: second } = await create(ada)
    await create(ada)
    for (const expires_at of [null, inAnHour()]) {
      expect(await ada.patch(`/v1/api-keys/${first.id}`, { expires_at })).toMatchObject(tooMany)
    }
    // What does not revive it is no matter, nor is a new expiry of a key that counts already.
    expect((await ada.patch(`/v1/api-keys/${first.id}`, { name: 'still expired' })).status).toBe(200)
    expect((await ada.patch(`/v1/api-keys/${second.id}`, { expires_at: inAnHour() })).status).toBe(200)
    await ada.delete(`/v1/api-keys/${second.id}`)
    expect((await ada.patch(`/v1/api-keys/${first.id}`, { expires_at: null })).status).toBe(200)
    expect((await presenting(ada, first.key).get(stats)).status).toBe(200)
  })

  it('Q1 with one slot left lets one of 50 parallel requests in', async () => {
    const ada = await newOwner('free')
    await create(ada)
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(ada)))
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(tooMany)
    expect((await ada.get('/v1/api-keys')).body).toHaveLength(2)
    expect(await auditOf(server, ada, /^key_created$/)).toHaveLength(2)
  })

  it('Q1 is not passed by creations and revivals at once', async () => {
    const ada = await newOwner('free')
    const { body: first } = await create(ada)
    await expire(ada, first.id)
    await create(ada)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 === 0 ? create(ada) : ada.patch(`/v1/api-keys/${first.id}`, { expires_at: null }),
      ),
    )
    const active = (await ada.get('/v1/api-keys')).body.filter(
      (key: { expires_at: string | null }) => key.expires_at === null,
    )
    expect(active).toHaveLength(2)
    // Reviving a key that another request revived changes nothing about the number.
    const made = answers.filter(({ status }, i) => status === 200 && i % 2 === 0)
    expect(made.length).toBeLessThanOrEqual(1)
  })

  it('a smaller plan keeps the keys that are there, and allows no more', async () => {
    const ada = await newOwner('starter')
    const keys = await Promise.all(Array.from({ length: 4 }, () => create(ada)))
    await setPlan(server, ada, 'free')
    expect(await create(ada)).toMatchObject(tooMany)
    for (const { body } of keys) expect((await presenting(ada, body.key).get(stats)).status).toBe(200)
  })
})

describe('an API key as a bearer token', () => {
  it('opens what it opens in its own header, and is refused alike', async () => {
    const ada = await newOwner()
    const anyone = new Anonymous(server.url)
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
    const make = async (scopes: string[] | null) =>
      (await ada.post('/v1/api-keys', { name: 'a', scopes })).body as { id: string; key: string }
    const [full, reader] = [await make(null), await make(['memory:read'])]
    const wrongSum = `${full.key.slice(0, -1)}${full.key.endsWith('0') ? '1' : '0'}`
    const tried: [string, string, string][] = [
      ['GET', stats, full.key],
      ['POST', '/v1/memory/text/store', reader.key],
      ['GET', '/v1/users/me', full.key],
      ['GET', stats, wrongSum],
      ['GET', stats, 'mem_'],
      ['GET', stats, newApiKey('live')],
    ]
    const statuses = []
    for (const [method, path, key] of tried) {
      const body = method === 'POST' ? { text: 'x' } : undefined
      const answer = await anyone.request(method, path, body, bearer(key))
      const inItsHeader = await anyone.request(method, path, body, { 'X-API-Key': key })
      expect([answer.status, answer.body], `${method} ${path} ${key}`).toEqual([
        inItsHeader.status,
        inItsHeader.body,
      ])
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([200, 403, 403, 401, 401, 401])
    expect((await anyone.get(stats, { Authorization: `bEARER  ${full.key} ` })).status).toBe(200)
    await ada.delete(`/v1/api-keys/${full.id}`)
    const { status, body } = await anyone.get(stats, bearer(full.key))
    expect([status, body]).toEqual([401, { detail: 'Invalid API key' }])
  })

  it('gives way to a key in the header of keys, and to no access token', async () => {
    const ada = await newOwner()
    const anyone = new Anonymous(server.url)
    const { key } = (await ada.post('/v1/api-keys', { name: 'a' })).body
    const both = (apiKey: string, token: string) =>
      anyone.get(stats, { 'X-API-Key': apiKey, Authorization: `Bearer ${token}` })
    expect((await both(key, 'mem_')).status).toBe(200)
    expect((await both(newApiKey('live'), key)).status).toBe(401)
    expect((await both(newApiKey('live'), ada.accessToken)).status).toBe(401)
  })
})
