import type { EventPayload } from '@memory/shared/catalogue/events'
import type { NotifiedEvent } from '@memory/shared/catalogue/notifications'
import type { Environment } from '@memory/shared/platform/database/tables'

/** What a test of a webhook sends. */
export const testEvent = 'webhook.test'

/** An event as receivers get it. */
export interface Message {
  eventId: string
  type: NotifiedEvent | typeof testEvent
  at: Date
  organizationId: string
  /** Null for what concerns the whole organization. */
  environment: Environment | null
  data: object
}

/** The id that receivers know a message by, whether it comes once or again. */
export const messageIdOf = (eventId: string): string => `evt_${eventId}`

/** The JSON text that is sent. */
export function writeMessage({ eventId, type, at, organizationId, environment, data }: Message): string {
  return JSON.stringify({
    id: messageIdOf(eventId),
    type,
    timestamp: at.toISOString(),
    organization_id: organizationId,
    environment,
    data,
  })
}

const limit = ({ used, limit }: { used: number; limit: number }) => ({
  patterns_used: used,
  patterns_limit: limit,
})

const readers: { [Event in NotifiedEvent]: (payload: EventPayload<Event>) => object } = {
  'memory.regime_changed': ({ from, to }) => ({ previous_regime: from, new_regime: to }),
  'memory.consolidation_completed': ({ consolidated }) => ({ consolidated }),
  'memory.pattern_limit_warning': limit,
  'memory.pattern_limit_reached': limit,
  'billing.payment_failed': () => ({}),
  'account.key_expiring': ({ keyId, expiresAt }) => ({ key_id: keyId, expires_at: expiresAt }),
  'organization.member_joined': ({ userId, role }) => ({ user_id: userId, role }),
  'account.export_ready': ({ userId, exportId }) => ({ user_id: userId, export_id: exportId }),
}

/** What receivers get of an event: ids and numbers, named as the API names them. */
export function dataOf<Event extends NotifiedEvent>(type: Event, payload: EventPayload<Event>): object {
  return readers[type](payload)
}
