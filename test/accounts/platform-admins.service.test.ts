import { appointPlatformAdmins } from '@memory/identity/accounts/user-store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, mailedToken, newEmail, newUser, User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

const listed = 'root@example.com'

describe('a platform admin of a public service', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer({
      MEMORY_PLATFORM_ADMINS: listed,
      PUBLIC_BASE_URL: 'https://memory.example.com',
    })
  })
  afterAll(() => server.close())

  it('is who has shown that a mail to the listed address reaches them, not who registers it first', async () => {
    const admin = await newUser(server, { email: listed })
    const changePlan = () =>
      admin.put(`/v1/admin/organizations/${admin.organizationId}/plan`, { plan: 'pro' })
    const refused = await changePlan()
    expect(refused.status).toBe(403)
    expect(refused.body).toEqual({ detail: 'Platform admins must verify their email address first' })
    const token = await mailedToken(server, admin.userId, 'verify-email')
    expect((await new Anonymous(server.url).post('/v1/auth/verify-email', { token })).status).toBe(200)
    expect((await changePlan()).status).toBe(200)
  })

  it('is nobody else, verified or not', async () => {
    const ada = await newUser(server)
    const token = await mailedToken(server, ada.userId, 'verify-email')
    await new Anonymous(server.url).post('/v1/auth/verify-email', { token })
    const { status, body } = await ada.put(`/v1/admin/organizations/${ada.organizationId}/plan`, {
      plan: 'pro',
    })
    expect([status, body]).toEqual([403, { detail: 'Platform admin required' }])
  })
})

describe('a platform admin of a service without TLS', () => {
  const here = 'here@example.com'
  let server: TestServer
  /** Behind a proxy on this machine. */
  let proxied: TestServer
  const emails = Array.from({ length: 12 }, newEmail)
  const settings = {
    MEMORY_PLATFORM_ADMINS: [here, ...emails].join(','),
    PUBLIC_BASE_URL: 'http://memory.lan',
  }

  beforeAll(async () => {
    server = await startServer(settings)
    proxied = await startServer({ ...settings, TRUSTED_PROXIES: '127.0.0.0/8' })
  })
  afterAll(() => Promise.all([server.close(), proxied.close()]))

  /** Registers as a client that sends these headers. */
  async function register(
    at: TestServer,
    email: string,
    headers: Record<string, string> = {},
  ): Promise<User> {
    const password = 'a password of a test'
    const { status, body } = await new Anonymous(at.url).post(
      '/v1/auth/register',
      { email, password },
      headers,
    )
    expect(status).toBe(201)
    return new User(at.url, {
      userId: body.user_id,
      organizationId: body.organization_id,
      email,
      password,
      accessToken: body.access_token,
      refreshToken: body.refresh_token,
    })
  }

  const changePlan = (user: User) =>
    user.put(`/v1/admin/organizations/${user.organizationId}/plan`, { plan: 'pro' })
  const isAdmin = async (user: User) => {
    const { is_platform_admin: shown } = (await user.get('/v1/users/me')).body
    const { status, body } = await changePlan(user)
    expect(status).toBe(shown ? 200 : 403)
    if (!shown) expect(body.detail).toMatch(/^Platform admin/)
    return shown
  }
  const verify = async (at: TestServer, user: User) => {
    const token = await mailedToken(at, user.userId, 'verify-email')
    expect((await new Anonymous(at.url).post('/v1/auth/verify-email', { token })).status).toBe(200)
  }
  const restart = (at: TestServer, listed: string[], verifiedOnly?: boolean) =>
    appointPlatformAdmins(at.context.database.queries, listed, verifiedOnly)

  it('is who registers the listed address on this very machine', async () => {
    const user = await register(server, here)
    expect(await isAdmin(user)).toBe(true)
    expect(await restart(server, [here, ...emails])).toBe(0)
    expect(await isAdmin(user)).toBe(true)
    // At the next start, with another list, and with an https address.
    await restart(server, emails)
    expect(await isAdmin(user)).toBe(false)
    await restart(server, [here, ...emails])
    expect(await isAdmin(user)).toBe(true)
    expect(await restart(server, [here, ...emails], true)).toBe(1)
    expect(await isAdmin(user)).toBe(false)
  })

  it.each<[string, () => TestServer, Record<string, string>]>([
    ['from elsewhere', () => proxied, { 'X-Forwarded-For': '203.0.113.9' }],
    [
      'from elsewhere, saying that it is here',
      () => proxied,
      { 'X-Forwarded-For': '127.0.0.1, 203.0.113.9' },
    ],
    ['from elsewhere by IPv6', () => proxied, { 'X-Forwarded-For': '2001:db8::1' }],
    ['from elsewhere, by no address', () => proxied, { 'X-Forwarded-For': 'unknown' }],
    ['through a proxy here that no setting names', () => server, { 'X-Forwarded-For': '203.0.113.9' }],
    ['through such a proxy that lies', () => server, { 'X-Forwarded-For': '127.0.0.1' }],
    ['through such a proxy that says it otherwise', () => server, { Forwarded: 'for=203.0.113.9' }],
  ])('is not who registers it %s, until the address is verified', async (_what, at, headers) => {
    const user = await register(at(), emails.shift() as string, headers)
    expect((await changePlan(user)).body.detail).toBe('Platform admins must verify their email address first')
    expect(await isAdmin(user)).toBe(false)
    // A new start changes nothing, whatever has happened to the list.
    expect(await restart(at(), [user.email])).toBe(1)
    expect(await isAdmin(user)).toBe(false)
    expect(await isAdmin(await user.signInAgain())).toBe(false)
    await verify(at(), user)
    expect(await isAdmin(user)).toBe(true)
    expect(await restart(at(), [user.email])).toBe(0)
    expect(await isAdmin(user)).toBe(true)
  })

  it('is who a proxy that the settings name says is on this machine', async () => {
    const user = await register(proxied, emails.shift() as string, { 'X-Forwarded-For': '127.0.0.1' })
    expect(await isAdmin(user)).toBe(true)
  })

  it('is nobody who is verified and not listed, until the list changes', async () => {
    const user = await newUser(server)
    await verify(server, user)
    expect(await isAdmin(user)).toBe(false)
    expect((await changePlan(user)).body).toEqual({ detail: 'Platform admin required' })
    await restart(server, [user.email])
    expect(await isAdmin(user)).toBe(true)
    await restart(server, [])
    expect(await isAdmin(user)).toBe(false)
  })
})
