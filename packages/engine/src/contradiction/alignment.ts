import { parameters } from '../parameters.ts'

/** Where two sequences differ: what of one stands in the place of what of the other; either may be empty. */
export interface Difference {
  readonly one: readonly [from: number, to: number]
  readonly other: readonly [from: number, to: number]
}

/**
 * The places where two sequences differ, around their longest common subsequence. Of long differences only that they
 * are there: what stands between the beginning and the end that are the same is then one difference.
 */
export function differences(one: readonly string[], other: readonly string[]): Difference[] {
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start++
  let [oneEnd, otherEnd] = [one.length, other.length]
  while (oneEnd > start && otherEnd > start && one[oneEnd - 1] === other[otherEnd - 1]) {
    oneEnd--
    otherEnd--
  }
  if (oneEnd === start && otherEnd === start) return []
  if ((oneEnd - start) * (otherEnd - start) > parameters.contradiction.alignedPairs)
    return [{ one: [start, oneEnd], other: [start, otherEnd] }]
  return align(one.slice(start, oneEnd), other.slice(start, otherEnd)).map((difference) => ({
    one: [difference.one[0] + start, difference.one[1] + start],
    other: [difference.other[0] + start, difference.other[1] + start],
  }))
}

function align(one: readonly string[], other: readonly string[]): Difference[] {
  const width = other.length + 1
  const lengths = new Uint16Array((one.length + 1) * width)
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        one[i] === other[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number)
  const found: Difference[] = []
  let [i, j] = [0, 0]
  let [fromOne, fromOther] = [0, 0]
  const close = () => {
    if (i > fromOne || j > fromOther) found.push({ one: [fromOne, i], other: [fromOther, j] })
  }
  while (i < one.length && j < other.length) {
    if (one[i] === other[j]) {
      close()
      i++
      j++
      fromOne = i
      fromOther = j
    } else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number)) i++
    else j++
  }
  i = one.length
  j = other.length
  close()
  return found
}
