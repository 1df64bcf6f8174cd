import { randomUUID } from 'node:crypto'
import { newApiKey } from '@memory/identity/keys/api-key'
import { isScope, type Operation } from '@memory/shared/catalogue/operation'
import { type Scope, scopes } from '@memory/shared/catalogue/scopes'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { bodyOf, operations, parametersOf, pathWith } from '../support/operations.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'

type Headers = Record<string, string>

/** Instances of the service over one database: several where that is a PostgreSQL. */
let servers: TestServer[]
let server: TestServer
/** Whoever it does not matter who it is. */
let somebody: User

beforeAll(async () => {
  server = await startServer()
  somebody = await newUser(server)
  servers = [server]
  const { databaseUrl } = server
  if (databaseUrl !== undefined) servers.push(await startServer({ DATABASE_URL: databaseUrl }))
})

afterAll(async () => {
  for (const each of servers.toReversed()) await each.close()
})

const closed = operations.filter(({ access }) => access !== 'anyone')
const named = closed.map((operation) => [operation.id, operation] as const)

/** Sends a valid request for an operation, for things that nobody has. */
async function send(operation: Operation, headers: Headers, { url } = server): Promise<Answer> {
  const ids = Object.fromEntries(
    parametersOf(operation).map((name) => [
      name,
      ['pattern_idx', 'version'].includes(name) ? '7' : name === 'queue' ? 'chores' : randomUUID(),
    ]),
  )
  const query = operation.id === 'emptySpace' ? '?confirm=all' : ''
  const path = pathWith(operation, ids) + query
  const method = operation.method.toUpperCase()
  const answer = await new Anonymous(url).request(method, path, bodyOf(operation), headers)
  const isStream = operation.streams === true && answer.status === 200
  expect(Object.fromEntries(answer.headers), 'H1').toMatchObject({
    ...securityHeaders,
    // Nor may what is between hold events back to compress them.
    ...(isStream && { 'cache-control': 'no-store, no-transform' }),
  })
  return answer
}

/** Those of every answer that a caller had to sign in for, refusals among them. */
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}

async function expectRefusal(sent: Promise<Answer>, status: 401 | 403, detail: string): Promise<void> {
  const answer = await sent
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { detail } })
  if (status === 401) expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer\b/)
}

const keys = new Map<string, Promise<Headers>>()

/** The header of a key with these scopes, each time the same. */
function withKey(scopes: Scope[] | null): Promise<Headers> {
  const name = JSON.stringify(scopes)
  const known = keys.get(name) ?? server.newClient({ scopes }).then(({ key }) => ({ 'X-API-Key': key }))
  keys.set(name, known)
  return known
}

const withToken = ({ accessToken }: Pick<User, 'accessToken'>): Headers => ({
  Authorization: `Bearer ${accessToken}`,
})

describe('an operation', () => {
  it('is open to anybody if it is one of these', () => {
    const open = operations.filter(({ access }) => access === 'anyone').map(({ id }) => id)
    expect(open.toSorted()).toEqual([
      'forgotPassword',
      'listSigningKeys',
      'liveness',
      'login',
      'mfaLogin',
      'readiness',
      'receiveBillingEvent',
      'refresh',
      'register',
      'resendVerification',
      'resetPassword',
      'verifyEmail',
    ])
  })

  it.each(named)('%s asks who it is', async (_id, operation) => {
    await expectRefusal(send(operation, {}), 401, 'Not authenticated')
    await expectRefusal(send(operation, { 'X-API-Key': 'mem_live_1' }), 401, 'Invalid API key')
    await expectRefusal(send(operation, { 'X-API-Key': newApiKey('live') }), 401, 'Invalid API key')
    await expectRefusal(send(operation, { Authorization: 'Bearer e30.e30.e30' }), 401, 'Invalid token')
    const both = { ...withToken(somebody), 'X-API-Key': newApiKey('live') }
    await expectRefusal(send(operation, both), 401, 'Invalid API key')
    const refreshing = withToken({ accessToken: somebody.refreshToken })
    await expectRefusal(send(operation, refreshing), 401, 'Invalid token')
  })

  it.each(named)(
    'K2 %s is closed to whom it is not for, and open to whom it is for',
    async (_id, operation) => {
      const { access } = operation
      if (isScope(access)) {
        const detail = `Insufficient scope: ${access} required`
        const others = scopes.filter((scope) => scope !== access)
        await expectRefusal(send(operation, await withKey(others)), 403, detail)
        await expectRefusal(send(operation, await withKey([])), 403, detail)
        expectOpen(await send(operation, await withKey([access])))
        expectOpen(await send(operation, await withKey(null)))
        expectOpen(await send(operation, withToken(await newUser(server))))
        return
      }
      const detail = 'This endpoint requires a user access token'
      await expectRefusal(send(operation, await withKey(null)), 403, detail)
      await expectRefusal(send(operation, await withKey([])), 403, detail)
      const user = await newUser(server)
      if (access === 'user') {
        expectOpen(await send(operation, withToken(user)))
        return
      }
      await expectRefusal(send(operation, withToken(user)), 403, 'Platform admin required')
      expectOpen(await send(operation, withToken(await newUser(server, { platformAdmin: true }))))
    },
  )
})

