import { type RawBuilder, sql } from 'kysely'
import type { NotificationType } from '../catalogue/notifications.ts'
import type { Queries, Trx } from '../platform/database/database.ts'
import { purgeRows } from '../platform/database/purge.ts'
import type { Environment } from '../platform/database/tables.ts'

/** Inserts a notification. @param data for one about a space it has a `spaceId`, by which the environment is stored */
export async function insert(
  trx: Trx,
  organizationId: string,
  type: NotificationType,
  data: object,
): Promise<void> {
  await sql`insert into app.notifications (organization_id, type, environment, data)
    select ${organizationId}::uuid, ${type}::text, (
      select s.environment from app.spaces s where s.id = (d.data ->> 'spaceId')::uuid
    ), d.data from (select ${JSON.stringify(data)}::jsonb as data) d`.execute(trx)
}

export interface NotificationRow {
  id: string
  type: NotificationType
  environment: Environment | null
  data: unknown
  /** The name of the key or member that it is about. */
  name: string | null
  created_at: Date
  read_at: Date | null
}

/** Newest first. */
export async function list(
  trx: Trx,
  organizationId: string,
  { unreadOnly, offset, limit }: { unreadOnly: boolean; offset: number; limit: number },
): Promise<NotificationRow[]> {
  const { rows } = await named<NotificationRow>(sql`
    select * from app.notifications
      where organization_id = ${organizationId} and (not ${unreadOnly}::boolean or read_at is null)
      order by n desc offset ${offset} limit ${limit}`).execute(trx)
  return rows.toReversed()
}

/** Adds to notifications the names of what they are about, in the same order. */
const named = <Row>(notifications: RawBuilder<unknown>) => sql<Row>`
  select n.id, n.n::float8 as n, n.type, n.environment, n.data, n.created_at, n.read_at,
      coalesce(k.name, u.email) as name
    from (${notifications}) n
    left join app.api_keys k on k.organization_id = n.organization_id and k.id = (n.data ->> 'keyId')::uuid
    left join app.users u on u.id = (n.data ->> 'userId')::uuid
    order by n.n`

/** A notification with its number within the organization. */
export interface NumberedRow extends NotificationRow {
  n: number
}

/** Up to `limit` notifications after a number, in order. */
export async function listAfter(
  trx: Trx,
  organizationId: string,
  after: number,
  limit: number,
): Promise<NumberedRow[]> {
  const { rows } = await named<NumberedRow>(sql`
    select * from app.notifications where organization_id = ${organizationId} and n > ${after}
      order by n limit ${limit}`).execute(trx)
  return rows
}

/** The number of the newest notification; 0 for none. */
export async function lastNumber(trx: Trx, organizationId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select coalesce(max(n), 0)::float8 as n from app.notifications
    where organization_id = ${organizationId}`.execute(trx)
  return rows[0]?.n ?? 0
}

/**
 * Locks the organization's notifications until the transaction ends, so that none with a lower number can appear later.
 * @returns false while another transaction is adding one
 */
export async function lockInOrder(trx: Trx, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(app.notifications_lock(${organizationId}::uuid)) as taken`.execute(trx)
  return rows[0]?.taken === true
}

export async function count(trx: Trx, organizationId: string): Promise<{ all: number; unread: number }> {
  const { rows } = await sql<{ all: number; unread: number }>`
    select count(*)::int as all, (count(*) filter (where read_at is null))::int as unread
      from app.notifications where organization_id = ${organizationId}`.execute(trx)
  return rows[0] ?? { all: 0, unread: 0 }
}

/** Marks a notification as read. @returns when it was first read; undefined when it does not exist */
export async function markRead(
  trx: Trx,
  organizationId: string,
  id: string,
  at: Date,
): Promise<Date | undefined> {
  const { rows } = await sql<{ read_at: Date }>`
    update app.notifications set read_at = coalesce(read_at, ${at})
      where organization_id = ${organizationId} and id = ${id} returning read_at`.execute(trx)
  return rows[0]?.read_at
}

/** Marks up to `limit` unread ones as read, none with a number above `last`. @returns how many */
export async function markUnread(
  trx: Trx,
  organizationId: string,
  { last, at, limit }: { last: number; at: Date; limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with unread as materialized (
      select ctid from app.notifications
        where organization_id = ${organizationId} and read_at is null and n <= ${last}
        limit ${limit} for no key update
    )
    update app.notifications t set read_at = ${at} from unread where t.ctid = unread.ctid`.execute(trx)
  return Number(numAffectedRows)
}

/** @returns whether it was there */
export async function remove(trx: Trx, organizationId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .withSchema('app')
    .deleteFrom('notifications')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Removes up to `limit` that are read. @returns how many */
export async function removeRead(trx: Trx, organizationId: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with old as materialized (
      select ctid from app.notifications
        where organization_id = ${organizationId} and read_at is not null limit ${limit} for update
    )
    delete from app.notifications t using old where t.ctid = old.ctid`.execute(trx)
  return Number(numAffectedRows)
}

/** Deletes notifications that are 180 days old. By this condition they are found by their index; the task sees no younger ones. */
export function purge(queries: Queries): Promise<void> {
  const isOld = sql`t.created_at < now() - interval '180 days'`
  return purgeRows(queries, 'purge-notifications', 'notifications', isOld)
}
