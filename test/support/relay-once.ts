import type { Queries } from '@memory/shared/platform/database/database'
import { type Deliver, deliverOne, lease } from '@memory/shared/platform/outbox/outbox'

/**
 * Delivers some of the events that are due, as a relay does: oldest first, and those that fail are due again later.
 * @param types the types of events to deliver; others are left as they are. Undefined: all
 * @returns how many were tried; 0 means that nothing is due
 */
export async function relayOnce(
  queries: Queries,
  deliver: Deliver,
  onError: (error: unknown) => void,
  types?: readonly string[],
): Promise<number> {
  const due = await lease(queries, { count: 8, full: [], types, together: { count: 0, types: [] } })
  await Promise.all(due.map((event) => deliverOne(queries, event, deliver, onError)))
  return due.length
}
