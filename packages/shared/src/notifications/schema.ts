import { z } from 'zod'
import * as f from '../catalogue/fields.ts'
import { limits } from '../catalogue/limits.ts'
import { NotificationDetails, notificationTypes, severities } from '../catalogue/notifications.ts'
import { operation } from '../catalogue/operation.ts'

const tag = 'Notifications'
const when = z.iso.datetime()
const params = z.object({ notification_id: z.string() })

const Notification = z
  .object({
    id: z.string(),
    type: z.enum(notificationTypes),
    environment: z
      .enum(['live', 'test'])
      .nullable()
      .meta({ description: 'Of the space that it concerns; null for what concerns the organization.' }),
    severity: z.enum(severities),
    title: z.string(),
    message: z.string(),
    details: NotificationDetails,
    read: z.boolean(),
    created_at: when,
    action_url: z.string().nullable().meta({
      description:
        'Address of the console’s page, below the console: a path, with a query where that says which thing it is about.',
    }),
  })
  .meta({ id: 'Notification' })

export const ListNotifications = operation({
  id: 'listNotifications',
  method: 'get',
  path: '/v1/notifications',
  tag,
  summary: 'What the organization was told',
  description: 'Newest first. Keys and members see the same list. Kept for 180 days.',
  access: 'notifications:read',
  query: z.object({
    unread_only: f.queryBoolean(false),
    page: f.queryInteger(1, limits.notificationPageMax, 1),
    per_page: f.queryInteger(1, limits.notificationsMax, limits.notificationsDefault),
  }),
  response: z
    .object({
      data: z.array(Notification),
      unread_count: z.int(),
      pagination: z.object({
        page: z.int(),
        per_page: z.int(),
        total: z.int().meta({ description: 'With `unread_only`, of the unread ones.' }),
        total_pages: z.int(),
      }),
    })
    .meta({ id: 'Notifications' }),
})

export const StreamNotifications = operation({
  id: 'streamNotifications',
  method: 'get',
  path: '/v1/notifications/stream',
  tag,
  summary: 'Be told of notifications as they come',
  description: `Server-sent events, until the client hangs up, its key or session is over (an access token: when it expires) or the service stops: then ask again, with the last \`id\` as \`Last-Event-ID\`, and nothing is missed. Without it what comes from then on is told. \`event: notification\` has a notification as in the list; \`event: unread\` has \`{"unread_count": 3}\`, at the beginning and whenever that has changed, by whomever. Every ${limits.streamBeatMs / 1_000} seconds without one there is a comment.`,
  access: 'notifications:read',
  streams: true,
  media: 'text/event-stream',
  query: z.object({
    max_seconds: f
      .queryInteger(1, limits.streamSecondsMax)
      .optional()
      .meta({ description: 'It ends after so long; for programs that look in now and then.' }),
  }),
  response: z.string().meta({
    examples: ['id: YWZ0ZXI6Nw\nevent: unread\ndata: {"unread_count":3}\n\n'],
  }),
  errors: ['streams_full'],
})

export const ReadNotification = operation({
  id: 'readNotification',
  method: 'patch',
  path: '/v1/notifications/{notification_id}/read',
  tag,
  summary: 'Mark a notification as read',
  description: '`read_at` stays when it was read before.',
  access: 'notifications:write',
  params,
  response: z
    .object({ id: z.string(), read: z.literal(true), read_at: when })
    .meta({ id: 'NotificationRead' }),
  errors: ['notification_not_found'],
})

export const ReadAllNotifications = operation({
  id: 'readAllNotifications',
  method: 'post',
  path: '/v1/notifications/read-all',
  tag,
  summary: 'Mark every notification as read',
  access: 'notifications:write',
  // Which were unread is lost.
  selects: true,
  response: z.object({ marked_read: z.int(), read_at: when }).meta({ id: 'NotificationsRead' }),
})

export const DeleteReadNotifications = operation({
  id: 'deleteReadNotifications',
  method: 'delete',
  path: '/v1/notifications/read',
  tag,
  summary: 'Delete the notifications that were read',
  access: 'notifications:write',
  response: z.object({ deleted: z.int(), preserved_unread: z.int() }).meta({ id: 'NotificationsDeleted' }),
})

export const DeleteNotification = operation({
  id: 'deleteNotification',
  method: 'delete',
  path: '/v1/notifications/{notification_id}',
  tag,
  summary: 'Delete a notification',
  access: 'notifications:write',
  params,
  response: z.object({ deleted: z.literal(true), id: z.string() }).meta({ id: 'NotificationDeleted' }),
  errors: ['notification_not_found'],
})
