import { Passwords } from '@memory/identity/accounts/passwords'
import { asTenant } from '@memory/shared/platform/database/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const me = '/v1/users/me'
const passwordPath = '/v1/users/me/password'

/** Rows of a user's own, as their requests see them. */
const rowsOf = (user: User) =>
  asTenant(server.context.database.queries, user, async (trx) => {
    const tables = trx.withSchema('app')
    return {
      user: await tables
        .selectFrom('users')
        .selectAll()
        .where('id', '=', user.userId)
        .executeTakeFirstOrThrow(),
      mails: await tables
        .selectFrom('mails')
        .select(['template', 'recipient'])
        .orderBy('created_at')
        .execute(),
      audit: await tables
        .selectFrom('audit_log')
        .select(['action', 'success', 'actor_id', 'session_id'])
        .where('action', '=', 'password_changed')
        .orderBy('id')
        .execute(),
      sessions: await tables.selectFrom('sessions').select('id').where('revoked_at', 'is', null).execute(),
    }
  })

const login = (email: string, password: string) =>
  new Anonymous(server.url).post('/v1/auth/login', { email, password })

describe('GET /v1/users/me', () => {
  it('answers the user as the contract has them', async () => {
    const ada = await newUser(server, { fullName: 'Ada Lovelace' })
    const { status, body } = await ada.get(me)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: ada.userId,
      email: ada.email,
      full_name: 'Ada Lovelace',
      email_verified: false,
      mfa_enabled: false,
      status: 'active',
      created_at: expect.stringMatching(/Z$/),
      last_login_at: body.created_at,
      avatar_url: null,
      is_platform_admin: false,
      organization_id: ada.organizationId,
    })
  })

  it('shows a later login', async () => {
    const ada = await newUser(server)
    const before = (await ada.get(me)).body.last_login_at
    await ada.signInAgain()
    const after = (await ada.get(me)).body
    expect(Date.parse(after.last_login_at)).toBeGreaterThan(Date.parse(before))
    expect(after.created_at).toBe(before)
  })

  it('shows platform admins as such', async () => {
    const ada = await newUser(server, { platformAdmin: true })
    expect((await ada.get(me)).body.is_platform_admin).toBe(true)
  })

  it('needs a user’s token: K2 an API key gets 403, nobody 401', async () => {
    const client = await newConformingClient(server)
    for (const [method, path] of [
      ['GET', me],
      ['PATCH', me],
      ['PUT', passwordPath],
    ] as const) {
      const refused = await client.request(method, path, method === 'GET' ? undefined : {})
      expect(refused.status).toBe(403)
      expect(refused.body.detail).toBe('This endpoint requires a user access token')
      const nobody = await new Anonymous(server.url).request(method, path, method === 'GET' ? undefined : {})
      expect(nobody.status).toBe(401)
    }
  })
})

describe('PATCH /v1/users/me', () => {
  it('changes the name, takes it away, and leaves it', async () => {
    const ada = await newUser(server, { fullName: 'Ada' })
    const changed = await ada.patch(me, { full_name: 'Ada King' })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual((await ada.get(me)).body)
    expect(changed.body.full_name).toBe('Ada King')
    expect((await ada.patch(me, {})).body.full_name).toBe('Ada King')
    expect((await ada.patch(me, { full_name: null })).body.full_name).toBe(null)
    for (const blank of ['', ' \u200b']) {
      await ada.patch(me, { full_name: 'Ada King' })
      expect((await ada.patch(me, { full_name: blank })).body.full_name).toBe(null)
    }
  })

  it('takes an absent body for {}', async () => {
    const ada = await newUser(server, { fullName: 'Ada' })
    const { status, body } = await ada.patch(me)
    expect({ status, name: body.full_name }).toEqual({ status: 200, name: 'Ada' })
  })

  it('changes nothing else, whatever is sent', async () => {
    const ada = await newUser(server)
    const before = (await ada.get(me)).body
    const sent = {
      email: 'x@example.com',
      status: 'suspended',
      is_platform_admin: true,
      id: 'x',
      __proto__: 1,
    }
    expect((await ada.patch(me, sent)).body).toEqual(before)
  })

  it.each([
    ['x'.repeat(201), 'string_too_long'],
    [5, 'string_type'],
    ['a\u0000b', 'value_error'],
  ])('refuses the name %j', async (full_name, type) => {
    const ada = await newUser(server)
    const { status, body } = await ada.patch(me, { full_name })
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ type, loc: ['body', 'full_name'] }])
  })

  it('changes one user only', async () => {
    const ada = await newUser(server, { fullName: 'Ada' })
    const ben = await newUser(server, { fullName: 'Ben' })
    await ada.patch(me, { full_name: 'Changed' })
    expect((await ben.get(me)).body.full_name).toBe('Ben')
  })
})

