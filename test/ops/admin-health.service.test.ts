import { kernels } from '@memory/engine/kernels/kernels'
import { useEncoder } from '@memory/memory/texts/embed-anew-store'
import { listMigrations } from '@memory/shared/platform/database/migrations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let admin: User

beforeAll(async () => {
  server = await startServer()
  admin = await newUser(server, { platformAdmin: true })
})
afterAll(() => server.close())

const health = async () => (await admin.get('/v1/admin/health')).body

describe('the health of a process', () => {
  it('is for platform admins alone', async () => {
    const ada = await newUser(server)
    expect(await ada.get('/v1/admin/health')).toMatchObject({
      status: 403,
      body: { detail: 'Platform admin required' },
    })
    expect((await new Anonymous(server.url).get('/v1/admin/health')).status).toBe(401)
  })

  it('says what runs and what it stands on', async () => {
    const { status, body } = await admin.get('/v1/admin/health')
    expect(status).toBe(200)
    const { body: ready } = await new Anonymous(server.url).get('/readyz')
    const last = listMigrations()
      .filter(({ name }) => /^\d/.test(name))
      .at(-1)?.name
    expect(body).toMatchObject({
      status: ready.status,
      reason: null,
      version: ready.version,
      node: process.version,
      database: { kind: ready.database, version: expect.stringMatching(/^\d+\.\d+/), migration: last },
      redis: null,
      kernels: kernels.name,
      encoder: { model: server.context.pool.modelId, dimensions: 384 },
      threads: { count: 1 },
    })
    expect(body.commit).toMatch(/^[\da-f]{40}$/)
    expect(Date.parse(body.started_at)).toBeLessThan(Date.now())
    expect(body.disk.free_bytes).toBeGreaterThan(0)
    expect(body.disk.total_bytes).toBeGreaterThanOrEqual(body.disk.free_bytes)
    expect(body.memory.resident_bytes).toBeGreaterThan(body.memory.heap_bytes)
  })

  it('says of a process whose encoder is one of before that it is not ready, why, and what it has measured', async () => {
    const { database, pool } = server.context
    try {
      await useEncoder(database.queries, 'an encoder of later')
      const refused = await new Anonymous(server.url).get('/readyz')
      expect(refused.status).toBe(503)
      const { status, body } = await admin.get('/v1/admin/health')
      expect(status).toBe(200)
      expect(body).toMatchObject({ status: 'not_ready', reason: refused.body.detail })
      expect(body.memory.resident_bytes).toBeGreaterThan(0)
    } finally {
      await useEncoder(database.queries, pool.modelId)
    }
    expect(await health()).toMatchObject({ reason: null })
  })

  it('counts what the caches hold, and how often they had what was asked for', async () => {
    const before = (await health()).caches
    const client = await server.newClient()
    await client.store(['Ada moved to Lisbon.'])
    for (const _ of ['once', 'again']) {
      await client.post('/v1/memory/text/retrieve', { query: 'Where does Ada live?' })
    }
    const { caches } = await health()
    expect(caches.embeddings.hits).toBeGreaterThan(before.embeddings.hits)
    expect(caches.embeddings.misses).toBeGreaterThan(before.embeddings.misses)
    expect(caches.embeddings.bytes).toBeGreaterThan(before.embeddings.bytes)
    expect(caches.index.spaces).toBe(before.index.spaces + 1)
    expect(caches.index.bytes).toBeGreaterThan(before.index.bytes)
  })
})
