import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember, setPlan } from '../organizations/support.ts'
import { Anonymous, auditOf, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let admin: User

beforeAll(async () => {
  server = await startServer()
  admin = await newUser(server, { platformAdmin: true })
})
afterAll(() => server.close())

const operations = [
  ['GET', '/v1/admin/plans'],
  ['GET', '/v1/admin/organizations'],
  ['GET', '/v1/admin/users'],
  ['GET', `/v1/admin/users/${randomUUID()}`],
  ['POST', `/v1/admin/users/${randomUUID()}/suspend`],
  ['POST', `/v1/admin/users/${randomUUID()}/activate`],
  ['GET', '/v1/admin/usage'],
] as const

/** All rows of a list, by pages of so many. */
async function all(path: string, name: 'organizations' | 'users', limit: number) {
  const rows = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { status, body } = await admin.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${after}`)
    expect(status).toBe(200)
    expect(body[name].length).toBeLessThanOrEqual(limit)
    rows.push(...body[name])
    cursor = body.next_cursor
  }
  return rows
}

describe('who runs the service', () => {
  it.each(operations)('is who may ask for %s %s', async (method, path) => {
    const ada = await newUser(server)
    expect(await ada.request(method, path)).toMatchObject({
      status: 403,
      body: { detail: 'Platform admin required' },
    })
    expect((await new Anonymous(server.url).request(method, path)).status).toBe(401)
  })

  it('reads all organizations, newest first, with what they hold', async () => {
    const name = `Quarry ${randomUUID()}`
    const owners: User[] = []
    for (const n of [1, 2, 3]) owners.push(await newUser(server, { organizationName: `${name} ${n}` }))
    const [first, second] = owners as [User, User, User]
    await first.post('/v1/memory/text/store', { text: 'Ada moved to Lisbon.' })
    await first.post(
      '/v1/memory/text/store',
      { text: 'In the test space.' },
      { 'X-Memory-Environment': 'test' },
    )
    await addMember(server, first, second, 'member')
    await setPlan(server, second, 'pro')
    const found = await all(
      `/v1/admin/organizations?search=${encodeURIComponent(name.toLowerCase())}`,
      'organizations',
      2,
    )
    expect(found.map(({ id }) => id)).toEqual(owners.map(({ organizationId }) => organizationId).reverse())
    expect(found[2]).toMatchObject({ name: `${name} 1`, members: 2, patterns: 2, deleted_at: null })
    expect(found[2].storage_mb).toBeGreaterThan(0)
    expect(found[0]).toMatchObject({ members: 1, patterns: 0, storage_mb: 0 })
    const pro = await all(
      `/v1/admin/organizations?plan=pro&search=${second.organizationId}`,
      'organizations',
      50,
    )
    expect(pro.map(({ id }) => id)).toEqual([second.organizationId])
    expect(
      await all(`/v1/admin/organizations?plan=free&search=${second.organizationId}`, 'organizations', 50),
    ).toEqual([])
  })

  it('reads the plans, of which organizations have one, with the limits that organizations read', async () => {
    const { status, body } = await admin.get('/v1/admin/plans')
    expect(status).toBe(200)
    const ada = await newUser(server)
    const organization = () => ada.get(`/v1/organizations/${ada.organizationId}`)
    expect((await organization()).body.plan).toBe(body.default_plan)
    for (const { name, limits } of body.plans) {
      await setPlan(server, ada, name)
      expect((await organization()).body).toMatchObject({ plan: name, limits })
    }
  })

  it('reads each organization once, however pages are cut', async () => {
    const ids = async (limit: number) =>
      (await all('/v1/admin/organizations', 'organizations', limit)).map(({ id }) => id)
    const whole = await ids(200)
    expect(await ids(1)).toEqual(whole)
    expect(new Set(whole).size).toBe(whole.length)
  })

  it('finds users by address, name, id, status and organization', async () => {
    const fullName = `Grace 100% ${randomUUID()}`
    const grace = await newUser(server, { fullName })
    const other = await newUser(server)
    await addMember(server, grace, other, 'member')
    const find = async (query: Record<string, string>) =>
      (await all(`/v1/admin/users?${new URLSearchParams(query)}`, 'users', 1)).map(({ id }) => id)
    expect(await find({ search: fullName.toUpperCase() })).toEqual([grace.userId])
    expect(await find({ search: grace.email.slice(3) })).toEqual([grace.userId])
    expect(await find({ search: grace.userId.toUpperCase() })).toEqual([grace.userId])
    // A percent sign is no more than that.
    expect(await find({ search: fullName.replace('100%', '%') })).toEqual([])
    expect(await find({ search: grace.email, status: 'suspended' })).toEqual([])
    expect(await find({ organization_id: grace.organizationId })).toEqual([other.userId, grace.userId])
    expect((await admin.get('/v1/admin/users?status=gone')).status).toBe(422)
    expect((await admin.get('/v1/admin/users?organization_id=none')).status).toBe(422)
  })

  it('reads what a user is a member of, and nothing of a password', async () => {
    const ada = await newUser(server, { fullName: 'Ada', organizationName: 'Engines' })
    const { status, body } = await admin.get(`/v1/admin/users/${ada.userId}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: ada.userId,
      email: ada.email,
      full_name: 'Ada',
      status: 'active',
      mfa_enabled: false,
      organizations: [{ id: ada.organizationId, name: 'Engines', role: 'owner' }],
    })
    expect(JSON.stringify(body)).not.toMatch(/argon2|password/)
    expect((await admin.get(`/v1/admin/users/${randomUUID()}`)).status).toBe(404)
  })

  it('suspends a user at once, until the account is activated; both are in the audit log', async () => {
    const ada = await newUser(server)
    expect((await ada.get('/v1/users/me')).status).toBe(200)
    for (const reason of ['It sent spam.', 'Again.']) {
      expect((await admin.post(`/v1/admin/users/${ada.userId}/suspend`, { reason })).body).toEqual({
        message: 'User suspended',
      })
    }
    expect((await ada.get('/v1/users/me')).status).toBe(401)
    const login = () =>
      new Anonymous(server.url).post('/v1/auth/login', { email: ada.email, password: ada.password })
    expect(await login()).toMatchObject({ status: 403, body: { detail: 'Account suspended' } })
    expect((await admin.get(`/v1/admin/users/${ada.userId}`)).body.status).toBe('suspended')
    expect((await admin.post(`/v1/admin/users/${ada.userId}/activate`)).status).toBe(200)
    expect((await login()).status).toBe(200)
    const entries = await auditOf(server, ada.userId)
    expect(
      entries.map(({ action }) => action).filter((action) => /suspended|activated/.test(action)),
    ).toEqual(['account_suspended', 'account_activated'])
    const [suspended] = entries.filter(({ action }) => action === 'account_suspended')
    expect(suspended?.details).toEqual({ reason: 'It sent spam.' })
  })

  it('is told of in the log of an organization with other members, without who did it and why', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await addMember(server, ben, ada, 'member')
    await admin.post(`/v1/admin/users/${ada.userId}/suspend`, { reason: 'It sent spam.' })
    await admin.post(`/v1/admin/users/${ada.userId}/activate`)
    const { body } = await ben.get('/v1/security/audit-log')
    const entry = { actor_email: '', details: { email: ada.email } }
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`spam|${admin.email}`))
    expect(body.entries.slice(0, 2)).toMatchObject([
      { action: 'account_activated', ...entry },
      { action: 'account_suspended', ...entry },
    ])
    // Alone in their own organization, they see it once.
    const own = (await (await ada.signInAgain()).get('/v1/security/audit-log')).body.entries
    expect(own.filter(({ action }: { action: string }) => action === 'account_suspended')).toHaveLength(1)
  })

  it('leaves one of two who suspend each other at once', async () => {
    for (let round = 0; round < 3; round++) {
      const two = [0, 1].map(() => newUser(server, { platformAdmin: true }))
      const [ada, ben] = (await Promise.all(two)) as [User, User]
      const answers = await Promise.all([
        ada.post(`/v1/admin/users/${ben.userId}/suspend`),
        ben.post(`/v1/admin/users/${ada.userId}/suspend`),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const left = [ada, ben].map(async ({ userId }) => (await admin.get(`/v1/admin/users/${userId}`)).body)
      const states = (await Promise.all(left)).map(({ status }) => status)
      expect(states.toSorted()).toEqual(['active', 'suspended'])
    }
  })

  it('suspends neither itself nor who is deleted or nobody', async () => {
    expect(await admin.post(`/v1/admin/users/${admin.userId}/suspend`)).toMatchObject({ status: 409 })
    expect((await admin.get('/v1/users/me')).status).toBe(200)
    const ada = await newUser(server)
    await ada.delete('/v1/users/me')
    for (const change of ['suspend', 'activate']) {
      expect((await admin.post(`/v1/admin/users/${ada.userId}/${change}`)).status).toBe(409)
      expect((await admin.post(`/v1/admin/users/${randomUUID()}/${change}`)).status).toBe(404)
    }
    expect((await admin.get(`/v1/admin/users/${ada.userId}`)).body.status).toBe('deleted')
  })

  it('reads what all hold and ask, by days', async () => {
    const before = (await admin.get('/v1/admin/usage?days=3')).body
    const ada = await newUser(server)
    await ada.post('/v1/memory/text/store', { text: 'Ada moved to Lisbon.' })
    await ada.post('/v1/memory/text/retrieve', { query: 'Where is Ada?' })
    await ada.post('/v1/memory/text/retrieve', { query: 'Where was Ada?' })
    await server.context.usage.log.flush()
    const { body } = await admin.get('/v1/admin/usage?days=3')
    const [, , today] = body.days
    const [, , earlier] = before.days
    expect(body.days).toHaveLength(3)
    expect(today.date).toBe(server.clock.now().toISOString().slice(0, 10))
    expect(today.api_calls - earlier.api_calls).toBeGreaterThanOrEqual(3)
    expect(today.queries - earlier.queries).toBeGreaterThanOrEqual(2)
    expect(today.active_organizations).toBeGreaterThan(earlier.active_organizations)
    expect(body.patterns).toBe(before.patterns + 1)
    expect(body.users).toBe(before.users + 1)
    expect(body.organizations).toBe(before.organizations + 1)
    await ada.delete('/v1/users/me')
    const after = (await admin.get('/v1/admin/usage?days=1')).body
    expect([after.users, after.organizations, after.patterns]).toEqual([
      before.users,
      before.organizations,
      before.patterns,
    ])
  })

  it('is told of a cursor that no list gave', async () => {
    for (const path of ['/v1/admin/organizations', '/v1/admin/users']) {
      for (const cursor of [
        '',
        'x',
        Buffer.from("2026-01-01 00:00:00+00 x'").toString('base64url'),
        Buffer.from(`2026-99-99 99:99:99+00 ${'-'.repeat(36)}`).toString('base64url'),
        Buffer.from(`2026-99-99 99:99:99+00 ${randomUUID()}`).toString('base64url'),
      ]) {
        expect((await admin.get(`${path}?cursor=${cursor}`)).status).toBe(422)
      }
    }
  })
})
