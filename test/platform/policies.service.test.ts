import { randomBytes, randomUUID } from 'node:crypto'
import { createKey } from '@memory/identity/keys/service'
import * as store from '@memory/memory/store'
import { recordAccesses } from '@memory/memory/tiers/access-store'
import {
  asTask,
  asTenant,
  type Database,
  type Queries,
  type Task,
  type Trx,
  withTokenHash,
} from '@memory/shared/platform/database/database'
import { IdempotencyClaims } from '@memory/shared/platform/idempotency'
import { append } from '@memory/shared/platform/outbox/outbox'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPattern } from '../support/pattern.ts'
import { asOwner, type NewOrganization, newOrganization, openTestDatabase, silent } from './open-database.ts'

let database: Database
let queries: Queries
let tables: string[]
let ada: Filled
let ben: Filled

beforeAll(async () => {
  database = await openTestDatabase()
  queries = database.queries
  ada = await newFilledOrganization()
  ben = await newFilledOrganization()
  await fillOwnTables()
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
      where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and relrowsecurity order by 1`.execute(
    queries,
  )
  tables = rows.map(({ name }) => name)
})

afterAll(() => database.close())

const day = 86_400_000

/** An organization and its only member: the tenant that sees all that both have. */
interface Filled extends NewOrganization {
  userId: string
}

/** An organization with a row in every tenant table, and what housekeeping looks for: expired and old rows. */
async function newFilledOrganization(): Promise<Filled> {
  const organization = await newOrganization(queries)
  const { organizationId, spaceId } = organization
  const expiresAt = new Date(Date.now() + day)
  await createKey(queries, organizationId, { name: 'a', environment: 'live', scopes: null, expiresAt })
  const pattern = (expiresAt: Date | null): store.NewPattern => newPattern({ expiresAt })
  const patterns = [pattern(null), pattern(new Date(Date.now() - day)), pattern(null)]
  await store.insertPatterns(queries, spaceId, -1, 'test', patterns)
  await recordAccesses(queries, spaceId, new Map([[0, 1]]), new Date())
  await store.removePatterns(queries, spaceId, { indexes: [2], textOnly: false, dryRun: false })
  for (const key of ['new', 'old']) {
    const claims = new IdempotencyClaims(queries, silent)
    const claimed = await claims.claim({ spaceId, route: 'a', key, bodyHash: Buffer.from('b') })
    if (claimed.outcome === 'claimed') claims.drop(claimed.held)
  }
  await asTenant(queries, organization, async (trx) => {
    const limit = { spaceId, used: 1, limit: 1 }
    await append(trx, organizationId, 'memory.pattern_limit_reached', limit)
    await sql`update app.idempotency_keys
      set created_at = now() - interval '25 hours', status = 200, response = '{}' where key = 'old'`.execute(
      trx,
    )
    await sql`insert into app.query_counts (space_id, day, used) values (${spaceId}, now(), 1)`.execute(trx)
  })
  await asTenant(queries, { spaceId }, async (trx) => {
    for (const statement of learnedRows(spaceId)) await statement.execute(trx)
  })
  const filled = { ...organization, userId: randomUUID() }
  await asTenant(queries, filled, async (trx) => {
    for (const statement of userRows(filled)) await statement.execute(trx)
  })
  return filled
}

/** A row in each table of what a space learns and uses; there is one of its store times already. */
function learnedRows(spaceId: string) {
  return [
    sql`insert into app.passages (space_id, idx, n, first_character, end_character, key)
      values (${spaceId}, 0, 0, 0, 1, '[1,2]')`,
    sql`insert into app.pattern_versions (space_id, idx, revision, changed_at, change, replaced_at)
      values (${spaceId}, 0, 1, now(), 'created', now()), (${spaceId}, 0, 2, now(), 'updated', now() - interval '366 days')`,
    sql`update app.patterns set enters_at = now() where idx = 0 and space_id = ${spaceId}`,
    sql`insert into app.space_states (space_id, state) values (${spaceId}, '{}')`,
    sql`insert into app.uncounted_accesses (space_id, at, idx, counts) values (${spaceId}, now(), '{0}', '{1}')`,
    sql`insert into app.signal_history (space_id, n, records) values (${spaceId}, 1, '[{}]')`,
    sql`insert into app.associations (space_id, a, b, weight, at, engine_version) values (${spaceId}, 0, 1, 1, now(), 1)`,
    sql`insert into app.transitions (space_id, source, target, count, at, engine_version)
      values (${spaceId}, 0, 1, 1, now(), 1)`,
    sql`insert into app.actor_traces (space_id, actor, trace, patterns, at) values (${spaceId}, 'x', '{}', '{0}', now())`,
    sql`insert into app.usage_calls values (${spaceId}, now(), ${randomUUID()}, 1, 0, 0, 0, 0, 0, 0)`,
    sql`insert into app.usage_latencies values (${spaceId}, now(), 'store', '{1}', '{1}')`,
    sql`insert into app.usage_snapshots values (${spaceId}, now(), 1, 1)`,
    sql`insert into app.consolidations (space_id) values (${spaceId})`,
    sql`insert into app.subject_queries values (${spaceId}, 'ada', now(), 1, 1)`,
    sql`insert into app.space_schedules (space_id, task, active_at) values (${spaceId}, 'sleep', now())`,
    sql`insert into app.space_runs (space_id, id, kind, cause, began_at, counts)
      values (${spaceId}, 'run_x', 'sleep', 'asked', now(), '{}')`,
    sql`insert into app.pair_trials (space_id, a, b, valid, invalid, coherence, priority, tried_at)
      values (${spaceId}, 0, 1, 1, 0, 1, 1, now())`,
    sql`insert into app.compositions (space_id, a, b, key, strength, created_at)
      values (${spaceId}, 0, 1, '[1,2]', 1, now())`,
    sql`insert into app.conflicts (space_id, a, b, id, kind, similarity, found_at)
      values (${spaceId}, 0, 1, 'cfl_x', 'near_duplicate', 1, now())`,
  ]
}

/** A row in each table of a user, of members and of their mail; of what expires, one that has and one that has not. */
function userRows({ organizationId, userId }: Filled) {
  const hash = () => randomBytes(32)
  const [session, expired, exported, webhook, delivery] = Array.from({ length: 5 }, () => randomUUID())
  return [
    sql`insert into app.users (id, email, password_hash) values (${userId}, ${`${userId}@example.com`}, 'x')`,
    sql`insert into app.memberships (organization_id, user_id, role) values (${organizationId}, ${userId}, 'owner')`,
    sql`insert into app.invitations (organization_id, email, role, token_hash, invited_by, expires_at)
      values (${organizationId}, 'new@example.com', 'member', ${hash()}, ${userId}, now())`,
    sql`insert into app.sessions (user_id, id, expires_at)
      values (${userId}, ${session}, now() + interval '1 day'), (${userId}, ${expired}, now() - interval '1 day')`,
    sql`insert into app.refresh_tokens (user_id, token_hash, session_id, expires_at)
      values (${userId}, ${hash()}, ${session}, now())`,
    sql`insert into app.email_tokens (user_id, purpose, token_hash, expires_at)
      values (${userId}, 'verify-email', ${hash()}, now())`,
    sql`insert into app.mfa_factors (user_id, secret) values (${userId}, 'x')`,
    sql`insert into app.mfa_recovery_codes (user_id, code_hash) values (${userId}, ${hash()})`,
    sql`insert into app.mfa_challenges (user_id, token_hash, expires_at)
      values (${userId}, ${hash()}, now() + interval '1 day'), (${userId}, ${hash()}, now() - interval '1 day')`,
    sql`insert into app.audit_log (action, success, user_id, actor) values ('login', true, ${userId}, 'user')`,
    sql`insert into app.audit_log (action, success, organization_id, actor)
      values ('plan_changed', true, ${organizationId}, 'system')`,
    sql`insert into app.mails (user_id, recipient, template, parameters) values (${userId}, 'x', 'x', 'x')`,
    sql`insert into app.mails (organization_id, recipient, template, parameters)
      values (${organizationId}, 'x', 'x', 'x')`,
    sql`insert into app.exports (user_id, id, expires_at) values (${userId}, ${exported}, now() - interval '1 day')`,
    sql`insert into app.export_parts (user_id, export_id, part, data) values (${userId}, ${exported}, 0, 'x')`,
    sql`insert into app.notifications (organization_id, type, data, created_at)
      values (${organizationId}, 'x', '{}', now()), (${organizationId}, 'x', '{}', now() - interval '181 days')`,
    sql`insert into app.receipts (id, organization_id, receipt) values (gen_random_uuid(), ${organizationId}, 'x')`,
    sql`insert into app.webhooks (organization_id, id, url) values (${organizationId}, ${webhook}, 'https://x')`,
    sql`insert into app.webhook_secrets (organization_id, webhook_id, secret)
      values (${organizationId}, ${webhook}, 'x')`,
    sql`insert into app.webhook_deliveries (organization_id, webhook_id, id, event_id, event_type, body, next_attempt_at)
      values (${organizationId}, ${webhook}, ${delivery}, gen_random_uuid(), 'x', '{}', now())`,
    sql`insert into app.webhook_attempts
      (organization_id, webhook_id, delivery_id, attempted_at, duration_ms, response_status)
      values (${organizationId}, ${webhook}, ${delivery}, now(), 1, 200)`,
  ]
}

/** A row in each table of the service itself, as its tasks write them. */
async function fillOwnTables(): Promise<void> {
  await asTask(queries, 'keep-secrets', async (trx) => {
    await sql`insert into app.master_keys (version, proof) values ('x', 'x')`.execute(trx)
    await sql`insert into app.signing_keys (kid, public_key, private_key, signs_from)
      values ('x', '{}', 'x', now())`.execute(trx)
    await sql`insert into app.receipt_keys (kid, public_key, private_key) values ('x', '{}', 'x')`.execute(
      trx,
    )
  })
  await asTask(queries, 'erase-account', async (trx, switchTenant) => {
    await switchTenant(ada)
    await sql`insert into app.erasures_under_way (organization_id) values (${ada.organizationId})`.execute(
      trx,
    )
  })
  await asTask(queries, 'throttle', (trx) =>
    sql`insert into app.attempts (bucket, count, ends_at) values ('x', 1, now())`.execute(trx),
  )
  await asTask(queries, 'handle-billing', (trx) =>
    sql`insert into app.billing_events (webhook_id) values ('x')`.execute(trx),
  )
}

/** Rows that a statement sees of each table. */
async function countRows(runner: Queries): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await sql<{
      rows: number
    }>`select count(*)::int as rows from app.${sql.id(table)}`.execute(runner)
    counts[table] = rows[0]?.rows ?? Number.NaN
  }
  return counts
}

/** What a user may delete of their own. */
const ownedByUser = [
  'email_tokens',
  'exports',
  'mails',
  'mfa_challenges',
  'mfa_factors',
  'mfa_recovery_codes',
].concat(['refresh_tokens', 'sessions'])

const nothing = () => Object.fromEntries(tables.map((table) => [table, 0]))

/** What one filled organization and its member have. */
const filled = {
  actor_traces: 1,
  api_keys: 1,
  associations: 1,
  // Its key was made as well.
  audit_log: 3,
  compositions: 1,
  conflicts: 1,
  consolidations: 1,
  email_tokens: 1,
  export_parts: 1,
  exports: 1,
  idempotency_keys: 2,
  invitations: 1,
  mails: 2,
  memberships: 1,
  mfa_challenges: 2,
  mfa_factors: 1,
  mfa_recovery_codes: 1,
  notifications: 2,
  organizations: 1,
  outbox: 1,
  pair_trials: 1,
  passages: 1,
  pattern_accesses: 1,
  pattern_tombstones: 1,
  pattern_versions: 2,
  patterns: 2,
  query_counts: 1,
  receipts: 1,
  refresh_tokens: 1,
  sessions: 2,
  signal_history: 1,
  space_runs: 1,
  space_schedules: 1,
  space_states: 1,
  spaces: 2,
  store_times: 1,
  subject_queries: 1,
  tier_counters: 1,
  transitions: 1,
  uncounted_accesses: 1,
  usage_calls: 1,
  usage_latencies: 1,
  usage_snapshots: 1,
  users: 1,
  webhook_attempts: 1,
  webhook_deliveries: 1,
  webhook_secrets: 1,
  webhooks: 1,
}
/** What the service itself has. */
const own = {
  attempts: 1,
  billing_events: 1,
  erasures_under_way: 1,
  master_keys: 1,
  receipt_keys: 1,
  signing_keys: 1,
}

describe('row level security', () => {
  const tried: string[] = []

  it('I3 shows no row and raises no error without a tenant, with an empty one and with an unknown one', async () => {
    const both = Object.fromEntries(Object.entries(filled).map(([table, count]) => [table, 2 * count]))
    expect(await asOwner(queries, countRows)).toEqual({ ...both, ...own })
    expect(await countRows(queries)).toEqual(nothing())
    expect(await asTenant(queries, {}, countRows)).toEqual(nothing())
    const unknown = '00000000-0000-4000-8000-00000000dead'
    const nobody = { organizationId: unknown, spaceId: unknown, userId: unknown }
    expect(await asTenant(queries, nobody, countRows)).toEqual(nothing())
  })

  it('I3 shows a tenant its own rows and no others', async () => {
    // Events leave through the relay only.
    expect(await asTenant(queries, ada, countRows)).toEqual({ ...nothing(), ...filled, outbox: 0 })
    const organization = { organizations: 1, spaces: 2, api_keys: 1, invitations: 1 }
    expect(await asTenant(queries, { organizationId: ada.organizationId }, countRows)).toEqual({
      ...nothing(),
      ...organization,
      // Who its members are, and what of the log and of the mail is its own.
      ...{ memberships: 1, users: 1, audit_log: 2, mails: 1, notifications: 2 },
      ...{ receipts: 1, webhooks: 1, webhook_secrets: 1, webhook_deliveries: 1, webhook_attempts: 1 },
    })
    const ofUser = Object.entries(filled).filter(([table]) =>
      /^(users|memberships|organizations|sessions|refresh_tokens|email_tokens|mfa_\w+|exports|export_parts)$/.test(
        table,
      ),
    )
    expect(await asTenant(queries, { userId: ada.userId }, countRows)).toEqual({
      ...nothing(),
      ...Object.fromEntries(ofUser),
      ...{ audit_log: 1, mails: 1 },
    })
  })

  it.each([
    [
      'patterns',
      (to: Filled) =>
        sql`insert into app.patterns (space_id, idx, id, key, version) values (${to.spaceId}, 99, 'pat_x', '[1]', 1)`,
    ],
    [
      'pattern_accesses',
      (to: Filled) =>
        sql`insert into app.pattern_accesses (space_id, idx, access_count, last_accessed, access_score, scored_at)
          values (${to.spaceId}, 1, 1, now(), 1, now())`,
    ],
    [
      'passages',
      (to: Filled) =>
        sql`insert into app.passages (space_id, idx, n, first_character, end_character, key)
          values (${to.spaceId}, 1, 0, 0, 1, '[1]')`,
    ],
    [
      'pattern_versions',
      (to: Filled) =>
        sql`insert into app.pattern_versions (space_id, idx, revision, changed_at, change)
          values (${to.spaceId}, 0, 9, now(), 'created')`,
    ],
    [
      'associations',
      (to: Filled) =>
        sql`insert into app.associations (space_id, a, b, weight, at, engine_version)
          values (${to.spaceId}, 0, 9, 1, now(), 1)`,
    ],
    [
      'transitions',
      (to: Filled) =>
        sql`insert into app.transitions (space_id, source, target, count, at, engine_version)
          values (${to.spaceId}, 0, 9, 1, now(), 1)`,
    ],
    ['consolidations', (to: Filled) => sql`insert into app.consolidations (space_id) values (${to.spaceId})`],
    [
      'space_schedules',
      (to: Filled) =>
        sql`insert into app.space_schedules (space_id, task, active_at) values (${to.spaceId}, 'explore', now())`,
    ],
    [
      'space_runs',
      (to: Filled) => sql`insert into app.space_runs (space_id, id, kind, cause, began_at, counts)
        values (${to.spaceId}, 'run_y', 'sleep', 'asked', now(), '{}')`,
    ],
    [
      'uncounted_accesses',
      (to: Filled) =>
        sql`insert into app.uncounted_accesses (space_id, at, idx, counts) values (${to.spaceId}, now(), '{0}', '{1}')`,
    ],
    [
      'pair_trials',
      (to: Filled) =>
        sql`insert into app.pair_trials (space_id, a, b, valid, invalid, coherence, priority, tried_at)
          values (${to.spaceId}, 0, 9, 1, 0, 1, 1, now())`,
    ],
    [
      'compositions',
      (to: Filled) =>
        sql`insert into app.compositions (space_id, a, b, key, strength, created_at)
          values (${to.spaceId}, 0, 9, '[1]', 1, now())`,
    ],
    [
      'conflicts',
      (to: Filled) =>
        sql`insert into app.conflicts (space_id, a, b, id, kind, similarity, found_at)
          values (${to.spaceId}, 0, 9, 'cfl_y', 'near_duplicate', 1, now())`,
    ],
    [
      'space_states',
      (to: Filled) => sql`insert into app.space_states (space_id, state) values (${to.spaceId}, '{}')`,
    ],
    [
      'signal_history',
      (to: Filled) =>
        sql`insert into app.signal_history (space_id, n, records) values (${to.spaceId}, 9, '[{}]')`,
    ],
    [
      'store_times',
      (to: Filled) =>
        sql`insert into app.store_times (space_id, first_idx, stored_at) values (${to.spaceId}, 99, now())`,
    ],
    [
      'actor_traces',
      (to: Filled) =>
        sql`insert into app.actor_traces (space_id, actor, trace, patterns, at)
          values (${to.spaceId}, 'y', '{}', '{}', now())`,
    ],
    [
      'subject_queries',
      (to: Filled) => sql`insert into app.subject_queries values (${to.spaceId}, 'x', now(), 1, 1)`,
    ],
    [
      'usage_calls',
      (to: Filled) =>
        sql`insert into app.usage_calls values (${to.spaceId}, now(), gen_random_uuid(), 1, 0, 0, 0, 0, 0, 0)`,
    ],
    [
      'usage_latencies',
      (to: Filled) =>
        sql`insert into app.usage_latencies values (${to.spaceId}, now(), 'recall', '{1}', '{1}')`,
    ],
    [
      'usage_snapshots',
      (to: Filled) => sql`insert into app.usage_snapshots values (${to.spaceId}, '2020-01-01', 1, 1)`,
    ],
    [
      'pattern_tombstones',
      (to: Filled) =>
        sql`insert into app.pattern_tombstones (space_id, version, idx) values (${to.spaceId}, 99, 99)`,
    ],
    [
      'spaces',
      (to: Filled) =>
        sql`insert into app.spaces (organization_id, environment) values (${to.organizationId}, 'live')`,
    ],
    [
      'organizations',
      () =>
        sql`insert into app.organizations (id, name, plan) values (gen_random_uuid(), 'theirs', 'enterprise')`,
    ],
    [
      'api_keys',
      (to: Filled) =>
        sql`insert into app.api_keys (organization_id, name, environment, key_prefix, last_four, key_hash)
          values (${to.organizationId}, 'x', 'live', 'x', 'x', '\\x00')`,
    ],
    [
      'outbox',
      (to: Filled) =>
        sql`insert into app.outbox (organization_id, type, payload) values (${to.organizationId}, 'x', '{}')`,
    ],
    [
      'idempotency_keys',
      (to: Filled) =>
        sql`insert into app.idempotency_keys (space_id, route, key, body_hash, claimed_until)
          values (${to.spaceId}, 'x', 'x', '', now())`,
    ],
    [
      'query_counts',
      (to: Filled) =>
        sql`insert into app.query_counts (space_id, day, used) values (${to.spaceId}, '2020-01-01', 0)`,
    ],
    ['tier_counters', (to: Filled) => sql`insert into app.tier_counters (space_id) values (${to.spaceId})`],
    [
      'users',
      () =>
        sql`insert into app.users (id, email, password_hash) values (gen_random_uuid(), 'x@example.com', 'x')`,
    ],
    [
      'memberships',
      (to: Filled) =>
        sql`insert into app.memberships (organization_id, user_id, role)
          values (${to.organizationId}, ${ben.userId}, 'owner')`,
    ],
    [
      'invitations',
      (to: Filled) =>
        sql`insert into app.invitations (organization_id, email, role, token_hash, invited_by, expires_at)
          values (${to.organizationId}, 'x', 'owner', 'x', ${ben.userId}, now())`,
    ],
    [
      'sessions',
      (to: Filled) => sql`insert into app.sessions (user_id, expires_at) values (${to.userId}, now())`,
    ],
    [
      'refresh_tokens',
      (to: Filled) =>
        sql`insert into app.refresh_tokens (user_id, token_hash, session_id, expires_at)
          values (${to.userId}, 'x', gen_random_uuid(), now())`,
    ],
    [
      'email_tokens',
      (to: Filled) =>
        sql`insert into app.email_tokens (user_id, purpose, token_hash, expires_at)
          values (${to.userId}, 'reset-password', 'x', now())`,
    ],
    [
      'mfa_factors',
      (to: Filled) => sql`insert into app.mfa_factors (user_id, secret) values (${to.userId}, 'x')`,
    ],
    [
      'mfa_recovery_codes',
      (to: Filled) => sql`insert into app.mfa_recovery_codes (user_id, code_hash) values (${to.userId}, 'x')`,
    ],
    [
      'mfa_challenges',
      (to: Filled) =>
        sql`insert into app.mfa_challenges (user_id, token_hash, expires_at) values (${to.userId}, 'x', now())`,
    ],
    [
      'audit_log',
      (to: Filled) =>
        sql`insert into app.audit_log (action, success, user_id, organization_id, actor)
          values ('login', true, ${to.userId}, ${to.organizationId}, 'user')`,
    ],
    [
      'mails',
      (to: Filled) =>
        sql`insert into app.mails (user_id, recipient, template, parameters) values (${to.userId}, 'x', 'x', 'x')`,
    ],
    ['exports', (to: Filled) => sql`insert into app.exports (user_id) values (${to.userId})`],
    [
      'export_parts',
      (to: Filled) =>
        sql`insert into app.export_parts (user_id, export_id, part, data)
          values (${to.userId}, gen_random_uuid(), 1, 'x')`,
    ],
    [
      'notifications',
      (to: Filled) =>
        sql`insert into app.notifications (organization_id, type, data) values (${to.organizationId}, 'x', '{}')`,
    ],
    [
      'webhooks',
      (to: Filled) =>
        sql`insert into app.webhooks (organization_id, url) values (${to.organizationId}, 'https://x')`,
    ],
    [
      'webhook_secrets',
      (to: Filled) =>
        sql`insert into app.webhook_secrets (organization_id, webhook_id, secret)
          values (${to.organizationId}, gen_random_uuid(), 'x')`,
    ],
    [
      'webhook_deliveries',
      (to: Filled) =>
        sql`insert into app.webhook_deliveries (organization_id, webhook_id, event_id, event_type, body, next_attempt_at)
          values (${to.organizationId}, gen_random_uuid(), gen_random_uuid(), 'x', '{}', now())`,
    ],
    [
      'webhook_attempts',
      (to: Filled) =>
        sql`insert into app.webhook_attempts
          (organization_id, webhook_id, delivery_id, attempted_at, duration_ms, response_status)
          values (${to.organizationId}, gen_random_uuid(), gen_random_uuid(), now(), 1, 200)`,
    ],
    [
      'receipts',
      (to: Filled) =>
        sql`insert into app.receipts (id, organization_id, receipt)
          values (gen_random_uuid(), ${to.organizationId}, 'x')`,
    ],
    [
      'erasures_under_way',
      (to: Filled) => sql`insert into app.erasures_under_way (organization_id) values (${to.organizationId})`,
    ],
    [
      'receipt_keys',
      () => sql`insert into app.receipt_keys (kid, public_key, private_key) values ('y', '{}', 'y')`,
    ],
    ['attempts', () => sql`insert into app.attempts (bucket, count, ends_at) values ('y', 1, now())`],
    ['billing_events', () => sql`insert into app.billing_events (webhook_id) values ('y')`],
    ['master_keys', () => sql`insert into app.master_keys (version, proof) values ('y', 'y')`],
    [
      'signing_keys',
      () =>
        sql`insert into app.signing_keys (kid, public_key, private_key, signs_from) values ('y', '{}', 'y', now())`,
    ],
  ])('I1 refuses to insert a row of another tenant into %s', async (table, insert) => {
    tried.push(table)
    const refused = { code: '42501', message: expect.stringContaining('row-level security') }
    await expect(asTenant(queries, ben, (trx) => insert(ada).execute(trx))).rejects.toMatchObject(refused)
    await expect(insert(ada).execute(queries)).rejects.toMatchObject(refused)
  })

  it('I1 every table with row level security has its insert tried above', () => {
    expect(tried.toSorted()).toEqual(tables)
    expect(Object.keys({ ...filled, ...own }).sort()).toEqual(tables)
  })

  it('only adds to the audit log and reads it, whatever the tenant or task', async () => {
    for (const task of ['erase-account', 'purge-audit-log', 'administer-accounts', 'keep-secrets'] as const) {
      for (const change of [
        sql`update app.audit_log set actor_email = null`,
        sql`delete from app.audit_log`,
      ]) {
        await expect(asTask(queries, task, (trx) => change.execute(trx))).rejects.toMatchObject({
          code: '42501',
        })
        await expect(asTenant(queries, ben, (trx) => change.execute(trx))).rejects.toMatchObject({
          code: '42501',
        })
      }
    }
  })

  it('I3 lets an update or a delete without a condition touch none of another tenant’s rows', async () => {
    const before = await asOwner(queries, countRows)
    await asTenant(queries, ben, async (trx) => {
      await sql`update app.patterns set text = 'mine'`.execute(trx)
      await sql`update app.spaces set version = version + 1`.execute(trx)
      await sql`update app.api_keys set revoked_at = now()`.execute(trx)
      await sql`update app.organizations set name = 'mine'`.execute(trx)
      await sql`delete from app.idempotency_keys`.execute(trx)
      await sql`delete from app.pattern_tombstones`.execute(trx)
      await sql`delete from app.patterns`.execute(trx)
      await sql`delete from app.usage_calls`.execute(trx)
      await sql`delete from app.uncounted_accesses`.execute(trx)
      await sql`delete from app.usage_latencies`.execute(trx)
      await sql`delete from app.usage_snapshots`.execute(trx)
      await sql`delete from app.outbox`.execute(trx)
      for (const table of ownedByUser) await sql`delete from app.${sql.id(table)}`.execute(trx)
      await sql`update app.users set password_hash = 'mine', status = 'suspended'`.execute(trx)
      await sql`delete from app.memberships`.execute(trx)
      await sql`delete from app.invitations`.execute(trx)
      await sql`delete from app.notifications`.execute(trx)
      await sql`delete from app.webhooks`.execute(trx)
      for (const table of Object.keys(own)) await sql`delete from app.${sql.id(table)}`.execute(trx)
    })
    const after = await asOwner(queries, countRows)
    const lost = Object.keys(before).filter((table) => before[table] !== after[table])
    const emptied = [
      'actor_traces',
      'associations',
      'compositions',
      'conflicts',
      'transitions',
      'idempotency_keys',
      'invitations',
      'memberships',
      'pair_trials',
      'passages',
      'pattern_accesses',
      'pattern_tombstones',
      'pattern_versions',
      'notifications',
      'webhook_attempts',
      'webhook_deliveries',
      'webhook_secrets',
      'webhooks',
      'uncounted_accesses',
      'usage_calls',
      'usage_latencies',
      'usage_snapshots',
    ]
    expect(lost).toEqual([...ownedByUser, ...emptied, 'patterns', 'export_parts'].sort())
    expect(await asTenant(queries, ada, countRows)).toEqual({ ...nothing(), ...filled, outbox: 0 })
    const { rows } = await asTenant(queries, ada, (trx) =>
      sql`select o.name, k.revoked_at, u.password_hash, u.status
        from app.organizations o, app.api_keys k, app.users u`.execute(trx),
    )
    expect(rows).toEqual([{ name: 'Test', revoked_at: null, password_hash: 'x', status: 'active' }])
    ben = await newFilledOrganization()
  })

  it('I1 does not let a row be handed to another tenant', async () => {
    const moves = [
      sql`update app.patterns set space_id = ${ada.spaceId}`,
      sql`update app.memberships set organization_id = ${ada.organizationId}`,
      sql`update app.email_tokens set user_id = ${ada.userId}`,
      sql`update app.users set id = ${randomUUID()}`,
    ]
    for (const move of moves) {
      const moved = asTenant(queries, ben, (trx) => move.execute(trx))
      await expect(moved).rejects.toMatchObject({ code: '42501' })
    }
  })
})

describe('what somebody presents', () => {
  it('I3 shows the row that it names, to be read and not to be changed', async () => {
    const email = `${ada.userId}@example.com`
    const presenting = <T>(work: (trx: Trx) => Promise<T>) =>
      queries.transaction().execute(async (trx) => {
        await sql`select app.find_account(${email})`.execute(trx)
        return work(trx)
      })
    const seen = await presenting(countRows)
    expect(seen).toEqual({ ...nothing(), users: 1 })
    const changed = await presenting((trx) => sql`update app.users set password_hash = 'mine'`.execute(trx))
    expect(changed.numAffectedRows).toBe(0n)
    for (const table of ['refresh_tokens', 'email_tokens', 'mfa_challenges', 'invitations']) {
      const [row] = await asOwner(queries, async (trx) => {
        const found = sql<{ token_hash: Buffer }>`select token_hash from app.${sql.id(table)} limit 1`
        return (await found.execute(trx)).rows
      })
      const { token_hash: tokenHash } = row as { token_hash: Buffer }
      expect(await withTokenHash(queries, { tokenHash }, countRows)).toEqual({ ...nothing(), [table]: 1 })
    }
    expect(await withTokenHash(queries, { tokenHash: randomBytes(32) }, countRows)).toEqual(nothing())
  })
})

describe('app.pseudonymise_audit', () => {
  const pseudonymise = async (userIds: string[], after: string | number = 0, count: number | null = null) => {
    const { rows } = await sql<{ last: string | null }>`
      select app.pseudonymise_audit(${userIds}::uuid[], ${after}::bigint, ${count}::integer) as last`.execute(
      queries,
    )
    return rows[0]?.last as string | null
  }
  const log = () =>
    asOwner(queries, async (trx) => {
      const { rows } = await sql`select actor_email, ip, user_agent, details, target from app.audit_log
        where user_id in (${ada.userId}, ${ben.userId}) and request_id = 'p' order by id`.execute(trx)
      return rows
    })

  it('takes those users out of the log that are due, and leaves what names others', async () => {
    const [email, other] = [`${ada.userId}@example.com`, `x${ada.userId}@example.com`]
    for (const [user, actor, about] of [
      [ada.userId, ada.userId, email],
      [ben.userId, ben.userId, other],
      [ben.userId, ben.userId, email],
    ] as const) {
      await asTenant(queries, { userId: user }, (trx) =>
        sql`insert into app.audit_log
            (action, success, user_id, actor, actor_id, actor_email, ip, user_agent, request_id, target, details)
          values ('role_changed', true, ${user}, 'user', ${actor}, ${`${actor}@example.com`}, '192.0.2.1', 'curl', 'p',
            ${user}, ${JSON.stringify({ of: [{ email: about }] })})`.execute(trx),
      )
    }
    const before = await log()
    const deleted = (days: number) =>
      asTenant(queries, { userId: ada.userId }, (trx) =>
        sql`update app.users set status = 'deleted', deleted_at = now() - make_interval(days => ${days})`.execute(
          trx,
        ),
      )
    const users = [ada.userId, ben.userId, randomUUID()]
    await pseudonymise(users)
    await deleted(29)
    await pseudonymise(users)
    await deleted(31)
    await pseudonymise([ben.userId])
    await pseudonymise([])
    expect(await log()).toEqual(before)

    // An entry at a time, in the order of their ids.
    let entries = 0
    for (let last: string | null = '0'; last !== null; entries++) last = await pseudonymise(users, last, 1)
    expect(entries).toBeGreaterThan(3)
    await deleted(0)
    const gone = { actor_email: null, ip: null, user_agent: null, details: null, target: ada.userId }
    const [, about, naming] = before as Record<string, unknown>[]
    expect(await log()).toEqual([gone, about, { ...naming, details: null }])
  })

  it('leaves the transaction with the task that it had', async () => {
    const kept = await asTask(queries, 'throttle', async (trx) => {
      await sql`select app.pseudonymise_audit(array[${ada.userId}]::uuid[], 0, null)`.execute(trx)
      const { rows } = await sql`select app.current_task() as task, app.current_user_id() as user`.execute(
        trx,
      )
      return rows
    })
    expect(kept).toEqual([{ task: 'throttle', user: null }])
  })
})

describe('housekeeping tasks', () => {
  const seen: Record<Task, (counts: Record<string, number>) => Record<string, number>> = {
    'relay-outbox': ({ outbox }) => ({ outbox: outbox as number }),
    'erase-expired-patterns': () => ({ patterns: expired }),
    'enter-patterns': () => ({ patterns: entering }),
    // Half of them were replaced long ago.
    'purge-versions': ({ pattern_versions = 0 }) => ({ pattern_versions: pattern_versions / 2 }),
    'purge-tombstones': ({ pattern_tombstones, spaces }) => ({
      pattern_tombstones: pattern_tombstones as number,
      spaces: spaces as number,
    }),
    'purge-traces': (all) => pick(all, 'actor_traces'),
    'purge-idempotency-keys': () => ({ idempotency_keys: old }),
    // The other half of them is answered.
    'renew-idempotency-claims': ({ idempotency_keys = 0 }) => ({ idempotency_keys: idempotency_keys - old }),
    'keep-secrets': (all) =>
      pick(all, 'master_keys', 'signing_keys', 'receipt_keys', 'mfa_factors', 'mails', 'webhook_secrets'),
    'administer-accounts': (all) =>
      pick(all, 'users', 'memberships', 'organizations', 'receipts', 'spaces', 'usage_calls'),
    'purge-sessions': ({ sessions = 0, mfa_challenges = 0 }) => ({
      // Half of them have expired.
      sessions: sessions / 2,
      mfa_challenges: mfa_challenges / 2,
    }),
    'purge-audit-log': (all) => pick(all, 'audit_log'),
    // None has been over for so long.
    'purge-keys': () => ({}),
    'purge-invitations': (all) => pick(all, 'invitations'),
    'erase-account': (all) => pick(all, 'audit_log'),
    'send-mail': (all) => pick(all, 'mails'),
    throttle: (all) => pick(all, 'attempts'),
    'purge-exports': (all) => pick(all, 'exports'),
    'handle-billing': (all) => pick(all, 'billing_events'),
    // One of each organization's two is old.
    'purge-notifications': ({ notifications = 0 }) => ({ notifications: notifications / 2 }),
    // One organization's key was revoked.
    'tell-of-expiring-keys': ({ api_keys = 0 }) => ({ api_keys: api_keys - 1 }),
    'deliver-webhooks': (all) =>
      pick(
        all,
        'organizations',
        'spaces',
        'webhooks',
        'webhook_secrets',
        'webhook_deliveries',
        'webhook_attempts',
      ),
    'keep-usage': (all) => pick(all, 'spaces', 'usage_calls', 'usage_latencies', 'usage_snapshots'),
    'schedule-spaces': (all) => pick(all, 'organizations', 'spaces', 'space_schedules', 'usage_latencies'),
    'count-accesses': (all) => pick(all, 'uncounted_accesses'),
    'embed-anew': (all) => pick(all, 'spaces'),
  }
  const pick = (all: Record<string, number>, ...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, all[name] as number]))
  let expired = 0
  let entering = 0
  let old = 0

  it.each(Object.keys(seen) as Task[])(
    'I3 %s sees what its policies name, across tenants, and nothing else',
    async (task) => {
      const all = await asOwner(queries, countRows)
      ;({ expired, entering, old } = await asOwner(queries, async (trx) => {
        const { rows } = await sql<{ expired: number; entering: number; old: number }>`select
        (select count(*)::int from app.patterns where expires_at <= now()) as expired,
        (select count(*)::int from app.patterns where enters_at <= now()) as entering,
        (select count(*)::int from app.idempotency_keys where created_at < now() - interval '24 hours') as old`.execute(
          trx,
        )
        return rows[0] as { expired: number; entering: number; old: number }
      }))
      expect(expired).toBeGreaterThanOrEqual(2)
      expect(entering).toBeGreaterThanOrEqual(2)
      expect(old).toBeGreaterThanOrEqual(2)
      expect(await asTask(queries, task, countRows)).toEqual({ ...nothing(), ...seen[task](all) })
    },
  )

  it('I3 a task that no policy names sees nothing', async () => {
    expect(await asTask(queries, 'read-everything' as Task, countRows)).toEqual(nothing())
  })

  it('I3 erase-expired-patterns only finds: it can neither change nor delete', async () => {
    const touched = await asTask(queries, 'erase-expired-patterns', async (trx) => {
      const updated = await sql`update app.patterns set text = 'x'`.execute(trx)
      const deleted = await sql`delete from app.patterns`.execute(trx)
      return [updated.numAffectedRows, deleted.numAffectedRows]
    })
    expect(touched).toEqual([0n, 0n])
  })

  it('I3 a task’s sight ends with its transaction', async () => {
    await asTask(queries, 'relay-outbox', countRows)
    expect(await countRows(queries)).toEqual(nothing())
  })
})
