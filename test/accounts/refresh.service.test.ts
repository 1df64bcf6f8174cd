import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { hashToken } from '@memory/identity/tokens/single-use-token'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, auditOf, newUser, queuedMails, type User } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let server: TestServer
let anyone: Anonymous

beforeAll(async () => {
  server = await startServer()
  anyone = new Anonymous(server.url)
})
afterAll(() => server.close())

const refresh = (refresh_token: string) => anyone.post('/v1/auth/refresh', { refresh_token })
const worksOn = async (user: User) => (await user.get('/v1/users/me')).status

const asUser = <T>({ userId }: User, work: (trx: Trx) => Promise<T>) =>
  asTenant(server.context.database.queries, { userId }, work)

const reused = { status: 401, body: { detail: 'Token revoked' } }

describe('refresh', () => {
  it('R1 keeps tokens of 256 random bits as SHA-256, for 30 days idle and 90 days in all', async () => {
    const user = await newUser(server)
    expect(Buffer.from(user.refreshToken.slice('rt_'.length), 'base64url')).toHaveLength(32)
    const { rows } = await asUser(user, (trx) =>
      sql<{ idle: number; absolute: number }>`
        select extract(epoch from t.expires_at - t.created_at)::int as idle,
            extract(epoch from s.expires_at - s.created_at)::int as absolute
          from app.refresh_tokens t join app.sessions s on s.id = t.session_id
          where t.token_hash = ${hashToken(user.refreshToken)}`.execute(trx),
    )
    expect(rows).toEqual([{ idle: 30 * 86_400, absolute: 90 * 86_400 }])
  })

  it('R1 refuses a token after its 30 days, and any after the 90 days of its session', async () => {
    const idle = await newUser(server)
    await asUser(idle, (trx) => sql`update app.refresh_tokens set expires_at = now()`.execute(trx))
    expect(await refresh(idle.refreshToken)).toMatchObject({ status: 401, body: { detail: 'Token expired' } })

    const old = await newUser(server)
    await asUser(old, (trx) =>
      sql`update app.sessions set expires_at = now() + interval '10 days'`.execute(trx),
    )
    const { status, body } = await refresh(old.refreshToken)
    expect(status).toBe(200)
    const { rows } = await asUser(old, (trx) =>
      sql`select t.expires_at = s.expires_at as capped
        from app.refresh_tokens t join app.sessions s on s.id = t.session_id
        where t.token_hash = ${hashToken(body.refresh_token)}`.execute(trx),
    )
    expect(rows).toEqual([{ capped: true }])
    await asUser(old, (trx) => sql`update app.sessions set expires_at = now()`.execute(trx))
    expect((await refresh(body.refresh_token)).status).toBe(401)
    expect(await worksOn(old.with({ accessToken: body.access_token }))).toBe(401)
  })

  it('R2 gives new tokens of the same session, and the old one is spent', async () => {
    const user = await newUser(server)
    const { status, body } = await refresh(user.refreshToken)
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 900, mfa_required: false })
    expect(body.refresh_token).not.toBe(user.refreshToken)
    const next = user.with({ accessToken: body.access_token, refreshToken: body.refresh_token })
    expect(next.sessionId).toBe(user.sessionId)
    expect(await worksOn(next)).toBe(200)
    expect(await worksOn(user)).toBe(200)
    expect((await refresh(next.refreshToken)).status).toBe(200)
  })

  it.runIf(onPostgres)('R2 R3 holds on another instance', async () => {
    const url = server.context.config.database.url ?? ''
    const other = await startServer({ DATABASE_URL: url })
    try {
      const elsewhere = new Anonymous(other.url)
      const user = await newUser(server)
      const { body } = await elsewhere.post('/v1/auth/refresh', { refresh_token: user.refreshToken })
      expect(await refresh(user.refreshToken)).toMatchObject(reused)
      expect(await elsewhere.post('/v1/auth/refresh', body)).toMatchObject(reused)
    } finally {
      await other.close()
    }
  })

  it('R3 ends the session when a spent token comes again, notes it and mails the user once', async () => {
    const user = await newUser(server)
    const other = await user.signInAgain()
    const { body } = await refresh(user.refreshToken)
    for (let time = 0; time < 3; time++) expect(await refresh(user.refreshToken)).toMatchObject(reused)
    expect(await refresh(body.refresh_token)).toMatchObject(reused)
    expect(await worksOn(user.with({ accessToken: body.access_token }))).toBe(401)
    expect(await worksOn(user)).toBe(401)
    expect(await worksOn(other)).toBe(200)
    const entries = (await auditOf(server, user.userId)).filter(
      ({ action }) => action === 'token_refresh_reuse',
    )
    expect(entries).toMatchObject([{ session_id: user.sessionId, target: user.sessionId, success: false }])
    const mails = (await queuedMails(server, user.userId)).filter(
      ({ template }) => template === 'refresh-token-reuse',
    )
    expect(mails).toMatchObject([{ recipient: user.email, parameters: { ip: '127.0.0.1' } }])
  })

  it('R3 ends the session also when the exchange was never settled, ten seconds later', async () => {
    const user = await newUser(server)
    const { body } = await refresh(user.refreshToken)
    const unsettle = (age: string) =>
      asUser(user, (trx) =>
        sql`update app.refresh_tokens set settled_at = null, spent_at = now() - ${age}::interval
          where token_hash = ${hashToken(user.refreshToken)}`.execute(trx),
      )
    await unsettle('8 seconds')
    expect((await refresh(user.refreshToken)).status).toBe(409)
    await unsettle('11 seconds')
    expect(await refresh(user.refreshToken)).toMatchObject(reused)
    expect(await refresh(body.refresh_token)).toMatchObject(reused)
  })

  it('R4 of 20 at once with one token one succeeds, the others are told that it overlapped', async () => {
    const user = await newUser(server)
    const answers = await allAtOnce(user, 20)
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const losers = answers.filter(({ status }) => status !== 200)
    for (const loser of losers)
      expect(loser).toMatchObject({ status: 409, body: { detail: 'Refresh already in progress' } })
    const winner = answers.find(({ status }) => status === 200)
    expect((await refresh(winner?.body.refresh_token)).status).toBe(200)
    // They come later than the winner's answer.
    expect(await refresh(user.refreshToken)).toMatchObject(reused)
  })

  it('R5 leaves no token that works after the answer to a logout that raced with it', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await newUser(server)
      const [refreshed, loggedOut] = await Promise.all([
        refresh(user.refreshToken),
        user.post(round % 2 === 0 ? '/v1/auth/logout' : '/v1/auth/logout-all'),
      ])
      expect(loggedOut.status).toBe(200)
      expect([200, 401]).toContain(refreshed.status)
      expect(await worksOn(user)).toBe(401)
      expect((await refresh(user.refreshToken)).status).toBe(401)
      if (refreshed.status !== 200) continue
      expect(await worksOn(user.with({ accessToken: refreshed.body.access_token }))).toBe(401)
      expect(await refresh(refreshed.body.refresh_token)).toMatchObject(reused)
    }
  })

  it('refuses what is no refresh token with 401, and repeats no token in a 422', async () => {
    const user = await newUser(server)
    for (const token of ['', 'rt_x', user.accessToken, `${user.refreshToken}x`]) {
      expect(await refresh(token)).toMatchObject({ status: 401, body: { detail: 'Invalid token' } })
    }
    const answer = await anyone.post('/v1/auth/refresh', { refresh_token: [user.refreshToken] })
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.body)).not.toContain(user.refreshToken)
    const mistyped = await anyone.post('/v1/auth/refresh', { refreshToken: user.refreshToken })
    expect(mistyped.body.detail).toMatchObject([{ loc: ['body', 'refresh_token'], input: null }])
  })

  it('refuses the tokens of a suspended account', async () => {
    const user = await newUser(server)
    await asUser(user, (trx) => sql`update app.users set status = 'suspended'`.execute(trx))
    expect(await refresh(user.refreshToken)).toMatchObject(reused)
    expect(await worksOn(user)).toBe(401)
  })
})

