import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { OperatorRequest, operateKeys } from '@memory/identity/keys/operator'
import { createKey, KeyRefused, listKeys, revokeKey } from '@memory/identity/keys/service'
import { createOrganization } from '@memory/identity/organizations/service'
import type { Scope } from '@memory/shared/catalogue/scopes'
import { asTenant } from '@memory/shared/platform/database/database'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newUser } from '../support/accounts.ts'
import { ConformingClient, newConformingClient } from '../support/conforms.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { beforeItComes, until } from '../support/until.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'debug' })
})

afterEach(() => void vi.restoreAllMocks())

afterAll(() => server.close())

const stats = '/v1/memory/text/stats'

const expectRefused = ({ status, body, headers }: Answer, detail: string) => {
  expect(status).toBe(401)
  expect(body).toEqual({ detail })
  expect(headers.get('WWW-Authenticate')).toBe('Bearer')
}

/** A client of the same organization that presents another key. */
const presenting = (client: ConformingClient, key: string) =>
  new ConformingClient(server.url, { ...client, key })

/** A new key for the client's organization. */
async function newKey(client: ConformingClient, expiresAt: Date | null = null) {
  return createKey(server.context.database.queries, client.organizationId, {
    name: 'another',
    environment: 'live',
    scopes: null,
    expiresAt,
  })
}

/** The last six characters of a key, worked out anew. */
function checksumOf(body: string): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let digits = ''
  for (let rest = crc32(body); digits.length < 6; rest = Math.floor(rest / 62)) {
    digits = (alphabet[rest % 62] ?? '') + digits
  }
  return digits
}

describe('an API key', () => {
  it.each(['live', 'test'] as const)(
    'K1 for %s is a prefix, 43 random characters and their checksum',
    async (environment) => {
      const keys = await Promise.all(
        Array.from({ length: 20 }, () => newConformingClient(server, { environment })),
      )
      for (const { key } of keys) {
        expect(key).toMatch(new RegExp(`^mem_${environment}_[0-9A-Za-z]{49}$`))
        expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -6)))
      }
      expect(new Set(keys.map(({ key }) => key.slice(9, 52))).size).toBe(20)
    },
  )

  it('K1 is stored as its hash, prefix and last four characters', async () => {
    const { key, organizationId } = await newConformingClient(server)
    const row = await asTenant(server.context.database.queries, { organizationId }, (trx) =>
      trx.withSchema('app').selectFrom('api_keys').selectAll().executeTakeFirstOrThrow(),
    )
    expect(row).toMatchObject({ key_prefix: key.slice(0, 16), last_four: key.slice(-4) })
    expect(Buffer.from(row.key_hash)).toEqual(createHash('sha256').update(key).digest())
    expect(JSON.stringify(row)).not.toContain(key.slice(16, -4))
  })

  it('K1 is in no list', async () => {
    const ada = await newConformingClient(server)
    const listed = await listKeys(server.context.database.queries, ada.organizationId)
    expect(listed).toEqual([
      {
        id: ada.keyId,
        name: 'test',
        key_prefix: ada.key.slice(0, 16),
        environment: 'live',
        scopes: null,
        last_used_at: null,
        expires_at: null,
        created_at: expect.any(Date),
        subject: null,
        subject_shared: false,
      },
    ])
  })

  it('is shown to operators as the API shows it', async () => {
    const ada = await newUser(server)
    const { queries } = server.context.database
    const organization = ada.organizationId
    const create = OperatorRequest.parse({
      ...{ command: 'create', organization, name: 'n', environment: 'live' },
      ...{ scopes: ['memory:read'], expiresAt: null },
    })
    await operateKeys(queries, create, new Date())
    const list = OperatorRequest.parse({ command: 'list', organization })
    const { keys } = (await operateKeys(queries, list, new Date())) as { keys?: unknown }
    expect(keys).toEqual((await ada.get('/v1/api-keys')).body)
    expect(keys).toMatchObject([{ name: 'n', shared: false }])
  })

  it('K1 with a wrong checksum is refused without a database read', async () => {
    const ada = await newConformingClient(server)
    const query = vi.spyOn(server.context.database.queries.getExecutor(), 'executeQuery')
    const last = ada.key.at(-1) === 'a' ? 'b' : 'a'
    expectRefused(await presenting(ada, ada.key.slice(0, -1) + last).get(stats), 'Invalid API key')
    expect(query).not.toHaveBeenCalled()

    const unknown = `mem_live_${'0'.repeat(43)}`
    expectRefused(await presenting(ada, unknown + checksumOf(unknown)).get(stats), 'Invalid API key')
    expect(query).toHaveBeenCalledOnce()
  })

  it.each<[string, (key: string) => string]>([
    ['cut short', (key) => key.slice(0, -1)],
    ['with a character more', (key) => `${key}0`],
    ['in another case', (key) => key.toUpperCase()],
    ['of the other environment', (key) => key.replace('live', 'test')],
    ['beside another', (key) => `${key}, ${key}`],
    ['as a bearer token would be', (key) => `Bearer ${key}`],
    ['of another service', () => 'sk-0123456789'],
  ])('%s is refused', async (_name, change) => {
    const ada = await newConformingClient(server)
    expectRefused(await presenting(ada, change(ada.key)).get(stats), 'Invalid API key')
  })

  it('is asked for', async () => {
    const ada = await newConformingClient(server)
    expectRefused(await presenting(ada, '').get(stats), 'Not authenticated')
    const response = await fetch(server.url + stats)
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ detail: 'Not authenticated' })
  })

  it('K6 in a query string authenticates nobody and is not logged', async () => {
    const ada = await newConformingClient(server)
    const nobody = presenting(ada, '')
    for (const name of ['X-API-Key', 'x-api-key', 'api_key', 'key', 'access_token']) {
      expectRefused(await nobody.get(`${stats}?${name}=${ada.key}`), 'Not authenticated')
      expect((await nobody.get(`/nowhere?${name}=${ada.key}`)).status).toBe(404)
    }
    // Beside good credentials too: whoever sends it has a key in logs.
    for (const name of ['api_key', 'anything']) {
      const answer = await ada.get(`${stats}?${name}=${ada.key}`)
      expect(answer.status).toBe(401)
      expect(answer.body.detail).toContain('An API key in the address is refused')
    }
    expect((await ada.get(`${stats}?api_key=mem_live_none`)).status).toBe(200)
    await ada.get(stats)
    expect(server.logLines.length).toBeGreaterThan(0)
    expect(server.logLines.filter((line) => line.includes(ada.key.slice(16)))).toEqual([])
  })
})

