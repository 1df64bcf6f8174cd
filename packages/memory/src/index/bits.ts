/** Makes a bit set of pattern indexes: bit idx % 8 of byte idx / 8, in memory that threads share. */
export function bitsOf(indexes: readonly number[]): Uint8Array {
  const last = indexes.reduce((greatest, idx) => Math.max(greatest, idx), -1)
  const bits = emptyBits(last + 1)
  for (const idx of indexes) setBit(bits, idx)
  return bits
}

/** A bit set with room for so many, which has none yet. */
export const emptyBits = (count: number): Uint8Array =>
  new Uint8Array(new SharedArrayBuffer(Math.ceil(count / 8)))

/** Adds one to a bit set that has room for it. */
export function setBit(bits: Uint8Array, idx: number): void {
  bits[idx >> 3] = (bits[idx >> 3] as number) | (1 << (idx & 7))
}

/** Whether a bit set (see `bitsOf`) contains a pattern. */
export function hasBit(bits: Uint8Array, idx: number): boolean {
  return (((bits[idx >> 3] ?? 0) >> (idx & 7)) & 1) === 1
}
