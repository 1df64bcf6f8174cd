import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '../catalogue/errors.ts'
import { yieldToEventLoop } from './event-loop.ts'
import type { SpentOn, TimeSpent } from './time-spent.ts'

/** For whom something is done: a request, whose work for the database and in this process takes its turn by its lane. */
export interface Asker {
  /** Its organization, or its address before it is known: those of one lane wait for each other first. */
  lane: string
  /** Fires when nobody waits for the answer any more. Undefined where what was begun is to be done all the same. */
  signal?: AbortSignal | undefined
  /** What its time goes into, where somebody wants to know. */
  spent?: TimeSpent | undefined
}

const askers = new AsyncLocalStorage<Asker>()

/** The lane of what the process does by itself. */
const ownLane = 'service'

/** Runs `work`, and all that it starts, in the name of `asker`. */
export function asAsker<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work)
}

/**
 * Runs what others may wait for as well, or what has to happen though the client has gone: it takes the turns of whoever
 * asked, and goes on without them.
 */
export function regardless<T>(work: () => T): T {
  const asker = askers.getStore()
  return asker?.signal === undefined ? work() : askers.run({ lane: asker.lane, spent: asker.spent }, work)
}

/** Counts the time until `work` is done among what a request does, if one asks for it. */
export function spending<T>(what: SpentOn, work: () => Promise<T>): Promise<T> {
  const spent = askers.getStore()?.spent
  return spent === undefined ? work() : spent.during(what, work)
}

export function laneNow(): string {
  return askers.getStore()?.lane ?? ownLane
}

export function signalNow(): AbortSignal | undefined {
  return askers.getStore()?.signal
}

/** @throws ApiError abandoned when nobody waits for the answer any more */
export function requireAwaited(signal = signalNow()): void {
  if (signal?.aborted) throw new ApiError('abandoned')
}

/** Between two slices of long work: lets others have a turn. @throws ApiError abandoned when nobody waits any more */
export async function nextSlice(signal: AbortSignal | undefined): Promise<void> {
  await yieldToEventLoop()
  requireAwaited(signal)
}
