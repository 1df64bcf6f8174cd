import { regardless } from '@memory/shared/platform/asker'

/** The reads and changes of one space's copy that are under way: each begins when the one before it has ended. */
interface Queue<Copy> {
  /** The one that ends last. Gives undefined if the copy that it began with was released meanwhile. */
  last: Promise<Copy | undefined> | undefined
  /** Whether the space was dropped since: what was read by this queue must not be kept. */
  isDropped: boolean
}

/**
 * Copies of spaces in memory, least recently used ones removed to stay within a budget. Authentication reads the space's
 * current version from the database; `get` with that version returns a copy at least as new, after reading what other processes
 * have written since. So an answer includes everything committed before its request. A copy that alone exceeds the budget stays
 * until another space is used.
 */
export abstract class VersionedCache<Copy extends { readonly version: number }> {
  protected readonly budget: number
  // Least recently used first.
  readonly #entries = new Map<string, { copy: Copy; size: number }>()
  readonly #queues = new Map<string, Queue<Copy>>()
  #size = 0

  /** @param budget for all copies together, in the unit of `sizeOf` */
  constructor(budget: number) {
    this.budget = budget
  }

  /**
   * Reads a space from the database; given a copy, reads only what has changed since and returns the updated copy. Of many
   * changes the first ones are enough: whoever needs a later version reads again.
   */
  protected abstract read(spaceId: string, copy: Copy | undefined): Promise<Copy>

  /** Size of a copy, in the unit of the budget. */
  protected abstract sizeOf(copy: Copy): number

  /** Called with each copy that leaves the cache. */
  protected onRelease(_copy: Copy): void {}

  /** Size of all copies together, each as last measured. */
  get size(): number {
    return this.#size
  }

  get count(): number {
    return this.#entries.size
  }

  /** All copies, least recently used first. */
  protected get all(): [spaceId: string, copy: Copy][] {
    return Array.from(this.#entries, ([spaceId, { copy }]) => [spaceId, copy])
  }

  /** The copy of a space as it is, if there is one. Does not count as a use. */
  peek(spaceId: string): Copy | undefined {
    return this.#entries.get(spaceId)?.copy
  }

  /** A copy of a space with every change up to `version`. @throws what reading it throws */
  async get(spaceId: string, version: number): Promise<Copy> {
    const entry = this.#entries.get(spaceId)
    if (entry !== undefined) {
      this.#entries.delete(spaceId)
      this.#entries.set(spaceId, entry)
    }
    let copy = entry?.copy
    while (copy === undefined || copy.version < version) copy = await this.sync(spaceId)
    return copy
  }

  /** Brings the copy of a space, if there is one, up to date with the database. */
  async refresh(spaceId: string): Promise<void> {
    for (let before: number | undefined; ; ) {
      const version = this.peek(spaceId)?.version
      if (version === undefined || version === before) return
      before = version
      await this.sync(spaceId)
    }
  }

  /** Removes the copy of a space to free memory. Work under way continues, since the copy was correct. */
  release(spaceId: string): void {
    const entry = this.#entries.get(spaceId)
    if (entry === undefined) return
    this.#entries.delete(spaceId)
    this.#size -= entry.size
    this.onRelease(entry.copy)
  }

  /** Removes the copy of a space and forgets reads under way, whose results may be wrong: the next use reads anew. */
  drop(spaceId: string): void {
    this.release(spaceId)
    const queue = this.#queues.get(spaceId)
    if (queue !== undefined) queue.isDropped = true
    this.#queues.delete(spaceId)
  }

  /**
   * Reads a space, or what has changed in it. Concurrent callers share one read.
   * @returns undefined if the copy was released meanwhile
   */
  protected sync(spaceId: string): Promise<Copy | undefined> {
    return this.working(spaceId) ?? this.#enqueue(spaceId, (queue) => this.#read(spaceId, queue))
  }

  /** The last read or change of a space that is under way, if any. */
  protected working(spaceId: string): Promise<Copy | undefined> | undefined {
    return this.#queues.get(spaceId)?.last
  }

  /** Applies a change to the copy of a space, if there is one or one is being read, after the work that is under way. */
  protected change(spaceId: string, take: (copy: Copy) => Promise<void>): void {
    if (!this.#entries.has(spaceId) && !this.#queues.has(spaceId)) return
    void this.#enqueue(spaceId, async () => {
      const copy = this.peek(spaceId)
      if (copy === undefined) return undefined
      // After a failure the change may be half applied: the copy can't be trusted.
      await take(copy).catch(() => this.release(spaceId))
      return this.#updated(spaceId, copy)
    })
  }

  /** Measures a copy again after a change, and removes others if it has outgrown the budget. */
  protected measure(spaceId: string): void {
    const entry = this.#entries.get(spaceId)
    if (entry === undefined) return
    const size = this.sizeOf(entry.copy)
    this.#size += size - entry.size
    entry.size = size
    this.makeRoom(0, spaceId)
  }

  /** Removes least recently used copies, except that of space `kept`, until `size` more fits into the budget. */
  protected makeRoom(size: number, kept?: string): void {
    for (const spaceId of this.#entries.keys()) {
      if (this.#size + size <= this.budget) return
      if (spaceId !== kept) this.release(spaceId)
    }
  }

  /** Makes the copy of a space the least recently used one. */
  protected demote(spaceId: string): void {
    const entries = [...this.#entries].sort(([a], [b]) => Number(b === spaceId) - Number(a === spaceId))
    this.#entries.clear()
    for (const [id, entry] of entries) this.#entries.set(id, entry)
  }

  async #read(spaceId: string, queue: Queue<Copy>): Promise<Copy | undefined> {
    const before = this.peek(spaceId)
    const copy = await this.read(spaceId, before)
    if (copy === before) return this.#updated(spaceId, copy)
    // A new copy is returned to whoever waits for it, even if it may not be kept.
    if (queue.isDropped) this.onRelease(copy)
    else this.#put(spaceId, copy)
    return copy
  }

  #put(spaceId: string, copy: Copy): void {
    this.release(spaceId)
    this.#entries.set(spaceId, { copy, size: 0 })
    this.measure(spaceId)
  }

  /** Measures a copy that was changed in place. @returns it, or undefined if it was released meanwhile */
  #updated(spaceId: string, copy: Copy): Copy | undefined {
    if (this.peek(spaceId) !== copy) return undefined
    this.measure(spaceId)
    return copy
  }

  /** Begins a read or change when those under way have ended, however they end; at once if there are none. */
  #enqueue(
    spaceId: string,
    work: (queue: Queue<Copy>) => Promise<Copy | undefined>,
  ): Promise<Copy | undefined> {
    const queue = this.#queues.get(spaceId) ?? { last: undefined, isDropped: false }
    this.#queues.set(spaceId, queue)
    const begin = () => regardless(() => work(queue))
    const working = (queue.last?.then(begin, begin) ?? begin()).finally(() => {
      if (queue.last === working && !queue.isDropped) this.#queues.delete(spaceId)
    })
    queue.last = working
    return working
  }
}