describe('logout', () => {
  it('ends this session, and no other', async () => {
    const user = await newUser(server)
    const other = await user.signInAgain()
    expect((await user.post('/v1/auth/logout')).status).toBe(200)
    expect(await worksOn(user)).toBe(401)
    expect(await refresh(user.refreshToken)).toMatchObject(reused)
    expect(await worksOn(other)).toBe(200)
    expect((await auditOf(server, user.userId)).at(-1)).toMatchObject({
      action: 'logout',
      session_id: user.sessionId,
    })
  })

  it('of one session by several at once is entered once', async () => {
    const user = await newUser(server)
    await Promise.all(Array.from({ length: 5 }, () => user.post('/v1/auth/logout')))
    const { body } = await (await user.signInAgain()).get('/v1/security/audit-log')
    expect(body.entries.filter(({ action }: { action: string }) => action === 'logout')).toHaveLength(1)
  })

  it('ends all sessions with logout-all', async () => {
    const user = await newUser(server)
    const other = await user.signInAgain()
    expect((await user.post('/v1/auth/logout-all')).status).toBe(200)
    for (const session of [user, other]) {
      expect(await worksOn(session)).toBe(401)
      expect(await refresh(session.refreshToken)).toMatchObject(reused)
    }
    expect((await auditOf(server, user.userId)).at(-1)).toMatchObject({
      action: 'logout_all',
      details: { sessions: 2 },
    })
  })
})

/** Sends refreshes that have all arrived before the first of them can go on. */
async function allAtOnce(user: User, count: number) {
  let arrived = 0
  const onStart = () => void arrived++
  subscribe('http.server.request.start', onStart)
  try {
    return await asUser(user, async (trx) => {
      await sql`select from app.refresh_tokens where token_hash = ${hashToken(user.refreshToken)} for update`.execute(
        trx,
      )
      const answers = Promise.all(Array.from({ length: count }, () => refresh(user.refreshToken)))
      await until(() => arrived >= count, 'all requests to arrive')
      return { answers }
    }).then(({ answers }) => answers)
  } finally {
    unsubscribe('http.server.request.start', onStart)
  }
}
