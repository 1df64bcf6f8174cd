import { ApiError, ValidationError } from '../catalogue/errors.ts'
import { wordNotification } from '../catalogue/notifications.ts'
import type { Caller, Input, Output } from '../catalogue/operation.ts'
import type { Clock } from '../platform/clock.ts'
import { asTenant, type Queries, type Trx } from '../platform/database/database.ts'
import { rowsAtOnce, untilFewer } from '../platform/database/purge.ts'
import { type Numbered, openNumber, sealNumber } from '../platform/sealed-numbers.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { News, NotificationFeed } from './feed.ts'
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
  const list = async (trx: Trx) => {
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
  }
  return asTenant(queries, { organizationId }, list, { inOrder: true })
}

function toNotification({ id, type, data, environment, name, created_at, read_at }: store.NotificationRow) {
  const { severity, title, message, details, actionUrl } = wordNotification(type, data, { environment, name })
  return {
    id,
    type,
    environment,
    severity,
    title,
    message,
    details,
    read: read_at !== null,
    created_at: created_at.toISOString(),
    action_url: actionUrl,
  }
}

/** One event of a stream of server-sent events. */
export interface StreamEvent {
  id: string
  event: 'notification' | 'unread'
  data: object
}

/** An organization's notifications as they come. */
export interface NotificationStream {
  /** Gives undefined when there was no event for a while. */
  events: AsyncIterable<StreamEvent | undefined>
  /** Must be called in any case. */
  close(): void
}

/**
 * Streams notifications as they come, and the number of unread ones.
 * @param lastEventId the id of the last event that the client has; the stream continues after it, or begins anew where it is one of
 *   the release before
 * @throws ApiError streams_full; ValidationError for an invalid id
 */
export async function streamNotifications(
  { feed, secrets }: { feed: NotificationFeed; secrets: Secrets },
  { organizationId }: Caller,
  lastEventId: string | undefined,
): Promise<NotificationStream> {
  const numbered: Numbered = { list: 'notifications', of: organizationId }
  const after = lastEventId === undefined ? undefined : openNumber(secrets, numbered, lastEventId)
  if (after === undefined && lastEventId !== undefined && !isOfReleaseBefore(lastEventId)) {
    throw ValidationError.rule(
      ['header', 'last-event-id'],
      'is not the id of an event of this stream',
      lastEventId,
    )
  }
  const { news, close } = await feed.open(organizationId, after)
  return { events: eventsOf(news, (n) => sealNumber(secrets, numbered, n)), close }
}

/**
 * Whether an id is one of the release before, which were readable. Such a stream begins with the next event, as without an id: refused,
 * browsers would not connect again; gone on from, anybody could look for the numbers of their own. To go with the next release.
 */
const isOfReleaseBefore = (id: string): boolean =>
  /^after:\d{1,15}$/.test(Buffer.from(id, 'base64url').toString())

async function* eventsOf(
  news: AsyncIterable<News | undefined>,
  encodeId: (n: number) => string,
): AsyncGenerator<StreamEvent | undefined> {
  let told: number | undefined
  for await (const each of news) {
    if (each === undefined) {
      yield undefined
      continue
    }
    for (const row of each.rows)
      yield { id: encodeId(row.n), event: 'notification', data: toNotification(row) }
    if (each.unread === told) continue
    told = each.unread
    yield { id: encodeId(each.position), event: 'unread', data: { unread_count: told } }
  }
}

/** @throws ApiError notification_not_found for a text that can't be an id, which PostgreSQL may refuse, such as one with NUL */
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

/** Marks all as read that there are by now. */
export async function readAllNotifications(
  { queries, clock }: Context,
  { organizationId }: Caller,
): Promise<Output<typeof schema.ReadAllNotifications>> {
  const at = clock.now()
  const inOrganization = <T>(work: (trx: Trx) => Promise<T>) => asTenant(queries, { organizationId }, work)
  const last = await inOrganization((trx) => store.lastNumber(trx, organizationId))
  const some = { last, at, limit: rowsAtOnce }
  const marked = await untilFewer(rowsAtOnce, () =>
    inOrganization((trx) => store.markUnread(trx, organizationId, some)),
  )
  return { marked_read: marked, read_at: at.toISOString() }
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

export async function deleteReadNotifications(
  { queries }: Pick<Context, 'queries'>,
  { organizationId }: Caller,
): Promise<Output<typeof schema.DeleteReadNotifications>> {
  const inOrganization = <T>(work: (trx: Trx) => Promise<T>) => asTenant(queries, { organizationId }, work)
  const deleted = await untilFewer(rowsAtOnce, () =>
    inOrganization((trx) => store.removeRead(trx, organizationId, rowsAtOnce)),
  )
  const { unread } = await inOrganization((trx) => store.count(trx, organizationId))
  return { deleted, preserved_unread: unread }
}

/** Deletes notifications that are 180 days old. */
export function purgeNotifications(queries: Queries): Promise<void> {
  return store.purge(queries)
}
