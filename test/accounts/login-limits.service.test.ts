import { request } from 'node:http'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Anonymous, auditOf, newEmail, newUser, queuedMails, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let anyone: Anonymous

beforeAll(async () => {
  server = await startServer({ TRUSTED_PROXIES: 'loopback', MEMORY_REGISTRATIONS_PER_HOUR: '5' })
  anyone = new Anonymous(server.url)
})
afterAll(() => server.close())

// Addresses and their counts are shared by the tests.
beforeEach(() => allWindows(sql`now()`))

const allWindows = (end: ReturnType<typeof sql>) =>
  asTask(server.context.database.queries, 'throttle', (trx) =>
    sql`update app.attempts set ends_at = ${end}`.execute(trx),
  )

const from = (ip: string) => ({ 'X-Forwarded-For': ip })
const login = ({ email }: { email: string }, password: string, ip?: string) =>
  anyone.post('/v1/auth/login', { email, password }, ip === undefined ? {} : from(ip))
const statuses = (answers: readonly { status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const asUser = ({ userId }: User, statement: ReturnType<typeof sql>) =>
  asTenant(server.context.database.queries, { userId }, (trx) => statement.execute(trx))

/** Counts the passwords that are compared while `work` runs. */
async function countingHashes(work: () => Promise<void>): Promise<number> {
  const { passwords } = server.context.accounts
  const original = passwords.verify
  let hashes = 0
  passwords.verify = (hash, password) => {
    hashes++
    return original.call(passwords, hash, password)
  }
  try {
    await work()
    return hashes
  } finally {
    passwords.verify = original
  }
}

describe('failed logins', () => {
  it('E2 of 100 wrong passwords at once at most 10 are compared', async () => {
    const user = await newUser(server)
    const hashes = await countingHashes(async () => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) => login(user, `wrong ${i}`, '203.0.113.1')),
      )
      expect(statuses(answers)).toEqual({ 401: 10, 429: 90 })
    })
    expect(hashes).toBe(10)
    expect(
      (await auditOf(server, user.userId)).filter(({ action }) => action === 'login_failed'),
    ).toHaveLength(10)
  })

  it('E2 from one address lock nobody out at another', async () => {
    const user = await newUser(server)
    for (let time = 0; time < 11; time++) await login(user, 'wrong', '203.0.113.2')
    expect((await login(user, user.password, '203.0.113.2')).status).toBe(429)
    expect((await login(user, user.password, '203.0.113.3')).status).toBe(200)
  })

  it('of one address, whatever the emails, are 50; this machine is exempt', async () => {
    const nobody = () => ({ email: newEmail() })
    const attempt = async (ip?: string) => {
      const answers: { status: number }[] = []
      for (let group = 0; group < 5; group++) {
        const some = Array.from({ length: 11 }, () => login(nobody(), 'wrong', ip))
        answers.push(...(await Promise.all(some)))
      }
      return statuses(answers)
    }
    expect(await attempt('203.0.113.4')).toEqual({ 401: 50, 429: 5 })
    expect((await login(nobody(), 'wrong', '203.0.113.5')).status).toBe(401)
    expect(await attempt()).toEqual({ 401: 55 })
  })

  it('of one IPv6 network are counted together', async () => {
    const user = await newUser(server)
    const answers = []
    for (let host = 1; host <= 12; host++) answers.push(await login(user, 'wrong', `2001:db8::${host}`))
    expect(statuses(answers)).toEqual({ 401: 10, 429: 2 })
    expect((await login(user, 'wrong', '2001:db8:0:1::1')).status).toBe(401)
  })

  it('E2 of one email, wherever from, are 100', async () => {
    const user = await newUser(server)
    const answers = []
    for (let address = 0; address < 12; address++) {
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 10 }, () => login(user, 'wrong', `198.51.100.${address}`)),
        )),
      )
    }
    expect(statuses(answers)).toEqual({ 401: 100, 429: 20 })
    expect((await login(user, user.password, '192.0.2.1')).status).toBe(429)
  })

  it('are forgotten with a success; successes are not counted', async () => {
    const user = await newUser(server)
    for (let time = 0; time < 9; time++) expect((await login(user, 'wrong')).status).toBe(401)
    for (let time = 0; time < 12; time++) expect((await login(user, user.password)).status).toBe(200)
    for (let time = 0; time < 10; time++) expect((await login(user, 'wrong')).status).toBe(401)
    expect((await login(user, user.password)).status).toBe(429)
  })

  it('are not those that could not be checked', async () => {
    const user = await newUser(server)
    const { passwords } = server.context.accounts
    const original = passwords.verify
    passwords.verify = () => Promise.reject(new Error('out of memory'))
    try {
      for (let time = 0; time < 12; time++) expect((await login(user, user.password)).status).toBe(500)
    } finally {
      passwords.verify = original
    }
    expect((await login(user, user.password)).status).toBe(200)
  })

  it('E4 answer 429 with whole seconds to wait, after which it succeeds', async () => {
    const user = await newUser(server)
    for (let time = 0; time < 10; time++) await login(user, 'wrong')
    const refused = await login(user, user.password)
    expect(refused).toMatchObject({ status: 429, body: { detail: 'Too many attempts' } })
    const retryAfter = refused.headers.get('retry-after') ?? ''
    expect(retryAfter).toMatch(/^[1-9]\d*$/)
    expect(Number(retryAfter)).toBeLessThanOrEqual(900)
    await allWindows(sql`ends_at - make_interval(secs => ${Number(retryAfter) - 2})`)
    expect((await login(user, user.password)).status).toBe(429)
    await allWindows(sql`ends_at - make_interval(secs => 2)`)
    expect((await login(user, user.password)).status).toBe(200)
  })

  it('E3 are the same by any spelling of the path, or there is no such path', async () => {
    const user = await newUser(server)
    for (let time = 0; time < 10; time++) await login(user, 'wrong')
    for (const path of [
      '//v1/auth/login',
      '/v1//auth/login',
      '/v1/auth/login/',
      '/V1/auth/login',
      '/v1/auth/Login',
      '/v1%2fauth/login',
      '/v1/auth%2Flogin',
      '/v1/auth/./login',
      '/v1/x/../auth/login',
      '/v1/auth/login?x=1',
      '/v1/auth/log%69n',
      '/v1/auth/login;x',
    ]) {
      const status = await postRaw(path, { email: user.email, password: user.password })
      expect([404, 429], path).toContain(status)
    }
    expect((await login({ email: user.email.toUpperCase() }, user.password)).status).toBe(429)
    expect((await login({ email: ` ${user.email} ` }, user.password)).status).toBe(429)
  })

  it('E3 are the same whatever a client writes before the proxy’s own entry', async () => {
    const user = await newUser(server)
    const answers = []
    for (let time = 0; time < 12; time++) {
      answers.push(await login(user, 'wrong', `10.0.0.${time}, 203.0.113.9`))
    }
    expect(statuses(answers)).toEqual({ 401: 10, 429: 2 })
  })

  it.each<[string, string[]]>([
    [
      'an IPv4 address',
      [
        '203.0.113.41',
        '203.0.113.41:50123',
        '::ffff:203.0.113.41',
        '[::FFFF:cb00:7129]:443',
        '0xcb.0.0x71.0x29',
        '0313.0.0161.051',
        '3405803817',
        '64:ff9b::203.0.113.41',
        '::ffff:0:cb00:7129',
        '203.0.113.41',
        '0xCB007129',
      ],
    ],
    [
      'an IPv6 address',
      [
        '2001:db8:7::1',
        '2001:DB8:7::1',
        '2001:0db8:0007:0000:0000:0000:0000:0001',
        '[2001:db8:7::1]',
        '[2001:db8:7::1]:50123',
        '2001:db8:7::1%eth0',
        '2001:db8:7::0.0.0.1',
        '2001:db8:7::2',
        '2001:db8:7:0:ffff::1',
        '2001:db8:7:0:0:0:0:1',
        '2001:db8:7::1',
      ],
    ],
    [
      'what is no address, with the proxy’s own',
      ['unknown', '_a', 'nonsense', '-', '1.2.3.4.5', ...Array<string>(6).fill('"')],
    ],
  ])('E3 are the same for %s, however it is written', async (_what, writings) => {
    const user = await newUser(server)
    expect(writings).toHaveLength(11)
    const answers = []
    for (const writing of writings) answers.push((await login(user, 'wrong', writing)).status)
    expect(answers).toEqual([...Array<number>(10).fill(401), 429])
  })

  it('are entered with the address in its one writing, or the proxy’s where it is none', async () => {
    const user = await newUser(server)
    for (const writing of ['[::ffff:203.0.113.44]:1', '2001:DB8::0:1', 'nonsense'])
      await login(user, 'wrong', writing)
    const ips = (await auditOf(server, user.userId)).slice(-3).map(({ ip }) => ip)
    expect(ips).toEqual(['203.0.113.44', '2001:db8::1', '127.0.0.1'])
  })

  it('E3 are the same whatever X-Forwarded-For says where no proxy is trusted', async () => {
    const direct = await startServer()
    try {
      const user = await newUser(direct)
      const { email } = user
      const answers = []
      for (let time = 0; time < 12; time++) {
        answers.push(
          await new Anonymous(direct.url).post(
            '/v1/auth/login',
            { email, password: 'wrong' },
            from(`203.0.113.${time}`),
          ),
        )
      }
      expect(statuses(answers)).toEqual({ 401: 10, 429: 2 })
    } finally {
      await direct.close()
    }
  })
})

