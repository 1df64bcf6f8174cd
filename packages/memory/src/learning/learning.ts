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
import { isDatabaseUnavailable } from '@memory/shared/platform/database/unavailable'
import { KeyedQueue } from '@memory/shared/platform/keyed-queue'
import { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import type { LearningCache } from './learning-cache.ts'
import * as store from './learning-store.ts'
import { inPieces, patternsOf } from './pieces.ts'

/** What a change of a space's state gives. */
export interface StateChange<T> {
  state: SpaceState
  /** For the history, oldest first. */
  records?: readonly SignalRecord[]
  result: T
}

/** Observations of a space that have not been written. */
interface Pending {
  observations: Observation[]
  /** Whose surprise is still being found out. */
  coming: Set<Promise<void>>
}

/** Does what changes the database at once, or when its turn comes. */
type RunPiece = <T>(piece: () => Promise<T>) => Promise<T>

/** More than this of a space waits only while the database can't be reached; what is oldest is then dropped. */
const pendingMax = 5_000
/** What waits of all spaces, about 40 MB: beyond it the space that has waited longest loses its oldest. */
const pendingTotalMax = 25_000

/**
 * What spaces learn from being used: recorded in memory, off the requests' path, and written by `flush`, each second. The
 * arithmetic is done under the lock of the space, so any number of processes may do it.
 */
export class Learning {
  readonly #queries: Queries
  readonly #clock: Clock
  readonly #lowPriority: LowPriorityQueue
  readonly #learned: Pick<LearningCache, 'takeOver' | 'peek'> | undefined
  readonly #pending = new Map<string, Pending>()
  /** Observations in `pending`. */
  #waiting = 0
  // Flushes of a space come one after the other, so that what came first is learned first.
  readonly #flushes = new KeyedQueue<string>()

  /** @param options.learned takes over every engine version that this process makes, and tells what is known of it */
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

  /** Records something that happened in a space. */
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

  /** Records what will have been found out soon; what fails is not recorded. */
  recordWhenKnown(spaceId: string, coming: Promise<Observation | undefined>): void {
    const { coming: all } = this.#pendingOf(spaceId)
    const recorded: Promise<void> = coming
      .then((observation) => observation && this.record(spaceId, observation))
      .catch(() => {})
      .finally(() => all.delete(recorded))
    all.add(recorded)
  }

  /** Records something and waits until it is written. */
  async learnNow(spaceId: string, observation: Observation): Promise<void> {
    this.record(spaceId, observation)
    await this.#flushSpace(spaceId)
  }

  /**
   * Writes what was recorded, space by space, those first that have waited longest. What fails to be written is tried again
   * with the next.
   */
  async flush(): Promise<void> {
    const failures: unknown[] = []
    const spaceIds = [...this.#pending.keys()]
    for (const spaceId of spaceIds) {
      try {
        // Nobody is told of it: the last commit brings all to the disk.
        await this.#flushSpace(spaceId, spaceId === spaceIds.at(-1), (piece) => this.#lowPriority.run(piece))
      } catch (error) {
        // What one space can't do, others can; without the database none can.
        if (isDatabaseUnavailable(error)) throw error
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** A space's state with everything that this process has observed, and that others have written. */
  async read(spaceId: string): Promise<SpaceState> {
    await this.#flushObserved(spaceId)
    const found = await store.findState(this.#queries, spaceId)
    return found?.state ?? initialState((found?.createdAt ?? this.#clock.now()).getTime())
  }

  /** Changes a space's state under its lock, after what was observed. @param also is done in the same transaction */
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
   * Changes what a space has learned of its patterns, under its lock, after what was observed. What `work` writes is
   * marked with the engine version that it is given.
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

  /** The last records of a space, oldest first. */
  async listHistory(spaceId: string, last: number): Promise<SignalRecord[]> {
    await this.#flushObserved(spaceId)
    return store.listSignals(this.#queries, spaceId, last)
  }

  /** Drops what was recorded of a space that is gone. */
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

  /** Waits until all that this process has seen of a space is written. */
  async #flushObserved(spaceId: string): Promise<void> {
    await Promise.all(this.#pending.get(spaceId)?.coming ?? [])
    await this.#flushSpace(spaceId)
  }

  #flushSpace(spaceId: string, durable = true, run: RunPiece = (piece) => piece()): Promise<void> {
    return this.#flushes.run(spaceId, () => this.#write(spaceId, durable, run))
  }

  /** A piece after the other, each in a transaction of its own: in the embedded database all others wait for one. */
  async #write(spaceId: string, durable: boolean, run: RunPiece): Promise<void> {
    const pending = this.#pending.get(spaceId)
    if (pending === undefined) return
    const { observations } = pending
    // What is observed from now on waits behind the others'.
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
      // What all pieces changed is read at once.
      if (version !== undefined && n === pieces.length - 1) await this.#learned?.takeOver(spaceId, version)
    }
  }

  /** What was not written comes before what has been observed since. */
  #restore(spaceId: string, unwritten: readonly Observation[]): void {
    const since = this.#pendingOf(spaceId)
    const all = [...unwritten, ...since.observations].slice(-pendingMax)
    this.#waiting += all.length - since.observations.length
    since.observations = all
  }

  /** @param pairsMax pairs that are strengthened at most */
  async #learn(
    trx: Trx,
    spaceId: string,
    observations: readonly Observation[],
    pairsMax: number,
  ): Promise<number | undefined> {
    const beginning = await store.begin(trx, spaceId, actorsOf(observations), patternsOf(observations))
    if (beginning === undefined) return undefined
    const { traces, alive } = beginning
    const before = beginning.state ?? initialState(beginning.createdAt.getTime())
    const mentioned = new Set(patternsOf(observations))
    // A trace is dropped with any pattern that it mentions: what it holds is there.
    const all = learnFrom(before, traces, observations, (idx) => !mentioned.has(idx) || alive.has(idx))
    const now = this.#clock.now()
    const pairs = this.#lasting(spaceId, all.associations, now)
    const update = { ...all, associations: strongest(pairs, pairsMax) }
    const version = await this.#save(trx, spaceId, beginning, before, update.state, update.records)
    await store.saveUpdate(trx, spaceId, version, now, update)
    return version
  }

  /** As far as this process knows; what it does not know is written, and dropped where it is too weak. */
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

const actorsOf = (observations: readonly Observation[]): string[] => [
  ...new Set(observations.flatMap((one) => ('actor' in one ? [one.actor] : []))),
]

/** The pairs that are strengthened most: the rest would be the first that a pattern with many associations loses again. */
function strongest(pairs: LearningUpdate['associations'], count: number): LearningUpdate['associations'] {
  return pairs.length <= count ? pairs : pairs.toSorted((a, b) => a.kept - b.kept).slice(0, count)
}
