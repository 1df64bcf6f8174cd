import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { planNames } from '@memory/shared/catalogue/plans'
import { z } from 'zod'

const timestamp = f
  .timestamp()
  .meta({ description: 'When it happened: five minutes ahead of the service’s clock at most.' })
const ofOrganization = z.object({ organization_id: f.uuid() }).meta({ id: 'BillingData' })
const ofPlan = z
  .object({ ...ofOrganization.shape, plan: f.choice(planNames) })
  .meta({ id: 'BillingPlanData' })

/** What the payment provider tells, by its type. Each part has a name in the OpenAPI document, as generators of clients need. */
export const billingEvents = {
  'invoice.payment_failed': z
    .object({ type: z.literal('invoice.payment_failed'), timestamp, data: ofOrganization })
    .meta({ id: 'PaymentFailed' }),
  'subscription.updated': z
    .object({ type: z.literal('subscription.updated'), timestamp, data: ofPlan })
    .meta({ id: 'SubscriptionUpdated' }),
  'subscription.deleted': z
    .object({ type: z.literal('subscription.deleted'), timestamp, data: ofOrganization })
    .meta({ id: 'SubscriptionDeleted' }),
} as const

export type BillingEvent = z.output<(typeof billingEvents)[keyof typeof billingEvents]>

/** Any other event, of which only the type is looked at. */
export const OtherEvent = z.object({ type: f.plainString(1, 255) })

export const webhookHeaders = z.object({ 'webhook-id': f.queryString(1, 255) })

export const ReceiveBillingEvent = operation({
  id: 'receiveBillingEvent',
  method: 'post',
  path: '/v1/billing/webhook',
  tag: 'Billing',
  summary: 'Receive an event of the payment provider',
  description:
    'Signed as Standard Webhooks has it (`webhook-id`, `webhook-timestamp`, `webhook-signature`) with MEMORY_BILLING_SECRET; 404 where that is not set. Each `webhook-id` takes effect once. A change of the subscription that arrives after a later one is passed over, and so are other types of events.',
  access: 'anyone',
  body: z.union(Object.values(billingEvents)).meta({ id: 'BillingEvent' }),
  bodyBytes: limits.authBodyBytes,
  response: Message,
  errors: ['not_found', 'invalid_signature', 'organization_not_found'],
})
