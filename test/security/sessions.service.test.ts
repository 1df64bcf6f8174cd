import { randomUUID } from 'node:crypto'
import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const sessions = '/v1/security/sessions'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

const idsOf = async (user: User): Promise<string[]> =>
  (await user.get(sessions)).body.map(({ id }: { id: string }) => id)

describe('GET /v1/security/sessions', () => {
  it('R6 lists the user’s own sessions, last used first, without tokens', async () => {
    const ada = await newUser(server, { userAgent: firefox })
    await newUser(server)
    const phone = await ada.signInAgain({ 'User-Agent': 'curl/8.5.0' })
    const { status, body } = await phone.get(sessions)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: phone.sessionId,
        device: 'curl',
        ip_address: '127.0.0.1',
        location: 'Unknown',
        last_active: expect.stringMatching(/Z$/),
        created_at: expect.stringMatching(/Z$/),
        is_current: true,
      },
      {
        id: ada.sessionId,
        device: 'Firefox on Linux',
        ip_address: '127.0.0.1',
        location: 'Unknown',
        last_active: expect.stringMatching(/Z$/),
        created_at: expect.stringMatching(/Z$/),
        is_current: false,
      },
    ])
  })

  it('R6 shows when a session was last used', async () => {
    const ada = await newUser(server)
    const { sessionUse } = server.context.callers
    const [before] = (await ada.get(sessions)).body
    server.clock.advance(61_000)
    await ada.get(sessions)
    await sessionUse.flush(true)
    const [after] = (await ada.get(sessions)).body
    expect(Date.parse(after.last_active) - Date.parse(before.created_at)).toBeGreaterThan(60_000)
    expect(after.created_at).toBe(before.created_at)
  })

  it('shows no session that has expired', async () => {
    const ada = await newUser(server)
    const other = await ada.signInAgain()
    await asTenant(server.context.database.queries, ada, (trx) =>
      trx
        .withSchema('app')
        .updateTable('sessions')
        .set({ expires_at: sql<Date>`now() - interval '1 second'` })
        .where('id', '=', other.sessionId)
        .execute(),
    )
    expect(await idsOf(ada)).toEqual([ada.sessionId])
    expect((await ada.delete(`${sessions}/${other.sessionId}`)).status).toBe(404)
  })

  it('is no business of API keys', async () => {
    const client = await newConformingClient(server)
    for (const [method, path] of [
      ['GET', sessions],
      ['DELETE', `${sessions}/${randomUUID()}`],
      ['GET', '/v1/security/audit-log'],
    ] as const) {
      const { status, body } = await client.request(method, path)
      expect({ status, body }).toEqual({
        status: 403,
        body: { detail: 'This endpoint requires a user access token' },
      })
    }
  })
})

describe('DELETE /v1/security/sessions/{session_id}', () => {
  it('R6 refuses the session’s token from then on, and no other', async () => {
    const ada = await newUser(server)
    const [phone, tablet] = await Promise.all([ada.signInAgain(), ada.signInAgain()])
    expect((await phone.get(sessions)).status).toBe(200)
    const { status, body } = await ada.delete(`${sessions}/${phone.sessionId}`)
    expect({ status, body }).toEqual({ status: 200, body: { message: 'Session revoked' } })
    const refused = await phone.get(sessions)
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 401,
      body: { detail: 'Token revoked' },
    })
    const refresh = (user: User) =>
      new Anonymous(server.url).post('/v1/auth/refresh', { refresh_token: user.refreshToken })
    expect((await refresh(phone)).status).toBe(401)
    expect((await refresh(tablet)).status).toBe(200)
    expect((await idsOf(tablet)).sort()).toEqual([ada.sessionId, tablet.sessionId].sort())
  })

  it('R6 accepts no request that began after it answered, among many', async () => {
    const ada = await newUser(server)
    const phone = await ada.signInAgain()
    let revoked = false
    const use = async (): Promise<number[]> => {
      const after: number[] = []
      while (after.length < 5) {
        const beganAfter = revoked
        const { status } = await phone.get('/v1/users/me')
        if (beganAfter) after.push(status)
      }
      return after
    }
    const uses = [use(), use(), use(), use()]
    await ada.delete(`${sessions}/${phone.sessionId}`)
    revoked = true
    expect((await Promise.all(uses)).flat()).toEqual(Array(20).fill(401))
  })

  it('signs this session out too', async () => {
    const ada = await newUser(server)
    expect((await ada.delete(`${sessions}/${ada.sessionId}`)).status).toBe(200)
    expect((await ada.get(sessions)).status).toBe(401)
  })

  it('is entered in the audit log', async () => {
    const ada = await newUser(server)
    const phone = await ada.signInAgain()
    await ada.delete(`${sessions}/${phone.sessionId}`)
    const [entry] = (await ada.get('/v1/security/audit-log')).body.entries
    expect(entry).toMatchObject({ action: 'session_revoked', actor_email: ada.email, success: true })
  })

  it('I5 answers a foreign, an unknown, an ended and a malformed id alike', async () => {
    const ada = await newUser(server)
    const ben = await newUser(server)
    const ended = await ada.signInAgain()
    await ada.delete(`${sessions}/${ended.sessionId}`)
    for (const id of [ben.sessionId, randomUUID(), ended.sessionId, 'sess_1', '1', '%00', "'--"]) {
      const { status, body } = await ada.delete(`${sessions}/${id}`)
      expect({ status, body }, id).toEqual({ status: 404, body: { detail: 'Session not found' } })
    }
    expect((await ben.get(sessions)).status).toBe(200)
  })

  it('of 10 at once revokes once', async () => {
    const ada = await newUser(server)
    const phone = await ada.signInAgain()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ada.delete(`${sessions}/${phone.sessionId}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
  })
})
