import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import type { AddressGate } from './address-gate.ts'

/** What webhooks are managed with. */
export interface WebhooksContext {
  queries: Queries
  secrets: Secrets
  clock: Clock
  gate: AddressGate
}
