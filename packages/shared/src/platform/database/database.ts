import { type Kysely, sql, type Transaction } from 'kysely'
import type { CopyWatch } from '../backup/embedded-copy.ts'
import type { Log } from '../log.ts'
import type { QueuePool } from './queue-pool.ts'
import type { SubjectScope } from './subject-dialect.ts'
import type { Tables } from './tables.ts'

export type Queries = Kysely<Tables>
export type Trx = Transaction<Tables>

/** The service's database as the application role sees it. */
export interface Database {
  kind: 'embedded' | 'postgres'
  queries: Queries
  /** `queries` for what may wait: the embedded database serves one of them at a time, and others' between. */
  lowPriorityQueries: Queries
  /** `queries` of one end user: the database shows and changes nothing of others, whatever is asked of it. */
  queriesOf(scope: SubjectScope): Queries
  /**
   * Resolves when every commit that a statement may have seen by now is on the disk, where others see a commit before
   * that. Whoever changes something and found it done already has to wait, as for a change.
   */
  durable?: () => Promise<void>
  /** Calls `onNotify` for each NOTIFY on the channel until the returned function is called. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  /**
   * Connections for the job queue, which see its schema first.
   * @param connections at most; the embedded database has one session for everything
   */
  openQueuePool(connections: number): QueuePool
  /** What has to be done now and then for a database that has no processes of its own for it. */
  upkeep?: { keep(nowMs: number): Promise<string[]> }
  /**
   * Copies the files of an embedded database while it works; PostgreSQL has programs for that. Nothing is left of a copy that
   * fails.
   * @param target folder of the copy, which is not there yet
   * @throws BackupError while another copy is being made
   */
  copyTo?(target: string, watch: CopyWatch): Promise<void>
  close(): Promise<void>
}

/** Whose rows a transaction may see. */
export interface Tenant {
  organizationId?: string | undefined
  spaceId?: string | undefined
  userId?: string | undefined
}

/**
 * Runs `work` in a transaction that sees the rows of one tenant; `switchTenant` then goes on as another.
 * @param options.durable false: the commit is on the disk with a later one, for what nobody is told of
 * @param options.inOrder as `inIndexOrder` has it
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
 * From now on a transaction reads rows in the order of an index where it can. The planner expects a row or two of a tenant,
 * which it may as well collect and sort: it did so with all of 80,000 patterns for each page of 20 (115 ms instead of 4).
 */
export const inIndexOrder = sql`set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`

async function setTenant(trx: Trx, tenant: Tenant): Promise<void> {
  await sql`select ${tenantSettings(tenant)}`.execute(trx)
}

const tenantSettings = ({ organizationId, spaceId, userId }: Tenant) =>
  sql`set_config('app.organization_id', ${organizationId ?? ''}, true),
    set_config('app.space_id', ${spaceId ?? ''}, true),
    set_config('app.user_id', ${userId ?? ''}, true)`

/** What shows a row before it is known whose it is: the hash of a token that was given. */
export interface TokenHash {
  tokenHash: Uint8Array
}

/** Runs `work` in a transaction that sees what somebody presented. `switchTenant` then goes on as its tenant. */
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

/** Housekeeping that works across tenants, each limited by the row level security policies that name it. */
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
 * Runs `work` in a transaction that sees the rows its task is allowed. `switchTenant` adds those of a tenant, for
 * a task that finds out whom it works for.
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

/** What a database that answers may still lack. */
export interface DatabaseHealth {
  /** Changes are accepted: it is no standby, and there is room on its disk. */
  writable: boolean
  /** Commits reach the disk before they are acknowledged. */
  durable: boolean
}

/** Asks for something small that only a migrated database has. @throws when it does not answer. */
export async function askHealth(queries: Queries): Promise<DatabaseHealth> {
  const { rows } =
    await sql<DatabaseHealth>`select current_setting('transaction_read_only') = 'off' as writable,
    current_setting('fsync') = 'on' as durable from app.plans limit 1`.execute(queries)
  return rows[0] ?? { writable: false, durable: false }
}

/** Says at a process's start when a power failure could take acknowledged writes with it. */
export async function reportLooseCommits(queries: Queries, log: Log): Promise<void> {
  const { durable } = await askHealth(queries)
  if (!durable) log.error('fsync is off in PostgreSQL: a power failure can take acknowledged writes with it')
}
