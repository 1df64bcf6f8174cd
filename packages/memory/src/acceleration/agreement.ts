import type { Hits } from '@memory/engine/kernels/matrix'

/** Rounding of sums in float32, relative to the largest value. */
const tolerance = 1e-4

/** Whether two arrays differ by no more than rounding, measured against their largest magnitude. */
export function numbersAgree(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  let largest = 0
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] as number))
  for (let i = 0; i < a.length; i++) if (!isNear(a[i] as number, b[i] as number, largest)) return false
  return true
}

/** Whether two searches found the same: equal scores, and equal labels but where rounding can change the order. */
export function hitsAgree(a: Hits, b: Hits): boolean {
  if (a.labels.length !== b.labels.length) return false
  const scoreOf = new Map(Array.from(a.labels, (label, at) => [label, a.scores[at] as number]))
  const last = a.scores.at(-1)
  return b.scores.every((score, at) => {
    // A row that only one search found is right where it ties with the last of the other.
    const other = scoreOf.get(b.labels[at] as number) ?? (last as number)
    return isNear(score, a.scores[at] as number, 1) && isNear(score, other, 1)
  })
}

/** False for what is not a number. */
function isNear(a: number, b: number, scale: number): boolean {
  return Math.abs(a - b) <= tolerance * scale
}
