import { randomBytes, randomUUID } from 'node:crypto'
import type { Secrets } from '@memory/shared/platform/secrets'
import { Webhook } from 'standardwebhooks'

/** A new secret: as its owner gets it, and as it is stored. */
export interface NewSecret {
  id: string
  /** `whsec_` and 32 bytes in base64. */
  secret: string
  sealed: Uint8Array
}

export function newSecret(secrets: Secrets): NewSecret {
  const id = randomUUID()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { id, secret, sealed: secrets.seal(Buffer.from(secret), placeOf(id)) }
}

/** @throws SealError */
export function openSecret(secrets: Secrets, { id, sealed }: { id: string; sealed: Uint8Array }): string {
  return Buffer.from(secrets.open(sealed, placeOf(id))).toString()
}

const placeOf = (id: string) => ({ purpose: 'webhook-secret', id }) as const

/**
 * The headers by which Standard Webhooks sign a message.
 * @param secretTexts a signature by each: two while a secret is being replaced
 * @param at of this attempt
 */
export function signedHeaders(
  secretTexts: readonly string[],
  messageId: string,
  at: Date,
  body: string,
): Record<string, string> {
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secretTexts.map((text) => new Webhook(text).sign(messageId, at, body)).join(' '),
  }
}
