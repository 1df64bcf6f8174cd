import { ApiError } from '../catalogue/errors.ts'
import { wordNotification } from '../catalogue/notifications.ts'
import type { Caller, Input, Output } from '../catalogue/operation.ts'
import type { Clock } from '../platform/clock.ts'
import { asTenant, type Queries } from '../platform/database/database.ts'
import type * as schema from './schema.ts'
import * as store from './store.ts'

interface Context {
  queries: Queries
  clock: Clock
}

/** A page of the organization's notifications, newest first. */
export function listNotifications(
  { queries }: Pick<Context, 'queries'>,
  { organizationId }: Caller,
  { unread_only, page, per_page }: Input<typeof schema.ListNotifications>['query'],
): Promise<Output<typeof schema.ListNotifications>> {
  return asTenant(queries, { organizationId }, async (trx) => {
    const { all, unread } = await store.count(trx, organizationId)
    const rows = await store.list(trx, organizationId, {
      unreadOnly: unread_only,
      offset: (page - 1) * per_page,
      limit: per_page,
    })
    const total = unread_only ? unread : all
    return {
      data: rows.map(toNotification),
      unread_count: unread,
      pagination: { page, per_page, total, total_pages: Math.ceil(total / per_page) },
    }
  })
}

function toNotification({ id, type, data, environment, name, created_at, read_at }: store.NotificationRow) {
  const { severity, title, message, actionUrl } = wordNotification(type, data, { environment, name })
  return {
    id,
    type,
    severity,
    title,
    message,
    read: read_at !== null,
    created_at: created_at.toISOString(),
    action_url: actionUrl,
  }
}

/** The database takes not every text: none with a NUL. @throws ApiError notification_not_found for what can be no id */
function requireIdForm(id: string): void {
  if (!/^notif_[0-9a-f]{32}$/.test(id)) throw new ApiError('notification_not_found')
}

/** @throws ApiError notification_not_found */
export async function readNotification(
  { queries, clock }: Context,
  { organizationId }: Caller,
  id: string,
): Promise<Output<typeof schema.ReadNotification>> {
  requireIdForm(id)
  return asTenant(queries, { organizationId }, async (trx) => {
    const at = await store.markRead(trx, organizationId, id, clock.now())
    if (at === undefined) throw new ApiError('notification_not_found')
    return { id, read: true, read_at: at.toISOString() }
  })
}

export function readAllNotifications(
  { queries, clock }: Context,
  { organizationId }: Caller,
): Promise<Output<typeof schema.ReadAllNotifications>> {
  const at = clock.now()
  return asTenant(queries, { organizationId }, async (trx) => ({
    marked_read: await store.markAllRead(trx, organizationId, at),
    read_at: at.toISOString(),
  }))
}

/** @throws ApiError notification_not_found */
export async function deleteNotification(
  { queries }: Pick<Context, 'queries'>,
  { organizationId }: Caller,
  id: string,
): Promise<Output<typeof schema.DeleteNotification>> {
  requireIdForm(id)
  return asTenant(queries, { organizationId }, async (trx) => {
    if (!(await store.remove(trx, organizationId, id))) throw new ApiError('notification_not_found')
    return { deleted: true, id }
  })
}

export function deleteReadNotifications(
  { queries }: Pick<Context, 'queries'>,
  { organizationId }: Caller,
): Promise<Output<typeof schema.DeleteReadNotifications>> {
  return asTenant(queries, { organizationId }, async (trx) => {
    const deleted = await store.removeRead(trx, organizationId)
    return { deleted, preserved_unread: (await store.count(trx, organizationId)).unread }
  })
}

/** Removes notifications after 180 days. */
export function purgeNotifications(queries: Queries): Promise<void> {
  return store.purge(queries)
}
