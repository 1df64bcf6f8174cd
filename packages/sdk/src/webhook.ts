import { WebhookVerificationError } from './errors.ts'
import { tagOf } from './sendable.ts'

type Regime = 'normal' | 'high_surprise' | 'anomaly' | 'recovery'

/** What each event carries as `data`. */
export interface WebhookEvents {
  'memory.regime_changed': { previous_regime: Regime; new_regime: Regime }
  'memory.consolidation_completed': { consolidated: number }
  'memory.pattern_limit_warning': { patterns_used: number; patterns_limit: number }
  'memory.pattern_limit_reached': { patterns_used: number; patterns_limit: number }
  'billing.payment_failed': Record<string, never>
  'account.key_expiring': { key_id: string; expires_at: string }
  'organization.member_joined': { user_id: string; role: 'owner' | 'admin' | 'member' }
  'account.export_ready': { user_id: string; export_id: string }
  /** Sent by `webhooks.test`. */
  'webhook.test': Record<string, unknown>
}

/** A message to a receiver. The same one may come again: under the same `id`. */
export type WebhookEvent = {
  [Type in keyof WebhookEvents]: {
    id: string
    type: Type
    timestamp: string
    organization_id: string
    /** null for what concerns the whole organization. */
    environment: 'live' | 'test' | null
    data: WebhookEvents[Type]
  }
}[keyof WebhookEvents]

/** A request's body as it came. */
type Body = string | Uint8Array

/** Headers of a request, as fetch or as Node has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** Greatest difference from the message's timestamp, in seconds; 300 unless said. */
  toleranceS?: number
  now?: Date
}

/**
 * The event of a webhook's request, when it was signed with the webhook's secret (Standard Webhooks, v1).
 * @param body as it came, not parsed and written anew
 * @param secrets `whsec_…`; several while one is being replaced
 * @throws WebhookVerificationError; TypeError for a body that is not as it came
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: Body,
  secrets: string | readonly string[],
  { toleranceS = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const seconds = /^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (!(Math.abs(now.getTime() / 1_000 - seconds) <= toleranceS)) {
    throw new WebhookVerificationError('The message was signed too long ago, or in the future')
  }
  const message = messageOf(id, timestamp, body)
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? (tryDecode(each.slice(3)) ?? []) : []))
  let malformed: unknown
  for (const secret of [secrets].flat()) {
    // Of two secrets one may be none, as before the first is replaced: the other one still counts.
    const key = await importKey(secret, 'verify').catch((error: unknown) => {
      malformed = error
      return undefined
    })
    if (key === undefined) continue
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, message)) return parse(body)
    }
  }
  throw malformed ?? new WebhookVerificationError('No signature of the message is by the secret')
}

/**
 * The headers that sign a message as Standard Webhooks has it: what tests of receivers send, and payment providers to
 * the service.
 */
export async function signWebhook(
  id: string,
  body: Body,
  secret: string,
  at = new Date(),
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const key = await importKey(secret, 'sign')
  const signature = await crypto.subtle.sign('HMAC', key, messageOf(id, timestamp, body))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : named(headers, name)
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`There is no ${name}`)
  return value
}

function named(headers: Exclude<WebhookHeaders, Headers>, name: string): unknown {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  return found?.[1]
}

function messageOf(id: string, timestamp: string, body: Body): Uint8Array<ArrayBuffer> {
  if (typeof body !== 'string' && tagOf(body) !== 'Uint8Array') {
    throw new TypeError(
      `The body is no string or Uint8Array (${tagOf(body)}): give it as it came, before anything parses it`,
    )
  }
  const encoder = new TextEncoder()
  const head = encoder.encode(`${id}.${timestamp}.`)
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const message = new Uint8Array(head.length + bytes.length)
  message.set(head)
  message.set(bytes, head.length)
  return message
}

async function importKey(secret: unknown, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  const isOne = typeof secret === 'string' && secret.startsWith('whsec_')
  const bytes = isOne ? tryDecode(secret.slice('whsec_'.length)) : undefined
  if (bytes === undefined || bytes.length === 0) {
    throw new WebhookVerificationError('A secret begins with whsec_ and goes on in base64')
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}

function tryDecode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function parse(body: Body): WebhookEvent {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as WebhookEvent
  } catch (cause) {
    throw new WebhookVerificationError('The message is no JSON', { cause })
  }
}
