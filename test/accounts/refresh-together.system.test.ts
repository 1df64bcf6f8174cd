import { afterAll, beforeAll, expect, it } from 'vitest'
import { startThreeProcesses } from '../isolation/three-processes.ts'
import { run } from '../process/service-process.ts'
import { Anonymous, newEmail } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { startServer } from '../support/server.ts'

const rounds = 20
const password = 'an analytical engine'
let urls: readonly string[]
let close: () => Promise<void>

beforeAll(async () => {
  if (onPostgres) {
    const three = await startThreeProcesses()
    ;[urls, close] = [three.urls, three.close]
  } else {
    const server = await startServer()
    ;[urls, close] = [[server.url], server.close]
  }
})

afterAll(() => close())

/** What a client in another process sees. */
async function seen(addresses: readonly string[]): Promise<{ together: number[][]; reused: number[][] }> {
  const email = newEmail()
  const registered = await new Anonymous(addresses[0] as string).post('/v1/auth/register', {
    email,
    password,
  })
  expect(registered.status).toBe(201)
  const script = 'test/accounts/refresh-together.ts'
  const { code, stdout, stderr } = await run(script, [addresses.join(), email, password, String(rounds)], {})
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

it.each([1, 3])(
  'R4 refreshes that are sent together end no session, and R3 a spent token ends it, over %i instances',
  async (count) => {
    if (count > urls.length) return
    const { together, reused } = await seen(urls.slice(0, count))
    for (const statuses of together) {
      expect(statuses).toEqual([200, ...Array<number>(statuses.length - 1).fill(409)])
    }
    expect(together).toHaveLength(rounds)
    expect(reused).toEqual(Array(rounds).fill([401, 401, 401]))
  },
  120_000,
)
