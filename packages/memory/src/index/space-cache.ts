import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import { type SpaceChange, SpaceChanges } from '../spaces/space-changes.ts'
import { isOf, otherEncoder, type SpaceHeader } from '../spaces/space-encoder.ts'
import { VersionedCache } from '../spaces/versioned-cache.ts'
import * as store from '../store.ts'
import type { Snapshot, Snapshots } from './snapshots.ts'
import { type IndexedPattern, SpaceIndex } from './space-index.ts'

/** A statement of so many takes 10 ms, in the embedded database of everybody's time; one of 5,000 took 115. */
const loadPageRows = 500
/** Rows that an index takes at a time: it lays out together what comes together. */
const loadedAtOnce = 5_000
/** Fewer patterns are read from the database in a moment. */
const savedPatternsMin = 5_000

/** What a space has gained when it is saved ahead of time: so many patterns, and so much of what was saved. */
const grownPatternsMin = 20_000
const grownShareMin = 0.5
/** The rest of the budget is for spaces that somebody asks for. */
const loadedAheadShareMax = 0.5

export interface SpaceCacheOptions {
  queries: Queries
  budgetBytes: number
  /** The encoder whose embeddings are looked for; without it, spaces are not searched by texts. */
  modelId?: string | undefined
  /** Where large spaces are kept for the next start. */
  snapshots?: Snapshots | undefined
  clock: Clock
  log: Log
}

/**
 * The spaces this process holds in memory, and the source of what it finds out of their changes. A caller gets an index
 * with at least the version that it names.
 */
export class SpaceCache extends VersionedCache<SpaceIndex> {
  /** Hears of every change that this process commits or reads. */
  readonly changes = new SpaceChanges()
  readonly #options: SpaceCacheOptions
  /** Those that somebody has asked for since they are in memory. */
  readonly #asked = new WeakSet<SpaceIndex>()
  /** Those that are said to be larger than the budget. */
  readonly #oversized = new WeakSet<SpaceIndex>()
  readonly #onChange = (index: SpaceIndex, idx: number) => this.changes.emit('patternChanged', index, idx)
  #isEnding = false

  constructor(options: SpaceCacheOptions) {
    super(options.budgetBytes)
    this.#options = options
  }

  protected sizeOf({ bytes }: SpaceIndex): number {
    return bytes
  }

  protected override onRelease(index: SpaceIndex): void {
    this.changes.emit('released', index)
  }

