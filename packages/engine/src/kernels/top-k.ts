import type { Hits, Matrix, Selection } from './matrix.ts'

/** Keeps the k best (score, label) pairs offered: higher score first, the lower label on equal scores. */
export class TopK {
  readonly #capacity: number
  // A binary heap with the worst pair at its root, so that one comparison rejects most offers.
  readonly #scores: number[] = []
  readonly #labels: number[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  offer(score: number, label: number): void {
    if (this.#scores.length < this.#capacity) {
      this.#scores.push(score)
      this.#labels.push(label)
      this.#siftUp(this.#scores.length - 1)
      return
    }
    if (this.#capacity === 0 || !isBetter(score, label, this.#scores[0] as number, this.#labels[0] as number))
      return
    this.#scores[0] = score
    this.#labels[0] = label
    this.#siftDown(0)
  }

  /** The pairs kept, best first. */
  sorted(): Hits {
    const order = this.#scores.map((_, at) => at)
    order.sort(
      (a, b) =>
        (this.#scores[b] as number) - (this.#scores[a] as number) ||
        (this.#labels[a] as number) - (this.#labels[b] as number),
    )
    return {
      labels: Int32Array.from(order, (at) => this.#labels[at] as number),
      scores: Float64Array.from(order, (at) => this.#scores[at] as number),
    }
  }

  #isWorse(a: number, b: number): boolean {
    return isBetter(
      this.#scores[b] as number,
      this.#labels[b] as number,
      this.#scores[a] as number,
      this.#labels[a] as number,
    )
  }

  #swap(a: number, b: number): void {
    ;[this.#scores[a], this.#scores[b]] = [this.#scores[b] as number, this.#scores[a] as number]
    ;[this.#labels[a], this.#labels[b]] = [this.#labels[b] as number, this.#labels[a] as number]
  }

  #siftUp(start: number): void {
    let at = start
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isWorse(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #siftDown(start: number): void {
    let at = start
    for (;;) {
      const left = 2 * at + 1
      const right = left + 1
      let worst = at
      if (left < this.#scores.length && this.#isWorse(left, worst)) worst = left
      if (right < this.#scores.length && this.#isWorse(right, worst)) worst = right
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }
}

/** The k selected rows of greatest score that reach `minScore`, best first. */
export function bestRows(
  { count, labels, flags }: Pick<Matrix, 'count' | 'labels' | 'flags'>,
  k: number,
  minScore: number,
  { requiredFlags, allowed }: Selection,
  scoreOf: (row: number) => number,
): Hits {
  const best = new TopK(Math.min(k, count))
  for (let row = 0; row < count; row++) {
    if (((flags[row] as number) & requiredFlags) !== requiredFlags) continue
    if (allowed !== undefined && allowed[row] === 0) continue
    const score = scoreOf(row)
    if (score >= minScore) best.offer(score, labels[row] as number)
  }
  return best.sorted()
}

function isBetter(score: number, label: number, otherScore: number, otherLabel: number): boolean {
  return score > otherScore || (score === otherScore && label < otherLabel)
}
