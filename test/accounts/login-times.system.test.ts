import { Passwords, standardCost } from '@memory/identity/accounts/passwords'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newEmail, newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

const samples = 100

let server: TestServer
let anyone: Anonymous
/** An address of each kind of account; of nobody's, another one each time. */
let accounts: Record<'existing' | 'deleted' | 'unknown', () => string>

beforeAll(async () => {
  server = await startServer()
  anyone = new Anonymous(server.url)
  // As much work as in production: less would hide whether it is done.
  server.context.accounts.passwords = new Passwords({ concurrency: 1, cost: standardCost })
  const [existing, deleted] = [await newUser(server), await newUser(server)]
  await asTenant(server.context.database.queries, { userId: deleted.userId }, (trx) =>
    sql`update app.users set status = 'deleted', deleted_at = now()`.execute(trx),
  )
  accounts = { existing: () => existing.email, deleted: () => deleted.email, unknown: newEmail }
})

afterAll(() => server.close())

/** So that no limit is met: the answers of one that is are not the ones compared here. */
const forgetAttempts = () =>
  asTask(server.context.database.queries, 'throttle', (trx) => sql`delete from app.attempts`.execute(trx))

/** The median of each kind's times in ms, of requests that take turns. */
async function medians(ask: (email: string) => Promise<{ status: number }>, status: number) {
  const times: Record<string, number[]> = { existing: [], deleted: [], unknown: [] }
  for (let n = 0; n < samples; n++) {
    if (n % 4 === 0) await forgetAttempts()
    for (const [kind, email] of Object.entries(accounts)) {
      const began = performance.now()
      expect((await ask(email())).status).toBe(status)
      times[kind]?.push(performance.now() - began)
    }
  }
  return Object.values(times).map((each) => each.sort((a, b) => a - b)[samples / 2] as number)
}

/** What else the machine does can part them once; what tells something of an account does each time. */
const roundsMax = 6

/** Expects medians that are alike, of one round at least. */
async function expectAlike(measure: () => Promise<number[]>): Promise<number[]> {
  for (let round = 1; ; round++) {
    const times = await measure()
    const [least, most] = [Math.min(...times), Math.max(...times)]
    const bound = Math.max(5, least / 10)
    if (round < roundsMax && most - least > bound) continue
    expect(most - least, String(times)).toBeLessThanOrEqual(bound)
    return times
  }
}

describe('E1 how long an answer takes does not tell whether there is an account', () => {
  it('at login with a wrong password', async () => {
    const ask = (email: string) => anyone.post('/v1/auth/login', { email, password: 'wrong' })
    const times = await expectAlike(() => medians(ask, 401))
    // The work is done for each of them: nobody is answered without it.
    expect(Math.min(...times)).toBeGreaterThan(5)
  }, 240_000)

  it.each(['forgot-password', 'resend-verification'])(
    'at %s',
    async (path) => {
      await expectAlike(() => medians((email) => anyone.post(`/v1/auth/${path}`, { email }), 200))
    },
    120_000,
  )
})
