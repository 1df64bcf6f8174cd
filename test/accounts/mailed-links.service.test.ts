import { request } from 'node:http'
import { asTask, asTenant, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  Anonymous,
  auditOf,
  mailedToken,
  newEmail,
  newUser,
  queuedMails,
  type User,
} from '../support/accounts.ts'
import { answerMailRequests } from '../support/mails.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let anyone: Anonymous

beforeAll(async () => {
  server = await startServer({ PUBLIC_BASE_URL: 'http://memory.test/' })
  anyone = new Anonymous(server.url)
})
afterAll(() => server.close())

const asUser = <T>({ userId }: User, work: (trx: Trx) => Promise<T>) =>
  asTenant(server.context.database.queries, { userId }, work)

const rowsOf = async (statement: ReturnType<typeof sql<{ n: number }>>) =>
  (await asTask(server.context.database.queries, 'relay-outbox', (trx) => statement.execute(trx))).rows[0]?.n

describe('E1 a request for a mail', () => {
  it.each(['forgot-password', 'resend-verification'])(
    'by %s does the same whether or not the address has an account, and looks that up later',
    async (path) => {
      const user = await newUser(server)
      const deleted = await newUser(server)
      await asUser(deleted, (trx) =>
        sql`update app.users set status = 'deleted', deleted_at = now()`.execute(trx),
      )
      const before = (await auditOf(server, user.userId)).length
      const { queries } = server.context.database
      const done = []
      for (const email of [user.email, newEmail(), deleted.email]) {
        const asked: string[] = []
        const transactions = vi.spyOn(queries, 'transaction').mockImplementation(() => {
          asked.push('transaction')
          return Object.getPrototypeOf(queries).transaction.call(queries)
        })
        await anyone.post(`/v1/auth/${path}`, { email })
        transactions.mockRestore()
        done.push(asked)
      }
      expect(done).toEqual([done[0], done[0], done[0]])
      const waiting = sql<{ n: number }>`
        select count(*)::int as n from app.outbox where type = 'account.mail_requested' and available_at > now()`
      expect(await rowsOf(waiting)).toBe(3)
      // No address stands there in plain text.
      const texts = sql<{ n: number }>`
        select count(*)::int as n from app.outbox where payload::text like ${`%${user.email}%`}`
      expect(await rowsOf(texts)).toBe(0)
      const mails = await asUser(user, (trx) =>
        sql<{ template: string }>`select template from app.mails where user_id = ${user.userId}`.execute(trx),
      )
      // That of the registration.
      expect(mails.rows).toHaveLength(1)
      expect(await auditOf(server, user.userId)).toHaveLength(before)
      await answerMailRequests(server)
      expect(await rowsOf(waiting)).toBe(0)
      expect(
        await mailsOf(user, path === 'forgot-password' ? 'reset-password' : 'verify-email'),
      ).toHaveLength(path === 'forgot-password' ? 1 : 2)
      expect(await mailsOf(deleted, 'reset-password')).toHaveLength(0)
    },
  )
})

const actionsOf = async ({ userId }: User) => (await auditOf(server, userId)).map(({ action }) => action)
const mailsOf = async ({ userId }: User, template: string) =>
  (await queuedMails(server, userId)).filter((mail) => mail.template === template)

const verify = (token: string) => anyone.post('/v1/auth/verify-email', { token })
const resend = (email: string) => anyone.post('/v1/auth/resend-verification', { email })
const forgot = (email: string) => anyone.post('/v1/auth/forgot-password', { email })
const reset = (token: string, new_password: string) =>
  anyone.post('/v1/auth/reset-password', { token, new_password })
const login = (email: string, password: string) => anyone.post('/v1/auth/login', { email, password })

const invalid = { status: 401, body: { detail: 'Invalid token' } }
const newPassword = 'another password, quite long'

