import type { Calls } from '../calls.ts'
import { follow, type StreamOptions } from '../event-stream.ts'
import type { CallOptions, GivenOf, Schemas } from '../operations.ts'
import { byCursor, byNumber } from '../pages.ts'
import { keptTo } from '../subject.ts'
import { parse } from '../transport.ts'

/** One event of `notifications.stream`; after a reconnect `unread` comes again. */
export type NotificationEvent =
  | { event: 'notification'; id: string; data: Schemas['Notification'] }
  | { event: 'unread'; id: string; data: { unread_count: number } }

/** What the organization was told. */
export const notificationsOf = ({ plain, query, transport, subject }: Calls) => {
  const list = query('GET /v1/notifications')
  return {
    /** A page of notifications, newest first. */
    list,
    /** Every notification, newest first, once each; they may be marked as read or deleted as they come. */
    all: (given?: GivenOf<'GET /v1/notifications'>, options?: CallOptions) => byNumber(list, given, options),
    /**
     * Notifications as they come, and how many are unread, connecting again by itself:
     * `for await (const { event, data } of client.notifications.stream({ signal })) …`
     *
     * It goes on until the loop is left or the signal fires, which throws an AbortedError.
     */
    stream: async function* (options: StreamOptions = {}): AsyncGenerator<NotificationEvent> {
      const path = '/v1/notifications/stream'
      if (subject !== undefined) keptTo(subject, `GET ${path}`, [], undefined)
      for await (const { data, ...event } of follow(
        transport,
        { method: 'GET', path, template: path },
        options,
      )) {
        // What later releases tell of beside these is for clients that know it.
        if (event.event === 'notification' || event.event === 'unread')
          yield { ...event, data: parse(data) } as NotificationEvent
      }
    },
    read: plain('PATCH /v1/notifications/{notification_id}/read'),
    readAll: plain('POST /v1/notifications/read-all'),
    delete: plain('DELETE /v1/notifications/{notification_id}'),
    /** Deletes those that were read. */
    deleteRead: plain('DELETE /v1/notifications/read'),
  }
}

/** Receivers that are told over HTTP. */
export const webhooksOf = ({ plain, query, body }: Calls) => {
  const deliveries = query('GET /v1/webhooks/{webhook_id}/deliveries')
  return {
    list: plain('GET /v1/webhooks'),
    /** Adds a receiver; its secret is shown only here. */
    create: body('POST /v1/webhooks'),
    get: plain('GET /v1/webhooks/{webhook_id}'),
    update: body('PATCH /v1/webhooks/{webhook_id}'),
    delete: plain('DELETE /v1/webhooks/{webhook_id}'),
    /** Replaces the secret; for a while messages are signed with both. */
    rotateSecret: plain('POST /v1/webhooks/{webhook_id}/rotate-secret'),
    /** Sends a test event. */
    test: plain('POST /v1/webhooks/{webhook_id}/test'),
    /** A page of deliveries, newest first. */
    deliveries,
    /** Every delivery, newest first. */
    allDeliveries: (
      id: string,
      given?: GivenOf<'GET /v1/webhooks/{webhook_id}/deliveries'>,
      options?: CallOptions,
    ) =>
      byCursor(
        (page, options) => deliveries(id, page, options),
        (answer) => answer.deliveries,
        given,
        options,
      ),
    /** What was sent, and the attempts at it. */
    delivery: plain('GET /v1/webhooks/{webhook_id}/deliveries/{delivery_id}'),
    redeliver: plain('POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver'),
  }
}