describe('E1 what a login says', () => {
  const seen = async (email: string, password: string) => {
    const { status, body, headers } = await login({ email }, password)
    const shown = Object.fromEntries(headers)
    for (const varying of ['date', 'x-request-id', 'server-timing']) delete shown[varying]
    return { status, body, headers: shown }
  }

  it('to a wrong password is the same for unknown, existing, deleted and suspended accounts', async () => {
    const [active, deleted, suspended] = [await newUser(server), await newUser(server), await newUser(server)]
    await asUser(deleted, sql`update app.users set status = 'deleted', deleted_at = now()`)
    await asUser(suspended, sql`update app.users set status = 'suspended'`)
    const unknown = await seen(newEmail(), 'a wrong password')
    expect(unknown).toMatchObject({ status: 401, body: { detail: 'Invalid email or password' } })
    for (const { email } of [active, deleted, suspended]) {
      expect(await seen(email, 'a wrong password')).toEqual(unknown)
    }
  })

  it('to the right password names what is the matter with the account, and begins no session', async () => {
    const [deleted, suspended] = [await newUser(server), await newUser(server)]
    await asUser(deleted, sql`update app.users set status = 'deleted', deleted_at = now()`)
    await asUser(suspended, sql`update app.users set status = 'suspended'`)
    for (let time = 0; time < 12; time++) {
      expect(await login(deleted, deleted.password)).toMatchObject({
        status: 403,
        body: { detail: 'Account scheduled for deletion; contact support' },
      })
      expect(await login(suspended, suspended.password)).toMatchObject({
        status: 403,
        body: { detail: 'Account suspended' },
      })
    }
    for (const user of [deleted, suspended]) {
      const actions = (await auditOf(server, user.userId)).map(({ action, success }) => [action, success])
      expect(actions).toEqual([['register', true], ...Array(12).fill(['login_failed', false])])
    }
  })

  it('asks for as many writes for nobody as for somebody', async () => {
    const { email } = await newUser(server)
    const known = await statementsOf(() => login({ email }, 'wrong'))
    const unknown = await statementsOf(() => login({ email: newEmail() }, 'wrong'))
    expect(unknown).toBe(known)
    for (const path of ['/v1/auth/forgot-password', '/v1/auth/resend-verification']) {
      const one = await statementsOf(() => anyone.post(path, { email }))
      const none = await statementsOf(() => anyone.post(path, { email: newEmail() }))
      expect(none, path).toBe(one)
    }
  })
})

