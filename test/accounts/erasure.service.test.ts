import { createHash, randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ErasureContext, eraseDue, reapplyErasures } from '@memory/identity/accounts/erase-accounts'
import { pseudonymise } from '@memory/identity/accounts/erasure-store'
import { ReceiptKeys } from '@memory/identity/tokens/receipt-keys'
import { takeUsageSnapshot } from '@memory/identity/usage/keep-usage'
import { snapshotsIn } from '@memory/memory/index/snapshots'
import { asTask, asTenant, type Queries } from '@memory/shared/platform/database/database'
import { append } from '@memory/shared/platform/outbox/outbox'
import { receiptsOfOrganization } from '@memory/shared/receipts/store'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { textOf } from '../docs/pages.ts'
import { asOwner } from '../platform/open-database.ts'
import { newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let queries: Queries
let ben: User

beforeAll(async () => {
  server = await startServer({ MEMORY_DEFAULT_PLAN: 'enterprise' })
  queries = server.context.database.queries
  ben = await newUser(server)
  await fill(ben)
  await server.mails()
})

afterAll(() => server.close())

const forgotten: string[] = []
beforeEach(() => void forgotten.splice(0))

function erasure(through: Queries = queries, signal = new AbortController().signal): ErasureContext {
  const { clock, log, config, secrets } = server.context
  const forgetSpace = (spaceId: string) => void forgotten.push(spaceId)
  const { dataDir } = config
  const receipts = new ReceiptKeys({ queries, secrets, clock }, config)
  const snapshots = snapshotsIn(dataDir)
  return { queries: through, clock, log, dataDir, receipts, signal, forgetSpace, snapshots }
}

const word = (user: User) => `secret-${user.userId.slice(0, 8)}`

/** Leaves a row of the user or of their organization in every table that can have one. */
async function fill(user: User, patterns = 30): Promise<void> {
  const key = await server.newClient({ organizationId: user.organizationId })
  await key.post('/v1/memory/text/store', { text: word(user) }, { 'Idempotency-Key': word(user) })
  await key.post('/v1/memory/batch/store', {
    patterns: Array.from({ length: patterns }, (_, n) => ({
      key: [1, n],
      value: [n],
      metadata: { of: word(user) },
    })),
  })
  await key.store([`${word(user)} once`, `${word(user)} twice`])
  // What is found together is linked, and so is what one search finds after another.
  for (const query of [`${word(user)} twice`, word(user)]) await key.retrieve(query)
  await server.context.memory.accesses.flush()
  await server.context.memory.learning.flush()
  await key.post('/v1/memory/text/forget', { query: `${word(user)} once`, threshold: 1 })
  // What a deleted pattern was in is gone with it.
  await key.retrieve(word(user))
  await server.context.memory.accesses.flush()
  await server.context.memory.learning.flush()
  await server.context.usage.log.flush()
  await takeUsageSnapshot(server.context.usage)
  await user.post(`/v1/organizations/${user.organizationId}/invitations`, {
    email: `friend-of-${user.email}`,
  })
  await user.signInAgain({ 'User-Agent': word(user) })
  const { userId, organizationId } = user
  await asTenant(queries, { userId, organizationId }, async (trx) => {
    const hash = createHash('sha256').update(userId).digest()
    await sql`insert into app.mfa_factors (user_id, secret) values (${userId}, ${hash})`.execute(trx)
    await sql`insert into app.mfa_recovery_codes (user_id, code_hash) values (${userId}, ${hash})`.execute(
      trx,
    )
    await sql`insert into app.exports (user_id, id) values (${userId}, ${userId})`.execute(trx)
    await sql`insert into app.export_parts (user_id, export_id, part, data)
      values (${userId}, ${userId}, 0, ${hash})`.execute(trx)
    await sql`insert into app.notifications (organization_id, type, data)
      values (${organizationId}, 'payment_failed', '{}')`.execute(trx)
    await sql`insert into app.webhooks (organization_id, id, url)
      values (${organizationId}, ${userId}, 'https://hooks.example.com/')`.execute(trx)
    await sql`insert into app.webhook_secrets (organization_id, webhook_id, secret)
      values (${organizationId}, ${userId}, ${hash})`.execute(trx)
    await sql`insert into app.webhook_deliveries
        (organization_id, webhook_id, id, event_id, event_type, body, next_attempt_at)
      values (${organizationId}, ${userId}, ${userId}, ${userId}, 'x', '{}', now())`.execute(trx)
    await sql`insert into app.webhook_attempts
        (organization_id, webhook_id, delivery_id, attempted_at, duration_ms, failure)
      values (${organizationId}, ${userId}, ${userId}, now(), 1, 'timeout')`.execute(trx)
    // Of types that nobody takes: they stay.
    await append(trx, null, 'account.export_ready', { userId, exportId: userId })
    await sql`insert into app.outbox (organization_id, type, payload) values (${organizationId}, 'x', '{}')`.execute(
      trx,
    )
  })
}

async function spaceOf({ organizationId }: User): Promise<string> {
  const space = await asTenant(queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('spaces')
      .select('id')
      .where('environment', '=', 'live')
      .executeTakeFirstOrThrow(),
  )
  return space.id
}

/** Finds so many patterns that they are not counted yet. */
async function findMany(user: User): Promise<void> {
  server.context.memory.accesses.record(await spaceOf(user), Array(500).keys())
  await server.context.memory.accesses.keep()
}

/** Counts a query of the organization, as smaller plans do. */
async function countQuery(user: User): Promise<void> {
  await sql`select app.take_queries(${await spaceOf(user)}, 1, 10)`.execute(queries)
}

/** Explores the space, links and composes the pairs that were tried, and cuts a text. */
async function consolidate(user: User): Promise<void> {
  const key = await server.newClient({ organizationId: user.organizationId })
  await key.post('/v1/memory/explore')
  await asTenant(queries, { spaceId: await spaceOf(user) }, async (trx) => {
    for (const fill of [
      sql`insert into app.space_schedules (space_id, task, active_at) values (app.current_space(), 'sleep', now())`,
      sql`insert into app.subject_queries values (app.current_space(), 'x', now(), 1, 1)`,
      sql`insert into app.passages (space_id, idx, n, first_character, end_character, key)
        select app.current_space(), min(p.idx), 0, 0, 1, '[1]' from app.patterns p`,
      sql`insert into app.pattern_versions (space_id, idx, revision, changed_at, change)
        select app.current_space(), min(p.idx), 1, now(), 'created' from app.patterns p`,
      sql`insert into app.compositions (space_id, a, b, key, strength, created_at)
        select t.space_id, t.a, t.b, '[1]', 1, now() from app.pair_trials t`,
      sql`insert into app.conflicts (space_id, a, b, id, kind, similarity, found_at)
        select t.space_id, t.a, t.b, 'cfl_' || t.a || '_' || t.b, 'near_duplicate', 1, now() from app.pair_trials t`,
      sql`insert into app.associations (space_id, a, b, weight, at, engine_version)
        select t.space_id, t.a, t.b, 1, now(), 1 from app.pair_trials t on conflict do nothing`,
      sql`insert into app.transitions (space_id, source, target, count, at, engine_version)
        select t.space_id, t.a, t.b, 1, now(), 1 from app.pair_trials t on conflict do nothing`,
    ]) {
      await fill.execute(trx)
    }
  })
}

/** Adds what a deletion itself removes. */
async function fillDeleted({ userId, organizationId }: User): Promise<void> {
  await asTask(queries, 'erase-account', async (trx, switchTenant) => {
    await switchTenant({ organizationId })
    await sql`insert into app.erasures_under_way (organization_id) values (${organizationId})`.execute(trx)
  })
  await asTenant(queries, { userId }, async (trx) => {
    const hash = createHash('sha256').update(`more ${userId}`).digest()
    await sql`insert into app.mfa_challenges (user_id, token_hash, expires_at)
      values (${userId}, ${hash}, now())`.execute(trx)
    await sql`insert into app.email_tokens (user_id, purpose, token_hash, expires_at)
      values (${userId}, 'verify-email', ${hash}, now())`.execute(trx)
  })
}

/** As if everything deleted had been deleted so many days earlier. */
const passDays = (days: number) =>
  asTask(queries, 'administer-accounts', async (trx) => {
    for (const table of ['users', 'organizations']) {
      await sql`update app.${sql.id(table)} set deleted_at = deleted_at - make_interval(days => ${days})`.execute(
        trx,
      )
    }
  })

/** Rows that belong to a user or their organization, by table. */
function countRows({
  userId,
  organizationId,
}: Pick<User, 'userId' | 'organizationId'>): Promise<Record<string, number>> {
  return asOwner(queries, async (trx) => {
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select table_name::text as table, column_name::text as column from information_schema.columns
        where table_schema = 'app'
          and column_name in ('user_id', 'organization_id', 'space_id') or table_schema = 'app'
          and column_name = 'id' and table_name in ('users', 'organizations')`.execute(trx)
    const counts: Record<string, number> = {}
    for (const { table, column } of columns) {
      const ids =
        column === 'space_id'
          ? sql`select id from spaces_of where organization_id = ${organizationId}`
          : sql`select ${userId}::uuid union select ${organizationId}::uuid`
      const { rows } = await sql<{ n: number }>`
        with spaces_of as (select id, organization_id from app.spaces)
        select count(*)::int as n from app.${sql.id(table)} where ${sql.id(column)} in (${ids})`.execute(trx)
      counts[table] = (counts[table] ?? 0) + (rows[0]?.n ?? 0)
    }
    return counts
  })
}

/** Tables whose rows have a text anywhere in them. */
function findText(text: string): Promise<string[]> {
  return asOwner(queries, async (trx) => {
    const { rows: tables } = await sql<{ name: string }>`
      select relname::text as name from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r'`.execute(
      trx,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql`select 1 from app.${sql.id(name)} as t
        where position(${text} in t::text) > 0 limit 1`.execute(trx)
      if (rows.length > 0) found.push(name)
    }
    return found
  })
}