describe('scopes', () => {
  const pattern = '/v1/memory/patterns/pat_unknown'
  const operations: [Scope, number, string, string, unknown?][] = [
    ['memory:write', 200, 'POST', '/v1/memory/text/store', { text: 'a' }],
    ['memory:write', 200, 'POST', '/v1/memory/text/batch-store', { items: [{ text: 'a' }] }],
    ['memory:read', 200, 'POST', '/v1/memory/text/retrieve', { query: 'a' }],
    ['memory:read', 200, 'POST', '/v1/memory/text/similarity', { text_a: 'a', text_b: 'a' }],
    ['memory:read', 200, 'POST', '/v1/memory/text/embed', { text: 'a' }],
    ['memory:read', 200, 'GET', stats],
    ['memory:write', 200, 'DELETE', '/v1/memory/text/forget', { category: 'none' }],
    ['memory:read', 200, 'GET', '/v1/memory/patterns'],
    ['memory:read', 404, 'GET', pattern],
    ['memory:write', 404, 'PATCH', pattern, { text: 'a' }],
    ['memory:write', 404, 'DELETE', pattern],
    ['memory:write', 200, 'DELETE', '/v1/memory/patterns?confirm=all'],
  ]

  it.each(operations)(
    'K2 %s opens with %d, and nothing else does: %s %s',
    async (scope, ok, method, path, body) => {
      const full = await newConformingClient(server)
      const { organizationId } = full
      const withScopes = (scopes: Scope[]) => newConformingClient(server, { organizationId, scopes })
      const other: Scope = scope === 'memory:read' ? 'memory:write' : 'memory:read'
      expect((await full.request(method, path, body)).status).toBe(ok)
      expect((await (await withScopes([scope])).request(method, path, body)).status).toBe(ok)
      for (const scopes of [[], [other], ['usage:read', 'webhooks:write', 'ops:run']] as Scope[][]) {
        const refused = await (await withScopes(scopes)).request(method, path, body)
        expect(refused.status).toBe(403)
        expect(refused.body).toEqual({ detail: `Insufficient scope: ${scope} required` })
      }
    },
  )

  it('K2 are checked before the body, and cost no query', async () => {
    const ada = await newConformingClient(server, { plan: 'free', scopes: ['memory:write'] })
    expect((await ada.post('/v1/memory/text/retrieve', { query: '' })).status).toBe(403)
    expect((await ada.post('/v1/memory/text/retrieve', '{')).status).toBe(403)
    expect((await presenting(ada, 'wrong').post('/v1/memory/text/retrieve', '{')).status).toBe(401)
  })

  it('K2 keep a refused write from changing anything', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['kept'])
    const { organizationId } = ada
    const reader = await newConformingClient(server, { organizationId, scopes: ['memory:read'] })
    for (const [method, path, body] of [
      ['POST', '/v1/memory/text/store', { text: 'added' }],
      ['DELETE', '/v1/memory/text/forget', { query: 'kept' }],
      ['DELETE', `/v1/memory/patterns/${id}`],
      ['PATCH', `/v1/memory/patterns/${id}`, { text: 'changed' }],
      ['DELETE', '/v1/memory/patterns?confirm=all'],
    ] as const) {
      expect((await reader.request(method, path, body)).status).toBe(403)
    }
    expect(await reader.retrieve('kept', { top_k: 50 })).toEqual(['kept'])
  })
})

