import type { Actor, Caller, UsageClass } from '../catalogue/operation.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queries } from '../platform/database/database.ts'
import { floorTo, hourMs } from './calendar.ts'
import { LatencySketch } from './latency-sketch.ts'
import { retention } from './retention.ts'
import { type Calls, noCalls, recordUsage, sessionCaller } from './store.ts'

/** A request that was answered with success. */
export interface Answered {
  caller: Pick<Caller, 'spaceId' | 'actor'>
  /** Undefined for operations of no class of their own. */
  usage: UsageClass | undefined
  /** What it counted against the plan's day. */
  queries: number
  ms: number
}

interface BufferedCalls extends Calls {
  spaceId: string
  atMs: number
  caller: string
}

interface BufferedLatency {
  spaceId: string
  atMs: number
  operation: UsageClass
  sketch: LatencySketch
}

interface Buffer {
  calls: Map<string, BufferedCalls>
  latencies: Map<string, BufferedLatency>
}

const emptyBuffer = (): Buffer => ({ calls: new Map(), latencies: new Map() })

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
  #buffer = emptyBuffer()
  #lastFlush: Promise<void> = Promise.resolve()

  constructor(queries: Queries, clock: Clock) {
    this.#queries = queries
    this.#clock = clock
  }

  record({ caller: { spaceId, actor }, usage, queries, ms }: Answered): void {
    const now = this.#clock.now()
    const calls = this.#callsOf(spaceId, floorTo(now, hourMs), callerOf(actor))
    calls[usage === undefined ? 'other' : counterOf[usage]]++
    calls.queries += queries
    if (usage !== undefined) this.#sketchOf(spaceId, floorTo(now, retention.latencyMs), usage).add(ms)
  }

  /** Writes all that was recorded before the call. One flush at a time: each waits for the one before it. */
  flush(): Promise<void> {
    const before = this.#lastFlush.catch(() => {})
    this.#lastFlush = before.then(() => this.#write())
    return this.#lastFlush
  }

  async #write(): Promise<void> {
    const { calls, latencies } = this.#buffer
    if (calls.size === 0) return
    this.#buffer = emptyBuffer()
    try {
      await recordUsage(
        this.#queries,
        Array.from(calls.values(), ({ atMs, ...each }) => ({ ...each, at: new Date(atMs) })),
        Array.from(latencies.values(), ({ spaceId, atMs, operation, sketch }) => ({
          spaceId,
          at: new Date(atMs),
          operation,
          ...sketch.toBins(),
        })),
      )
    } catch (error) {
      this.#restore({ calls, latencies })
      throw error
    }
  }

  #callsOf(spaceId: string, atMs: number, caller: string): BufferedCalls {
    const key = `${spaceId} ${atMs} ${caller}`
    let calls = this.#buffer.calls.get(key)
    if (calls === undefined) {
      calls = { spaceId, atMs, caller, ...noCalls }
      this.#buffer.calls.set(key, calls)
    }
    return calls
  }

  #sketchOf(spaceId: string, atMs: number, operation: UsageClass): LatencySketch {
    const key = `${spaceId} ${atMs} ${operation}`
    let latency = this.#buffer.latencies.get(key)
    if (latency === undefined) {
      latency = { spaceId, atMs, operation, sketch: new LatencySketch() }
      this.#buffer.latencies.set(key, latency)
    }
    return latency.sketch
  }

  /** What was not written counts beside what has been recorded since. */
  #restore(unwritten: Buffer): void {
    for (const { spaceId, atMs, caller, ...counted } of unwritten.calls.values()) {
      const calls = this.#callsOf(spaceId, atMs, caller)
      for (const name of Object.keys(counted) as (keyof Calls)[]) calls[name] += counted[name]
    }
    for (const { spaceId, atMs, operation, sketch } of unwritten.latencies.values()) {
      this.#sketchOf(spaceId, atMs, operation).merge(sketch)
    }
  }
}

const callerOf = (actor: Actor): string => (actor.kind === 'key' ? actor.keyId : sessionCaller)
