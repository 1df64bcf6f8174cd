import { randomBytes } from 'node:crypto'
import { hashToken } from '@memory/identity/tokens/single-use-token'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { createWorkerContext } from '@memory/worker/context'
import { jobHandlers } from '@memory/worker/jobs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPlan } from '../organizations/support.ts'
import { asOwner } from '../platform/open-database.ts'
import { Anonymous, auditOf, newUser, type User } from '../support/accounts.ts'
import { newConformingClient } from '../support/conforms.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ MEMORY_AUDIT_RETENTION_DAYS: '60', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
})
afterAll(() => server.close())

const asUser = <T>({ userId }: User, work: (trx: Trx) => Promise<T>) =>
  asTenant(server.context.database.queries, { userId }, work)

function runJob(
  type: 'purge-audit-log' | 'purge-keys' | 'purge-sessions' | 'roll-up-usage',
): Promise<unknown> {
  const context = createWorkerContext({ ...server.context, secrets: server.context.accounts.secrets })
  return jobHandlers[type]({}, context, {} as never)
}

const tooMany = (answer: Answer) => {
  expect(answer).toMatchObject({ status: 429, body: { detail: 'Too many attempts' } })
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
}

describe('the audit log', () => {
  const age = ({ userId }: User, days: number, last: number) =>
    asOwner(server.context.database.queries, (trx) =>
      sql`update app.audit_log set at = now() - make_interval(days => ${days}) where id in (
        select id from app.audit_log where user_id = ${userId} order by id limit ${last})`.execute(trx),
    )

  it('keeps entries for as many days as are set, for everybody', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    for (const user of [ada, ben]) await user.signInAgain()
    await age(ada, 61, 1)
    await age(ben, 59, 1)
    await runJob('purge-audit-log')
    const actions = async (user: User) => (await auditOf(server, user.userId)).map(({ action }) => action)
    expect(await actions(ada)).toEqual(['login'])
    expect(await actions(ben)).toEqual(['register', 'login'])
  })

  it('gives no entry away that is younger than a month, whoever asks, and none to a tenant', async () => {
    const { queries } = server.context.database
    await expect(sql`select app.purge_audit_log(29, 10)`.execute(queries)).rejects.toMatchObject({
      code: '42501',
    })
    const ada = await newUser(server)
    await expect(asUser(ada, (trx) => sql`delete from app.audit_log`.execute(trx))).rejects.toMatchObject({
      code: '42501',
    })
  })

  it('has no entry of a forget that finds nothing, nor of emptying what is empty', async () => {
    const user = await newUser(server)
    const forget = (body: object) => user.request('DELETE', '/v1/memory/text/forget', body)
    for (let n = 0; n < 3; n++) {
      expect((await forget({ query: `nothing ${n}` })).body).toMatchObject({ forgotten: 0 })
      expect((await forget({ category: `none ${n}` })).body).toMatchObject({ forgotten: 0 })
      expect((await user.delete('/v1/memory/patterns?confirm=all')).status).toBe(200)
    }
    const forgets = async () => {
      const { body } = await user.get('/v1/security/audit-log?limit=200')
      return body.entries.filter(({ action }: { action: string }) => action === 'memory_forgotten').length
    }
    expect(await forgets()).toBe(0)
    await user.post('/v1/memory/text/store', { text: 'a fact' })
    expect((await forget({ query: 'a fact' })).body).toMatchObject({ forgotten: 1 })
    expect(await forgets()).toBe(1)
  })
})

