import { handleBillingEvent } from '@memory/identity/billing/handle-event'
import {
  billingEvents,
  OtherEvent,
  ReceiveBillingEvent,
  webhookHeaders,
} from '@memory/identity/billing/schema'
import { isSigned } from '@memory/identity/billing/signature'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Context } from '../context.ts'
import { signedEndpoint } from '../http/signed-endpoint.ts'

export const billingRoutes = [
  signedEndpoint(ReceiveBillingEvent, requireSecret, async (request) => {
    const { context, origin, bytes, value, header, parse } = request
    const id = header('webhook-id')
    const signed = { id, timestamp: header('webhook-timestamp'), signature: header('webhook-signature') }
    if (!isSigned(requireSecret(context), signed, bytes)) throw new ApiError('invalid_signature')
    const known = eventSchema(value)
    if (known === undefined) {
      parse({ headers: webhookHeaders, body: OtherEvent })
      return { message: 'Events of this type are passed over' }
    }
    const { body } = parse({ headers: webhookHeaders, body: known })
    return handleBillingEvent(context.accounts, id, body, origin)
  }),
]

/** Without a payment provider there is no such path. */
function requireSecret({ config }: Context): string {
  if (config.billingSecret === undefined) throw new ApiError('not_found')
  return config.billingSecret
}

/** The schema of an event whose type is one of ours. */
function eventSchema(value: unknown) {
  const type = (value as { type?: unknown } | null | undefined)?.type
  return Object.values(billingEvents).find((schema) => schema.shape.type.value === type)
}