describe('verification of an address', () => {
  it('L3 is done once by the mailed token', async () => {
    const user = await newUser(server)
    const [mail] = await mailsOf(user, 'verify-email')
    expect(mail?.parameters.link).toMatch(/^http:\/\/memory\.test\/verify-email#token=verify_[\w-]{43}$/)
    const token = await mailedToken(server, user.userId, 'verify-email')
    expect((await user.get('/v1/users/me')).body.email_verified).toBe(false)
    expect((await verify(token)).status).toBe(200)
    expect((await user.get('/v1/users/me')).body.email_verified).toBe(true)
    expect(await actionsOf(user)).toEqual(['register', 'email_verified'])
    expect(await verify(token)).toMatchObject(invalid)
  })

  it('L3 of 20 uses of a token at once one succeeds', async () => {
    const user = await newUser(server)
    const token = await mailedToken(server, user.userId, 'verify-email')
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
  })

  it('L3 refuses a token after 24 hours, and one that a newer one has replaced', async () => {
    const user = await newUser(server)
    const first = await mailedToken(server, user.userId, 'verify-email')
    expect((await resend(user.email.toUpperCase())).status).toBe(200)
    const second = await mailedToken(server, user.userId, 'verify-email')
    expect(second).not.toBe(first)
    expect(await verify(first)).toMatchObject(invalid)
    const { rows } = await asUser(user, (trx) =>
      sql<{ hours: number }>`
        select extract(epoch from expires_at - created_at)::int / 3600 as hours from app.email_tokens`.execute(
        trx,
      ),
    )
    expect(rows).toEqual([{ hours: 24 }])
    await asUser(user, (trx) => sql`update app.email_tokens set expires_at = now()`.execute(trx))
    expect(await verify(second)).toMatchObject(invalid)
  })

  it('is not offered again to who has verified, to nobody, nor more than five times an hour', async () => {
    const user = await newUser(server)
    for (let time = 0; time < 8; time++) expect((await resend(user.email)).status).toBe(200)
    expect(await mailsOf(user, 'verify-email')).toHaveLength(1 + 5)
    const verified = await newUser(server)
    await verify(await mailedToken(server, verified.userId, 'verify-email'))
    const unknown = await resend(newEmail())
    expect(await resend(verified.email)).toMatchObject({ status: 200, body: unknown.body })
    expect(await mailsOf(verified, 'verify-email')).toHaveLength(1)
  })
})

describe('a forgotten password', () => {
  it('P4 L3 is replaced once by the mailed token; every session ends and a mail says so', async () => {
    const user = await newUser(server)
    const other = await user.signInAgain()
    expect((await forgot(user.email)).status).toBe(200)
    const token = await mailedToken(server, user.userId, 'reset-password')
    expect(token).toMatch(/^reset_[\w-]{43}$/)
    expect((await reset(token, newPassword)).body).toEqual({ message: expect.any(String) })
    for (const session of [user, other]) {
      expect((await session.get('/v1/users/me')).status).toBe(401)
      const refresh_token = session.refreshToken
      expect((await anyone.post('/v1/auth/refresh', { refresh_token })).status).toBe(401)
    }
    expect((await login(user.email, user.password)).status).toBe(401)
    expect((await login(user.email, newPassword)).status).toBe(200)
    expect(await mailsOf(user, 'password-changed')).toMatchObject([{ recipient: user.email }])
    expect(await actionsOf(user)).toEqual([
      'register',
      'login',
      'password_reset_requested',
      'email_verified',
      'password_reset',
      'login_failed',
      'login',
    ])
    expect(await reset(token, newPassword)).toMatchObject(invalid)
  })

  it('H3 is mailed with PUBLIC_BASE_URL, whatever the request says of the host', async () => {
    const user = await newUser(server)
    const { hostname, port } = new URL(server.url)
    const status = await new Promise((resolve, reject) => {
      const headers = {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'https',
        Forwarded: 'host=evil.example;proto=https',
        'Content-Type': 'application/json',
      }
      const path = '/v1/auth/forgot-password'
      const sent = request({ hostname, port, path, method: 'POST', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ email: user.email }))
    })
    expect(status).toBe(200)
    const [mail] = await mailsOf(user, 'reset-password')
    expect(mail?.parameters.link).toMatch(/^http:\/\/memory\.test\/reset-password#token=/)
    expect(JSON.stringify(mail)).not.toContain('evil')
  })

  it('is taken at once, however often the old one was tried before', async () => {
    const user = await newUser(server)
    const tries = Array.from({ length: 10 }, () => login(user.email, 'what was it'))
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([401]))
    expect((await login(user.email, user.password)).status).toBe(429)
    await forgot(user.email)
    expect((await reset(await mailedToken(server, user.userId, 'reset-password'), newPassword)).status).toBe(
      200,
    )
    expect((await login(user.email, newPassword)).status).toBe(200)
  })

  it('L3 of 10 uses of a token at once one succeeds', async () => {
    const user = await newUser(server)
    await forgot(user.email)
    const token = await mailedToken(server, user.userId, 'reset-password')
    const passwords = Array.from({ length: 10 }, (_, i) => `${newPassword} ${i}`)
    const answers = await Promise.all(passwords.map((password) => reset(token, password)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = answers.findIndex(({ status }) => status === 200)
    expect((await login(user.email, passwords[winner] as string)).status).toBe(200)
  })

  it('L3 refuses a token after an hour, one that is replaced, one of another kind', async () => {
    const user = await newUser(server)
    await forgot(user.email)
    const first = await mailedToken(server, user.userId, 'reset-password')
    await forgot(user.email)
    await answerMailRequests(server)
    expect(await reset(first, newPassword)).toMatchObject(invalid)
    const verification = await mailedToken(server, user.userId, 'verify-email')
    expect(await reset(verification, newPassword)).toMatchObject(invalid)
    const second = await mailedToken(server, user.userId, 'reset-password')
    expect(await verify(second)).toMatchObject(invalid)
    const { rows } = await asUser(user, (trx) =>
      sql`select extract(epoch from expires_at - created_at)::int as seconds
        from app.email_tokens where purpose = 'reset-password'`.execute(trx),
    )
    expect(rows).toEqual([{ seconds: 3_600 }])
    await asUser(user, (trx) => sql`update app.email_tokens set expires_at = now()`.execute(trx))
    expect(await reset(second, newPassword)).toMatchObject(invalid)
    expect((await login(user.email, user.password)).status).toBe(200)
  })

  it('keeps the token when the new password is refused', async () => {
    const user = await newUser(server)
    await forgot(user.email)
    const token = await mailedToken(server, user.userId, 'reset-password')
    const refused = await reset(token, user.email)
    expect(refused.status).toBe(422)
    expect(refused.body.detail).toMatchObject([{ loc: ['body', 'new_password'], input: '[redacted]' }])
    expect((await reset(token, newPassword)).status).toBe(200)
  })

  it('is not reset for the deleted and the suspended, and nobody is told', async () => {
    const unknown = await forgot(newEmail())
    for (const change of [
      sql`update app.users set status = 'suspended'`,
      sql`update app.users set status = 'deleted', deleted_at = now()`,
    ]) {
      const user = await newUser(server)
      await forgot(user.email)
      const token = await mailedToken(server, user.userId, 'reset-password')
      await asUser(user, (trx) => change.execute(trx))
      expect(await forgot(user.email)).toMatchObject({ status: 200, body: unknown.body })
      expect(await mailsOf(user, 'reset-password')).toHaveLength(1)
      expect(await reset(token, newPassword)).toMatchObject({
        status: 401,
        body: { detail: 'Token revoked' },
      })
    }
  })

  it('is mailed five times an hour at most, and nobody is told', async () => {
    const user = await newUser(server)
    const answers = await Promise.all(Array.from({ length: 12 }, () => forgot(user.email)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
    expect(await mailsOf(user, 'reset-password')).toHaveLength(5)
  })
})
