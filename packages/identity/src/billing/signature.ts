import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/** The headers by which Standard Webhooks sign a request. */
export interface SignedHeaders {
  id: string
  timestamp: string
  signature: string
}

/** How far clocks may be apart, as Standard Webhooks have it. */
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
