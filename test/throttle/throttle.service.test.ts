import { purgeSessions } from '@memory/identity/accounts/sessions'
import { asTask, asTenant, type Queries } from '@memory/shared/platform/database/database'
import { makeRules } from '@memory/shared/throttle/rules'
import { type Attempt, purgeAttempts, Throttle } from '@memory/shared/throttle/throttle'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let throttle: Throttle

beforeAll(async () => {
  server = await startServer()
  const rules = makeRules({ login: { pair: 10, address: 50, email: 100 }, registrationsPerHour: 3 })
  throttle = new Throttle(server.context.database.queries, rules)
})
afterAll(() => server.close())

let names = 0
const newPair = (): Attempt => ({ rule: 'loginPair', of: [`pair ${names++}`] })
const newRegistration = (): Attempt => ({ rule: 'registrationAddress', of: [`address ${names++}`] })

const inStore = <T>(work: Parameters<typeof asTask<T>>[2]) =>
  asTask(server.context.database.queries, 'throttle', work)
const rows = () =>
  inStore((trx) => trx.withSchema('app').selectFrom('attempts').selectAll().orderBy('ends_at').execute())

/** How often an attempt can still be taken. */
async function left(attempt: Attempt): Promise<number> {
  for (let taken = 0; ; taken++) if (!(await throttle.tryTake([attempt]))) return taken
}

describe('attempts', () => {
  it('E2 are taken up to the limit, of many at once as of one after the other', async () => {
    const attempt = newPair()
    const taken = await Promise.all(Array.from({ length: 100 }, () => throttle.tryTake([attempt])))
    expect(taken.filter(Boolean)).toHaveLength(10)
    expect(await left(attempt)).toBe(0)
  })

  it('are taken from all buckets or from none', async () => {
    const [free, full] = [newPair(), newRegistration()]
    for (let time = 0; time < 3; time++) await throttle.take([full])
    for (let time = 0; time < 5; time++) expect(await throttle.tryTake([free, full])).toBe(false)
    expect(await left(free)).toBe(10)
  })

  it('that are taken and given back at once never wait for each other in a circle', async () => {
    // Enough that their order in the table and that of their names differ somewhere.
    const attempts = Array.from({ length: 24 }, newPair)
    for (const attempt of attempts) await throttle.take([attempt])
    const work = Array.from({ length: 400 }, (_, i) =>
      i % 2 === 0 ? throttle.tryTake(attempts) : throttle.giveBackAndClear(attempts, []),
    )
    const failures = (await Promise.allSettled(work)).filter(({ status }) => status === 'rejected')
    expect(failures).toEqual([])
  })

  it('never wait for each other in a circle', async () => {
    const [a, b, c] = [newPair(), newPair(), newPair()]
    const orders = [
      [a, b, c],
      [c, b, a],
      [b, c, a],
    ]
    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, i) => throttle.tryTake(orders[i % 3] as Attempt[])),
    )
    expect(taken.filter(Boolean)).toHaveLength(10)
  })

  it('are given back, and forgotten', async () => {
    const [one, other] = [newPair(), newPair()]
    for (let time = 0; time < 10; time++) await throttle.take([one, other])
    await throttle.giveBackAndClear([one], [other])
    expect(await left(one)).toBe(1)
    expect(await left(other)).toBe(10)
    await throttle.clear([one])
    await throttle.giveBack([one])
    expect(await left(one)).toBe(10)
  })

  it('E4 tell the seconds until all buckets that are used up are empty, and are empty then', async () => {
    const [soon, late] = [newPair(), newRegistration()]
    expect(await left(soon)).toBe(10)
    expect(await left(late)).toBe(3)
    // Times in the store instead of waiting.
    const inSeconds = (windowS: number, seconds: number) =>
      inStore((trx) =>
        sql`update app.attempts set ends_at = now() + make_interval(secs => ${seconds})
          where ends_at between now() + make_interval(secs => ${windowS - 60})
            and now() + make_interval(secs => ${windowS}) and count = ${windowS === 900 ? 10 : 3}`.execute(
          trx,
        ),
      )
    await inSeconds(900, 5.5)
    await inSeconds(3_600, 20.5)
    const refused = (attempts: Attempt[]) =>
      throttle.take(attempts).then(
        () => 0,
        (error) => error.retryAfterS,
      )
    expect(await refused([soon])).toBe(6)
    expect(await refused([soon, late])).toBe(21)
    await inStore((trx) =>
      sql`update app.attempts set ends_at = ends_at - interval '21 seconds'`.execute(trx),
    )
    expect(await refused([soon, late])).toBe(0)
    expect(await left(soon)).toBe(9)
  })

  it('leave neither addresses nor emails, and nothing at all when their time is over', async () => {
    const queries = server.context.database.queries
    const secret = 'ada@example.com'
    await throttle.take([{ rule: 'loginEmail', of: [secret] }])
    const kept = await rows()
    expect(kept.length).toBeGreaterThan(0)
    for (const { bucket } of kept) expect(bucket).toHaveLength(32)
    await inStore((trx) => sql`update app.attempts set ends_at = now()`.execute(trx))
    const current = newPair()
    await throttle.take([current])
    await purgeAttempts(queries)
    expect(await rows()).toHaveLength(1)
    expect(await left(current)).toBe(9)
  })
})

