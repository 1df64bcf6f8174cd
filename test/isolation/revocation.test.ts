import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newEmail, User } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { startThreeProcesses, type ThreeProcesses } from './three-processes.ts'

/** How long requests are sent with credentials of each kind, and how many wait for their answer at a time. */
const loadMs = 5_000
const atATime = 24

/** What can be ended in the middle of its use. */
interface Credentials {
  headers: Record<string, string>
  path: string
  /** Ends it by the process at this address. */
  end(url: string): Promise<{ status: number }>
}

interface Sent {
  beganMs: number
  status: number
}

describe.runIf(onPostgres)('three processes over one database', () => {
  let processes: ThreeProcesses
  const agent = new Agent({ keepAlive: true, maxSockets: atATime })

  beforeAll(async () => {
    processes = await startThreeProcesses()
  }, 90_000)

  afterAll(async () => {
    agent.destroy()
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

  /** @returns the status */
  function get(url: string, { path, headers }: Credentials): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(url + path, { agent, headers }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode as number))
      })
      sent.on('error', reject).end()
    })
  }

  /** Uses credentials at all processes at once and ends them in the middle. */
  async function endInUse(credentials: Credentials, turn: number, ms: number) {
    const sent: Sent[] = []
    let ended = false
    const until = performance.now() + ms
    const use = async (worker: number) => {
      for (let i = worker; performance.now() < until || !ended; i++) {
        const beganMs = performance.now()
        sent.push({ beganMs, status: await get(urlOf(i), credentials) })
      }
    }
    const uses = Array.from({ length: atATime }, (_, worker) => use(worker))
    await new Promise((resolve) => setTimeout(resolve, ms / 2))
    const { status } = await credentials.end(urlOf(turn))
    const endedMs = performance.now()
    ended = true
    await Promise.all(uses)
    expect(status).toBe(200)
    return { sent, endedMs }
  }

  const kinds: Record<string, { refused: number; make(): Promise<Credentials> }> = {
    'K4 a revoked API key': {
      refused: 401,
      make: () => newKey((ada, id) => (url) => at(url, ada).delete(`/v1/api-keys/${id}`)),
    },
    'K4 an API key that lost its scope': {
      refused: 403,
      make: () =>
        newKey((ada, id) => (url) => at(url, ada).patch(`/v1/api-keys/${id}`, { scopes: ['ops:run'] })),
    },
    'R6 a revoked session': {
      refused: 401,
      make: async () => {
        const ada = await newUser()
        const phone = await ada.signInAgain()
        return byToken(phone, (url) => at(url, ada).delete(`/v1/security/sessions/${phone.sessionId}`))
      },
    },
    'R5 a session of those that signed out together': {
      refused: 401,
      make: async () => {
        const ada = await newUser()
        const phone = await ada.signInAgain()
        return byToken(phone, (url) => at(url, ada).post('/v1/auth/logout-all'))
      },
    },
  }

  async function newKey(
    ending: (ada: User, id: string) => (url: string) => Promise<{ status: number }>,
  ): Promise<Credentials> {
    const ada = await newUser()
    const { body } = await ada.post('/v1/api-keys', { name: 'a key', scopes: ['memory:read'] })
    const path = '/v1/memory/text/stats'
    return { headers: { 'X-API-Key': body.key }, path, end: ending(ada, body.id) }
  }

  const byToken = ({ accessToken }: User, end: Credentials['end']): Credentials => ({
    headers: { Authorization: `Bearer ${accessToken}` },
    path: '/v1/memory/text/stats',
    end,
  })

  it.each(Object.entries(kinds))(
    '%s is accepted by none of them in a request that begins after it was ended',
    async (_name, { refused, make }) => {
      const rounds = 10
      let before = 0
      let after = 0
      for (let round = 0; round < rounds; round++) {
        const { sent, endedMs } = await endInUse(await make(), round, loadMs / rounds)
        const later = sent.filter(({ beganMs }) => beganMs > endedMs)
        const others = sent.filter(({ beganMs }) => beganMs <= endedMs)
        expect(later.filter(({ status }) => status < 300)).toEqual([])
        before += others.filter(({ status }) => status === 200).length
        after += later.filter(({ status }) => status === refused).length
      }
      expect(before).toBeGreaterThan(rounds * atATime)
      expect(after).toBeGreaterThan(rounds * atATime)
    },
    60_000,
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
  }, 60_000)
})
