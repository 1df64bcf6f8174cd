/** The expiry times of a space's patterns, for those that expire. */
export class Expiries {
  /** By idx, in ms since 1970. */
  readonly #ends = new Map<number, number>()
  /** No pattern expires before this time, so `due` need not look. */
  #next = Number.POSITIVE_INFINITY

  get all(): [idx: number, at: number][] {
    return [...this.#ends]
  }

  /** @param at null: the pattern does not expire */
  set(idx: number, at: Date | null): void {
    if (at === null) {
      this.#ends.delete(idx)
      return
    }
    this.#ends.set(idx, at.getTime())
    this.#next = Math.min(this.#next, at.getTime())
  }

  /** Indexes of the patterns that have expired. */
  due(now: Date): number[] {
    if (now.getTime() < this.#next) return []
    const due: number[] = []
    this.#next = Number.POSITIVE_INFINITY
    for (const [idx, at] of this.#ends) {
      if (at <= now.getTime()) due.push(idx)
      else this.#next = Math.min(this.#next, at)
    }
    return due
  }
}
