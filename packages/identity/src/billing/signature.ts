import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/** The signature headers of Standard Webhooks. */
export interface SignedHeaders {
  id: string
  timestamp: string
  signature: string
}

/** How much clocks may differ, as Standard Webhooks defines it. */
export const toleranceMs = 5 * 60_000

/**
 * Whether the holder of a secret (`whsec_…`) signed a request in the last five minutes.
 * @param body as it was sent
 */
export function isSigned(secret: string, { id, timestamp, signature }: SignedHeaders, body: Buffer): boolean {
  try {
    new Webhook(secret).verify(
      body,
      { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
      { jsonParse: false },
    )
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}