/** Queries of a process that is killed before its `n`th statement. */
function killedAt(n: number) {
  const state = { left: n }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (state.left-- <= 0) throw new Error('killed')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return queries.withPlugin(plugin)
}

const ledger = () =>
  readFileSync(join(server.context.config.dataDir, 'erasures.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

describe('erasing deleted accounts', () => {
  it('D2 takes events about the user out of the outbox, and nobody else’s', async () => {
    const [ada, eve] = [await newUser(server), await newUser(server)]
    const events = ({ userId }: User) =>
      asOwner(queries, async (trx) => {
        const { rows } = await sql`select from app.outbox where payload ->> 'userId' = ${userId}`.execute(trx)
        return rows.length
      })
    for (const { userId } of [ada, eve]) {
      await asTenant(queries, { userId }, (trx) =>
        append(trx, null, 'account.export_ready', { userId, exportId: userId }),
      )
    }
    await ada.delete('/v1/users/me')
    await passDays(30)
    await eraseDue(erasure())
    expect([await events(ada), await events(eve)]).toEqual([0, 1])
  })

  it('D2 leaves everything alone for 30 days', async () => {
    const ada = await newUser(server)
    await fill(ada)
    await ada.delete('/v1/users/me')
    await passDays(29)
    const before = await countRows(ada)
    expect(await eraseDue(erasure())).toEqual({ organizations: 0, users: 0 })
    expect(await countRows(ada)).toEqual(before)
    await passDays(1)
    expect(await eraseDue(erasure())).toEqual({ organizations: 1, users: 1 })
  })

  it('D2 removes every row, file and trace of the user and the organization, and nothing of others', async () => {
    const ada = await newUser(server, { organizationName: 'Analytical Engines' })
    await fill(ada, 2_500)
    await countQuery(ada)
    await consolidate(ada)
    await findMany(ada)
    await ada.delete('/v1/users/me')
    await fillDeleted(ada)
    const before = await countRows(ada)
    // Each table that can hold something of a tenant does.
    expect(Object.entries(before).filter(([, n]) => n === 0)).toEqual([])
    expect(before.patterns).toBe(2_502)
    const bens = await countRows(ben)
    const spaces = await asTenant(queries, { organizationId: ada.organizationId }, (trx) =>
      trx.withSchema('app').selectFrom('spaces').select('id').execute(),
    )
    const index = join(server.context.config.dataDir, 'index')
    mkdirSync(index, { recursive: true })
    for (const { id } of spaces) {
      const manifest = { format: 1, spaceId: id, save: 1, version: 1, limit: 'hot', shards: [], expiries: [] }
      writeFileSync(join(index, `${id}.json`), JSON.stringify(manifest))
      writeFileSync(join(index, `${id}.1.0`), 'vectors')
    }
    await passDays(30)
    expect(await eraseDue(erasure())).toEqual({ organizations: 1, users: 1 })
    const { audit_log, ...after } = await countRows(ada)
    // Of the forget before, and of this erasure.
    expect(Object.entries(after).filter(([, n]) => n > 0)).toEqual([['receipts', 2]])
    // That something was done stays, not by whom.
    expect(audit_log).toBe(before.audit_log)
    for (const text of [ada.email, word(ada), 'Analytical Engines']) expect(await findText(text)).toEqual([])
    expect(forgotten.sort()).toEqual(spaces.map(({ id }) => id).sort())
    expect(readdirSync(index).filter((file) => spaces.some(({ id }) => file.startsWith(id)))).toEqual([])
    expect(await countRows(ben)).toEqual(bens)
    expect(await findText(word(ben))).toContain('patterns')
    expect((await ben.get('/v1/users/me')).status).toBe(200)
  })

  it('D2 a process that holds a large space of it in memory drops it when it saves its spaces', async () => {
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: ada.organizationId })
    const patterns = Array.from({ length: 5_000 }, (_, n) => ({ key: [1, n], value: [n] }))
    await key.post('/v1/memory/batch/store', { patterns })
    expect(await key.retrieve('nothing')).toEqual([])
    const { spaces } = server.context.memory
    await spaces.save()
    const held = spaces.count
    await ada.delete('/v1/users/me')
    await passDays(30)
    await eraseDue(erasure())
    await spaces.save()
    expect(spaces.count).toBe(held - 1)
    const index = join(server.context.config.dataDir, 'index')
    for (const id of forgotten) expect(readdirSync(index).filter((file) => file.startsWith(id))).toEqual([])
  })

  it('D2 gives the email free again', async () => {
    const ada = await newUser(server)
    await ada.delete('/v1/users/me')
    await passDays(30)
    await eraseDue(erasure())
    const again = await newUser(server, { email: ada.email })
    expect(again.userId).not.toBe(ada.userId)
    expect((await again.get('/v1/security/audit-log')).body.entries).toHaveLength(1)
  })

  it('D2 killed before any of its statements, a rerun finishes', async () => {
    const ada = await newUser(server)
    await fill(ada, 1_200)
    await ada.delete('/v1/users/me')
    await passDays(30)
    let kills = 0
    for (; ; kills++) {
      const killed = await eraseDue(erasure(killedAt(kills))).then(
        () => false,
        (error: Error) => {
          expect(error.message).toBe('killed')
          return true
        },
      )
      if (!killed) break
      expect(kills).toBeLessThan(100)
    }
    expect(kills).toBeGreaterThan(5)
    const { audit_log: _, receipts, ...after } = await countRows(ada)
    expect(Object.values(after).every((n) => n === 0)).toBe(true)
    expect(await findText(ada.email)).toEqual([])
    // The other is of what was forgotten before.
    expect(receipts).toBe(2)
    const [{ receipt } = { receipt: '' }] = await receiptsOfOrganization(queries, ada.organizationId)
    const keys = createLocalJWKSet(await (await fetch(`${server.url}/.well-known/jwks.json`)).json())
    const { payload } = await jwtVerify(receipt, keys, { typ: 'erasure-receipt+jwt' })
    // Counted over all transactions, none of them twice.
    expect(payload).toMatchObject({ space: null, counts: { patterns: 1_202, organizations: 1, spaces: 2 } })
    const told = textOf('docs/guides/erasure.md').match(/^\| `counts` .*$/m)?.[0]
    for (const name of Object.keys(payload.counts as object)) expect(told).toContain(`\`${name}\``)
    const claims = JSON.stringify(payload)
    for (const text of [ada.email, ada.userId, word(ada)]) expect(claims).not.toContain(text)
  })

  it('D2 one that fails holds up no other, and is what the run fails with', async () => {
    const [ada, eve] = [await newUser(server), await newUser(server)]
    for (const user of [ada, eve]) {
      await user.delete('/v1/users/me')
      await passDays(30)
    }
    const failing: KyselyPlugin = {
      transformQuery: ({ node }) => {
        const text = JSON.stringify(node)
        const isErased = text.includes('app.erase_') && !text.includes('patterns')
        if (isErased && [ada.userId, ada.organizationId].some((id) => text.includes(id)))
          throw new Error('not this one')
        return node
      },
      transformResult: async ({ result }) => result,
    }
    await expect(eraseDue(erasure(queries.withPlugin(failing)))).rejects.toThrow('not this one')
    expect((await countRows(eve)).users).toBe(0)
    expect((await countRows(ada)).users).toBe(1)
    expect(await eraseDue(erasure())).toEqual({ organizations: 1, users: 1 })
  })

  it('F7 stops between two statements when its process is about to end', async () => {
    const ada = await newUser(server)
    await ada.delete('/v1/users/me')
    await passDays(30)
    expect(await eraseDue(erasure(queries, AbortSignal.abort()))).toEqual({ organizations: 0, users: 0 })
    expect(await eraseDue(erasure())).toEqual({ organizations: 1, users: 1 })
  })

  it('erases a member of somebody else’s organization and leaves the organization', async () => {
    const ada = await newUser(server)
    await asTenant(queries, { organizationId: ben.organizationId }, (trx) =>
      trx
        .withSchema('app')
        .insertInto('memberships')
        .values({ organization_id: ben.organizationId, user_id: ada.userId, role: 'admin' })
        .execute(),
    )
    const headers = { 'X-Organization-Id': ben.organizationId }
    const { body } = await ada.post('/v1/api-keys', { name: 'made by Ada' }, headers)
    expect(body.key).toMatch(/^mem_live_/)
    // Writes an entry by somebody else that names Ada.
    const member = `/v1/organizations/${ben.organizationId}/members/${ada.userId}`
    expect((await ben.patch(member, { role: 'member' })).status).toBe(200)
    await ada.delete('/v1/users/me')
    await passDays(30)
    await eraseDue(erasure())
    const { body: listed } = await ben.get(`/v1/organizations/${ben.organizationId}/members`)
    expect(listed.members.map((member: { user_id: string }) => member.user_id)).toEqual([ben.userId])
    const stats = await fetch(`${server.url}/v1/memory/text/stats`, { headers: { 'X-API-Key': body.key } })
    expect(stats.status).toBe(200)
    expect(await findText(ada.email)).toEqual([])
  })

  it('nobody else can remove a user, an organization or a space that is not due', async () => {
    const { userId, organizationId } = ben
    const spaces = (await countRows(ben)).spaces
    await asTenant(queries, { userId, organizationId }, async (trx) => {
      for (const table of ['spaces', 'organizations', 'users']) {
        const { numAffectedRows } = await sql`delete from app.${sql.id(table)}`.execute(trx)
        expect(numAffectedRows).toBe(0n)
      }
    })
    await asTask(queries, 'erase-account', async (trx) => {
      await sql`select app.erase_patterns(${organizationId}, 10), app.erase_organization(${organizationId}),
        app.erase_user(${userId})`.execute(trx)
    })
    expect((await countRows(ben)).spaces).toBe(spaces)
    const refused = sql`select app.pseudonymise_organization_audit(${organizationId})`.execute(queries)
    await expect(refused).rejects.toMatchObject({ code: '42501' })
  })
})

