import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consoleLinkMinutes } from '@memory/identity/accounts/console-links'
import { bootstrap, localOrganizationId } from '@memory/identity/keys/bootstrap'
import { hashToken } from '@memory/identity/tokens/single-use-token'
import { ApiError } from '@memory/shared/catalogue/errors'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { enrol } from '../accounts/authenticator.ts'
import { Anonymous, auditOf, newEmail, newUser } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { BrowserSession } from './browser-session.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({
    TRUSTED_PROXIES: 'loopback',
    PUBLIC_BASE_URL: 'https://memory.example.com/of-us/',
  })
})
afterAll(() => server.close())

const browser = (origin?: string) => new BrowserSession(server.url, origin)
const outcome = ({ status, body }: { status: number; body: { detail?: unknown } }) => [status, body.detail]
const foreignPage = [403, 'The request comes from no page of this service']
const notAuthenticated = [401, 'Not authenticated']

async function signedIn(origin?: string) {
  const user = await newUser(server)
  const page = browser(origin)
  const { status, body } = await page.post('login', { email: user.email, password: user.password })
  expect(status).toBe(200)
  return { user, page, body }
}

const me = (accessToken: string) =>
  new Anonymous(server.url).get('/v1/users/me', { Authorization: `Bearer ${accessToken}` })

describe('a session of the console', () => {
  it('begins with an access token, and a refresh token that no script can read', async () => {
    const { user, page, body } = await signedIn()
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 900,
      mfa_required: false,
    })
    expect((await me(body.access_token)).body.email).toBe(user.email)
    const port = new URL(server.url).port
    const attributes = ['Path=/', 'Max-Age=2592000', 'SameSite=Strict']
    expect(page.received).toEqual([
      { name: `memory-session-${port}`, attributes: [...attributes, 'HttpOnly'] },
      { name: `memory-csrf-${port}`, attributes },
    ])
  })

  it('has cookies of the host alone, over TLS alone, at an https address', async () => {
    const { page, body } = await signedIn('https://memory.example.com')
    const attributes = ['Path=/', 'Max-Age=2592000', 'SameSite=Strict', 'Secure']
    expect(page.received).toEqual([
      { name: '__Host-memory-session', attributes: [...attributes, 'HttpOnly'] },
      { name: '__Host-memory-csrf', attributes },
    ])
    expect(JSON.stringify(body)).not.toContain('rt_')
    expect((await page.post('refresh')).status).toBe(200)
  })

  it('goes on by the cookie, which stays the same and lives for 30 days from each use, 90 in all', async () => {
    const { user, page } = await signedIn()
    const cookie = page.cookie('session')
    const inDatabase = <T>(work: (trx: Trx) => Promise<T>) =>
      asTenant(server.context.database.queries, { userId: user.userId }, work)
    const daysLeft = async () => {
      const { rows } = await inDatabase((trx) =>
        sql<{ days: number }>`select round(extract(epoch from expires_at - now()) / 86400)::int as days
          from app.refresh_tokens where token_hash = ${hashToken(cookie)}`.execute(trx),
      )
      return rows
    }
    await inDatabase((trx) =>
      sql`update app.refresh_tokens set expires_at = now() + interval '1 day'`.execute(trx),
    )
    const { status, body } = await page.post('refresh')
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 900,
      mfa_required: false,
    })
    expect((await me(body.access_token)).status).toBe(200)
    expect(page.cookie('session')).toBe(cookie)
    expect(page.received[0]?.attributes).toContain('Max-Age=2592000')
    expect(await daysLeft()).toEqual([{ days: 30 }])
    await inDatabase((trx) =>
      sql`update app.sessions set expires_at = now() + interval '10 days'`.execute(trx),
    )
    expect((await page.post('refresh')).status).toBe(200)
    expect(await daysLeft()).toEqual([{ days: 10 }])
    await inDatabase((trx) => sql`update app.refresh_tokens set expires_at = now()`.execute(trx))
    expect(outcome(await page.post('refresh'))).toEqual([401, 'Token expired'])
    expect(page.cookie('session')).toBe('')
  })

  it('goes on in all tabs at once, and where an answer never came', async () => {
    const { page } = await signedIn()
    const tabs = Array.from({ length: 20 }, () => page.copy())
    const answers = await Promise.all(tabs.map((tab) => tab.post('refresh')))
    expect(answers.map(({ status }) => status)).toEqual(tabs.map(() => 200))
    for (const { body } of answers) expect((await me(body.access_token)).status).toBe(200)
    // What a page has that was left before an answer came.
    expect((await page.post('refresh')).status).toBe(200)
  })

  it('ends where its token was spent elsewhere, and the cookies go', async () => {
    const { user, page, body } = await signedIn()
    const thief = new Anonymous(server.url)
    const stolen = { refresh_token: page.cookie('session') }
    expect((await thief.post('/v1/auth/refresh', stolen)).status).toBe(200)
    expect(outcome(await page.post('refresh'))).toEqual([401, 'Token revoked'])
    expect(page.cookie('session')).toBe('')
    expect((await me(body.access_token)).status).toBe(401)
    expect((await auditOf(server, user.userId)).map(({ action }) => action)).toContain('token_refresh_reuse')
  })

  it('ends by signing out, here or everywhere', async () => {
    const { user, page, body } = await signedIn()
    expect((await page.post('logout', undefined, body.access_token)).status).toBe(200)
    expect(page.cookie('session')).toBe('')
    expect(outcome(await page.post('refresh'))).toEqual(notAuthenticated)
    expect(outcome(await me(body.access_token))).toEqual([401, 'Token revoked'])

    const again = browser()
    const login = await again.post('login', { email: user.email, password: user.password })
    expect((await again.post('logout-all', undefined, login.body.access_token)).status).toBe(200)
    expect(outcome(await user.get('/v1/users/me'))).toEqual([401, 'Token revoked'])
  })

  it('begins with a registration, and with a second factor where there is one', async () => {
    const page = browser()
    const email = newEmail()
    const registered = await page.post('register', { email, password: 'an analytical engine' })
    expect(registered.status).toBe(201)
    expect(registered.body).toEqual({ access_token: expect.any(String), message: expect.any(String) })
    expect((await page.post('refresh')).status).toBe(200)

    const user = await newUser(server)
    const { app } = await enrol(user, server.clock)
    const asked = await page.post('login', { email: user.email, password: user.password })
    expect(asked.body).toMatchObject({ access_token: null, mfa_required: true })
    const token = asked.body.mfa_token
    expect(outcome(await page.post('mfa', { token, code: app.wrongCode() }))).toEqual([
      401,
      'Invalid MFA code',
    ])
    const passed = await page.post('mfa', { token, code: app.nextCode() })
    expect(passed.status).toBe(200)
    expect((await me(passed.body.access_token)).body.email).toBe(user.email)
  })
})

