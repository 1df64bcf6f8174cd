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

/** A request that was answered with success. */
export interface Answered {
  caller: Pick<Caller, 'spaceId' | 'actor'>
  /** Undefined for operations of no class of their own. */
  usage: UsageClass | undefined
  /** What it counted against the plan's day. */
  queries: number
  ms: number
}

/** What was counted of a space: by the moment at which its hour or its five minutes began. */
interface SpaceUsage {
  calls: Map<number, Map<string, Calls>>
  latencies: Map<number, Map<UsageClass, LatencySketch>>
}

/** Which of the counters counts requests of a class. */
export const counterOf = {
  store: 'stores',
  retrieve: 'retrieves',
  recall: 'recalls',
  explain: 'explains',
  consolidate: 'consolidations',
} as const

/** Rows added to in one statement, which holds up everybody in the embedded database: 0.1 to 0.3 ms each. */
const rowsAtOnce = 32

/**
 * Counts requests in memory, after their answers are sent. `flush`, called each second, adds what was counted to the
 * database, in statements of a few spaces each; what fails to be written is tried again with the next. Whoever reads usage
 * of spaces writes theirs first, so that an answer has all that this process has counted.
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

  /** Writes what was recorded before the call. */
  async flush(): Promise<void> {
    for (const spaceIds of this.#parts()) await this.#lowPriority.run(() => this.flushSpaces(spaceIds))
  }

  /** Writes all that was recorded of some spaces before the call. One write at a time: each waits for the one before it. */
  flushSpaces(spaceIds: readonly string[]): Promise<void> {
    return this.#writes.run(() => this.#write(spaceIds))
  }

  /** As `flushSpaces`, for who then reads: where nothing can be written now, they read what is. */
  async flushForReader(spaceIds: readonly string[]): Promise<void> {
    try {
      await this.flushSpaces(spaceIds)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    }
  }

  /** The spaces that are there now, so many together as have the rows of one statement. */
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

  /** What was not written counts beside what has been recorded since. */
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

/** How many there are in all maps of a map. */
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
