import { type Kysely, sql, type Transaction } from 'kysely'
import type { CopyWatch } from '../backup/embedded-copy.ts'
import type { Log } from '../log.ts'
import type { QueuePool } from './queue-pool.ts'
import type { SubjectScope } from './subject-dialect.ts'
import type { Tables } from './tables.ts'

export type Queries = Kysely<Tables>
export type Trx = Transaction<Tables>

/** The service's database, accessed with the application role's rights. */
export interface Database {
  kind: 'embedded' | 'postgres'
  queries: Queries
  /** `queries` for work that may wait: the embedded database runs one of these at a time, and requests' queries in between. */
  lowPriorityQueries: Queries
  /** `queries` restricted to one end user: the database shows and changes nothing of others, whatever the query. */
  queriesOf(scope: SubjectScope): Queries
  /**
   * Resolves when every commit that a statement may have seen so far is on the disk. Only the embedded database has this: there a
   * commit becomes visible to others before it is durable. So a request must wait for it not only after a change of its own,
   * but also when it found its change already made by another.
   */
  durable?: () => Promise<void>
  /** Calls `onNotify` for each NOTIFY on the channel until the returned function is called. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  /**
   * Opens connections for the job queue, whose search path begins with the queue's schema.
   * @param connections the most to open; the embedded database uses its one session
   */
  openQueuePool(connections: number): QueuePool
  /** Regular maintenance, for a database without processes of its own for it. Returns what was done, as SQL commands. */
  upkeep?: { keep(nowMs: number): Promise<string[]> }
  /**
   * Copies the files of an embedded database while it is in use; for PostgreSQL there are programs. When it fails, the incomplete
   * copy is removed.
   * @param target folder for the copy, which must not exist yet
   * @throws BackupError while another copy is being made
   */
  copyTo?(target: string, watch: CopyWatch): Promise<void>
  close(): Promise<void>
}

/** Whose rows a transaction may see; row level security hides all others. */
export interface Tenant {
  organizationId?: string | undefined
  spaceId?: string | undefined
  userId?: string | undefined
}

/**
 * Runs `work` in a transaction that sees the rows of one tenant. `work` may go on as another tenant by `switchTenant`.
 * @param options.durable false: the commit need not be on the disk yet, for changes that no client is told of
 * @param options.inOrder see `inIndexOrder`
 */
export function asTenant<T>(
  queries: Queries,
  tenant: Tenant,
  work: (trx: Trx, switchTenant: (tenant: Tenant) => Promise<void>) => Promise<T>,
  { durable = true, inOrder = false }: { durable?: boolean; inOrder?: boolean } = {},
): Promise<T> {
  return queries.transaction().execute(async (trx) => {
    const settings = [
      tenantSettings(tenant),
      ...(durable ? [] : [sql`set_config('synchronous_commit', 'off', true)`]),
      ...(inOrder ? [inIndexOrder] : []),
    ]
    await sql`select ${sql.join(settings)}`.execute(trx)
    return work(trx, (tenant) => setTenant(trx, tenant))
  })
}

/**
 * Makes a transaction read rows in the order of an index where possible. The planner underestimates a tenant's rows (it expects
 * one or two) and so would rather collect and sort them: it did that with 80,000 patterns for every page of 20 (115 ms
 * instead of 4).
 */
export const inIndexOrder = sql`set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`

async function setTenant(trx: Trx, tenant: Tenant): Promise<void> {
  await sql`select ${tenantSettings(tenant)}`.execute(trx)
}

const tenantSettings = ({ organizationId, spaceId, userId }: Tenant) =>
  sql`set_config('app.organization_id', ${organizationId ?? ''}, true),
    set_config('app.space_id', ${spaceId ?? ''}, true),
    set_config('app.user_id', ${userId ?? ''}, true)`

/** The hash of a presented token, which makes the token's row visible before its tenant is known. */
export interface TokenHash {
  tokenHash: Uint8Array
}

/** Runs `work` in a transaction that sees the row of a presented token; `switchTenant` then adds the rows of its tenant. */
export function withTokenHash<T>(
  queries: Queries,
  { tokenHash }: TokenHash,
  work: (trx: Trx, switchTenant: (tenant: Tenant) => Promise<void>) => Promise<T>,
): Promise<T> {
  return queries.transaction().execute(async (trx) => {
    await sql`select set_config('app.token_hash', ${Buffer.from(tokenHash).toString('hex')}, true)`.execute(
      trx,
    )
    return work(trx, (tenant) => setTenant(trx, tenant))
  })
}

/** Work across tenants. The row level security policies that name a task say what it may see and change. */
export type Task =
  | 'relay-outbox'
  | 'erase-expired-patterns'
  | 'enter-patterns'
  | 'purge-versions'
  | 'purge-tombstones'
  | 'purge-traces'
  | 'purge-idempotency-keys'
  | 'renew-idempotency-claims'
  | 'keep-secrets'
  | 'administer-accounts'
  | 'purge-sessions'
  | 'purge-audit-log'
  | 'purge-keys'
  | 'purge-invitations'
  | 'erase-account'
  | 'send-mail'
  | 'throttle'
  | 'purge-exports'
  | 'handle-billing'
  | 'purge-notifications'
  | 'tell-of-expiring-keys'
  | 'deliver-webhooks'
  | 'keep-usage'
  | 'schedule-spaces'
  | 'count-accesses'
  | 'embed-anew'

/**
 * Runs `work` in a transaction that sees the rows allowed to `task`. `switchTenant` adds the rows of a tenant, once the
 * task has found out whom it works for.
 */
export function asTask<T>(
  queries: Queries,
  task: Task,
  work: (trx: Trx, switchTenant: (tenant: Tenant) => Promise<void>) => Promise<T>,
): Promise<T> {
  return queries.transaction().execute(async (trx) => {
    await sql`select set_config('app.task', ${task}, true)`.execute(trx)
    return work(trx, (tenant) => setTenant(trx, tenant))
  })
}

/** The state of a database that answers. */
export interface DatabaseHealth {
  /** Changes are accepted: it is no standby, and there is room on its disk. */
  writable: boolean
  /** Commits reach the disk before they are acknowledged. */
  durable: boolean
  /** The deployment's encoder; null before any process has told it. */
  encoder: string | null
}

/** Checks the database with a small query that needs its tables. @throws when it does not answer or is not migrated */
export async function askHealth(queries: Queries): Promise<DatabaseHealth> {
  const { rows } =
    await sql<DatabaseHealth>`select current_setting('transaction_read_only') = 'off' as writable,
    current_setting('fsync') = 'on' as durable, app.current_encoder() as encoder from app.plans limit 1`.execute(
      queries,
    )
  return rows[0] ?? { writable: false, durable: false, encoder: null }
}

/** Logs an error, at the start of a process, when a power failure could lose acknowledged writes. */
export async function reportLooseCommits(queries: Queries, log: Log): Promise<void> {
  const { durable } = await askHealth(queries)
  if (!durable) log.error('fsync is off in PostgreSQL: a power failure can take acknowledged writes with it')
}