describe('registrations', () => {
  it('are limited by address, taken emails among them; this machine is exempt', async () => {
    const { email: taken } = await newUser(server)
    const password = 'correct horse battery'
    const register = (email: string, ip: string) =>
      anyone.post('/v1/auth/register', { email, password }, from(ip))
    const answers = []
    for (let time = 0; time < 4; time++) answers.push(await register(taken, '203.0.113.20'))
    for (let time = 0; time < 4; time++) answers.push(await register(newEmail(), '203.0.113.20'))
    expect(statuses(answers)).toEqual({ 409: 4, 201: 1, 429: 3 })
    const retryAfter = Number(answers.at(-1)?.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(3_500)
    expect(retryAfter).toBeLessThanOrEqual(3_600)
    expect((await register(newEmail(), '203.0.113.21')).status).toBe(201)
    for (let time = 0; time < 8; time++) expect((await register(newEmail(), '127.0.0.1')).status).toBe(201)
  })
})

describe('mails that anybody may ask for', () => {
  it('are limited by address, and neither the answer nor a row tells', async () => {
    const [user, other] = [await newUser(server), await newUser(server)]
    const forgot = (email: string, ip: string) => anyone.post('/v1/auth/forgot-password', { email }, from(ip))
    const resend = (email: string, ip: string) =>
      anyone.post('/v1/auth/resend-verification', { email }, from(ip))
    const first = await forgot(newEmail(), '203.0.113.40')
    // Few at a time: one that a busy database refuses counts for nothing.
    for (let group = 0; group < 11; group++) {
      const answers = await Promise.all(Array.from({ length: 9 }, () => resend(newEmail(), '203.0.113.40')))
      expect(statuses(answers)).toEqual({ 200: 9 })
    }
    const mails = () => queuedMails(server, user.userId)
    const [mailed, rows] = [await mails(), await attemptRows()]
    const late = await forgot(user.email, '203.0.113.40')
    expect(late).toMatchObject({ status: 200, body: first.body })
    expect((await resend(user.email, '203.0.113.40')).status).toBe(200)
    expect(await mails()).toEqual(mailed)
    expect(await attemptRows()).toBe(rows)
    expect((await forgot(user.email, '203.0.113.41')).status).toBe(200)
    expect(await mails()).toHaveLength(mailed.length + 1)
    // This machine is exempt.
    for (let group = 0; group < 12; group++)
      await Promise.all(Array.from({ length: 10 }, () => forgot(newEmail(), '127.0.0.1')))
    await forgot(other.email, '127.0.0.1')
    expect((await queuedMails(server, other.userId)).at(-1)?.template).toBe('reset-password')
  })
})

const attemptRows = () =>
  asTask(server.context.database.queries, 'throttle', async (trx) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from app.attempts`.execute(trx)
    return rows[0]?.n
  })

/** Sends a path as it is: URL parsers tidy it up. */
function postRaw(path: string, body: object): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method: 'POST', headers: { 'Content-Type': 'application/json' } },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}

/** How many statements the database was asked for. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const executor = server.context.database.queries.getExecutor()
  let statements = 0
  const prototype = Object.getPrototypeOf(executor)
  const original = prototype.executeQuery
  prototype.executeQuery = function (...parameters: unknown[]) {
    statements++
    return original.apply(this, parameters)
  }
  try {
    await work()
    expect(statements).toBeGreaterThan(2)
    return statements
  } finally {
    prototype.executeQuery = original
  }
}
