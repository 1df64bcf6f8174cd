import { z } from 'zod'
import { roles } from './roles.ts'

export const regime = z.enum(['normal', 'high_surprise', 'anomaly', 'recovery'])

/** Events that leave through the outbox, with what each carries: ids and numbers, no texts but sealed ones. */
export const events = {
  'memory.pattern_limit_warning': z.object({ spaceId: z.guid(), used: z.int(), limit: z.int() }),
  'memory.pattern_limit_reached': z.object({ spaceId: z.guid(), used: z.int(), limit: z.int() }),
  'memory.regime_changed': z.object({ spaceId: z.guid(), from: regime, to: regime }),
  'memory.consolidation_completed': z.object({ spaceId: z.guid(), consolidated: z.int() }),
  'billing.payment_failed': z.object({ webhookId: z.string() }),
  'organization.member_joined': z.object({ userId: z.guid(), role: z.enum(roles) }),
  'account.key_expiring': z.object({ keyId: z.guid(), expiresAt: z.iso.datetime() }),
  'mail.queued': z.object({ mailId: z.guid() }),
  'account.mail_requested': z.object({
    kind: z.enum(['reset-password', 'verify-email']),
    id: z.guid(),
    sealed: z.base64(),
  }),
  'account.export_requested': z.object({ userId: z.guid(), exportId: z.guid() }),
  'account.export_ready': z.object({ userId: z.guid(), exportId: z.guid() }),
} as const

export type EventType = keyof typeof events
export type EventPayload<Type extends EventType> = z.output<(typeof events)[Type]>
