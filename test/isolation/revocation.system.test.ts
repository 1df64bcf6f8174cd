import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newEmail, User } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { type Credentials, CredentialUse } from './end-in-use.ts'
import { startThreeProcesses, type ThreeProcesses } from './three-processes.ts'

describe.runIf(onPostgres)('three processes over one database', () => {
  let processes: ThreeProcesses
  let use: CredentialUse
  let database: pg.Client

  beforeAll(async () => {
    processes = await startThreeProcesses()
    use = new CredentialUse(processes.urls)
    database = new pg.Client({ connectionString: processes.databaseUrl })
    await database.connect()
  })

  afterAll(async () => {
    await use?.stop()
    await database?.end()
    await processes?.close()
  })

  const urlOf = (turn: number) => processes.urls[turn % processes.urls.length] as string

  async function newUser(): Promise<User> {
    const password = `a password ${randomUUID()}`
    const { status, body } = await new Anonymous(urlOf(0)).post('/v1/auth/register', {
      email: newEmail(),
      password,
    })
    expect(status).toBe(201)
    return new User(urlOf(0), {
      userId: body.user_id,
      organizationId: body.organization_id,
      email: body.email,
      password,
      accessToken: body.access_token,
      refreshToken: body.refresh_token,
    })
  }

  /** The same user, who asks another process. */
  const at = (url: string, user: User) => new User(url, user)

  const succeeds = async (asked: Promise<{ status: number }>) => expect((await asked).status).toBe(200)

  /** A new key, and what ends it. */
  async function newKey(end: (ada: User, keyId: string) => Promise<void>): Promise<Credentials> {
    const ada = await newUser()
    const { body } = await ada.post('/v1/api-keys', { name: 'a key', scopes: ['memory:read'] })
    return { headers: { 'X-API-Key': body.key }, end: (url) => end(at(url, ada), body.id) }
  }

  /** A second session of a new user, and what ends it. */
  async function newSession(end: (ada: User, sessionId: string) => Promise<void>): Promise<Credentials> {
    const ada = await newUser()
    const { accessToken, sessionId } = await ada.signInAgain()
    return {
      headers: { Authorization: `Bearer ${accessToken}` },
      end: (url) => end(at(url, ada), sessionId),
    }
  }

  const withScopes = (scopes: string[]) =>
    newKey((ada, id) => succeeds(ada.patch(`/v1/api-keys/${id}`, { scopes })))

  it.each<[string, number, () => Promise<Credentials>]>([
    ['K4 a revoked API key', 401, () => newKey((ada, id) => succeeds(ada.delete(`/v1/api-keys/${id}`)))],
    ['K4 an API key that got other scopes', 403, () => withScopes(['memory:write', 'ops:run'])],
    ['K4 an API key that lost its scopes', 403, () => withScopes([])],
    [
      'K4 an expired API key',
      401,
      () =>
        newKey(async (_ada, id) => {
          await database.query('update app.api_keys set expires_at = now() where id = $1', [id])
        }),
    ],
    [
      'R6 a revoked session',
      401,
      () => newSession((ada, id) => succeeds(ada.delete(`/v1/security/sessions/${id}`))),
    ],
    [
      'R5 a session of those that signed out together',
      401,
      () => newSession((ada) => succeeds(ada.post('/v1/auth/logout-all'))),
    ],
  ])(
    '%s is accepted by none of them in a request that begins after it was ended',
    async (what, refusal, make) => {
      const rounds = 10
      const total = { sent: 0, ms: 0 }
      for (let round = 0; round < rounds; round++) {
        const { before, after, sent, ms } = await use.endInUse(await make(), round)
        expect(Object.keys(before)).toContain('200')
        expect(Object.keys(after)).toEqual([String(refusal)])
        total.sent += sent
        total.ms += ms
      }
      console.info(`${what}: ${total.sent} requests, ${Math.round((1_000 * total.sent) / total.ms)} a second`)
    },
  )

  it('R5 no token of a family works after its session was revoked, whatever refreshes were under way', async () => {
    for (let round = 0; round < 10; round++) {
      const ada = await newUser()
      const phone = await ada.signInAgain()
      const family = [{ accessToken: phone.accessToken, refreshToken: phone.refreshToken }]
      let over = false
      const refreshing = (async () => {
        for (let i = round; !over; i++) {
          const refresh_token = family.at(-1)?.refreshToken
          const { status, body } = await new Anonymous(urlOf(i)).post('/v1/auth/refresh', { refresh_token })
          if (status !== 200) return
          family.push({ accessToken: body.access_token, refreshToken: body.refresh_token })
        }
      })()
      await new Promise((resolve) => setTimeout(resolve, 20 + 13 * round))
      const { status } = await at(urlOf(round), ada).delete(`/v1/security/sessions/${phone.sessionId}`)
      expect(status).toBe(200)
      const alive = processes.urls.flatMap((url) =>
        family.map(
          async ({ accessToken }) => (await at(url, phone.with({ accessToken })).get('/v1/users/me')).status,
        ),
      )
      expect(new Set(await Promise.all(alive))).toEqual(new Set([401]))
      over = true
      await refreshing
      for (const { accessToken, refreshToken } of family) {
        expect((await phone.with({ accessToken }).get('/v1/users/me')).status).toBe(401)
        const refreshed = await new Anonymous(urlOf(round)).post('/v1/auth/refresh', {
          refresh_token: refreshToken,
        })
        expect(refreshed.status).toBe(401)
      }
    }
  })
})