describe('environments', () => {
  it('K3 keep live and test data apart', async () => {
    const live = await newConformingClient(server)
    const { organizationId } = live
    const test = await newConformingClient(server, { organizationId, environment: 'test' })
    const [liveId] = await live.store(['a live fact'])
    const [testId] = await test.store(['a test fact'])
    for (const [client, text, foreign] of [
      [live, 'a live fact', testId],
      [test, 'a test fact', liveId],
    ] as const) {
      expect(await client.retrieve('fact', { top_k: 50 })).toEqual([text])
      expect((await client.get('/v1/memory/patterns')).body.patterns).toHaveLength(1)
      expect((await client.get(stats)).body.total_patterns).toBe(1)
      expect((await client.get(`/v1/memory/patterns/${foreign}`)).status).toBe(404)
      expect((await client.delete(`/v1/memory/patterns/${foreign}`)).status).toBe(404)
    }
    expect((await test.delete('/v1/memory/text/forget', { query: 'a live fact' })).body.forgotten).toBe(0)
    await test.delete('/v1/memory/patterns?confirm=all')
    expect(await live.retrieve('fact')).toEqual(['a live fact'])
  })

  it('K3 are the key’s, whatever header is beside it', async () => {
    const live = await newConformingClient(server)
    await live.store(['a live fact'])
    for (const value of ['test', 'live', 'nonsense']) {
      const { status, body } = await live.get(stats, {
        'X-Memory-Environment': value,
        'X-Organization-Id': 'not-a-uuid',
      })
      expect(status).toBe(200)
      expect(body.total_patterns).toBe(1)
    }
  })
})