describe('API keys', () => {
  it('may be made 200 times an hour, however many are revoked', async () => {
    const ada = await newUser(server)
    await setPlan(server, ada, 'scale')
    const make = () => ada.post('/v1/api-keys', { name: 'a' })
    for (let n = 0; n < 3; n++) await ada.delete(`/v1/api-keys/${(await make()).body.id}`)
    await asTenant(server.context.database.queries, ada, (trx) =>
      sql`insert into app.api_keys (organization_id, name, environment, key_prefix, last_four, key_hash, revoked_at, created_at)
        select ${ada.organizationId}, 'a', 'live', 'mem_live_x', 'xxxx', ${randomBytes(16)} || int4send(n), now(),
            now() - interval '59 minutes 30 seconds'
          from generate_series(1, 196) n`.execute(trx),
    )
    expect((await make()).status).toBe(200)
    const refused = await make()
    tooMany(refused)
    expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(31)
    // Another organization has its own.
    expect((await (await newUser(server)).post('/v1/api-keys', { name: 'a' })).status).toBe(200)
    await asTenant(server.context.database.queries, ada, (trx) =>
      sql`update app.api_keys set created_at = now() - interval '61 minutes'`.execute(trx),
    )
    expect((await make()).status).toBe(200)
  })

  it('are removed 90 days after they were revoked or expired, and no sooner', async () => {
    const ada = await newUser(server)
    await setPlan(server, ada, 'scale')
    const keys: string[] = []
    for (let n = 0; n < 5; n++) keys.push((await ada.post('/v1/api-keys', { name: `${n}` })).body.id)
    const days = (n: number) => sql`now() - make_interval(days => ${n})`
    const change = (n: number, column: 'revoked_at' | 'expires_at', ago: number) =>
      asTenant(server.context.database.queries, ada, (trx) =>
        sql`update app.api_keys set ${sql.ref(column)} = ${days(ago)} where id = ${keys[n]}`.execute(trx),
      )
    await change(0, 'revoked_at', 91)
    await change(1, 'revoked_at', 89)
    await change(2, 'expires_at', 91)
    await change(3, 'expires_at', 89)
    await runJob('purge-keys')
    const { rows } = await asTenant(server.context.database.queries, ada, (trx) =>
      sql<{ name: string }>`select name from app.api_keys order by name`.execute(trx),
    )
    expect(rows.map(({ name }) => name)).toEqual(['1', '3', '4'])
  })
})

describe('what one may do within an hour', () => {
  it('is 60 tests of webhooks for an organization, and nobody else’s are fewer', async () => {
    const [ada, ben] = [await newConformingClient(server), await newConformingClient(server)]
    const testOf = async (client: typeof ada) => {
      const { body } = await client.post('/v1/webhooks', { url: 'http://127.0.0.1:9/' })
      return () => client.post(`/v1/webhooks/${body.id}/test`)
    }
    const [first, second, others] = [await testOf(ada), await testOf(ada), await testOf(ben)]
    for (let n = 0; n < 60; n++) expect((await (n % 2 === 0 ? first : second)()).status).toBe(200)
    for (const again of [first, second]) tooMany(await again())
    expect((await others()).status).toBe(200)
    const { rows } = await asTenant(server.context.database.queries, ada, (trx) =>
      sql<{ n: number }>`select count(*)::int as n from app.webhook_deliveries`.execute(trx),
    )
    expect(rows).toEqual([{ n: 60 }])
  })

  const used = (bucket: readonly string[]) =>
    server.context.accounts.throttle.take([{ rule: bucket[0] as never, of: bucket.slice(1) }])
  const useUp = async (...bucket: string[]) => {
    for (;;)
      if (
        await used(bucket).then(
          () => false,
          () => true,
        )
      )
        return
  }

  it('is 1,000 changes by one user of accounts, keys, members and organizations', async () => {
    const ada = await newUser(server)
    await useUp('userChange', ada.userId)
    for (const [method, path, body] of [
      ['POST', '/v1/api-keys', { name: 'a' }],
      ['PATCH', `/v1/organizations/${ada.organizationId}`, { name: 'a' }],
      ['PATCH', '/v1/users/me', { full_name: 'a' }],
      ['POST', '/v1/auth/mfa/enable', undefined],
      ['POST', `/v1/organizations/${ada.organizationId}/invitations`, { email: 'a@example.com' }],
    ] as const) {
      tooMany(await ada.request(method, path, body))
    }
    expect((await ada.get('/v1/users/me')).status).toBe(200)
    expect((await new Anonymous(server.url).get('/healthz')).status).toBe(200)
  })

  it('is 1,000 sign-ins of one user, of whom each leaves an entry', async () => {
    const ada = await newUser(server)
    await useUp('signIn', ada.userId)
    const login = (user: { email: string; password: string }, password = user.password) =>
      new Anonymous(server.url).post('/v1/auth/login', { email: user.email, password })
    const before = (await auditOf(server, ada.userId)).length
    tooMany(await login(ada))
    expect(await auditOf(server, ada.userId)).toHaveLength(before)
    expect((await login(ada, 'wrong')).status).toBe(401)
    expect((await login(await newUser(server))).status).toBe(200)
  })

  it('is 1,000 changes of webhooks, and 600 anomalies, for one organization', async () => {
    const ada = await newConformingClient(server)
    await useUp('webhookChange', ada.organizationId)
    tooMany(await ada.post('/v1/webhooks', { url: 'http://127.0.0.1:9/' }))
    await useUp('anomaly', ada.organizationId)
    tooMany(await ada.post('/v1/memory/regime/inject-anomaly', {}))
    expect((await ada.get('/v1/webhooks')).status).toBe(200)
  })
})

