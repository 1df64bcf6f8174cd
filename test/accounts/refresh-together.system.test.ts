import { overlapMs } from '@memory/identity/accounts/refresh'
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

interface Seen {
  together: { status: number; tookMs: number }[][]
  reused: number[][]
}

/** What a client in another process sees. */
async function seen(addresses: readonly string[]): Promise<Seen> {
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
    const others = together.flatMap(([first, ...rest]) => {
      expect(first).toMatchObject({ status: 200 })
      return rest
    })
    // Another instance that a busy machine lets read the request later still takes it for a second use.
    const isLate = ({ tookMs }: { tookMs: number }) => count > 1 && tookMs >= overlapMs
    for (const other of others) expect(isLate(other) ? [401, 409] : [409]).toContain(other.status)
    expect(others.filter(({ status }) => status === 409).length).toBeGreaterThan(others.length / 2)
    expect(together).toHaveLength(rounds)
    expect(reused).toEqual(Array(rounds).fill([401, 401, 401]))
  },
  120_000,
)