describe('the ledger of erasures', () => {
  it('D4 has ids alone, noted before anything is erased', async () => {
    const ada = await newUser(server)
    await ada.delete('/v1/users/me')
    await passDays(30)
    // Two statements list what is due; the next would erase.
    await expect(eraseDue(erasure(killedAt(3)))).rejects.toThrow('killed')
    const noted = [
      { kind: 'organization', id: ada.organizationId, at: expect.any(String) },
      { kind: 'user', id: ada.userId, at: expect.any(String) },
    ]
    expect(ledger().slice(-2)).toEqual(noted)
    expect((await queries.withSchema('app').selectFrom('users').select('id').execute()).length).toBe(0)
    await eraseDue(erasure())
    expect(ledger().slice(-2)).toEqual(noted)
    expect(JSON.stringify(ledger())).not.toContain('@')
  })

  it('D4 erases again what an older backup has brought back, and nothing else', async () => {
    const ada = await newUser(server)
    await ada.delete('/v1/users/me')
    await passDays(30)
    await eraseDue(erasure())
    expect((await reapplyErasures(erasure())).found).toBe(0)
    // The backup is from before the deletion: the account is active.
    await asTenant(queries, { userId: ada.userId, organizationId: ada.organizationId }, async (trx) => {
      await sql`insert into app.users (id, email, password_hash, created_at)
        values (${ada.userId}, ${ada.email}, 'x', now() - interval '40 days')`.execute(trx)
      await sql`insert into app.organizations (id, name, plan, created_at)
        values (${ada.organizationId}, 'x', 'free', now() - interval '40 days')`.execute(trx)
      await sql`insert into app.spaces (organization_id, environment) values (${ada.organizationId}, 'live')`.execute(
        trx,
      )
      await sql`insert into app.memberships (organization_id, user_id, role)
        values (${ada.organizationId}, ${ada.userId}, 'owner')`.execute(trx)
    })
    const key = await server.newClient({ organizationId: ada.organizationId })
    await key.store([word(ada)])
    const bens = await countRows(ben)
    expect((await reapplyErasures(erasure())).found).toBe(2)
    const { audit_log: _, receipts: __, ...after } = await countRows(ada)
    expect(Object.values(after).every((n) => n === 0)).toBe(true)
    expect(await findText(word(ada))).toEqual([])
    expect(await countRows(ben)).toEqual(bens)
  })

  it('D4 leaves alone what was made under the id of what was erased, as the local organization is', async () => {
    const id = randomUUID()
    const made = (at: string) =>
      asTenant(queries, { organizationId: id, userId: id }, async (trx) => {
        await sql`insert into app.organizations (id, name, plan, created_at) values (${id}, 'x', 'free', ${at})`.execute(
          trx,
        )
        await sql`insert into app.users (id, email, password_hash, created_at)
          values (${id}, ${`${id}@example.com`}, 'x', ${at})`.execute(trx)
      })
    const note = (at: string) => {
      const lines = ['organization', 'user'].map((kind) => `\n${JSON.stringify({ kind, id, at })}\n`)
      appendFileSync(join(server.context.config.dataDir, 'erasures.ndjson'), lines.join(''))
    }
    // The ledger of another process may be older.
    const others = [{ kind: 'organization' as const, id, at: '2024-01-01T00:00:00.000Z' }]
    note('2025-01-01T00:00:00.000Z')
    note('2026-01-01T00:00:00.000Z')
    // A backup from between the erasures, and then one from after them.
    await made('2025-06-01T00:00:00Z')
    expect((await reapplyErasures(erasure(), others)).found).toBe(2)
    await made('2026-02-01T00:00:00Z')
    expect((await reapplyErasures(erasure(), others)).found).toBe(0)
    expect(await countRows({ userId: id, organizationId: id })).toMatchObject({
      organizations: 1,
      users: 1,
    })
  })
})

it('D2 takes nothing out of the audit log for users who are not due', async () => {
  const { organizationId, userId } = ben
  const details = { name: null, members: 3 }
  const found = await asTenant(queries, { organizationId }, (trx) =>
    sql<{ id: number }>`
      insert into app.audit_log (organization_id, user_id, actor, actor_email, action, success, details)
        values (${organizationId}, ${userId}, 'user', ${ben.email}, 'organization_updated', true, ${JSON.stringify(details)}::jsonb)
        returning id::float8`.execute(trx),
  )
  const [entry] = found.rows
  for (const due of [[], [userId]]) await pseudonymise(queries, due, (entry?.id ?? 0) - 1, 10)
  const { rows } = await asTenant(queries, { organizationId }, (trx) =>
    sql`select actor_email, details from app.audit_log where id = ${entry?.id}`.execute(trx),
  )
  expect(rows).toEqual([{ actor_email: ben.email, details }])
})