describe('sessions', () => {
  it('of one user are 100, of which the oldest ends when another begins, and as many that have ended', async () => {
    const ada = await newUser(server)
    const others = 98
    await asUser(ada, (trx) =>
      sql`insert into app.sessions (user_id, created_at, expires_at)
        select ${ada.userId}, now() - interval '1 hour', now() + interval '1 day' from generate_series(1, ${others}::int)`.execute(
        trx,
      ),
    )
    await asUser(ada, (trx) =>
      sql`update app.sessions set created_at = now() - interval '2 hours' where id = ${ada.sessionId}`.execute(
        trx,
      ),
    )
    const works = async (user: User) => (await user.get('/v1/users/me')).status
    const second = await ada.signInAgain()
    expect([await works(ada), await works(second)]).toEqual([200, 200])
    const third = await ada.signInAgain()
    expect([await works(ada), await works(second), await works(third)]).toEqual([401, 200, 200])
    expect(
      (await new Anonymous(server.url).post('/v1/auth/refresh', { refresh_token: ada.refreshToken })).status,
    ).toBe(401)
    expect((await third.get('/v1/security/sessions')).body).toHaveLength(100)
    await asUser(ada, (trx) =>
      sql`insert into app.sessions (user_id, created_at, expires_at, revoked_at)
        select ${ada.userId}, now(), now() + interval '1 day', now() - make_interval(mins => n) from generate_series(1, 150) n`.execute(
        trx,
      ),
    )
    await third.signInAgain()
    const { rows } = await asUser(ada, (trx) =>
      sql<{
        ended: boolean
        n: number
      }>`select revoked_at is not null as ended, count(*)::int as n from app.sessions group by 1 order by 1`.execute(
        trx,
      ),
    )
    expect(rows).toEqual([
      { ended: false, n: 100 },
      { ended: true, n: 100 },
    ])
  })

  it('keep 10,000 refresh tokens each', async () => {
    const ada = await newUser(server)
    await asUser(ada, (trx) =>
      sql`insert into app.refresh_tokens (user_id, token_hash, session_id, created_at, expires_at, spent_at, settled_at)
        select ${ada.userId}, ${randomBytes(16)} || int4send(n), ${ada.sessionId}, now() - make_interval(mins => n),
            now() + interval '1 day', now(), now()
          from generate_series(1, 10050) n`.execute(trx),
    )
    const { body } = await new Anonymous(server.url).post('/v1/auth/refresh', {
      refresh_token: ada.refreshToken,
    })
    const { rows } = await asUser(ada, (trx) =>
      sql<{ n: number; next: boolean; spent: boolean }>`select count(*)::int as n,
          bool_or(token_hash = ${hashToken(body.refresh_token)}) as next, bool_or(token_hash = ${hashToken(ada.refreshToken)}) as spent
        from app.refresh_tokens`.execute(trx),
    )
    expect(rows).toEqual([{ n: 10_000, next: true, spent: true }])
  })
})

it('counts of queries are kept for 100 days', async () => {
  const ada = await newConformingClient(server)
  const { spaceId } = (
    await asTenant(server.context.database.queries, ada, (trx) =>
      sql<{ spaceId: string }>`select id as "spaceId" from app.spaces where environment = 'live'`.execute(
        trx,
      ),
    )
  ).rows[0] as { spaceId: string }
  const days = await asTenant(server.context.database.queries, { spaceId }, async (trx) => {
    await sql`insert into app.query_counts (space_id, day, used)
      select ${spaceId}, (now() at time zone 'utc')::date - n, 1 from unnest('{1,99,101,500}'::int[]) n`.execute(
      trx,
    )
    return async () =>
      (
        await asTenant(server.context.database.queries, { spaceId }, (later) =>
          sql<{
            ago: number
          }>`select ((now() at time zone 'utc')::date - day) as ago from app.query_counts order by 1`.execute(
            later,
          ),
        )
      ).rows.map(({ ago }) => ago)
  })
  await runJob('roll-up-usage')
  expect(await days()).toEqual([1, 99])
})
