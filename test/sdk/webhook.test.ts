import { randomBytes } from 'node:crypto'
import { dataOf, testEvent, writeMessage } from '@memory/identity/webhooks/message'
import { signedHeaders } from '@memory/identity/webhooks/secret'
import { type NotifiedEvent, notifiedEvents } from '@memory/shared/catalogue/notifications'
import fc from 'fast-check'
import { signWebhook, verifyWebhook, type WebhookEvent, WebhookVerificationError } from 'memory-service-sdk'
import { describe, expect, it } from 'vitest'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = newSecret()
const now = new Date('2026-11-22T12:00:00Z')
const body = writeMessage({
  eventId: '01',
  type: 'memory.pattern_limit_warning',
  at: now,
  organizationId: 'org',
  environment: 'live',
  data: dataOf('memory.pattern_limit_warning', { spaceId: 'space', used: 801, limit: 1_000 }),
})
const headers = signedHeaders([secret], 'evt_01', now, body)

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => {
      expect(error).toBeInstanceOf(WebhookVerificationError)
      return (error as Error).message
    },
  )

describe('verifyWebhook', () => {
  it('gives the event of a message that the service signed', async () => {
    const event = await verifyWebhook(headers, body, secret, { now })
    expect(event).toEqual({
      id: 'evt_01',
      type: 'memory.pattern_limit_warning',
      timestamp: now.toISOString(),
      organization_id: 'org',
      environment: 'live',
      data: { patterns_used: 801, patterns_limit: 1_000 },
    })
    // The type names what an event carries.
    if (event.type === 'memory.pattern_limit_warning') expect(event.data.patterns_used).toBe(801)
  })

  it('takes headers and bodies as fetch and as Node have them', async () => {
    const bytes = new TextEncoder().encode(body)
    const capital = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    for (const given of [headers, new Headers(headers), capital]) {
      await expect(verifyWebhook(given, bytes, secret, { now })).resolves.toMatchObject({ id: 'evt_01' })
    }
  })

  it('takes a message that two secrets signed, and either of two secrets', async () => {
    const old = newSecret()
    const both = signedHeaders([old, secret], 'evt_01', now, body)
    await expect(verifyWebhook(both, body, secret, { now })).resolves.toBeDefined()
    await expect(verifyWebhook(both, body, old, { now })).resolves.toBeDefined()
    await expect(verifyWebhook(headers, body, [old, secret], { now })).resolves.toBeDefined()
  })

  it('takes a message by the one of two secrets that is one', async () => {
    for (const secrets of [
      ['', secret],
      [secret, ''],
    ])
      await expect(verifyWebhook(headers, body, secrets, { now })).resolves.toBeDefined()
    expect(await refusal(verifyWebhook(headers, body, ['', newSecret()], { now }))).toMatch(
      /begins with whsec_/,
    )
  })

  it.each([JSON.parse(body), new ArrayBuffer(4), undefined, null])(
    'says to give the body as it came: %o',
    async (given) => {
      const call = verifyWebhook(headers, given as never, secret, { now })
      await expect(call).rejects.toThrow(/^The body is no string or Uint8Array \(\w+\): give it as it came/)
      await expect(call).rejects.toBeInstanceOf(TypeError)
    },
  )

  it('refuses a message by another secret, of another body, id or time', async () => {
    const message = 'No signature of the message is by the secret'
    expect(await refusal(verifyWebhook(headers, body, newSecret(), { now }))).toBe(message)
    expect(await refusal(verifyWebhook(headers, `${body} `, secret, { now }))).toBe(message)
    for (const changed of [
      { 'webhook-id': 'evt_02' },
      { 'webhook-timestamp': `${now.getTime() / 1_000 + 1}` },
    ]) {
      expect(await refusal(verifyWebhook({ ...headers, ...changed }, body, secret, { now }))).toBe(message)
    }
  })

  it('refuses a message that was signed more than five minutes ago, or ahead', async () => {
    const at = (seconds: number) => ({ now: new Date(now.getTime() + 1_000 * seconds) })
    for (const seconds of [-300, 0, 300]) {
      expect(await refusal(verifyWebhook(headers, body, secret, at(seconds)))).toBe('accepted')
    }
    for (const seconds of [-301, 301]) {
      expect(await refusal(verifyWebhook(headers, body, secret, at(seconds)))).toMatch(/too long ago/)
    }
    const strict = { ...at(2), toleranceS: 1 }
    expect(await refusal(verifyWebhook(headers, body, secret, strict))).toMatch(/too long ago/)
  })

  it('refuses what has headers missing or malformed, and a secret that is none', async () => {
    for (const name of Object.keys(headers)) {
      expect(await refusal(verifyWebhook({ ...headers, [name]: undefined }, body, secret, { now }))).toBe(
        `There is no ${name}`,
      )
    }
    const call = (changed: Record<string, string>) =>
      refusal(verifyWebhook({ ...headers, ...changed }, body, secret, { now }))
    expect(await call({ 'webhook-timestamp': 'NaN' })).toMatch(/too long ago/)
    expect(await call({ 'webhook-signature': 'v1,%%% v2,AAAA v1' })).toMatch(/No signature/)
    for (const none of ['', 'whsec_', 'whsec_%', secret.slice(6), undefined]) {
      expect(await refusal(verifyWebhook(headers, body, none as never, { now }))).toMatch(
        /begins with whsec_/,
      )
    }
  })

  it('signs as the service does, any body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        async (text, key) => {
          const own = `whsec_${Buffer.from(key).toString('base64')}`
          const signed = await signWebhook('evt', text, own, now)
          // What has no form in UTF-8 is replaced alike on both sides.
          expect(signed).toEqual(signedHeaders([own], 'evt', now, text))
        },
      ),
    )
  })

  it('has a type for every event that the service sends', () => {
    const types: Record<WebhookEvent['type'], true> = {
      'memory.regime_changed': true,
      'memory.consolidation_completed': true,
      'memory.pattern_limit_warning': true,
      'memory.pattern_limit_reached': true,
      'billing.payment_failed': true,
      'account.key_expiring': true,
      'organization.member_joined': true,
      'account.export_ready': true,
      'webhook.test': true,
    }
    const all: readonly (NotifiedEvent | typeof testEvent)[] = [...notifiedEvents, testEvent]
    expect(Object.keys(types).toSorted()).toEqual([...all].toSorted())
  })
})
