import { lasting } from '@memory/engine/learning/association'
import type { LearningUpdate, Observation } from '@memory/engine/learning/learning-update'
import { learnFrom } from '@memory/engine/learning/learning-update'
import { initialState, type SpaceState } from '@memory/engine/learning/state'
import type { SignalRecord } from '@memory/engine/modulation'
import { parameters } from '@memory/engine/parameters'
import { changesOf } from '@memory/engine/regime'
import { notify } from '@memory/shared/notifications/notify'
import type { Clock } from '@memory/shared/platform/clock'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { isReadOnly } from '@memory/shared/platform/database/unavailable'
import { KeyedQueue } from '@memory/shared/platform/keyed-queue'
import { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import { Failures } from '../spaces/failures.ts'
import type { LearningCache } from './learning-cache.ts'
import * as store from './learning-store.ts'
import { inPieces, patternsOf } from './pieces.ts'

/** The result of `work` in `Learning.change`. */
export interface StateChange<T> {
  state: SpaceState
  /** To append to the history, oldest first. */
  records?: readonly SignalRecord[]
  result: T
}

/** Observations of a space that have not been written to the database. */
interface Pending {
  observations: Observation[]
  /** Observations whose surprise is still being computed; each promise settles once it is in `observations`. */
  coming: Set<Promise<void>>
}

/** Runs a write, either at once or through the low-priority queue. */
type RunPiece = <T>(piece: () => Promise<T>) => Promise<T>

/** Pending observations of one space: beyond this the oldest are dropped. Reached only while the database can't be. */
const pendingMax = 5_000
/** Pending observations of all spaces, about 40 MB: beyond this the space that has waited longest loses its oldest. */
const pendingTotalMax = 25_000

/**
 * Learning from use. Requests record observations in memory; `flush`, called each second, computes what they teach and writes it.
 * The computation runs under the space's lock in the database, on the state read there, so any number of processes may do it.
 */
export class Learning {
  readonly #queries: Queries
  readonly #clock: Clock
  readonly #lowPriority: LowPriorityQueue
  readonly #learned: Pick<LearningCache, 'takeOver' | 'peek'> | undefined
  readonly #pending = new Map<string, Pending>()
  /** Number of observations in `#pending`, over all spaces. */
  #waiting = 0
  // Flushes of one space run one after the other, so that observations are learned from in order.
  readonly #flushes = new KeyedQueue<string>()

  /** @param options.learned the cache to update after each write; also tells which associations are too weak to write */
  constructor(options: {
    queries: Queries
    clock: Clock
    lowPriority?: LowPriorityQueue | undefined
    learned?: Pick<LearningCache, 'takeOver' | 'peek'>
  }) {
    this.#queries = options.queries
    this.#clock = options.clock
    this.#lowPriority = options.lowPriority ?? LowPriorityQueue.steady()
    this.#learned = options.learned
  }

  /** Records an observation, to be learned from at the next flush. */
  record(spaceId: string, observation: Observation): void {
    const { observations } = this.#pendingOf(spaceId)
    observations.push(observation)
    this.#waiting++
    if (observations.length > pendingMax) this.#dropOldest(observations)
    else if (this.#waiting > pendingTotalMax) this.#dropOldest(this.#longestWaiting())
  }

  #dropOldest(observations: Observation[]): void {
    observations.shift()
    this.#waiting--
  }

  #longestWaiting(): Observation[] {
    for (const { observations } of this.#pending.values()) if (observations.length > 0) return observations
    throw new Error('Nothing waits.')
  }

  /** Records an observation once its promise resolves; a rejection is ignored. */
  recordWhenKnown(spaceId: string, coming: Promise<Observation | undefined>): void {
    const { coming: all } = this.#pendingOf(spaceId)
    const recorded: Promise<void> = coming
      .then((observation) => observation && this.record(spaceId, observation))
      .catch(() => {})
      .finally(() => all.delete(recorded))
    all.add(recorded)
  }

  /**
   * Records an observation and waits until it is written.
   * @throws what writing it failed with; it is not tried again then, since whoever observed it does that
   */
  async learnNow(spaceId: string, observation: Observation): Promise<void> {
    this.record(spaceId, observation)
    // Taken back before anything else is written of the space, which would take it along.
    await this.#flushes.run(spaceId, async () => {
      try {
        await this.#write(spaceId)
      } catch (error) {
        // If it no longer waits it was written, and only something beside it failed.
        if (this.#takeBack(spaceId, observation)) throw error
      }
    })
  }

  /** @returns false if it no longer waits */
  #takeBack(spaceId: string, observation: Observation): boolean {
    const waiting = this.#pending.get(spaceId)?.observations ?? []
    const at = waiting.indexOf(observation)
    if (at === -1) return false
    waiting.splice(at, 1)
    this.#waiting--
    return true
  }

  /**
   * Writes the pending observations, space by space, the longest waiting first. What fails is kept for the next flush.
   * @throws the first failure, after all spaces were tried; at once if the database can't be reached
   */
  async flush(): Promise<void> {
    const failures = new Failures()
    const spaceIds = [...this.#pending.keys()]
    for (const spaceId of spaceIds) {
      // Nobody waits for these commits: only the last waits for the disk, which brings those before it there too.
      const isDurable = spaceId === spaceIds.at(-1)
      await failures.attempt(() =>
        this.#flushSpace(spaceId, isDurable, (piece) => this.#lowPriority.run(piece)),
      )
    }
    failures.report()
  }

  /**
   * A space's state, including everything that this process has observed and others have written; without what is yet to be
   * written while the database only reads.
   */
  async read(spaceId: string): Promise<SpaceState> {
    await this.#flushIfWritable(spaceId)
    const found = await store.findState(this.#queries, spaceId)
    return found?.state ?? initialState((found?.createdAt ?? this.#clock.now()).getTime())
  }

  /**
   * Changes a space's state, under its lock and after writing what was observed before.
   * @param also called in the same transaction
   */
  async change<T>(
    spaceId: string,
    work: (state: SpaceState, now: Date) => StateChange<T>,
    also?: (trx: Trx, result: T) => Promise<void>,
  ): Promise<T> {
    await this.#flushObserved(spaceId)
    const now = this.#clock.now()
    const { result, version } = await asTenant(this.#queries, { spaceId }, async (trx) => {
      const beginning = await store.begin(trx, spaceId, [], [])
      if (beginning === undefined) throw new Error('The space is not there.')
      const before = beginning.state ?? initialState(beginning.createdAt.getTime())
      const { state, records = [], result } = work(before, now)
      const version = await this.#save(trx, spaceId, beginning, before, state, records)
      await also?.(trx, result)
      return { result, version }
    })
    await this.#learned?.takeOver(spaceId, version)
    return result
  }

  /**
   * Changes rows that a space has learned (associations, transitions, strengths), under its lock and after writing what was
   * observed before. `work` must write the engine version that it is given into the rows, so that other processes read them.
   */
  async revise<T>(
    spaceId: string,
    work: (trx: Trx, engineVersion: number, now: Date) => Promise<T>,
  ): Promise<T> {
    await this.#flushObserved(spaceId)
    const now = this.#clock.now()
    const { result, version } = await asTenant(this.#queries, { spaceId }, async (trx) => {
      const beginning = await store.begin(trx, spaceId, [], [])
      if (beginning === undefined) throw new Error('The space is not there.')
      const state = beginning.state ?? initialState(beginning.createdAt.getTime())
      const version = await this.#save(trx, spaceId, beginning, state, state, [])
      return { result: await work(trx, version, now), version }
    })
    await this.#learned?.takeOver(spaceId, version)
    return result
  }

  /** The last records of a space's history, oldest first, as far as `read` reads. */
  async listHistory(spaceId: string, last: number): Promise<SignalRecord[]> {
    await this.#flushIfWritable(spaceId)
    return store.listSignals(this.#queries, spaceId, last)
  }

  /** Drops the pending observations of a space that is gone. */
  forget(spaceId: string): void {
    this.#waiting -= this.#pending.get(spaceId)?.observations.length ?? 0
    this.#pending.delete(spaceId)
  }

  #pendingOf(spaceId: string): Pending {
    let pending = this.#pending.get(spaceId)
    if (pending === undefined) {
      pending = { observations: [], coming: new Set() }
      this.#pending.set(spaceId, pending)
    }
    return pending
  }

  /** Writes all that this process has observed of a space, including observations whose surprise is still being computed. */
  async #flushObserved(spaceId: string): Promise<void> {
    await Promise.all(this.#pending.get(spaceId)?.coming ?? [])
    await this.#flushSpace(spaceId)
  }

  async #flushIfWritable(spaceId: string): Promise<void> {
    try {
      await this.#flushObserved(spaceId)
    } catch (error) {
      if (!isReadOnly(error)) throw error
    }
  }

  #flushSpace(spaceId: string, durable?: boolean, run?: RunPiece): Promise<void> {
    return this.#flushes.run(spaceId, () => this.#write(spaceId, durable, run))
  }

  /**
   * Writes a space's observations in pieces, a transaction each: all other queries of the embedded database wait for one. A crash
   * of the database may take back what others have read already; the versions that it had are not given again.
   */
  async #write(spaceId: string, durable = true, run: RunPiece = (piece) => piece()): Promise<void> {
    const pending = this.#pending.get(spaceId)
    if (pending === undefined) return
    const { observations } = pending
    // Deleted from the map, so that what is observed from now on queues up behind the other spaces.
    this.#pending.delete(spaceId)
    if (pending.coming.size > 0) this.#pending.set(spaceId, pending)
    pending.observations = []
    this.#waiting -= observations.length
    const pieces = inPieces(observations)
    const pairsMax = parameters.learning.pairsASecond / pieces.length
    for (const [n, piece] of pieces.entries()) {
      const isDurable = durable && n === pieces.length - 1
      let version: number | undefined
      try {
        version = await run(() =>
          asTenant(this.#queries, { spaceId }, (trx) => this.#learn(trx, spaceId, piece, pairsMax), {
            durable: isDurable,
          }),
        )
      } catch (error) {
        this.#restore(spaceId, pieces.slice(n).flat())
        throw error
      }
      // The cache reads what all pieces changed at once.
      if (version !== undefined && n === pieces.length - 1) await this.#learned?.takeOver(spaceId, version)
    }
  }

  /** Puts observations back that could not be written, before those observed since. */
  #restore(spaceId: string, unwritten: readonly Observation[]): void {
    const since = this.#pendingOf(spaceId)
    const all = [...unwritten, ...since.observations].slice(-pendingMax)
    this.#waiting += all.length - since.observations.length
    since.observations = all
  }

  /**
   * Learns from observations, in a transaction of the space's tenant.
   * @param pairsMax how many pairs are strengthened at most
   * @returns the space's new engine version; undefined for a space that is gone
   */
  async #learn(
    trx: Trx,
    spaceId: string,
    observations: readonly Observation[],
    pairsMax: number,
  ): Promise<number | undefined> {
    const beginning = await store.begin(trx, spaceId, actorsOf(observations), patternsOf(observations))
    if (beginning === undefined) return undefined
    const { traces, alive, strengths } = beginning
    const before = beginning.state ?? initialState(beginning.createdAt.getTime())
    const mentioned = new Set(patternsOf(observations))
    // Patterns in the actors' traces need no check: the database drops a trace when a pattern that it mentions is deleted.
    const isAlive = (idx: number) => !mentioned.has(idx) || alive.has(idx)
    const isForgotten = forgottenBy(before)
    const taught = observations.map((one) => (isForgotten(one) ? { ...one, isForgotten: true } : one))
    const strengthOf = (idx: number) => strengths.get(idx) ?? parameters.learning.strengthStart
    const now = this.#clock.now()
    const all = learnFrom(before, traces, taught, isAlive, { strengthOf, now: now.getTime() })
    for (const actor of actorsOf(observations.filter(isForgotten))) all.traces.delete(actor)
    const pairs = this.#lasting(spaceId, all.associations, now)
    const update = { ...all, associations: strongest(pairs, pairsMax) }
    const version = await this.#save(trx, spaceId, beginning, before, update.state, update.records)
    await store.saveUpdate(trx, spaceId, version, now, update)
    return version
  }

  /**
   * Leaves out associations too weak to be kept, as far as the cache can tell. Without a cached copy all are written, and the
   * database drops the weak ones.
   */
  #lasting(
    spaceId: string,
    pairs: LearningUpdate['associations'],
    now: Date,
  ): LearningUpdate['associations'] {
    const known = this.#learned?.peek(spaceId)
    return known === undefined ? pairs : lasting(pairs, (idx) => known.associatesOf(idx), now.getTime())
  }

  async #save(
    trx: Trx,
    spaceId: string,
    { organizationId }: store.Beginning,
    before: SpaceState,
    state: SpaceState,
    records: readonly SignalRecord[],
  ): Promise<number> {
    const version = await store.saveState(trx, spaceId, state, records)
    for (const { from, to } of changesOf(before.modulation.regime, records)) {
      await notify(trx, organizationId, 'memory.regime_changed', { spaceId, from, to })
    }
    return version
  }
}

/**
 * Whether a search began before its space forgot what was asked. Whoever erases can't reach what other processes have yet to
 * write: the query, the actor's trace and what was found first may be of who is erased by now.
 */
const forgottenBy =
  ({ forgotten = 0 }: SpaceState) =>
  (one: Observation): boolean =>
    one.kind === 'answer' && (one.engineVersion ?? 0) < forgotten

const actorsOf = (observations: readonly Observation[]): string[] => [
  ...new Set(observations.flatMap((one) => ('actor' in one ? [one.actor] : []))),
]

/**
 * The `count` pairs that are strengthened most (with the least `kept`). The others are those that a pattern with many
 * associations would lose first.
 */
function strongest(pairs: LearningUpdate['associations'], count: number): LearningUpdate['associations'] {
  return pairs.length <= count ? pairs : pairs.toSorted((a, b) => a.kept - b.kept).slice(0, count)
}
