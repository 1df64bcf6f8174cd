import { bitCount } from '@memory/engine/recall/word-set'
import { bitsOf, hasBit, setBit } from './bits.ts'

/** An immutable set of patterns of a space, by idx: what a search is restricted to. */
export class PatternSet {
  /** Bit idx % 8 of byte idx / 8, in memory that threads share. */
  readonly bits: Uint8Array
  /** How many patterns are in the set. */
  readonly count: number

  /** @param bits in memory that threads share; must not be changed afterwards */
  constructor(bits: Uint8Array, count: number) {
    this.bits = bits
    this.count = count
  }

  /** @param indexes each once */
  static of(indexes: readonly number[]): PatternSet {
    return new PatternSet(bitsOf(indexes), indexes.length)
  }

  /** The union of two disjoint sets. @param bits of `count` patterns @param others patterns that are not in `bits` */
  static joined(bits: Uint8Array, count: number, others: readonly number[]): PatternSet {
    const last = others.reduce((greatest, idx) => Math.max(greatest, idx), -1)
    const all = new Uint8Array(new SharedArrayBuffer(Math.max(bits.length, (last >> 3) + 1)))
    all.set(bits)
    for (const idx of others) setBit(all, idx)
    return new PatternSet(all, count + others.length)
  }

  has(idx: number): boolean {
    return hasBit(this.bits, idx)
  }

  /** The patterns from idx `first` on, in ascending order. */
  *from(first: number): Generator<number> {
    const { bits } = this
    for (let at = first >> 3; at < bits.length; at++) {
      const byte = bits[at] as number
      if (byte === 0) continue
      for (let idx = Math.max(first, at << 3); idx < (at + 1) << 3; idx++) {
        if ((byte >> (idx & 7)) & 1) yield idx
      }
    }
  }

  /** Up to `count` patterns from idx `first` on, in ascending order. */
  page(first: number, count: number): number[] {
    const page: number[] = []
    for (const idx of this.from(first)) {
      if (page.length === count) break
      page.push(idx)
    }
    return page
  }

  /**
   * Up to `count` patterns, evenly spread over the set, in ascending order. Takes under 1 ms for a million: bytes without a
   * chosen pattern are only counted.
   */
  spread(count: number): number[] {
    const { bits } = this
    const step = Math.max(1, this.count / count)
    const spread: number[] = []
    let seen = 0
    for (let at = 0; at < bits.length && spread.length < count; at++) {
      const held = bitCount(bits[at] as number)
      if (seen + held <= Math.floor(spread.length * step)) {
        seen += held
        continue
      }
      for (let rest = bits[at] as number; rest !== 0 && spread.length < count; rest &= rest - 1) {
        const lowest = rest & -rest
        if (seen >= Math.floor(spread.length * step)) spread.push((at << 3) + 31 - Math.clz32(lowest))
        seen++
      }
    }
    return spread
  }

  /** The patterns for which `keeps` is true. Takes some ms for a million, so it works on bits and allocates nothing for each. */
  filter(keeps: (idx: number) => boolean): PatternSet {
    const bits = new Uint8Array(new SharedArrayBuffer(this.bits.length))
    let count = 0
    for (let at = 0; at < bits.length; at++) {
      let kept = 0
      for (let rest = this.bits[at] as number; rest !== 0; rest &= rest - 1) {
        const lowest = rest & -rest
        if (!keeps((at << 3) + 31 - Math.clz32(lowest))) continue
        kept |= lowest
        count++
      }
      bits[at] = kept
    }
    return new PatternSet(bits, count)
  }
}
