import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '@memory/identity/keys/service'
import { createOrganization } from '@memory/identity/organizations/service'
import { migratePostgres, openPostgres } from '@memory/shared/platform/database/postgres'
import { createLog } from '@memory/shared/platform/log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import { Client } from '../support/client.ts'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

describe.runIf(onPostgres)('two API processes over one database', () => {
  let database: TestDatabase
  let folder: string
  let services: ServiceProcess[] = []
  let first: Client
  let second: Client

  beforeAll(async () => {
    database = (await newDatabase()) as TestDatabase
    folder = mkdtempSync(join(tmpdir(), 'memory-usage-'))
    await migratePostgres(database.url)
    const settings = { DATABASE_URL: database.url, MEMORY_MIGRATE: 'off' }
    services = await Promise.all(
      ['first', 'second'].map((name) => startService(join(folder, name), settings)),
    )
    ;[first, second] = await clientsOfOne()
  })

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop('SIGKILL')))
    await database?.drop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  /** Clients of one organization, one of each process. */
  async function clientsOfOne(): Promise<[Client, Client]> {
    const opened = openPostgres(database.url, 1, createLog('silent'))
    try {
      const organizationId = await createOrganization(opened.queries, 'Test', 'enterprise')
      const { key, listed } = await createKey(opened.queries, organizationId, {
        name: 'test',
        environment: 'live',
        scopes: null,
        expiresAt: null,
      })
      const of = (service: ServiceProcess | undefined) =>
        new Client(service?.url as string, { key, keyId: listed.id, organizationId })
      return [of(services[0]), of(services[1])]
    } finally {
      await opened.close()
    }
  }

  const counted = async (client: Client) => {
    const { body } = await client.get('/v1/usage/summary')
    return { calls: body.api_calls.total, stores: body.api_calls.stores, queries: body.rate_limit.current }
  }

  const use = async (client: Client, times: number) => {
    for (let i = 0; i < times; i++) {
      await client.store([`text ${i}`])
      await client.retrieve('text')
    }
  }

  it('each tells at once what it has counted, and within 2 s what the other has', async () => {
    await use(first, 3)
    const three = { calls: 6, stores: 3, queries: 3 }
    expect(await counted(first)).toEqual(three)
    // Nobody asks the second one, which writes what it has counted by itself.
    await use(second, 2)
    const five = { calls: 10, stores: 5, queries: 5 }
    await until(async () => (await counted(first)).calls === 10, 'what the other process counted', 2_000)
    expect(await counted(first)).toEqual(five)
    expect(await counted(second)).toEqual(five)
  })

  it('add up what they count at the same time', async () => {
    const before = await counted(first)
    await Promise.all([use(first, 20), use(second, 20)])
    const after = { calls: before.calls + 80, stores: before.stores + 40, queries: before.queries + 40 }
    await until(async () => (await counted(first)).calls === after.calls, 'every request', 2_000)
    expect(await counted(second)).toEqual(after)
    const { body } = await second.get('/v1/usage/latency?operation=store&period=1h')
    expect(body.total_requests).toBe(after.stores)
  })

  it('a process that is killed loses what it counted in its last 2 s at most, one that stops nothing', async () => {
    const before = await counted(first)
    await use(second, 5)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await use(second, 5)
    await services[1]?.stop('SIGKILL')
    const { calls } = await counted(first)
    expect(calls).toBeGreaterThanOrEqual(before.calls + 10)
    expect(calls).toBeLessThanOrEqual(before.calls + 20)

    await use(first, 5)
    await services[0]?.stop('SIGTERM')
    const settings = { DATABASE_URL: database.url, MEMORY_MIGRATE: 'off' }
    const third = await startService(join(folder, 'third'), settings)
    services.push(third)
    const client = new Client(third.url, first)
    expect((await counted(client)).calls).toBe(calls + 10)
  })
})
