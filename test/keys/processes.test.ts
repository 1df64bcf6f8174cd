import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migratePostgres } from '@memory/shared/platform/database/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import { Anonymous, newEmail, User } from '../support/accounts.ts'
import { Client } from '../support/client.ts'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'

const stats = '/v1/memory/text/stats'
const instances = ['first', 'second', 'third']
const clientsOfEach = 4
/** Requests of each client that begin after the change was answered. */
const asked = 50

describe.runIf(onPostgres)('three API processes over one database', () => {
  let database: TestDatabase
  let folder: string
  let services: ServiceProcess[] = []
  let owner: User

  beforeAll(async () => {
    database = (await newDatabase()) as TestDatabase
    folder = mkdtempSync(join(tmpdir(), 'memory-keys-'))
    await migratePostgres(database.url)
    const settings = { DATABASE_URL: database.url, MEMORY_MIGRATE: 'off' }
    services = await Promise.all(instances.map((name) => startService(join(folder, name), settings)))
    owner = await register((services[0] as ServiceProcess).url)
  }, 60_000)

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop('SIGKILL')))
    await database?.drop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  it.each<[string, number, (key: { id: string }) => [string, string, unknown?]]>([
    ['revoked', 401, ({ id }) => ['DELETE', `/v1/api-keys/${id}`]],
    [
      'changed to other scopes',
      403,
      ({ id }) => ['PATCH', `/v1/api-keys/${id}`, { scopes: ['memory:write'] }],
    ],
    ['changed to no scope', 403, ({ id }) => ['PATCH', `/v1/api-keys/${id}`, { scopes: [] }]],
  ])('K4 refuse a key everywhere from the answer on by which it was %s', async (_what, refusal, change) => {
    const { body: key } = await owner.post('/v1/api-keys', { name: 'n' })
    let answered = false
    let before = 0
    const ask = async ({ url }: ServiceProcess): Promise<number[]> => {
      const client = new Client(url, { key: key.key, keyId: key.id, organizationId: owner.organizationId })
      const after: number[] = []
      while (after.length < asked) {
        const beganAfter = answered
        const { status } = await client.get(stats)
        if (beganAfter) after.push(status)
        else if (status === 200) before++
      }
      return after
    }
    const clients = services.flatMap((service) => Array.from({ length: clientsOfEach }, () => ask(service)))
    while (before < 100) await new Promise((done) => setImmediate(done))
    const { status } = await owner.request(...change(key))
    answered = true
    expect(status).toBe(200)
    const after = (await Promise.all(clients)).flat()
    expect(after).toEqual(Array(instances.length * clientsOfEach * asked).fill(refusal))
    await owner.delete(`/v1/api-keys/${key.id}`)
  })
})

async function register(url: string): Promise<User> {
  const account = { email: newEmail(), password: 'a password for tests' }
  const { body } = await new Anonymous(url).post('/v1/auth/register', account)
  return new User(url, {
    ...account,
    userId: body.user_id,
    organizationId: body.organization_id,
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
  })
}
