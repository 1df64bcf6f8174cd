import { regardless } from '@memory/shared/platform/asker'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import * as store from '../store.ts'
import type { Snapshot, Snapshots } from './snapshots.ts'
import { type IndexedPattern, SpaceIndex } from './space-index.ts'

/** A statement of so many takes 10 ms, in the embedded database of everybody's time; one of 5,000 took 115. */
const loadPageRows = 500
/** Rows that an index takes at a time: it lays out together what comes together. */
const loadedAtOnce = 5_000
/** How many patterns are stored between two looks at the memory they take. */
const budgetCheckPatterns = 1_000
/** Fewer patterns are read from the database in a moment. */
const savedPatternsMin = 5_000

/** What a space has gained when it is saved ahead of time: so many patterns, and so much of what was saved. */
const grownPatternsMin = 20_000
const grownShareMin = 0.5
/** The rest of the budget is for spaces that somebody asks for. */
const loadedAheadShareMax = 0.5

/** What a commit has changed in a space. */
export interface Committed {
  stored?: IndexedPattern[] | undefined
  removed?: number[] | undefined
  /** Patterns whose key is as it was. */
  touched?: number[] | undefined
}

/**
 * The spaces this process holds in memory. A caller names the version that its authentication saw, and gets an index
 * that has at least that: what other processes wrote is read by version, so no answer is older than its request.
 */
export class SpaceCache {
  readonly #queries: Queries
  readonly #onChange: (index: SpaceIndex, idx: number) => void
  readonly #onCommit: (spaceId: string, version: number, change: Committed) => void
  readonly #onRemoved: (spaceId: string, indexes: readonly number[]) => void
  readonly #onDrop: (spaceId: string) => void
  readonly #onReadAnew: (spaceId: string) => void
  readonly #onRelease: (index: SpaceIndex) => void
  readonly #budgetBytes: number
  readonly #snapshots: Snapshots | undefined
  readonly #clock: Clock
  readonly #log: Log
  // In order of use: the first is the one unused for longest.
  readonly #spaces = new Map<string, SpaceIndex>()
  /** Those that somebody has asked for since they are in memory. */
  readonly #asked = new WeakSet<SpaceIndex>()
  #storedSinceCheck = 0
  #isEnding = false
  readonly #syncing = new Map<string, Promise<SpaceIndex>>()

  constructor(options: {
    queries: Queries
    /** Hears of every pattern that an index learns of a change of. */
    onChange?: (index: SpaceIndex, idx: number) => void
    /** Hears of every change that this process commits. */
    onCommit?: (spaceId: string, version: number, change: Committed) => void
    /** Hears of patterns that were removed by others. */
    onRemoved?: (spaceId: string, indexes: readonly number[]) => void
    /** Hears of spaces whose contents are not known any more. */
    onDrop?: (spaceId: string) => void
    /** Hears of spaces that are read anew: what was removed from them since they were last in memory, it is not told. */
    onReadAnew?: (spaceId: string) => void
    /** Hears of indexes that are in use no more. */
    onRelease?: (index: SpaceIndex) => void
    budgetBytes: number
    /** Where large spaces are kept for the next start. */
    snapshots?: Snapshots | undefined
    clock: Clock
    log: Log
  }) {
    this.#queries = options.queries
    this.#onChange = options.onChange ?? (() => {})
    this.#onCommit = options.onCommit ?? (() => {})
    this.#onRemoved = options.onRemoved ?? (() => {})
    this.#onDrop = options.onDrop ?? (() => {})
    this.#onReadAnew = options.onReadAnew ?? (() => {})
    this.#onRelease = options.onRelease ?? (() => {})
    this.#budgetBytes = options.budgetBytes
    this.#snapshots = options.snapshots
    this.#clock = options.clock
    this.#log = options.log
  }

