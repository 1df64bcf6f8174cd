/** The definition of cosine, written to be checked by eye. */
export function naiveCosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let product = 0
  let squaresA = 0
  let squaresB = 0
  for (let i = 0; i < a.length; i++) {
    product += (a[i] as number) * (b[i] as number)
    squaresA += (a[i] as number) ** 2
    squaresB += (b[i] as number) ** 2
  }
  return product / Math.sqrt(squaresA) / Math.sqrt(squaresB)
}

/** Numbers in [0, 1) that depend on the seed only (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A vector that is not all zero. Few distinct whole numbers make equal cosines frequent. */
export function randomVector(random: () => number, dimensions: number, whole: boolean): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () =>
    whole ? Math.floor(random() * 3) - 1 : random() * 2 - 1,
  )
  if (vector.every((value) => value === 0)) vector[0] = 1
  return vector
}

export interface Scored {
  label: number
  score: number
}

/** Best first; the lower label on equal scores. */
export function byScoreThenLabel(a: Scored, b: Scored): number {
  return b.score - a.score || a.label - b.label
}
