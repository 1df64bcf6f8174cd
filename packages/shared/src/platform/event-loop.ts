import { setImmediate } from 'node:timers/promises'

let yieldedAt = performance.now()

/**
 * Lets requests that have come meanwhile be answered, where that has not been done for some ms: promises that are
 * fulfilled one after the other never let the event loop read from a socket by themselves.
 */
export async function yieldToEventLoop(afterMs = 5): Promise<void> {
  if (performance.now() - yieldedAt < afterMs) return
  await setImmediate()
  yieldedAt = performance.now()
}