/** Credentials that are accepted until they are ended. */
interface Ending {
  headers: Headers
  end(): Promise<unknown>
  detail: string
}

const endings: Record<string, () => Promise<Ending>> = {
  'a revoked API key': async () => {
    const { ada, key, keyId } = await newKey()
    return {
      headers: { 'X-API-Key': key },
      end: () => ada.delete(`/v1/api-keys/${keyId}`),
      detail: 'Invalid API key',
    }
  },
  'an expired API key': async () => {
    const { ada, key, keyId } = await newKey()
    return {
      headers: { 'X-API-Key': key },
      end: () => expireKey(ada, keyId),
      detail: 'Invalid API key',
    }
  },
  'an API key whose organization was deleted': async () => {
    const { ada, key } = await newKey()
    return {
      headers: { 'X-API-Key': key },
      end: () => ada.delete('/v1/users/me'),
      detail: 'Invalid API key',
    }
  },
  'a session that was revoked': async () => {
    const ada = await newUser(server)
    const phone = await ada.signInAgain()
    return {
      headers: withToken(phone),
      end: () => ada.delete(`/v1/security/sessions/${phone.sessionId}`),
      detail: 'Token revoked',
    }
  },
  'a session that signed out': async () => {
    const ada = await newUser(server)
    return { headers: withToken(ada), end: () => ada.post('/v1/auth/logout'), detail: 'Token revoked' }
  },
  'one of all sessions that were signed out': async () => {
    const ada = await newUser(server)
    const phone = await ada.signInAgain()
    return { headers: withToken(phone), end: () => ada.post('/v1/auth/logout-all'), detail: 'Token revoked' }
  },
  'a session before the password was changed': async () => {
    const ada = await newUser(server)
    const phone = await ada.signInAgain()
    const change = { current_password: ada.password, new_password: `another ${randomUUID()}` }
    return {
      headers: withToken(phone),
      end: () => ada.put('/v1/users/me/password', change),
      detail: 'Token revoked',
    }
  },
  'a deleted account': async () => {
    const ada = await newUser(server)
    return { headers: withToken(ada), end: () => ada.delete('/v1/users/me'), detail: 'Token revoked' }
  },
  'a suspended account': async () => {
    const ada = await newUser(server)
    return { headers: withToken(ada), end: () => suspend(ada), detail: 'Token revoked' }
  },
}

async function newKey() {
  const ada = await newUser(server)
  const { body } = await ada.post('/v1/api-keys', { name: 'a key' })
  return { ada, key: body.key as string, keyId: body.id as string }
}

/** As if the key's time had come. */
const expireKey = ({ organizationId }: User, keyId: string) =>
  asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .updateTable('api_keys')
      .set({ expires_at: sql<Date>`now()` })
      .where('id', '=', keyId)
      .execute(),
  )

/** There is no operation for it yet: whoever runs the service writes it. */
const suspend = ({ userId }: User) =>
  asTask(server.context.database.queries, 'administer-accounts', (trx) =>
    trx
      .withSchema('app')
      .updateTable('users')
      .set({ status: 'suspended' })
      .where('id', '=', userId)
      .execute(),
  )

describe.each(Object.entries(endings))('%s', (_name, begin) => {
  it(`K4 R6 opens nothing from then on${onPostgres ? ', nor to another process' : ''}`, async () => {
    const { headers, end, detail } = await begin()
    const byKey = 'X-API-Key' in headers
    const [probe] = closed.filter(({ id }) => id === (byKey ? 'tierStatistics' : 'getProfile'))
    for (const each of servers) expect((await send(probe as Operation, headers, each)).status).toBe(200)
    await end()
    const ask = async (operation: Operation, server: (typeof servers)[number]) => {
      const { status, body } = await send(operation, headers, server)
      return [operation.id, status, body.detail]
    }
    for (const server of servers) {
      // All at once would wait for connections to the database longer than a request may.
      for (let at = 0; at < closed.length; at += 16) {
        const some = closed.slice(at, at + 16)
        const refused = await Promise.all(some.map((operation) => ask(operation, server)))
        expect(refused).toEqual(some.map(({ id }) => [id, 401, detail]))
      }
    }
  })
})

/** What was sent got past authentication and is valid. */
function expectOpen({ status, body }: Answer): void {
  expect([401, 422], JSON.stringify(body)).not.toContain(status)
  // A password that is asked for is no matter of access.
  if (status === 403) expect(body.detail).toBe('Current password is incorrect')
  expect(status).toBeLessThan(500)
}