describe('another page', () => {
  it.each(['https://evil.example.com', 'null', 'https://memory.example.com.evil.example', undefined])(
    'signs nobody in and refreshes nothing: %s',
    async (origin) => {
      const { page, user } = await signedIn()
      const other = page.copy(origin ?? null)
      expect(outcome(await other.post('refresh'))).toEqual(foreignPage)
      const { email, password } = user
      expect(outcome(await other.post('login', { email, password }))).toEqual(foreignPage)
      expect((await page.post('refresh')).status).toBe(200)
    },
  )

  it('of the same origin that has not the token made of the cookie is refused', async () => {
    const { page } = await signedIn()
    const csrf = page.cookie('csrf')
    for (const wrong of ['', csrf.slice(1), csrf.toLowerCase(), `${csrf}a`]) {
      expect(outcome(await page.post('refresh', undefined, undefined, wrong))).toEqual(foreignPage)
    }
    expect((await page.post('refresh')).status).toBe(200)
  })
})

describe('the link of a local start', () => {
  beforeAll(async () => {
    await bootstrap(server.context.database.queries, server.context.config.dataDir)
  })

  const make = () => server.context.accounts.consoleLinks.make()
  const over = [401, 'Invalid token']

  it('signs its operator in as an owner of the local organization, once', async () => {
    const token = make()
    const page = browser()
    const { status, body } = await page.post('link', { token })
    expect(status).toBe(200)
    expect(body.local_key.key).toMatch(/^mem_live_/)
    expect(body.local_key.organization_id).toBe(localOrganizationId)
    const profile = (await me(body.access_token)).body
    expect(profile).toMatchObject({
      email: 'operator@memory.localhost',
      organization_id: localOrganizationId,
    })
    expect((await page.post('refresh')).status).toBe(200)
    expect(outcome(await browser().post('link', { token }))).toEqual(over)
    const entries = await auditOf(server, profile.id)
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['member_joined', 'login']))

    // The next start signs in the same user.
    const next = await browser().post('link', { token: make() })
    expect((await me(next.body.access_token)).body.id).toBe(profile.id)
  })

  it('is over after its minutes, and when another one is made', async () => {
    const late = make()
    server.clock.advance(consoleLinkMinutes * 60_000)
    expect(outcome(await browser().post('link', { token: late }))).toEqual(over)
    const first = make()
    const second = make()
    expect(outcome(await browser().post('link', { token: first }))).toEqual(over)
    expect((await browser().post('link', { token: second })).status).toBe(200)
  })

  it('opens on the machine itself alone, and is not used up from elsewhere', async () => {
    const token = make()
    const { status } = await browser().post('link', { token }, undefined, undefined, {
      'X-Forwarded-For': '203.0.113.7',
    })
    expect(status).toBe(401)
    expect((await browser().post('link', { token })).status).toBe(200)
  })

  it('is not used up by what could not be done, as while the database is away', async () => {
    const token = make()
    const { passwords } = server.context.accounts
    vi.spyOn(passwords, 'hash').mockRejectedValueOnce(new ApiError('unavailable'))
    expect((await browser().post('link', { token })).status).toBe(503)
    expect((await browser().post('link', { token })).status).toBe(200)
    expect(outcome(await browser().post('link', { token }))).toEqual(over)
  })

  it('is no longer valid when it could not be used and another one was made', async () => {
    const { consoleLinks } = server.context.accounts
    const token = make()
    const putBack = consoleLinks.take(token)
    expect(outcome(await browser().post('link', { token }))).toEqual(over)
    const next = make()
    putBack?.()
    expect(outcome(await browser().post('link', { token }))).toEqual(over)
    expect((await browser().post('link', { token: next })).status).toBe(200)
  })

  it('is kept as a hash alone', () => {
    const token = make()
    expect(JSON.stringify(Object.values(server.context.accounts.consoleLinks))).not.toContain(token)
    expect(server.logLines.join('\n')).not.toContain('console_')
  })

  it('works where somebody has registered the address of its user', async () => {
    const other = await startServer()
    try {
      await bootstrap(other.context.database.queries, other.context.config.dataDir)
      await newUser(other, { email: 'operator@memory.localhost' })
      const token = other.context.accounts.consoleLinks.make()
      const { body } = await new BrowserSession(other.url).post('link', { token })
      const profile = await new Anonymous(other.url).get('/v1/users/me', {
        Authorization: `Bearer ${body.access_token}`,
      })
      expect(profile.body.email).toMatch(/^operator-[\da-f]{8}@memory\.localhost$/)
      expect(profile.body.organization_id).toBe(localOrganizationId)
    } finally {
      await other.close()
    }
  })
})

