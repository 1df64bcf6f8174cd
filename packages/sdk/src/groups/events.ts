import type { Calls } from '../calls.ts'
import type { CallOptions, InputOf } from '../operations.ts'
import { byCursor, byNumber } from '../pages.ts'

/** What the organization was told. */
export const notificationsOf = ({ plain, query }: Calls) => {
  const list = query('GET /v1/notifications')
  return {
    /** A page of notifications, newest first. */
    list,
    /** Every notification, newest first. */
    all: (given?: InputOf<'GET /v1/notifications'>, options?: CallOptions) =>
      byNumber(
        list,
        ({ data }) => data,
        ({ pagination }, page) => page < pagination.total_pages,
        given,
        options,
      ),
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
      given?: InputOf<'GET /v1/webhooks/{webhook_id}/deliveries'>,
      options?: CallOptions,
    ) =>
      byCursor(
        (page, options) => deliveries(id, page, options),
        (answer) => answer.deliveries,
        given,
        options,
      ),
    redeliver: plain('POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver'),
  }
}
