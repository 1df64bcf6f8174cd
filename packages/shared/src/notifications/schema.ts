import { z } from 'zod'
import * as f from '../catalogue/fields.ts'
import { limits } from '../catalogue/limits.ts'
import { notificationTypes, severities } from '../catalogue/notifications.ts'
import { operation } from '../catalogue/operation.ts'

const tag = 'Notifications'
const when = z.iso.datetime()
const params = z.object({ notification_id: z.string() })

const Notification = z
  .object({
    id: z.string(),
    type: z.enum(notificationTypes),
    severity: z.enum(severities),
    title: z.string(),
    message: z.string(),
    read: z.boolean(),
    created_at: when,
    action_url: z.string().nullable().meta({ description: 'Path of the console’s page.' }),
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
