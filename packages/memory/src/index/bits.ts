/** Sets of pattern indexes: bit idx % 8 of byte idx / 8, in memory that threads share. */

export function bitsOf(indexes: readonly number[]): Uint8Array {
  const last = indexes.reduce((greatest, idx) => Math.max(greatest, idx), -1)
  const bits = new Uint8Array(new SharedArrayBuffer((last >> 3) + 1))
  for (const idx of indexes) bits[idx >> 3] = (bits[idx >> 3] as number) | (1 << (idx & 7))
  return bits
}

export function hasBit(bits: Uint8Array, idx: number): boolean {
  return (((bits[idx >> 3] ?? 0) >> (idx & 7)) & 1) === 1
}

/** A set of pattern indexes that changes, at a bit for each that a space has given out. */
export class BitSet {
  #bits = new Uint8Array(64)

  has(idx: number): boolean {
    return hasBit(this.#bits, idx)
  }

  add(idx: number): void {
    const at = idx >> 3
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(at + 1, 2 * this.#bits.length))
      larger.set(this.#bits)
      this.#bits = larger
    }
    this.#bits[at] = (this.#bits[at] as number) | (1 << (idx & 7))
  }

  delete(idx: number): void {
    if (this.has(idx)) this.#bits[idx >> 3] = (this.#bits[idx >> 3] as number) & ~(1 << (idx & 7))
  }
}
