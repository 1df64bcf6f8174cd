import type { Actor, Caller, UsageClass } from '../catalogue/operation.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queries } from '../platform/database/database.ts'
import { floorTo, hourMs } from './calendar.ts'
import { LatencySketch } from './latency-sketch.ts'
import { retention } from './retention.ts'
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

const counterOf = {
  store: 'stores',
  retrieve: 'retrieves',
  recall: 'recalls',
  explain: 'explains',
  consolidate: 'consolidations',
} as const

/**
 * Counts requests in memory, after their answers are sent. `flush`, called each second, adds what was counted to the
 * database in one statement for all spaces; what fails to be written is tried again with the next. Whoever reads usage
 * flushes first, so that an answer has all that this process has counted.
 */
export class UsageLog {
  readonly #queries: Queries
  readonly #clock: Clock
  #spaces = new Map<string, SpaceUsage>()
  #lastFlush: Promise<void> = Promise.resolve()

  constructor(queries: Queries, clock: Clock) {
    this.#queries = queries
    this.#clock = clock
  }

  record({ caller: { spaceId, actor }, usage, queries, ms }: Answered): void {
    const now = this.#clock.now()
    const space = this.#spaceOf(spaceId)
    const calls = callsOf(space, floorTo(now, hourMs), callerOf(actor))
    calls[usage === undefined ? 'other' : counterOf[usage]]++
    calls.queries += queries
    if (usage !== undefined) sketchOf(space, floorTo(now, retention.latencyMs), usage).add(ms)
  }

  /** Writes all that was recorded before the call. One flush at a time: each waits for the one before it. */
  flush(): Promise<void> {
    const before = this.#lastFlush.catch(() => {})
    this.#lastFlush = before.then(() => this.#write())
    return this.#lastFlush
  }

  async #write(): Promise<void> {
    if (this.#spaces.size === 0) return
    const spaces = this.#spaces
    this.#spaces = new Map()
    try {
      await recordUsage(this.#queries, ...toRows(spaces))
    } catch (error) {
      this.#restore(spaces)
      throw error
    }
  }

  #spaceOf(spaceId: string): SpaceUsage {
    return getOrMake(this.#spaces, spaceId, () => ({ calls: new Map(), latencies: new Map() }))
  }

  /** What was not written counts beside what has been recorded since. */
  #restore(unwritten: ReadonlyMap<string, SpaceUsage>): void {
    const [calls, latencies] = toRows(unwritten)
    for (const { spaceId, at, caller, ...counted } of calls) {
      const since = callsOf(this.#spaceOf(spaceId), at.getTime(), caller)
      for (const name of Object.keys(counted) as (keyof Calls)[]) since[name] += counted[name]
    }
    for (const { spaceId, at, operation, ...bins } of latencies) {
      sketchOf(this.#spaceOf(spaceId), at.getTime(), operation).merge(LatencySketch.of(bins))
    }
  }
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

function toRows(spaces: ReadonlyMap<string, SpaceUsage>): [CallerCalls[], Latencies[]] {
  const calls: CallerCalls[] = []
  const latencies: Latencies[] = []
  for (const [spaceId, space] of spaces) {
    for (const [atMs, callers] of space.calls) {
      const at = new Date(atMs)
      for (const [caller, counted] of callers) calls.push({ spaceId, at, caller, ...counted })
    }
    for (const [atMs, sketches] of space.latencies) {
      const at = new Date(atMs)
      for (const [operation, sketch] of sketches) {
        latencies.push({ spaceId, at, operation, ...sketch.toBins() })
      }
    }
  }
  return [calls, latencies]
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
