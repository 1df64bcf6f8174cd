import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { notifiedEvents } from '@memory/shared/catalogue/notifications'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { testEvent } from './message.ts'
import { deliveryStatuses, failures } from './outcomes.ts'

const tag = 'Webhooks'
const when = z.iso.datetime()
const sentEvents = [...notifiedEvents, testEvent] as const

const url = f.httpUrl().meta({
  description:
    'https, without credentials, and leading to public addresses only, now and at every attempt (WEBHOOK_ALLOW_CIDRS opens others). A host that does not resolve now is accepted.',
  examples: ['https://hooks.example.com/memory'],
})
const eventTypes = f
  .list(f.choice(notifiedEvents), 1, notifiedEvents.length)
  .nullable()
  .optional()
  .meta({ description: 'null: all.' })
const description = f.optionalText(limits.webhookDescriptionChars)

const shown = {
  id: z.guid(),
  url: z.string(),
  event_types: z.array(z.enum(notifiedEvents)).nullable(),
  description: z.string().nullable(),
  status: z
    .enum(['active', 'disabled'])
    .meta({ description: 'Disabled by request, by an answer 410, or after ten attempts in vain.' }),
  created_at: when,
}

const Webhook = z.object(shown).meta({ id: 'Webhook' })
const WebhookWithSecret = z
  .object({
    ...shown,
    secret: z.string().meta({ description: '`whsec_…`, in this answer and nowhere else.' }),
  })
  .meta({ id: 'WebhookWithSecret' })

const shownDelivery = {
  id: z.guid(),
  event_id: z.string().meta({
    description: 'The `webhook-id` that the receiver sees, at each attempt and when it is sent again.',
  }),
  event_type: z.enum(sentEvents),
  status: z.enum(deliveryStatuses),
  attempts: z.int(),
  response_status: z
    .int()
    .nullable()
    .meta({ description: 'Of the last attempt; null when there was no answer.' }),
  response_body: z.string().nullable().meta({
    description:
      'How the last answer’s body begins: 1 KiB at most, with U+FFFD for what is no UTF-8, and for NUL. Null when there was no answer.',
  }),
  duration_ms: z.int().nullable().meta({
    description:
      'How long the last attempt took, to the end of the answer or its failure. Null before the first.',
  }),
  next_attempt_at: when.nullable(),
  created_at: when,
}

const Delivery = z.object(shownDelivery).meta({ id: 'WebhookDelivery' })

const DeliveryDetails = z
  .object({
    ...shownDelivery,
    payload: z.string().meta({ description: 'The body as it is sent, which is what is signed: JSON text.' }),
    attempt_history: z
      .array(
        z.object({
          attempted_at: when,
          duration_ms: z.int(),
          response_status: z.int().nullable(),
          response_body: z
            .string()
            .nullable()
            .meta({ description: 'How the answer’s body begins, as in `response_body` of the delivery.' }),
          failure: z.enum(failures).nullable().meta({ description: 'Why there was no answer.' }),
        }),
      )
      .meta({
        description: `The attempts in their order, also those before it was sent again: the newest ${limits.deliveryAttempts}. Attempts of releases that kept none are not there.`,
      }),
  })
  .meta({ id: 'WebhookDeliveryDetails' })

const params = z.object({ webhook_id: z.string() })
const deliveryParams = z.object({ webhook_id: z.string(), delivery_id: z.string() })
const read = { access: 'webhooks:read', tag } as const
const write = { access: 'webhooks:write', tag } as const

export const CreateWebhook = operation({
  ...write,
  id: 'createWebhook',
  method: 'post',
  path: '/v1/webhooks',
  summary: 'Register a receiver of events',
  description:
    'Events are sent as Standard Webhooks have it (`webhook-id`, `webhook-timestamp`, `webhook-signature`): {id, type, timestamp, organization_id, environment, data}. At least once: after anything but 2xx within 15 seconds again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, or later where `Retry-After` says so; then the webhook is disabled. An organization has at most 20. Users must be administrators.',
  body: z.object({ url, event_types: eventTypes, description }).meta({ id: 'CreateWebhookRequest' }),
  response: WebhookWithSecret,
  status: 201,
  errors: ['organization_admin_required', 'webhooks_full'],
})