describe('PUT /v1/users/me/password', () => {
  const fresh = 'a fresh and long password'

  it('P4 replaces the password; the old one opens nothing', async () => {
    const ada = await newUser(server)
    const { status, body } = await ada.put(passwordPath, {
      current_password: ada.password,
      new_password: fresh,
    })
    expect({ status, body }).toEqual({ status: 200, body: { message: expect.any(String) } })
    expect((await login(ada.email, ada.password)).status).toBe(401)
    expect((await login(ada.email, fresh)).status).toBe(200)
  })

  it('P4 ends the other sessions at once and keeps this one', async () => {
    const ada = await newUser(server)
    const others = await Promise.all([ada.signInAgain(), ada.signInAgain()])
    const ben = await newUser(server)
    await ada.put(passwordPath, { current_password: ada.password, new_password: fresh })
    for (const other of others) {
      const { status, body } = await other.get(me)
      expect({ status, body }).toEqual({ status: 401, body: { detail: 'Token revoked' } })
    }
    expect((await ada.get(me)).status).toBe(200)
    expect((await ben.get(me)).status).toBe(200)
    expect((await rowsOf(ada)).sessions).toEqual([{ id: ada.sessionId }])
  })

  it('P4 mails a notice and says so in the audit log', async () => {
    const ada = await newUser(server)
    await ada.put(passwordPath, { current_password: ada.password, new_password: fresh })
    const { mails, audit } = await rowsOf(ada)
    expect(mails).toContainEqual({ template: 'password-changed', recipient: ada.email })
    expect(audit).toEqual([
      { action: 'password_changed', success: true, actor_id: ada.userId, session_id: ada.sessionId },
    ])
  })

  it('P4 voids links that reset the password', async () => {
    const ada = await newUser(server)
    await asTenant(server.context.database.queries, ada, (trx) =>
      trx
        .withSchema('app')
        .insertInto('email_tokens')
        .values({
          user_id: ada.userId,
          purpose: 'reset-password',
          token_hash: Buffer.from(ada.userId),
          expires_at: new Date(Date.now() + 60_000),
        })
        .execute(),
    )
    await ada.put(passwordPath, { current_password: ada.password, new_password: fresh })
    const left = await asTenant(server.context.database.queries, ada, (trx) =>
      trx.withSchema('app').selectFrom('email_tokens').select('purpose').execute(),
    )
    expect(left).toEqual([{ purpose: 'verify-email' }])
  })

  it('P4 refuses a wrong current password with 403 and changes nothing', async () => {
    const ada = await newUser(server)
    const other = await ada.signInAgain()
    const before = await rowsOf(ada)
    const { status, body } = await ada.put(passwordPath, {
      current_password: `${ada.password} `,
      new_password: fresh,
    })
    expect({ status, body }).toEqual({ status: 403, body: { detail: 'Current password is incorrect' } })
    const after = await rowsOf(ada)
    expect(after.user.password_hash).toBe(before.user.password_hash)
    expect(after.mails).toEqual(before.mails)
    expect(after.audit).toMatchObject([{ success: false }])
    expect((await other.get(me)).status).toBe(200)
  })

  it.each([
    ['shorter than 12 characters', 'eleven char', 'string_too_short'],
    ['over 1,024 bytes', 'é'.repeat(513), 'value_error'],
    ['no text', 123456789012, 'string_type'],
  ])('P2 refuses a new password that is %s and does not repeat it', async (_name, new_password, type) => {
    const ada = await newUser(server)
    const before = await rowsOf(ada)
    const answer = await ada.put(passwordPath, { current_password: ada.password, new_password })
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ type, loc: ['body', 'new_password'] }])
    expect(JSON.stringify(answer.body)).not.toContain(String(new_password))
    expect((await rowsOf(ada)).user).toEqual(before.user)
  })

  it('P2 refuses the email as password', async () => {
    const ada = await newUser(server)
    const new_password = ada.email.toUpperCase()
    const { status } = await ada.put(passwordPath, { current_password: ada.password, new_password })
    expect(status).toBe(422)
  })

  it('asks for both fields', async () => {
    const ada = await newUser(server)
    const { status, body } = await ada.put(passwordPath, {})
    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
      ['body', 'current_password'],
      ['body', 'new_password'],
    ])
  })

  it('P3 takes spaces, emoji and length as they are', async () => {
    const ada = await newUser(server)
    const long = `  ${'pass phrase 🐘 '.repeat(40)}  `
    expect((await ada.put(passwordPath, { current_password: ada.password, new_password: long })).status).toBe(
      200,
    )
    expect((await login(ada.email, long.trim())).status).toBe(401)
    expect((await login(ada.email, long)).status).toBe(200)
  })

  it('P1 keeps a hash that costs enough, so that logins at once do not meet', async () => {
    const ada = await newUser(server)
    const before = await rowsOf(ada)
    await Promise.all([ada.signInAgain(), ada.signInAgain(), ada.signInAgain()])
    expect((await rowsOf(ada)).user.password_hash).toBe(before.user.password_hash)
  })

  it('P1 makes a hash that costs too little anew, once for 5 logins at once, and refuses none', async () => {
    const ada = await newUser(server)
    const cheap = await new Passwords({ concurrency: 1, cost: { memoryKiB: 64, passes: 1, lanes: 1 } }).hash(
      ada.password,
    )
    await asTenant(server.context.database.queries, ada, (trx) =>
      trx
        .withSchema('app')
        .updateTable('users')
        .set({ password_hash: cheap })
        .where('id', '=', ada.userId)
        .execute(),
    )
    await Promise.all(Array.from({ length: 5 }, () => ada.signInAgain()))
    expect((await rowsOf(ada)).user.password_hash).toContain('$m=256,')
  })

  it('of 10 changes at once one comes to pass', async () => {
    const ada = await newUser(server)
    const passwords = Array.from({ length: 10 }, (_, i) => `a password number ${i}`)
    const answers = await Promise.all(
      passwords.map((new_password) =>
        ada.put(passwordPath, { current_password: ada.password, new_password }),
      ),
    )
    const changed = passwords.filter((_, i) => answers[i]?.status === 200)
    expect(changed).toHaveLength(1)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(403)])
    expect((await login(ada.email, changed[0] ?? '')).status).toBe(200)
  })

  it('E2 gives a stolen session 10 tries at the password, then 429', async () => {
    const ada = await newUser(server)
    const attempt = (current_password: string) =>
      ada.put(passwordPath, { current_password, new_password: fresh })
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt('not the password')))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(10).fill(403), ...Array(10).fill(429)])
    const refused = await attempt(ada.password)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
