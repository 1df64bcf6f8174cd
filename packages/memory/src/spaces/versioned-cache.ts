import { regardless } from '@memory/shared/platform/asker'

/** What is being read or changed of a space, one after the other. */
interface Work<Copy> {
  /** Gives no copy where the one that it began with was let go of meanwhile. */
  last: Promise<Copy | undefined> | undefined
}

/**
 * Copies of spaces in memory. A caller names the version that its authentication saw, and gets a copy that has at least
 * that: what other processes wrote is read by version, so no answer is older than its request. The copies unused for
 * longest make room for others, within a budget; one that alone is over it is held until the next comes.
 */
export abstract class VersionedCache<Copy extends { readonly version: number }> {
  protected readonly budget: number
  // In order of use: the first is the one unused for longest.
  readonly #entries = new Map<string, { copy: Copy; size: number }>()
  readonly #working = new Map<string, Work<Copy>>()
  #size = 0

  /** @param budget for all copies together, in the unit of `sizeOf` */
  constructor(budget: number) {
    this.budget = budget
  }

  /** Reads a space, or brings a copy of it up to what the database holds and returns that. */
  protected abstract read(spaceId: string, copy: Copy | undefined): Promise<Copy>

  protected abstract sizeOf(copy: Copy): number

  /** Hears of each copy that is held no more. */
  protected onRelease(_copy: Copy): void {}

  /** What the copies take together, each as it was when it last changed. */
  get size(): number {
    return this.#size
  }

  get count(): number {
    return this.#entries.size
  }

  /** The copies, by space; those first that are unused for longest. */
  protected get all(): [spaceId: string, copy: Copy][] {
    return Array.from(this.#entries, ([spaceId, { copy }]) => [spaceId, copy])
  }

  /** The copy of a space as it is, if there is one. It does not count as used by that. */
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

  /** Has the copy of a space, if there is one, take over what has changed in the database. */
  async refresh(spaceId: string): Promise<void> {
    if (this.#entries.has(spaceId)) await this.sync(spaceId)
  }

  /** Lets go of the copy of a space; what is known of it stays true. */
  release(spaceId: string): void {
    const entry = this.#entries.get(spaceId)
    if (entry === undefined) return
    this.#entries.delete(spaceId)
    this.#size -= entry.size
    this.onRelease(entry.copy)
  }

  /** Lets go of the copy of a space, and of what is being read of it, so that its next use reads it again. */
  drop(spaceId: string): void {
    this.release(spaceId)
    this.#working.delete(spaceId)
  }

  /**
   * Reads a space, or what has changed in it. One reader a space: others wait for its result.
   * @returns no copy where it was let go of meanwhile
   */
  protected sync(spaceId: string): Promise<Copy | undefined> {
    return this.working(spaceId) ?? this.#work(spaceId, (copy) => this.read(spaceId, copy))
  }

  /** What is being read or changed of a space, if anything is. */
  protected working(spaceId: string): Promise<Copy | undefined> | undefined {
    return this.#working.get(spaceId)?.last
  }

  /** Has the copy of a space, if there is one or will be, take over a change, after what is being done with it. */
  protected change(spaceId: string, take: (copy: Copy) => Promise<void>): void {
    if (!this.#entries.has(spaceId) && !this.#working.has(spaceId)) return
    void this.#work(spaceId, async (copy) => {
      // Nobody knows what a copy holds that took over a part of a change.
      if (copy !== undefined) await take(copy).catch(() => this.release(spaceId))
      return copy
    })
  }

  /** Measures a copy that has changed, and makes room for what it has grown by. */
  protected measure(spaceId: string): void {
    const entry = this.#entries.get(spaceId)
    if (entry === undefined) return
    const size = this.sizeOf(entry.copy)
    this.#size += size - entry.size
    entry.size = size
    this.makeRoom(0, spaceId)
  }

  /** Lets go of the copies unused for longest, without that of space `kept`, until there is room for `size`. */
  protected makeRoom(size: number, kept?: string): void {
    for (const spaceId of this.#entries.keys()) {
      if (this.#size + size <= this.budget) return
      if (spaceId !== kept) this.release(spaceId)
    }
  }

  /** Makes the copy of a space the first that makes room. */
  protected demote(spaceId: string): void {
    const entries = [...this.#entries].sort(([a], [b]) => Number(b === spaceId) - Number(a === spaceId))
    this.#entries.clear()
    for (const [id, entry] of entries) this.#entries.set(id, entry)
  }

  #work(
    spaceId: string,
    change: (copy: Copy | undefined) => Promise<Copy | undefined>,
  ): Promise<Copy | undefined> {
    const work = this.#working.get(spaceId) ?? { last: undefined }
    const before = work.last
    this.#working.set(spaceId, work)
    const isDropped = () => this.#working.get(spaceId) !== work
    const begin = async () => {
      const known = this.peek(spaceId)
      const copy = await regardless(() => change(known))
      // Whoever waits for what was dropped gets it all the same, if it is a new copy.
      if (copy !== known) this.#put(spaceId, copy as Copy, isDropped())
      else if (this.peek(spaceId) === copy) this.measure(spaceId)
      else return undefined
      return copy
    }
    const changing = (before === undefined ? begin() : before.catch(() => {}).then(begin)).finally(() => {
      if (!isDropped() && work.last === changing) this.#working.delete(spaceId)
    })
    work.last = changing
    return changing
  }

  #put(spaceId: string, copy: Copy, isDropped: boolean): void {
    if (isDropped) {
      this.onRelease(copy)
      return
    }
    this.release(spaceId)
    this.#entries.set(spaceId, { copy, size: 0 })
    this.measure(spaceId)
  }
}
