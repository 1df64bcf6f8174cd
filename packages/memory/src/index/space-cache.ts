import { type Clock, havePassed } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import { ExpiringCache } from '../spaces/expiring-cache.ts'
import { type SpaceChange, SpaceChanges } from '../spaces/space-changes.ts'
import { isOf, otherEncoder, type SpaceHeader } from '../spaces/space-encoder.ts'
import * as store from '../store.ts'
import type { Snapshot, Snapshots } from './snapshots.ts'
import { type IndexedPattern, SpaceIndex } from './space-index.ts'

/** Rows per statement: 10 ms of the embedded database, during which all other queries wait. 5,000 rows took 115 ms. */
const loadPageRows = 500
/** Rows collected before they are put into the index: it stores rows that come together next to each other. */
const loadedAtOnce = 5_000
/** Smaller spaces get no snapshot: reading them from the database is fast. */
const savedPatternsMin = 5_000

/** `saveGrown` saves a space in which this many patterns, and this share of its saved size, have changed since it was saved. */
const grownPatternsMin = 20_000
const grownShareMin = 0.5
/** `saveDue` saves a space that has changed at all when it was last saved this long ago. */
const savedAgainAfterMs = 3_600_000
/** Share of the budget that `loadSaved` may fill; the rest is for spaces that requests ask for. */
const loadedAheadShareMax = 0.5

export interface SpaceCacheOptions {
  queries: Queries
  budgetBytes: number
  /** Identifies this process's encoder; undefined for a process that never searches by text. */
  modelId?: string | undefined
  /** Where large spaces are saved for the next start. */
  snapshots?: Snapshots | undefined
  clock: Clock
  log: Log
}

/**
 * The indexes of spaces that this process holds in memory. Everything that changes in a space passes through here, by a commit
 * of this process or as read from the database, and is announced to the other caches by `changes`.
 */
export class SpaceCache extends ExpiringCache<SpaceIndex> {
  /** Emits every change that this process commits or reads. */
  readonly changes = new SpaceChanges()
  readonly #options: SpaceCacheOptions
  /** Indexes that a request has used, as opposed to those loaded ahead and not used yet. */
  readonly #asked = new WeakSet<SpaceIndex>()
  /** Indexes of which the log says already that they exceed the budget. */
  readonly #oversized = new WeakSet<SpaceIndex>()
  readonly #onChange = (index: SpaceIndex, idx: number) => this.changes.emit('patternChanged', index, idx)
  #isEnding = false

  constructor(options: SpaceCacheOptions) {
    super(options.budgetBytes, options.clock)
    this.#options = options
  }

  protected sizeOf({ bytes }: SpaceIndex): number {
    return bytes
  }

  protected override onRelease(index: SpaceIndex): void {
    this.changes.emit('released', index)
  }

  /**
   * The index of a space with every change up to `version` and without expired patterns.
   * @throws ApiError unavailable while the space's text embeddings are of another encoder
   */
  override async get(spaceId: string, version: number): Promise<SpaceIndex> {
    const index = await super.get(spaceId, version)
    this.#asked.add(index)
    return index
  }

  /**
   * Applies a change that this process has just committed. If another process committed in between, the index is left behind
   * and the next `get` reads both changes from the database.
   * @returns the index, if it now has the change
   */
  committed(spaceId: string, version: number, change: SpaceChange): SpaceIndex | undefined {
    const { stored = [], removed = [], touched = [] } = change
    this.#removed(spaceId, removed)
    this.changes.emit('committed', spaceId, version, change)
    const index = this.peek(spaceId)
    if (index === undefined) return undefined
    if (index.version !== version - 1) {
      // Other caches must at least not answer with what these patterns were before.
      index.touch([...stored.map(({ idx }) => idx), ...removed, ...touched])
      return undefined
    }
    index.put(stored)
    index.remove(removed)
    index.touch(touched)
    index.version = version
    this.#fit(spaceId, index)
    this.measure(spaceId)
    return index
  }

  /** Drops everything cached of a space, its snapshot included: its next use reads it anew. */
  override drop(spaceId: string): void {
    super.drop(spaceId)
    this.#invalidate(spaceId)
  }

  /**
   * Saves the large spaces that have changed since they were last saved, after reading what other processes changed, so that
   * nothing deleted is saved. Drops erased spaces. Waits until all operations on snapshots are done.
   */
  save(): Promise<void> {
    return this.#saveThose(() => true)
  }