describe('the end of a key', () => {
  it('K4 by revoking refuses it at once, and no other key', async () => {
    const ada = await newConformingClient(server)
    const { queries } = server.context.database
    const { key, listed } = await newKey(ada)
    const second = presenting(ada, key)
    expect((await second.get(stats)).status).toBe(200)
    expect(await revokeKey(queries, ada.organizationId, listed.id)).toBe(true)
    expectRefused(await second.get(stats), 'Invalid API key')
    expect((await ada.get(stats)).status).toBe(200)
    expect(await revokeKey(queries, ada.organizationId, listed.id)).toBe(false)
    const left = await listKeys(queries, ada.organizationId)
    expect(left.map(({ id }) => id)).toEqual([ada.keyId])
  })

  it('K4 accepts no request that began after the key was revoked, among many', async () => {
    const ada = await newConformingClient(server)
    const { key, listed } = await newKey(ada)
    const second = presenting(ada, key)
    let revoked = false
    const client = async (): Promise<number[]> => {
      const after: number[] = []
      while (after.length < 10) {
        const beganAfter = revoked
        const { status } = await second.get(stats)
        if (beganAfter) after.push(status)
      }
      return after
    }
    const clients = [client(), client(), client(), client()]
    await until(() => server.logLines.filter((line) => line.includes(listed.id)).length > 5, 'requests run')
    await revokeKey(server.context.database.queries, ada.organizationId, listed.id)
    revoked = true
    const after = (await Promise.all(clients)).flat()
    expect(after).toEqual(Array(40).fill(401))
  })

  it('K4 by its expiry refuses it', async () => {
    const ada = await newConformingClient(server)
    const second = await beforeItComes(async (expiresAt) => {
      const client = presenting(ada, (await newKey(ada, expiresAt)).key)
      expect((await client.get(stats)).status).toBe(200)
      return client
    })
    const refused = await until(async () => {
      const answer = await second.get(stats)
      return answer.status === 401 ? answer : undefined
    }, 'the key expires')
    expectRefused(refused, 'Invalid API key')
  })

  it('is not brought about by a foreign organization', async () => {
    const ada = await newConformingClient(server)
    const ben = await newConformingClient(server)
    expect(await revokeKey(server.context.database.queries, ben.organizationId, ada.keyId)).toBe(false)
    expect((await ada.get(stats)).status).toBe(200)
  })
})

describe('last_used_at', () => {
  const lastUsed = async ({ organizationId, keyId }: ConformingClient) =>
    (await listKeys(server.context.database.queries, organizationId)).find(({ id }) => id === keyId)
      ?.last_used_at

  it('K5 says when the key was last accepted, written once a minute at most', async () => {
    const ada = await newConformingClient(server)
    const { keyUse } = server.context.callers
    expect(await lastUsed(ada)).toBe(null)
    const before = server.clock.now().getTime()
    await ada.get(stats)
    expect(await lastUsed(ada)).toBe(null)
    await keyUse.flush()
    const first = await lastUsed(ada)
    expect(first?.getTime()).toBeGreaterThanOrEqual(before)
    expect(first?.getTime()).toBeLessThanOrEqual(server.clock.now().getTime())

    await ada.get(stats)
    await keyUse.flush()
    expect(await lastUsed(ada)).toEqual(first)

    server.clock.advance(60_000)
    await keyUse.flush()
    expect((await lastUsed(ada))?.getTime()).toBeGreaterThan(first?.getTime() ?? Number.NaN)
  })

  it('K5 is not raised by refused requests', async () => {
    const ada = await newConformingClient(server)
    await presenting(ada, `${ada.key}0`).get(stats)
    await server.context.callers.keyUse.flush(true)
    expect(await lastUsed(ada)).toBe(null)
  })

  it('K5 that can’t be written fails no request and is written later', async () => {
    const ada = await newConformingClient(server)
    await ada.get(stats)
    const executor = server.context.database.queries.getExecutor()
    vi.spyOn(executor, 'executeQuery').mockRejectedValueOnce(new Error('database gone'))
    await expect(server.context.callers.keyUse.flush()).rejects.toThrow('database gone')
    expect((await ada.get(stats)).status).toBe(200)
    await server.context.callers.keyUse.flush()
    expect(await lastUsed(ada)).toBeInstanceOf(Date)
  })
})

describe('the number of keys', () => {
  it('is what the plan allows; revoked and expired keys do not count', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    const { listed } = await newKey(ada)
    await expect(newKey(ada)).rejects.toThrow('The free plan allows 2 API keys')
    await revokeKey(server.context.database.queries, ada.organizationId, listed.id)
    await newKey(ada, new Date(Date.now() - 1_000))
    await newKey(ada)
    await expect(newKey(ada)).rejects.toBeInstanceOf(KeyRefused)
  })

  it('is not passed by 10 creations at once', async () => {
    const { queries } = server.context.database
    const organizationId = await createOrganization(queries, 'Crowded', 'free')
    const created = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        createKey(queries, organizationId, {
          name: 'n',
          environment: 'live',
          scopes: null,
          expiresAt: null,
        }),
      ),
    )
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await listKeys(queries, organizationId)).toHaveLength(2)
  })
})