export const ListWebhooks = operation({
  ...read,
  id: 'listWebhooks',
  method: 'get',
  path: '/v1/webhooks',
  summary: 'List the webhooks',
  description: 'Oldest first.',
  response: z.object({ webhooks: z.array(Webhook) }).meta({ id: 'Webhooks' }),
})

export const GetWebhook = operation({
  ...read,
  id: 'getWebhook',
  method: 'get',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Read a webhook',
  params,
  response: Webhook,
  errors: ['webhook_not_found'],
})

export const ChangeWebhook = operation({
  ...write,
  id: 'changeWebhook',
  method: 'patch',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Change a webhook',
  description:
    'Fields that are absent stay. Disabling gives up what has not been delivered; events that happen while it is disabled are not sent later. Users must be administrators.',
  params,
  body: z
    .object({
      url: url.optional(),
      event_types: eventTypes,
      description,
      status: f.choice(['active', 'disabled']).optional(),
    })
    .meta({ id: 'ChangeWebhookRequest' }),
  response: Webhook,
  errors: ['organization_admin_required', 'webhook_not_found'],
})

export const DeleteWebhook = operation({
  ...write,
  id: 'deleteWebhook',
  method: 'delete',
  path: '/v1/webhooks/{webhook_id}',
  summary: 'Delete a webhook with its deliveries',
  params,
  response: Message,
  errors: ['organization_admin_required', 'webhook_not_found'],
})

export const RotateWebhookSecret = operation({
  ...write,
  id: 'rotateWebhookSecret',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/rotate-secret',
  summary: 'Replace the secret',
  description:
    'For 24 hours what is sent is signed with both secrets; then with the new one. Rotated again within that time, the first one signs no more. Users must be administrators.',
  params,
  response: WebhookWithSecret,
  errors: ['organization_admin_required', 'webhook_not_found'],
})

export const TestWebhook = operation({
  ...write,
  id: 'testWebhook',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/test',
  limit: 'webhookTest',
  summary: 'Send a test event',
  description:
    'Sends `webhook.test`, whatever the webhook’s event types are, once; how it went is among the deliveries. Users must be administrators.',
  params,
  response: Delivery,
  errors: ['organization_admin_required', 'webhook_not_found', 'webhook_disabled'],
})

export const ListDeliveries = operation({
  ...read,
  id: 'listWebhookDeliveries',
  method: 'get',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  summary: 'List what was sent, and what will be',
  description: 'Newest first. Finished ones are kept for 30 days.',
  params,
  query: z.object({
    cursor: f.queryString(1, 100).optional(),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
    status: f.queryEnum(deliveryStatuses).optional(),
    event_type: f.queryEnum(sentEvents).optional(),
  }),
  response: z
    .object({ deliveries: z.array(Delivery), next_cursor: z.string().nullable() })
    .meta({ id: 'WebhookDeliveries' }),
  errors: ['webhook_not_found'],
})

export const GetDelivery = operation({
  ...read,
  id: 'getWebhookDelivery',
  method: 'get',
  path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
  summary: 'Read a delivery with the attempts at it',
  description: 'What a receiver answered is as it came: text of a stranger.',
  params: deliveryParams,
  response: DeliveryDetails,
  errors: ['webhook_not_found', 'delivery_not_found'],
})

export const Redeliver = operation({
  ...write,
  id: 'redeliverWebhook',
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  summary: 'Send a delivery again',
  description:
    'At once, with the same `webhook-id` and body. One that was finished begins its attempts anew. Users must be administrators.',
  params: deliveryParams,
  response: Delivery,
  errors: ['organization_admin_required', 'webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
})
