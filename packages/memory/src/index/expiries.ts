/**
 * A clock that is set back by less is waited for: what it had end too early is missing for no longer than that, and to read a
 * large space anew takes longer.
 */
const setBackMin = 60_000

/** Numbers of an entry of the heap: idx and end. */
const width = 2

/**
 * When the patterns of a space end, for those that do: a binary heap, which tells those that have ended without a look at the
 * others.
 */
export class Expiries {
  /**
   * The idx and the end, in ms since 1970, of a pattern at each place from 1 to `#size`. No pattern ends before the one at half
   * its place: the first to end is at 1.
   */
  #heap = new Float64Array(0)
  #size = 0
  /** By idx: the place of the pattern; 0: it does not end. */
  #placeOf = new Uint32Array(0)

  #leftOutBy = 0

  /** The latest time, in ms since 1970, at which what had ended was left out; 0: nothing was. */
  get leftOutBy(): number {
    return this.#leftOutBy
  }

  /** Says that patterns which had ended at this time were left out, as `due` does of those that it takes out. */
  leftOut(by: Date): void {
    this.#leftOutBy = Math.max(this.#leftOutBy, by.getTime())
  }

  /** Whether the clock was set back since patterns were left out, so that some may be missing that have not ended. */
  isSetBack(now: Date): boolean {
    return now.getTime() < this.#leftOutBy - setBackMin
  }

  /** Idx and end, in ms since 1970, of each pattern that ends, one number after the other. */
  get all(): Float64Array<ArrayBuffer> {
    return this.#heap.slice(width, width * (this.#size + 1))
  }

  /** Memory, in bytes. */
  get bytes(): number {
    return this.#heap.byteLength + this.#placeOf.byteLength
  }

  /** @param at null: the pattern does not end */
  set(idx: number, at: Date | null): void {
    const place = this.#placeOf[idx] ?? 0
    if (at !== null) {
      this.#put(place === 0 ? this.#newPlace(idx) : place, idx, at.getTime())
    } else if (place !== 0) {
      const [lastIdx, lastEnd] = [this.#idxAt(this.#size), this.#endAt(this.#size)]
      this.#size--
      this.#placeOf[idx] = 0
      if (lastIdx !== idx) this.#put(place, lastIdx, lastEnd)
    }
  }

  /** Takes out the patterns that have ended by now. @returns the idx of each */
  due(now: Date): number[] {
    const due: number[] = []
    while (this.#endAt(1) <= now.getTime()) {
      const idx = this.#idxAt(1)
      this.set(idx, null)
      due.push(idx)
    }
    if (due.length > 0) this.leftOut(now)
    return due
  }

  #idxAt(place: number): number {
    return this.#heap[width * place] as number
  }

  /** Where there is none, one that never comes. */
  #endAt(place: number): number {
    return place > this.#size ? Number.POSITIVE_INFINITY : (this.#heap[width * place + 1] as number)
  }

  /** Makes room for one more pattern. */
  #newPlace(idx: number): number {
    const place = ++this.#size
    const length = width * (place + 1)
    if (length > this.#heap.length) {
      this.#heap = new Float64Array(this.#heap.buffer.transfer(8 * Math.ceil(1.5 * length)))
    }
    if (idx >= this.#placeOf.length) {
      this.#placeOf = new Uint32Array(this.#placeOf.buffer.transfer(4 * Math.ceil(1.5 * (idx + 1))))
    }
    return place
  }

  /** Puts a pattern at a free place, or above or below it where it belongs there: others then move by one towards that. */
  #put(free: number, idx: number, end: number): void {
    let place = free
    while (place > 1 && this.#endAt(place >> 1) > end) {
      this.#write(place, this.#idxAt(place >> 1), this.#endAt(place >> 1))
      place >>= 1
    }
    for (;;) {
      const left = 2 * place
      const below = this.#endAt(left + 1) < this.#endAt(left) ? left + 1 : left
      if (this.#endAt(below) >= end) break
      this.#write(place, this.#idxAt(below), this.#endAt(below))
      place = below
    }
    this.#write(place, idx, end)
  }

  #write(place: number, idx: number, end: number): void {
    this.#heap[width * place] = idx
    this.#heap[width * place + 1] = end
    this.#placeOf[idx] = place
  }
}
