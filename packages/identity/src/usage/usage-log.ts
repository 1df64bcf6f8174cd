import type { Actor, Caller, UsageClass } from '@memory/shared/catalogue/operation'
import { retention } from '@memory/shared/catalogue/retention'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import { isDatabaseUnavailable } from '@memory/shared/platform/database/unavailable'
import { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import { Semaphore } from '@memory/shared/platform/semaphore'
import { floorTo, hourMs } from './calendar.ts'
import { LatencySketch } from './latency-sketch.ts'
import { type CallerCalls, type Calls, type Latencies, noCalls, recordUsage, sessionCaller } from './store.ts'

/** A request that was answered successfully. */
export interface Answered {
  caller: Pick<Caller, 'spaceId' | 'actor'>
  /** Undefined for operations without a class of their own. */
  usage: UsageClass | undefined
  /** Queries that were counted against the plan's daily quota. */
  queries: number
  ms: number
}

/** Counts of a space, by the start (ms) of the hour for calls, and of the five minutes for latencies. */
interface SpaceUsage {
  calls: Map<number, Map<string, Calls>>
  latencies: Map<number, Map<UsageClass, LatencySketch>>
}

/** The counter for requests of each class. */
export const counterOf = {
  store: 'stores',
  retrieve: 'retrieves',
  recall: 'recalls',
  explain: 'explains',
  consolidate: 'consolidations',
} as const

/** The most rows of one statement. Each takes 0.1 to 0.3 ms, during which the embedded database serves nobody else. */
const rowsAtOnce = 32

/**
 * Counts requests in memory, after their answers were sent. `flush`, which is called each second, adds the counts to the
 * database, in statements of a few spaces each; counts that could not be written are kept for the next call. Before usage of a
 * space is read, its counts are written, so that an answer includes everything that this process has counted.
 */
export class UsageLog {
  readonly #queries: Queries
  readonly #clock: Clock
  readonly #lowPriority: LowPriorityQueue
  readonly #spaces = new Map<string, SpaceUsage>()
  readonly #writes = new Semaphore({ slots: 1 })

  constructor(queries: Queries, clock: Clock, lowPriority = LowPriorityQueue.steady()) {
    this.#queries = queries
    this.#clock = clock
    this.#lowPriority = lowPriority
  }

  record({ caller: { spaceId, actor }, usage, queries, ms }: Answered): void {
    const now = this.#clock.now()
    const space = this.#spaceOf(spaceId)
    const calls = callsOf(space, floorTo(now, hourMs), callerOf(actor))
    calls[usage === undefined ? 'other' : counterOf[usage]]++
    calls.queries += queries
    if (usage !== undefined) sketchOf(space, floorTo(now, retention.latencyMs), usage).add(ms)
  }

  /** Writes everything that was recorded before the call. */
  async flush(): Promise<void> {
    for (const spaceIds of this.#parts()) await this.#lowPriority.run(() => this.flushSpaces(spaceIds))
  }

  /** Writes everything that was recorded of some spaces before the call. Concurrent calls write one after the other. */
  flushSpaces(spaceIds: readonly string[]): Promise<void> {
    return this.#writes.run(() => this.#write(spaceIds))
  }

  /** Like `flushSpaces`, before reading: when writing fails, that is no error, and the reader gets what is stored. */
  async flushForReader(spaceIds: readonly string[]): Promise<void> {
    try {
      await this.flushSpaces(spaceIds)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    }
  }

  /** Groups the recorded spaces, so that each group has about as many rows as one statement may have. */
  #parts(): string[][] {
    const parts: string[][] = []
    let rows = rowsAtOnce
    for (const [spaceId, { calls, latencies }] of this.#spaces) {
      const own = sizesOf(calls) + sizesOf(latencies)
      if (rows + own > rowsAtOnce) {
        parts.push([])
        rows = 0
      }
      parts.at(-1)?.push(spaceId)
      rows += own
    }
    return parts
  }

  async #write(spaceIds: readonly string[]): Promise<void> {
    const taken = new Map<string, SpaceUsage>()
    for (const spaceId of spaceIds) {
      const space = this.#spaces.get(spaceId)
      if (space !== undefined) taken.set(spaceId, space)
      this.#spaces.delete(spaceId)
    }
    const rows = toRows(taken)
    while (rows.length > 0) {
      const some = rows.slice(0, rowsAtOnce)
      try {
        await recordUsage(this.#queries, some.filter(isCalls), some.filter(isLatencies))
      } catch (error) {
        this.#restore(rows)
        throw error
      }
      rows.splice(0, some.length)
    }
  }

  #spaceOf(spaceId: string): SpaceUsage {
    return getOrMake(this.#spaces, spaceId, () => ({ calls: new Map(), latencies: new Map() }))
  }

  /** Adds counts that could not be written to those recorded since. */
  #restore(unwritten: readonly Row[]): void {
    for (const { spaceId, at, caller, ...counted } of unwritten.filter(isCalls)) {
      const since = callsOf(this.#spaceOf(spaceId), at.getTime(), caller)
      for (const name of Object.keys(counted) as (keyof Calls)[]) since[name] += counted[name]
    }
    for (const { spaceId, at, operation, ...bins } of unwritten.filter(isLatencies)) {
      sketchOf(this.#spaceOf(spaceId), at.getTime(), operation).merge(LatencySketch.of(bins))
    }
  }
}

type Row = CallerCalls | Latencies

const isCalls = (row: Row): row is CallerCalls => 'caller' in row
const isLatencies = (row: Row): row is Latencies => 'operation' in row

/** The number of entries in all inner maps. */
function sizesOf(maps: ReadonlyMap<unknown, ReadonlyMap<unknown, unknown>>): number {
  let size = 0
  for (const map of maps.values()) size += map.size
  return size
}

const callerOf = (actor: Actor): string => (actor.kind === 'key' ? actor.keyId : sessionCaller)

function callsOf(space: SpaceUsage, atMs: number, caller: string): Calls {
  const callers = getOrMake(space.calls, atMs, () => new Map<string, Calls>())
  return getOrMake(callers, caller, () => ({ ...noCalls }))
}

function sketchOf(space: SpaceUsage, atMs: number, operation: UsageClass): LatencySketch {
  const sketches = getOrMake(space.latencies, atMs, () => new Map<UsageClass, LatencySketch>())
  return getOrMake(sketches, operation, () => new LatencySketch())
}

function toRows(spaces: ReadonlyMap<string, SpaceUsage>): Row[] {
  const rows: Row[] = []
  for (const [spaceId, space] of spaces) {
    for (const [atMs, callers] of space.calls) {
      const at = new Date(atMs)
      for (const [caller, counted] of callers) rows.push({ spaceId, at, caller, ...counted })
    }
    for (const [atMs, sketches] of space.latencies) {
      const at = new Date(atMs)
      for (const [operation, sketch] of sketches) rows.push({ spaceId, at, operation, ...sketch.toBins() })
    }
  }
  return rows
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