/** Queries that note how many rows each of their statements changed. */
function noting(changed: bigint[]): Queries {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      changed.push(result.numAffectedRows ?? 0n)
      return result
    },
  }
  return server.context.database.queries.withPlugin(plugin)
}

describe('what a flood has left', () => {
  it('of attempts is purged some at a time, so that no statement runs out of time', async () => {
    await inStore((trx) =>
      sql`insert into app.attempts (bucket, count, ends_at)
        select sha256(n::text::bytea), 0, now() from generate_series(1, 12000) n`.execute(trx),
    )
    const changed: bigint[] = []
    await purgeAttempts(noting(changed))
    expect(changed.reduce((sum, n) => sum + n)).toBeGreaterThanOrEqual(12_000n)
    expect(changed.reduce((most, n) => (n > most ? n : most))).toBe(5_000n)
    expect(
      await inStore((trx) => sql`select from app.attempts where ends_at <= now()`.execute(trx)),
    ).toMatchObject({ rows: [] })
  })

  it('of sessions and challenges too', async () => {
    const { userId } = await newUser(server)
    const left = () =>
      asTenant(server.context.database.queries, { userId }, async (trx) => {
        const { rows } = await sql<{ n: number }>`select (select count(*) from app.sessions)::int
          + (select count(*) from app.mfa_challenges)::int as n`.execute(trx)
        return rows[0]?.n
      })
    await asTenant(server.context.database.queries, { userId }, async (trx) => {
      await sql`insert into app.sessions (user_id, expires_at)
        select ${userId}::uuid, now() - interval '1 second' from generate_series(1, 1200)`.execute(trx)
      await sql`insert into app.mfa_challenges (user_id, token_hash, expires_at)
        select ${userId}::uuid, sha256(n::text::bytea), now() - interval '1 second' from generate_series(1, 1200) n`.execute(
        trx,
      )
    })
    expect(await left()).toBe(2_401)
    const changed: bigint[] = []
    await purgeSessions(noting(changed))
    expect(await left()).toBe(1)
    expect(changed.filter((n) => n > 0n)).toEqual([500n, 500n, 200n, 500n, 500n, 200n])
  })
})

describe('sessions', () => {
  it('are purged when they have expired, or 30 days after their end, with their refresh tokens', async () => {
    const { queries } = server.context.database
    const user = await newUser(server)
    const [expired, revoked, recent] = [
      await user.signInAgain(),
      await user.signInAgain(),
      await user.signInAgain(),
    ]
    const sessions = () =>
      asTenant(queries, { userId: user.userId }, async (trx) => {
        const { rows } = await sql<{ id: string }>`
          select s.id from app.sessions s join app.refresh_tokens t on t.session_id = s.id`.execute(trx)
        return rows.map(({ id }) => id).sort()
      })
    await asTenant(queries, { userId: user.userId }, async (trx) => {
      const set = (id: string, change: ReturnType<typeof sql>) =>
        sql`update app.sessions set ${change} where id = ${id}`.execute(trx)
      await set(expired.sessionId, sql`expires_at = now() - interval '1 second'`)
      await set(revoked.sessionId, sql`revoked_at = now() - interval '31 days'`)
      await set(recent.sessionId, sql`revoked_at = now() - interval '29 days'`)
    })
    expect(await sessions()).toHaveLength(4)
    await purgeSessions(queries)
    expect(await sessions()).toEqual([user.sessionId, recent.sessionId].sort())
    expect(
      await asTenant(queries, { userId: user.userId }, (trx) =>
        trx.withSchema('app').selectFrom('refresh_tokens').select('session_id').execute(),
      ),
    ).toHaveLength(2)
  })
})
