import * as schema from '@memory/shared/notifications/schema'
import * as service from '@memory/shared/notifications/service'
import { endpoint } from '../http/endpoint.ts'
import { EventStream } from '../http/event-stream.ts'

export const notificationRoutes = [
  endpoint(schema.ListNotifications, ({ context, caller, query }) =>
    service.listNotifications(context.accounts, caller, query),
  ),
  endpoint(schema.StreamNotifications, async ({ context, caller, query, lastEventId }) => {
    const stream = await service.streamNotifications(context, caller, lastEventId)
    return new EventStream(stream, query.max_seconds)
  }),
  endpoint(schema.ReadNotification, ({ context, caller, params }) =>
    service.readNotification(context.accounts, caller, params.notification_id),
  ),
  endpoint(schema.ReadAllNotifications, ({ context, caller }) =>
    service.readAllNotifications(context.accounts, caller),
  ),
  endpoint(schema.DeleteReadNotifications, ({ context, caller }) =>
    service.deleteReadNotifications(context.accounts, caller),
  ),
  endpoint(schema.DeleteNotification, ({ context, caller, params }) =>
    service.deleteNotification(context.accounts, caller, params.notification_id),
  ),
]
