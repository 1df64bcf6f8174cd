/** How ids are cut into windows. All lengths are in tokens. */
export interface WindowShape {
  /** Ids in a full window, special tokens included. */
  readonly length: number
  /** Distance between the starts of two windows, counted without the special tokens. */
  readonly stride: number
  /** How many leading ids are special tokens, repeated in front of each window (`<s>`). */
  readonly prefixLength: number
  /** How many trailing ids are special tokens, repeated behind each window (`</s>`). */
  readonly suffixLength: number
}

/**
 * Cuts ids into windows of at most `shape.length`, each with the special tokens of the whole.
 * Window `i` starts `i * stride` tokens into the text; the last one is the first that reaches the end, and is
 * shorter rather than moved back, so that the windows before it do not depend on what was appended later.
 *
 * @param ids prefix + text + suffix
 * @returns `[ids]` itself when it fits into one window
 * @throws RangeError for a stride that does not fit the windows
 */
export function splitWindows(ids: Int32Array, shape: WindowShape): Int32Array[] {
  const { length, stride, prefixLength, suffixLength } = shape
  if (ids.length <= length) return [ids]

  const room = length - prefixLength - suffixLength
  if (room < 1 || stride < 1 || stride > room) {
    throw new RangeError(`A stride of ${stride} does not fit windows of ${length} tokens`)
  }
  const prefix = ids.subarray(0, prefixLength)
  const text = ids.subarray(prefixLength, ids.length - suffixLength)
  const suffix = ids.subarray(ids.length - suffixLength)

  const windows: Int32Array[] = []
  for (let start = 0; ; start += stride) {
    const part = text.subarray(start, start + room)
    const window = new Int32Array(prefixLength + part.length + suffixLength)
    window.set(prefix)
    window.set(part, prefixLength)
    window.set(suffix, prefixLength + part.length)
    windows.push(window)
    if (start + room >= text.length) return windows
  }
}

/**
 * The mean of the windows' embeddings, scaled to unit length. Sums are in double precision and in order.
 *
 * @param embeddings at least one, all of one length
 * @returns undefined when the mean has no direction (zero, infinite or not a number)
 */
export function normalisedMean(embeddings: readonly Float32Array[]): Float32Array | undefined {
  const dimensions = embeddings[0]?.length ?? 0
  const sum = new Float64Array(dimensions)
  for (const embedding of embeddings) {
    for (let i = 0; i < dimensions; i++) sum[i]! += embedding[i]!
  }
  let squares = 0
  for (let i = 0; i < dimensions; i++) squares += sum[i]! * sum[i]!
  const norm = Math.sqrt(squares)
  if (!(norm > 0 && norm < Infinity)) return undefined
  return Float32Array.from(sum, (value) => value / norm)
}
