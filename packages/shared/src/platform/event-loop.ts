import { setImmediate } from 'node:timers/promises'

let yieldedAt = performance.now()

/**
 * Lets the event loop read from sockets, unless it did so within the last `afterMs`. To be called in long work: awaiting
 * promises that are fulfilled already never gives the event loop a turn.
 */
export async function yieldToEventLoop(afterMs = 5): Promise<void> {
  if (performance.now() - yieldedAt < afterMs) return
  await setImmediate()
  yieldedAt = performance.now()
}
