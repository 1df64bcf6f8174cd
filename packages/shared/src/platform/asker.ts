import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '../catalogue/errors.ts'
import { yieldToEventLoop } from './event-loop.ts'
import type { SpentOn, TimeSpent } from './time-spent.ts'

/** For whom work is done, usually a request. All its work, in this process and for the database, takes turns by its lane. */
export interface Asker {
  /** What its turns are counted by: its organization or, before that is known, its IP address. */
  lane: string
  /** Fires when the client has hung up. Undefined for work that must be completed nevertheless. */
  signal?: AbortSignal | undefined
  /** Collects what its time is spent on; undefined when that is not measured. */
  spent?: TimeSpent | undefined
  /** See `beginLongAnswer`. Undefined for work that makes no answer. */
  beginLongAnswer?: (() => Promise<void>) | undefined
}

const askers = new AsyncLocalStorage<Asker>()

/** The lane of work that no request asked for. */
const ownLane = 'service'

/** Runs `work`, and everything that it starts, on behalf of `asker`. */
export function asAsker<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work)
}

/**
 * Runs work that must be completed even when the client hangs up, for example because other requests wait for it too. It
 * still takes its turns in the lane of the current asker.
 */
export function regardless<T>(work: () => T): T {
  const asker = askers.getStore()
  return asker?.signal === undefined ? work() : askers.run({ lane: asker.lane, spent: asker.spent }, work)
}

/** Counts the time until `work` is done as time of the current request, if that is measured. */
export function spending<T>(what: SpentOn, work: () => Promise<T>): Promise<T> {
  const spent = askers.getStore()?.spent
  return spent === undefined ? work() : spent.during(what, work)
}

/** An answer of so many patterns is short, whatever they hold. */
const shortAnswerPatterns = 16

/**
 * To be awaited before what a long answer shows is read, and outside of transactions, since it waits: what an answer takes
 * of memory is known only once it is made, so few are being made at a time.
 * @param patterns how many it shows at most
 * @throws ApiError abandoned when the client has hung up; too_many_requests or unavailable when the answers that clients have
 *   not taken leave no room
 */
export async function beginLongAnswer(patterns = Number.POSITIVE_INFINITY): Promise<void> {
  if (patterns > shortAnswerPatterns) await askers.getStore()?.beginLongAnswer?.()
}

/** The lane of the current asker. */
export function laneNow(): string {
  return askers.getStore()?.lane ?? ownLane
}

/** The signal of the current asker; undefined for work that must be completed. */
export function signalNow(): AbortSignal | undefined {
  return askers.getStore()?.signal
}

/** @throws ApiError abandoned when the client has hung up */
export function requireAwaited(signal = signalNow()): void {
  if (signal?.aborted) throw new ApiError('abandoned')
}

/** To be called between two slices of long work: gives others a turn. @throws ApiError abandoned when the client has hung up */
export async function nextSlice(signal: AbortSignal | undefined): Promise<void> {
  await yieldToEventLoop()
  requireAwaited(signal)
}