  /**
   * As `save`, but a space that has a snapshot of this process is saved at most once an hour: that of a million patterns is
   * gigabytes. What was deleted does not wait, since its snapshot is discarded, and the vector that a change has replaced is
   * in the files for no longer than that.
   */
  saveDue(): Promise<void> {
    const { snapshots } = this.#options
    return this.#saveThose((spaceId, index) => {
      const kept = snapshots?.keptOf(spaceId, index)
      if (kept === undefined) return true
      return (
        kept.changes !== index.changes && havePassed(savedAgainAfterMs, kept.at, this.clock.now().getTime())
      )
    })
  }

  async #saveThose(isDue: (spaceId: string, index: SpaceIndex) => boolean): Promise<void> {
    const large = this.all.filter(([, index]) => index.size >= savedPatternsMin)
    for (const [spaceId] of large) {
      if (await store.isGone(this.#options.queries, spaceId)) this.drop(spaceId)
      else if (this.#options.snapshots !== undefined && this.peek(spaceId) !== undefined) {
        if ((await this.#syncIfOpen(spaceId)) === undefined) continue
        await this.refresh(spaceId)
        const index = this.peek(spaceId)
        if (index === undefined) continue
        await this.#saveSpace(spaceId, index, isDue(spaceId, index))
      }
    }
    await this.checkSnapshots()
    await this.#options.snapshots?.idle()
  }

  /** Builds the inverted lists of large spaces, while searches and changes go on. */
  async arrange(): Promise<void> {
    for (const [spaceId, index] of this.all) {
      if (this.#isEnding) return
      await index.arrange()
      this.measure(spaceId)
    }
  }

  /** Ends `arrange` for good. Called when the process is about to end, so that time is left for `save`. */
  stopArranging(): void {
    this.#isEnding = true
    for (const [, index] of this.all) index.stopArranging()
  }

  /**
   * Saves the spaces of which much has changed since they were last saved. Else, if the process is killed, the next start would have
   * to read millions of patterns from the database, at 10,000 a second.
   */
  async saveGrown(): Promise<void> {
    for (const [spaceId, index] of this.all) {
      const kept = this.#options.snapshots?.keptOf(spaceId, index)
      const changed = kept === undefined ? index.size : index.changes - kept.changes
      if (changed >= Math.max(grownPatternsMin, grownShareMin * (kept?.size ?? 0))) {
        await this.#saveSpace(spaceId, index)
      }
    }
  }

  /**
   * Discards the snapshots of spaces that are gone, or of which anything was deleted since the save, by any process.
   * @returns the remaining snapshots
   */
  async checkSnapshots(): Promise<Snapshot[]> {
    const good: Snapshot[] = []
    for (const snapshot of (await this.#options.snapshots?.cleanUp(this.clock.now())) ?? []) {
      const { spaceId, version } = snapshot
      if (await store.hasForgotten(this.#options.queries, spaceId, version)) await this.#discard(spaceId)
      else good.push(snapshot)
    }
    return good
  }

  /**
   * Loads spaces from their snapshots before a request asks for them, one at a time, the latest saved first, up to half of the
   * budget.
   * @param snapshots as returned by `checkSnapshots`
   * @param isEnding asked before each space, to stop
   */
  async loadSaved(snapshots: readonly Snapshot[], isEnding: () => boolean): Promise<void> {
    const newestFirst = snapshots.toSorted((a, b) => b.savedAt - a.savedAt)
    for (const { spaceId, bytes } of newestFirst) {
      if (isEnding() || this.size + bytes > loadedAheadShareMax * this.budget) return
      if (this.peek(spaceId) !== undefined) continue
      const index = await this.#syncIfOpen(spaceId)
      if (index !== undefined && !this.#asked.has(index)) this.demote(spaceId)
    }
  }

  /** @returns undefined for a space that is gone, or whose texts wait to be embedded by this process's encoder */
  async #syncIfOpen(spaceId: string): Promise<SpaceIndex | undefined> {
    const header = await store.findSpaceHeader(this.#options.queries, spaceId)
    return header !== undefined && this.#isOpen(header) ? this.sync(spaceId) : undefined
  }

  #isOpen(header: SpaceHeader): boolean {
    const { modelId } = this.#options
    return modelId === undefined ? header.textModel !== '' : isOf(header, modelId)
  }

  /** @throws ApiError unavailable if the space's text embeddings are of another encoder */
  async #headerOf(spaceId: string): Promise<SpaceHeader> {
    const header = await store.findSpaceHeader(this.#options.queries, spaceId)
    if (header === undefined) throw new Error(`space ${spaceId} is gone`)
    if (!this.#isOpen(header)) throw otherEncoder()
    return header
  }

  protected async read(spaceId: string, index: SpaceIndex | undefined): Promise<SpaceIndex> {
    if (index === undefined) this.changes.emit('loading', spaceId)
    const { version } = await this.#headerOf(spaceId)
    if (index === undefined) return (await this.#restore(spaceId, version)) ?? this.#load(spaceId, version)
    const since = index.version
    const changes = await store.listChanges(this.#options.queries, spaceId, since)
    // This process committed meanwhile, so the index is newer than the list. `get` reads again if it has to.
    if (index.version !== since) return index
    if (since < changes.historyFloor) {
      this.release(spaceId)
      this.#invalidate(spaceId)
      return this.#load(spaceId, version)
    }
    this.#removed(spaceId, changes.removed)
    index.remove([...changes.removed, ...changes.hidden])
    index.put(changes.stored)
    if (changes.hidden.length > 0) index.leftOut(this.clock.now())
    index.version = changes.version
    this.#fit(spaceId, index)
    return index
  }

  /** Loads a space from its snapshot. `get` then reads what has changed since the save. */
  async #restore(spaceId: string, version: number): Promise<SpaceIndex | undefined> {
    if (this.#options.snapshots === undefined) return undefined
    const started = performance.now()
    let index: SpaceIndex | undefined
    try {
      index = await this.#options.snapshots.load(spaceId, this.#onChange, this.#options.modelId)
    } catch (error) {
      this.#options.log.warn({ err: error, spaceId }, 'snapshot not usable; reading the database instead')
      this.#forget(spaceId)
    }
    if (index === undefined) return undefined
    // A snapshot newer than the space belongs to another database, or the database was restored from a backup.
    if (index.version > version) {
      this.#forget(spaceId)
      return undefined
    }
    // The clock was ahead when it was saved: what hadn't expired may be missing.
    if (!index.expire(this.clock.now())) return undefined
    // It was saved with lower tiers for lack of memory, and the budget now suffices: read the full keys from the database.
    if (index.limit !== 'hot' && index.hotBytes < this.budget) return undefined
    this.#fit(spaceId, index)
    this.#options.log.debug(
      { spaceId, patterns: index.size, ms: performance.now() - started },
      'space loaded from its snapshot',
    )
    return index
  }

  /** Reads a space page by page. What changes meanwhile has a later version, which the next `get` reads. */
  async #load(spaceId: string, version: number): Promise<SpaceIndex> {
    const started = performance.now()
    const index = new SpaceIndex(version, this.#onChange, this.#options.modelId)
    index.leftOut(this.clock.now())
    let after = -1
    let rows: IndexedPattern[] = []
    for (;;) {
      const page = await store.loadPage(this.#options.queries, spaceId, after, loadPageRows)
      rows.push(...page)
      const last = page.at(-1)
      if (last === undefined || page.length < loadPageRows) break
      after = last.idx
      if (rows.length < loadedAtOnce) continue
      index.put(rows)
      rows = []
      this.#fit(spaceId, index)
    }
    index.put(rows)
    this.#fit(spaceId, index)
    // If the space was embedded anew meanwhile, some pages hold old embeddings.
    const now = await this.#headerOf(spaceId)
    if (now.historyFloor > version) return this.#load(spaceId, now.version)
    this.#options.log.debug(
      { spaceId, patterns: index.size, ms: performance.now() - started },
      'space loaded',
    )
    void this.#saveSpace(spaceId, index)
    return index
  }

  /** Removes other spaces to make room for one. If it alone exceeds the budget, holds its keys in lower tiers. */
  #fit(spaceId: string, index: SpaceIndex): void {
    // An index that is being read is not in the cache yet, so `measure` does not make room for it.
    if (this.peek(spaceId) !== index) this.makeRoom(index.bytes)
    const isOver = () => index.bytes > this.budget
    for (const tier of ['warm', 'cold'] as const) if (isOver()) index.limitTo(tier)
    if (!isOver() || this.#oversized.has(index)) return
    this.#oversized.add(index)
    this.#options.log.warn(
      { spaceId, bytes: index.bytes, budgetBytes: this.budget },
      'one space is larger than MEMORY_INDEX_BUDGET; raise it',
    )
  }

  /** Tells the other caches that patterns are removed, and removes the snapshot that has them. */
  #removed(spaceId: string, indexes: readonly number[]): void {
    if (indexes.length === 0) return
    this.changes.emit('removed', spaceId, indexes)
    this.#forget(spaceId)
  }

  /** Tells the other caches that nothing known of a space can be trusted any more, and removes its snapshot. */
  #invalidate(spaceId: string): void {
    this.changes.emit('dropped', spaceId)
    this.#forget(spaceId)
  }

  async #saveSpace(spaceId: string, index: SpaceIndex, isDue = true): Promise<void> {
    if (index.size < savedPatternsMin) return
    const { snapshots } = this.#options
    try {
      await (isDue
        ? snapshots?.save(spaceId, index, this.clock.now())
        : snapshots?.note(spaceId, this.clock.now()))
    } catch (error) {
      this.#options.log.warn({ err: error, spaceId }, 'snapshot not saved')
    }
  }

  /** Discards a snapshot in the background, since what was deleted must not stay in it. */
  #forget(spaceId: string): void {
    void this.#discard(spaceId)
  }

  async #discard(spaceId: string): Promise<void> {
    try {
      await this.#options.snapshots?.discard(spaceId)
    } catch (error) {
      this.#options.log.warn({ err: error, spaceId }, 'snapshot not removed')
    }
  }
}
