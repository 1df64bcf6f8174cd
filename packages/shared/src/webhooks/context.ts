import type { Clock } from '../platform/clock.ts'
import type { Queries } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { AddressGate } from './address-gate.ts'

/** What webhooks are managed with. */
export interface WebhooksContext {
  queries: Queries
  secrets: Secrets
  clock: Clock
  gate: AddressGate
}
