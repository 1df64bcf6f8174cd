import { handleBillingEvent } from '@memory/shared/billing/handle-event'
import { billingEvents, OtherEvent, ReceiveBillingEvent, webhookHeaders } from '@memory/shared/billing/schema'
import { isSigned } from '@memory/shared/billing/signature'
import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import type { Output } from '@memory/shared/catalogue/operation'
import type { Request, Response } from 'express'
import type { Context } from '../context.ts'
import { originOf } from '../http/authenticate.ts'
import { readJsonBody } from '../http/body.ts'
import { type Endpoint, sendJson } from '../http/endpoint.ts'
import { parseRequest } from '../http/validation/request.ts'

/** What is signed are the bytes of the body, which `endpoint` keeps to itself; the signature comes before the fields. */
const receiveBillingEvent: Endpoint = {
  operation: ReceiveBillingEvent,
  handle: async (context, req, res) => {
    const answer = await receive(context, req, res)
    sendJson(res, 200, JSON.stringify(answer))
  },
}

export const billingRoutes = [receiveBillingEvent]

async function receive(
  context: Context,
  req: Request,
  res: Response,
): Promise<Output<typeof ReceiveBillingEvent>> {
  const secret = context.config.billingSecret
  if (secret === undefined) throw new ApiError('not_found')
  const body = await readJsonBody(req, res, ReceiveBillingEvent.bodyBytes)
  const id = req.get('webhook-id') ?? ''
  const timestamp = req.get('webhook-timestamp') ?? ''
  const signature = req.get('webhook-signature') ?? ''
  if (!isSigned(secret, { id, timestamp, signature }, body?.bytes ?? Buffer.alloc(0))) {
    throw new ApiError('invalid_signature')
  }
  const parts = { headers: req.headers, body: body?.value }
  const schema = eventSchema(parts.body)
  if (schema === undefined) {
    const other = parseRequest({ body: OtherEvent }, parts)
    if (!other.ok) throw new ValidationError(other.detail)
    return { message: 'Events of this type are passed over' }
  }
  const request = parseRequest({ headers: webhookHeaders, body: schema }, parts)
  if (!request.ok) throw new ValidationError(request.detail)
  return handleBillingEvent(context.accounts, id, request.value.body, originOf(req, res))
}

type Known = (typeof billingEvents)[keyof typeof billingEvents]

/** The schema of an event whose type is one of ours. */
function eventSchema(value: unknown): Known | undefined {
  const type = (value as { type?: unknown } | null | undefined)?.type
  return Object.values(billingEvents).find((schema) => schema.shape.type.value === type)
}