describe('the operator of a local start', () => {
  const folders: string[] = []
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-operator-'))
    folders.push(folder)
    return folder
  }

  /** What the operator may do after a start with these settings, who comes by a link or is signed in already. */
  async function mayOperate(settings: Record<string, string>, accessToken?: string) {
    const started = await startServer(settings)
    try {
      const { context, url } = started
      await bootstrap(context.database.queries, context.config.dataDir)
      const arrive = async () => {
        const token = context.accounts.consoleLinks.make()
        return (await new BrowserSession(url).post('link', { token })).body.access_token as string
      }
      const bearer = accessToken ?? (await arrive())
      const headers = { Authorization: `Bearer ${bearer}` }
      const profile = await new Anonymous(url).get('/v1/users/me', headers)
      const asked = await new Anonymous(url).get('/v1/admin/users', headers)
      expect(asked.status).toBe(profile.body.is_platform_admin ? 200 : 403)
      return { may: profile.body.is_platform_admin, accessToken: bearer }
    } finally {
      await started.close()
    }
  }

  it('is a platform admin, and behind an https address is not', async () => {
    expect((await mayOperate({})).may).toBe(true)
    expect((await mayOperate({ PUBLIC_BASE_URL: 'https://memory.example.com' })).may).toBe(false)
  })

  it.skipIf(onPostgres)(
    'stays one at the next local start, and not once others reach the service',
    async () => {
      const settings = { MEMORY_DATA_DIR: newFolder() }
      const { accessToken } = await mayOperate(settings)
      expect((await mayOperate(settings, accessToken)).may).toBe(true)
      const open = { ...settings, HOST: '0.0.0.0', MEMORY_ALLOW_PLAINTEXT: 'yes' }
      expect((await mayOperate(open, accessToken)).may).toBe(false)
      // Being at home again is no proof: the link is.
      expect((await mayOperate(settings, accessToken)).may).toBe(false)
      expect((await mayOperate(settings)).may).toBe(true)
    },
  )

  it('is nobody who has registered the address before', async () => {
    const other = await startServer()
    try {
      await bootstrap(other.context.database.queries, other.context.config.dataDir)
      const squatter = await newUser(other, { email: 'operator@memory.localhost' })
      const token = other.context.accounts.consoleLinks.make()
      await new BrowserSession(other.url).post('link', { token })
      expect((await squatter.get('/v1/users/me')).body.is_platform_admin).toBe(false)
      expect((await squatter.get('/v1/admin/users')).status).toBe(403)
    } finally {
      await other.close()
    }
  })
})
