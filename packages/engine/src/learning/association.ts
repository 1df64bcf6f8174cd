import { parameters } from '../parameters.ts'

const { sharpness, activationMin, associationRate, halfLifeMs, answeredTogether, associationsMax } =
  parameters.learning

/** A pattern and how active an answer made it, in (0, 1]. */
export interface Activation {
  idx: number
  activation: number
}

/**
 * How active an answer makes its patterns: softmax(sharpness x cosine), scaled so that the largest is 1, above
 * `activationMin`; the strongest `answeredTogether`.
 */
export function activationsOf(answer: readonly { idx: number; cosine: number }[]): Activation[] {
  const best = answer.reduce((greatest, { cosine }) => Math.max(greatest, cosine), Number.NEGATIVE_INFINITY)
  return answer
    .map(({ idx, cosine }) => ({ idx, activation: Math.exp(sharpness * (cosine - best)) }))
    .filter(({ activation }) => activation > activationMin)
    .sort((a, b) => b.activation - a.activation || a.idx - b.idx)
    .slice(0, answeredTogether)
}

/**
 * Strengthenings of associations that have not been written. One step is w <- w + eta a_i a_j (1 - w); any number of
 * them, in any order and by several processes, is 1 - w <- (1 - w) product(1 - eta a_i a_j).
 */
export class Strengthening {
  readonly #kept = new Map<string, { a: number; b: number; kept: number }>()

  /** @param rate learning-rate multiplier */
  add(one: Activation, other: Activation, rate: number): void {
    if (one.idx === other.idx) return
    const [a, b] = one.idx < other.idx ? [one.idx, other.idx] : [other.idx, one.idx]
    const name = `${a},${b}`
    const { kept } = this.#kept.get(name) ?? { kept: 1 }
    const step = Math.min(1, associationRate * rate * one.activation * other.activation)
    this.#kept.set(name, { a, b, kept: kept * (1 - step) })
  }

  /** Pairs with a < b, and the share of 1 - w that stays. */
  get pairs(): { a: number; b: number; kept: number }[] {
    return [...this.#kept.values()]
  }
}

/** How strongly two patterns are associated, as it was at a time. */
export interface Association {
  weight: number
  /** Ms since 1970. */
  at: number
}

/**
 * The pairs whose strengthening lasts. A new association is dropped again at once where one of its patterns has
 * `associationsMax` stronger ones, which in a small space that is used much is so of most.
 * @param kept of a pair: the share of 1 - w that stays
 * @param associatesOf a pattern; empty where nothing is known of it
 */
export function lasting<Pair extends { a: number; b: number; kept: number }>(
  pairs: readonly Pair[],
  associatesOf: (idx: number) => ReadonlyMap<number, Association>,
  now: number,
): Pair[] {
  const least = new Map<number, number>()
  const leastOf = (idx: number) => {
    const known = least.get(idx)
    if (known !== undefined) return known
    const weights = Array.from(associatesOf(idx).values(), ({ weight, at }) => faded(weight, at, now))
    const nth = weights.sort((a, b) => b - a)[associationsMax - 1] ?? 0
    least.set(idx, nth)
    return nth
  }
  return pairs.filter(
    ({ a, b, kept }) => associatesOf(a).has(b) || 1 - kept >= Math.max(leastOf(a), leastOf(b)),
  )
}

/** What is left of a weight or count after a time without use. */
export function faded(value: number, at: number, now: number): number {
  return value * 2 ** (-Math.max(0, now - at) / halfLifeMs)
}
