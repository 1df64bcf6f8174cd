import { createHash } from 'node:crypto'
import { appointPlatformAdmins } from '@memory/identity/accounts/user-store'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newEmail, newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let anyone: Anonymous

beforeAll(async () => {
  server = await startServer({
    MEMORY_PLATFORM_ADMINS: 'Boss@Example.com',
    PUBLIC_BASE_URL: 'http://memory.test',
  })
  anyone = new Anonymous(server.url)
})
afterAll(() => server.close())

const password = 'correct horse battery'

describe('registration', () => {
  it('L1 is not made for an address that becomes several, or quoted, where a mail server folds its characters', async () => {
    const password = 'correct horse battery'
    for (const email of ['a\uff20b.com@example.com', 'a\uff02b@example.com', 'a\uff0cb@example.com']) {
      const { status, body } = await new Anonymous(server.url).post('/v1/auth/register', { email, password })
      expect(status, email).toBe(422)
      expect(body.detail[0].loc).toEqual(['body', 'email'])
    }
  })

  it('gives a user, an organization that it owns and tokens that work', async () => {
    const email = newEmail()
    const { status, body } = await anyone.post('/v1/auth/register', {
      email: email.toUpperCase(),
      password,
      name: 'Ada Lovelace',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ email, message: expect.any(String) })
    const [, claims] = body.access_token.split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      sub: body.user_id,
      org: body.organization_id,
    })
    const rows = await asTenant(
      server.context.database.queries,
      { userId: body.user_id, organizationId: body.organization_id },
      async (trx) => {
        const tables = trx.withSchema('app')
        const [user, organization, membership, spaces, token, mail, refresh, audit] = await Promise.all([
          tables.selectFrom('users').selectAll().executeTakeFirstOrThrow(),
          tables.selectFrom('organizations').selectAll().executeTakeFirstOrThrow(),
          tables.selectFrom('memberships').selectAll().executeTakeFirstOrThrow(),
          tables.selectFrom('spaces').select('environment').orderBy('environment').execute(),
          tables.selectFrom('email_tokens').selectAll().executeTakeFirstOrThrow(),
          tables.selectFrom('mails').select(['recipient', 'template']).execute(),
          tables.selectFrom('refresh_tokens').selectAll().executeTakeFirstOrThrow(),
          tables.selectFrom('audit_log').select(['action', 'organization_id']).execute(),
        ])
        return { user, organization, membership, spaces, token, mail, refresh, audit }
      },
    )
    expect(rows.user).toMatchObject({ full_name: 'Ada Lovelace', email_verified_at: null, status: 'active' })
    expect(rows.organization).toMatchObject({ name: "Ada Lovelace's organization", plan: 'free' })
    expect(rows.membership.role).toBe('owner')
    expect(rows.spaces.map(({ environment }) => environment)).toEqual(['live', 'test'])
    expect(rows.token.purpose).toBe('verify-email')
    expect(rows.mail).toEqual([{ recipient: email, template: 'verify-email' }])
    expect(rows.audit).toEqual([{ action: 'register', organization_id: body.organization_id }])
    const hash = createHash('sha256').update(body.refresh_token).digest('hex')
    expect(Buffer.from(rows.refresh.token_hash).toString('hex')).toBe(hash)
  })

  it.each(['', ' \t', '\u200b'])('takes %j for a name that is left out, as forms send it', async (blank) => {
    const email = newEmail()
    const names = { full_name: blank, organization_name: blank }
    const { status, body } = await anyone.post('/v1/auth/register', {
      email,
      password,
      ...names,
      name: blank,
    })
    expect(status).toBe(201)
    const ada = { Authorization: `Bearer ${body.access_token}` }
    const { full_name } = (await anyone.request('GET', '/v1/users/me', undefined, ada)).body
    const { organizations } = (await anyone.request('GET', '/v1/organizations', undefined, ada)).body
    expect({ full_name, name: organizations[0].name }).toEqual({
      full_name: null,
      name: `${email.split('@')[0]}'s organization`,
    })
    const named = { email: newEmail(), password, full_name: blank, name: 'Ada' }
    const { access_token } = (await anyone.post('/v1/auth/register', named)).body
    const called = await anyone.request('GET', '/v1/users/me', undefined, {
      Authorization: `Bearer ${access_token}`,
    })
    expect(called.body.full_name).toBe('Ada')
  })

  it('refuses an email that is taken, in any letter case, with 409', async () => {
    const { email } = await newUser(server)
    const again = await anyone.post('/v1/auth/register', { email: email.toUpperCase(), password })
    expect(again).toMatchObject({ status: 409, body: { detail: 'Email already registered' } })
  })

  it('of 10 registrations of one email at once makes one', async () => {
    const email = newEmail()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => anyone.post('/v1/auth/register', { email, password })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
    const organizations = await asTask(server.context.database.queries, 'administer-accounts', (trx) =>
      trx
        .withSchema('app')
        .selectFrom('organizations')
        .select('id')
        .where('name', '=', `${email.split('@')[0]}'s organization`)
        .execute(),
    )
    expect(organizations).toHaveLength(1)
  })

  it('makes platform admins of those whom the settings name', async () => {
    const { userId } = await newUser(server, { email: 'boss@example.com' })
    const isAdmin = (id: string) =>
      asTenant(server.context.database.queries, { userId: id }, (trx) =>
        trx.withSchema('app').selectFrom('users').select('is_platform_admin').executeTakeFirstOrThrow(),
      )
    expect(await isAdmin(userId)).toEqual({ is_platform_admin: true })
    const other = await newUser(server)
    expect(await isAdmin(other.userId)).toEqual({ is_platform_admin: false })
    // At the next start, with other settings.
    await appointPlatformAdmins(server.context.database.queries, [other.email])
    expect(await isAdmin(userId)).toEqual({ is_platform_admin: false })
    expect(await isAdmin(other.userId)).toEqual({ is_platform_admin: true })
  })
})

describe('login', () => {
  it('gives a session of its own', async () => {
    const user = await newUser(server)
    const { email } = user
    const { status, body } = await anyone.post('/v1/auth/login', {
      email: email.toUpperCase(),
      password: user.password,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 900, mfa_required: false })
    const again = user.with({ accessToken: body.access_token })
    expect(again.sessionId).not.toBe(user.sessionId)
    expect((await again.post('/v1/memory/text/store', { text: 'Ada lives in Lisbon.' })).status).toBe(200)
  })

  it('refuses a wrong password and an unknown email alike', async () => {
    const { email } = await newUser(server)
    const wrong = await anyone.post('/v1/auth/login', { email, password: 'x' })
    const unknown = await anyone.post('/v1/auth/login', { email: newEmail(), password: 'x' })
    expect(wrong).toMatchObject({ status: 401, body: { detail: 'Invalid email or password' } })
    expect(unknown.body).toEqual(wrong.body)
    expect(unknown.status).toBe(wrong.status)
  })
})