  /** Memory held by all spaces, in bytes. */
  get bytes(): number {
    let bytes = 0
    for (const index of this.#spaces.values()) bytes += index.bytes
    return bytes
  }

  get count(): number {
    return this.#spaces.size
  }

  /** The index of a space as it is, if it is in memory. */
  peek(spaceId: string): SpaceIndex | undefined {
    return this.#spaces.get(spaceId)
  }

  /** The index of a space with every change up to `version`, and nothing that has expired. */
  async get(spaceId: string, version: number): Promise<SpaceIndex> {
    let index = this.#spaces.get(spaceId)
    while (index === undefined || index.version < version) {
      await this.#sync(spaceId)
      // Another space may have taken its room meanwhile.
      index = this.#spaces.get(spaceId)
    }
    this.#asked.add(index)
    this.#spaces.delete(spaceId)
    this.#spaces.set(spaceId, index)
    index.expire(this.#clock.now())
    return index
  }

  /**
   * Takes over what this process itself just committed; when something came between, the next `get` reads it.
   * @returns the index that has it now
   */
  committed(spaceId: string, version: number, change: Committed): SpaceIndex | undefined {
    this.#onCommit(spaceId, version, change)
    if ((change.removed?.length ?? 0) > 0) this.#forget(spaceId)
    const index = this.#spaces.get(spaceId)
    if (index === undefined) return undefined
    if (index.version !== version - 1) {
      // Until it is read, at least nobody takes what is known of these patterns for what they are now.
      const { stored = [], removed = [], touched = [] } = change
      index.touch([...stored.map(({ idx }) => idx), ...removed, ...touched])
      return undefined
    }
    index.put(change.stored ?? [])
    index.remove(change.removed ?? [])
    index.touch(change.touched ?? [])
    index.version = version
    this.#countStored(spaceId, index, change.stored?.length ?? 0)
    return index
  }

  /** Has the index of a space, if it is in memory, take over what has changed. */
  async refresh(spaceId: string): Promise<void> {
    if (this.#spaces.has(spaceId)) await this.#sync(spaceId)
  }

  /** Lets go of a space's memory; what is known of it stays true. */
  release(spaceId: string): void {
    this.#spaces.delete(spaceId)
  }

  /** Drops a space, so that its next use reads it anew. */
  drop(spaceId: string): void {
    this.#onDrop(spaceId)
    this.#release(spaceId)
    this.#forget(spaceId)
  }

  /**
   * Saves the large spaces that have changed since they were saved, as they are now: what was forgotten elsewhere is
   * not in them; those that were erased are dropped. Then waits until all that is under way with snapshots is done.
   */
  async save(): Promise<void> {
    const large = [...this.#spaces].filter(([, index]) => index.size >= savedPatternsMin)
    for (const [spaceId] of large) {
      if (await store.isGone(this.#queries, spaceId)) this.drop(spaceId)
      else if (this.#snapshots !== undefined && this.#spaces.has(spaceId)) {
        await this.#saveSpace(spaceId, await this.#sync(spaceId))
      }
    }
    await this.checkSnapshots()
    await this.#snapshots?.idle()
  }

  /** Brings large spaces into an order that makes searches faster, while searches and changes go on. */
  async arrange(): Promise<void> {
    for (const index of [...this.#spaces.values()]) if (!this.#isEnding) await index.arrange()
  }

  /** Ends `arrange`, for good: the process is about to end, and has little time to save what it knows. */
  stopArranging(): void {
    this.#isEnding = true
    for (const index of this.#spaces.values()) index.stopArranging()
  }

  /**
   * Saves the spaces that have grown much since they were saved. A process that is killed may have taken in millions of
   * patterns since `save`, which the next start would read from the database, 10,000 a second.
   */
  async saveGrown(): Promise<void> {
    for (const [spaceId, index] of [...this.#spaces]) {
      const saved = this.#snapshots?.savedSize(spaceId, index) ?? 0
      if (index.size - saved >= Math.max(grownPatternsMin, grownShareMin * saved)) {
        await this.#saveSpace(spaceId, index)
      }
    }
  }

  /**
   * Discards the snapshots of spaces of which something was forgotten since, here or elsewhere, or that are gone.
   * @returns those that stay
   */
  async checkSnapshots(): Promise<Snapshot[]> {
    const good: Snapshot[] = []
    for (const snapshot of (await this.#snapshots?.cleanUp(this.#clock.now())) ?? []) {
      const { spaceId, version } = snapshot
      if (await store.hasForgotten(this.#queries, spaceId, version)) await this.#discard(spaceId)
      else good.push(snapshot)
    }
    return good
  }

  /**
   * Takes spaces into memory before somebody asks for them, those first that were last there, one after the other and
   * no more than half of the budget allows.
   * @param snapshots as `checkSnapshots` gave them
   * @param isEnding whether to leave it
   */
  async loadSaved(snapshots: readonly Snapshot[], isEnding: () => boolean): Promise<void> {
    const newestFirst = snapshots.toSorted((a, b) => b.savedAt - a.savedAt)
    for (const { spaceId, bytes } of newestFirst) {
      if (isEnding() || this.bytes + bytes > loadedAheadShareMax * this.#budgetBytes) return
      if (this.#spaces.has(spaceId)) continue
      await this.#sync(spaceId)
      this.#putFirst(spaceId)
    }
  }

  /** Makes a space that nobody has asked for yet the one unused for longest. */
  #putFirst(spaceId: string): void {
    const index = this.#spaces.get(spaceId)
    if (index === undefined || this.#asked.has(index)) return
    const others = [...this.#spaces].filter(([id]) => id !== spaceId)
    this.#spaces.clear()
    this.#spaces.set(spaceId, index)
    for (const [id, other] of others) this.#spaces.set(id, other)
  }

  #release(spaceId: string): void {
    const index = this.#spaces.get(spaceId)
    if (index === undefined) return
    this.#spaces.delete(spaceId)
    this.#onRelease(index)
  }

  /** One reader a space: others wait for its result. */
  #sync(spaceId: string): Promise<SpaceIndex> {
    let syncing = this.#syncing.get(spaceId)
    if (syncing === undefined) {
      syncing = regardless(() => this.#read(spaceId)).finally(() => this.#syncing.delete(spaceId))
      this.#syncing.set(spaceId, syncing)
    }
    return syncing
  }

  async #read(spaceId: string): Promise<SpaceIndex> {
    const index = this.#spaces.get(spaceId)
    if (index === undefined) {
      this.#onReadAnew(spaceId)
      return (await this.#restore(spaceId)) ?? this.#load(spaceId)
    }
    const since = index.version
    const changes = await store.listChanges(this.#queries, spaceId, since)
    // This process committed meanwhile: the list is older than the index now, and the caller reads again.
    if (index.version !== since) return index
    if (since < changes.historyFloor) {
      this.drop(spaceId)
      return this.#load(spaceId)
    }
    if (changes.removed.length > 0) {
      this.#onRemoved(spaceId, changes.removed)
      this.#forget(spaceId)
    }
    index.remove(changes.removed)
    index.put(changes.stored)
    index.version = changes.version
    this.#countStored(spaceId, index, changes.stored.length)
    return index
  }

  /** The space as it was saved; what has changed since then is read next. */
  async #restore(spaceId: string): Promise<SpaceIndex | undefined> {
    if (this.#snapshots === undefined) return undefined
    const started = performance.now()
    let index: SpaceIndex | undefined
    try {
      index = await this.#snapshots.load(spaceId, this.#onChange)
    } catch (error) {
      this.#log.warn({ err: error, spaceId }, 'snapshot not usable; reading the database instead')
      this.#forget(spaceId)
    }
    if (index === undefined) return undefined
    // One from the future was saved beside another database, or before this one was restored from a backup.
    if (index.version > (await store.getVersion(this.#queries, spaceId))) {
      this.#forget(spaceId)
      return undefined
    }
    // The budget was raised: the keys that are missing in memory are read again.
    if (index.limit !== 'hot' && index.hotBytes < this.#budgetBytes) return undefined
    this.#admit(spaceId, index)
    this.#log.debug(
      { spaceId, patterns: index.size, ms: performance.now() - started },
      'space loaded from its snapshot',
    )
    return index
  }

  /** Pages are read one after the other; what changes meanwhile has a later version and is read next. */
  async #load(spaceId: string): Promise<SpaceIndex> {
    const started = performance.now()
    const version = await store.getVersion(this.#queries, spaceId)
    const index = new SpaceIndex(version, this.#onChange)
    let after = -1
    let rows: IndexedPattern[] = []
    for (;;) {
      const page = await store.loadPage(this.#queries, spaceId, after, loadPageRows)
      rows.push(...page)
      const last = page.at(-1)
      if (last === undefined || page.length < loadPageRows) break
      after = last.idx
      if (rows.length < loadedAtOnce) continue
      index.put(rows)
      rows = []
      this.#makeRoom(spaceId, index)
    }
    index.put(rows)
    this.#admit(spaceId, index)
    this.#log.debug({ spaceId, patterns: index.size, ms: performance.now() - started }, 'space loaded')
    void this.#saveSpace(spaceId, index)
    return index
  }

  #countStored(spaceId: string, index: SpaceIndex, count: number): void {
    this.#storedSinceCheck += count
    if (this.#storedSinceCheck < budgetCheckPatterns) return
    this.#storedSinceCheck = 0
    this.#admit(spaceId, index)
  }

  #admit(spaceId: string, index: SpaceIndex): void {
    this.#spaces.set(spaceId, index)
    if (this.#makeRoom(spaceId, index)) return
    this.#log.warn(
      { spaceId, bytes: this.bytes, budgetBytes: this.#budgetBytes },
      'one space is larger than MEMORY_INDEX_BUDGET; raise it',
    )
  }

  /**
   * Drops the spaces unused for longest; one that alone is too large is held in smaller tiers.
   * @returns whether there is room now
   */
  #makeRoom(kept: string, index: SpaceIndex): boolean {
    const isOver = () => {
      // One that is being loaded is not among the others yet.
      const others = this.#spaces.get(kept) === index ? 0 : index.bytes
      return this.bytes + others > this.#budgetBytes
    }
    for (const spaceId of this.#spaces.keys()) {
      if (!isOver()) return true
      if (spaceId !== kept) this.#release(spaceId)
    }
    for (const tier of ['warm', 'cold'] as const) if (isOver()) index.limitTo(tier)
    return !isOver()
  }

  async #saveSpace(spaceId: string, index: SpaceIndex): Promise<void> {
    if (index.size < savedPatternsMin) return
    try {
      await this.#snapshots?.save(spaceId, index, this.#clock.now())
    } catch (error) {
      this.#log.warn({ err: error, spaceId }, 'snapshot not saved')
    }
  }

  /** What was removed from a space must not stay in its snapshot; requests do not wait for it. */
  #forget(spaceId: string): void {
    void this.#discard(spaceId)
  }

  async #discard(spaceId: string): Promise<void> {
    try {
      await this.#snapshots?.discard(spaceId)
    } catch (error) {
      this.#log.warn({ err: error, spaceId }, 'snapshot not removed')
    }
  }
}