  /**
   * The index of a space with every change up to `version`, and nothing that has expired.
   * @throws ApiError unavailable while its texts have embeddings of another encoder
   */
  override async get(spaceId: string, version: number): Promise<SpaceIndex> {
    const index = await super.get(spaceId, version)
    this.#asked.add(index)
    index.expire(this.#options.clock.now())
    return index
  }

  /**
   * Takes over what this process itself just committed; when something came between, the next `get` reads it.
   * @returns the index that has it now
   */
  committed(spaceId: string, version: number, change: SpaceChange): SpaceIndex | undefined {
    this.changes.emit('committed', spaceId, version, change)
    const { stored = [], removed = [], touched = [] } = change
    if (removed.length > 0) this.#forget(spaceId)
    const index = this.peek(spaceId)
    if (index === undefined) return undefined
    if (index.version !== version - 1) {
      // Until it is read, at least nobody takes what is known of these patterns for what they are now.
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

  /** Drops a space, so that its next use reads it anew. */
  override drop(spaceId: string): void {
    super.drop(spaceId)
    this.#invalidate(spaceId)
  }

  /**
   * Saves the large spaces that have changed since they were saved, as they are now: what was forgotten elsewhere is
   * not in them; those that were erased are dropped. Then waits until all that is under way with snapshots is done.
   */
  async save(): Promise<void> {
    const large = this.all.filter(([, index]) => index.size >= savedPatternsMin)
    for (const [spaceId] of large) {
      if (await store.isGone(this.#options.queries, spaceId)) this.drop(spaceId)
      else if (this.#options.snapshots !== undefined && this.peek(spaceId) !== undefined) {
        const index = await this.#syncIfOpen(spaceId)
        if (index !== undefined) await this.#saveSpace(spaceId, index)
      }
    }
    await this.checkSnapshots()
    await this.#options.snapshots?.idle()
  }

  /** Brings large spaces into an order that makes searches faster, while searches and changes go on. */
  async arrange(): Promise<void> {
    for (const [spaceId, index] of this.all) {
      if (this.#isEnding) return
      await index.arrange()
      this.measure(spaceId)
    }
  }

  /** Ends `arrange`, for good: the process is about to end, and has little time to save what it knows. */
  stopArranging(): void {
    this.#isEnding = true
    for (const [, index] of this.all) index.stopArranging()
  }

  /**
   * Saves the spaces that have grown much since they were saved. A process that is killed may have taken in millions of
   * patterns since `save`, which the next start would read from the database, 10,000 a second.
   */
  async saveGrown(): Promise<void> {
    for (const [spaceId, index] of this.all) {
      const saved = this.#options.snapshots?.savedSize(spaceId, index) ?? 0
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
    for (const snapshot of (await this.#options.snapshots?.cleanUp(this.#options.clock.now())) ?? []) {
      const { spaceId, version } = snapshot
      if (await store.hasForgotten(this.#options.queries, spaceId, version)) await this.#discard(spaceId)
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
      if (isEnding() || this.size + bytes > loadedAheadShareMax * this.budget) return
      if (this.peek(spaceId) !== undefined) continue
      const index = await this.#syncIfOpen(spaceId)
      if (index !== undefined && !this.#asked.has(index)) this.demote(spaceId)
    }
  }

  /** @returns nothing of a space that waits for embeddings */
  async #syncIfOpen(spaceId: string): Promise<SpaceIndex | undefined> {
    const header = await store.findSpaceHeader(this.#options.queries, spaceId)
    return header !== undefined && this.#isOpen(header) ? this.sync(spaceId) : undefined
  }

  #isOpen(header: SpaceHeader): boolean {
    const { modelId } = this.#options
    return modelId === undefined ? header.textModel !== '' : isOf(header, modelId)
  }

  /** @throws ApiError unavailable where its embeddings are of another encoder */
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
    // This process committed meanwhile: the list is older than the index now, and the caller reads again.
    if (index.version !== since) return index
    if (since < changes.historyFloor) {
      this.release(spaceId)
      this.#invalidate(spaceId)
      return this.#load(spaceId, version)
    }
    if (changes.removed.length > 0) {
      this.changes.emit('removed', spaceId, changes.removed)
      this.#forget(spaceId)
    }
    index.remove([...changes.removed, ...changes.hidden])
    index.put(changes.stored)
    index.version = changes.version
    this.#fit(spaceId, index)
    return index
  }

  /** The space as it was saved; what has changed since then is read next. */
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
    // One from the future was saved beside another database, or before this one was restored from a backup.
    if (index.version > version) {
      this.#forget(spaceId)
      return undefined
    }
    // The budget was raised: the keys that are missing in memory are read again.
    if (index.limit !== 'hot' && index.hotBytes < this.budget) return undefined
    this.#fit(spaceId, index)
    this.#options.log.debug(
      { spaceId, patterns: index.size, ms: performance.now() - started },
      'space loaded from its snapshot',
    )
    return index
  }

  /** Pages are read one after the other; what changes meanwhile has a later version and is read next. */
  async #load(spaceId: string, version: number): Promise<SpaceIndex> {
    const started = performance.now()
    const index = new SpaceIndex(version, this.#onChange, this.#options.modelId)
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
    // Pages may be from before and after it was embedded anew.
    const now = await this.#headerOf(spaceId)
    if (now.historyFloor > version) return this.#load(spaceId, now.version)
    this.#options.log.debug(
      { spaceId, patterns: index.size, ms: performance.now() - started },
      'space loaded',
    )
    void this.#saveSpace(spaceId, index)
    return index
  }

  /** Holds a space in smaller tiers that alone, once the others have made room for it, is too large. */
  #fit(spaceId: string, index: SpaceIndex): void {
    // One that is being read is not among the others yet.
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

  /** Says that what is known of a space may not be so any more. */
  #invalidate(spaceId: string): void {
    this.changes.emit('dropped', spaceId)
    this.#forget(spaceId)
  }

  async #saveSpace(spaceId: string, index: SpaceIndex): Promise<void> {
    if (index.size < savedPatternsMin) return
    try {
      await this.#options.snapshots?.save(spaceId, index, this.#options.clock.now())
    } catch (error) {
      this.#options.log.warn({ err: error, spaceId }, 'snapshot not saved')
    }
  }

  /** What was removed from a space must not stay in its snapshot; requests do not wait for it. */
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
