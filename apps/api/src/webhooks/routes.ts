import * as deliveries from '@memory/identity/webhooks/deliveries'
import * as webhooks from '@memory/identity/webhooks/manage'
import * as schema from '@memory/identity/webhooks/schema'
import { endpoint } from '../http/endpoint.ts'

export const webhookRoutes = [
  endpoint(schema.CreateWebhook, ({ context, caller, body }) =>
    webhooks.createWebhook(context.webhooks, caller, body),
  ),
  endpoint(schema.ListWebhooks, ({ context, caller }) => webhooks.listWebhooks(context.webhooks, caller)),
  endpoint(schema.GetWebhook, ({ context, caller, params }) =>
    webhooks.getWebhook(context.webhooks, caller, params.webhook_id),
  ),
  endpoint(schema.ChangeWebhook, ({ context, caller, params, body }) =>
    webhooks.changeWebhook(context.webhooks, caller, params.webhook_id, body),
  ),
  endpoint(schema.DeleteWebhook, ({ context, caller, params }) =>
    webhooks.deleteWebhook(context.webhooks, caller, params.webhook_id),
  ),
  endpoint(schema.RotateWebhookSecret, ({ context, caller, params }) =>
    webhooks.rotateWebhookSecret(context.webhooks, caller, params.webhook_id),
  ),
  endpoint(schema.TestWebhook, ({ context, caller, params }) =>
    deliveries.testWebhook(context.webhooks, caller, params.webhook_id),
  ),
  endpoint(schema.ListDeliveries, ({ context, caller, params, query }) =>
    deliveries.listDeliveries(context.webhooks, caller, params.webhook_id, query),
  ),
  endpoint(schema.GetDelivery, ({ context, caller, params }) =>
    deliveries.getDelivery(context.webhooks, caller, params.webhook_id, params.delivery_id),
  ),
  endpoint(schema.Redeliver, ({ context, caller, params }) =>
    deliveries.redeliver(context.webhooks, caller, params.webhook_id, params.delivery_id),
  ),
]
