import { pairName, pairOf } from '../exploration/pairs.ts'
import { parameters } from '../parameters.ts'

const { sharpness, activationMin, associationRate, halfLifeMs, answeredTogether, associationsMax } =
  parameters.learning

/** A pattern, and how active an answer made it, in (0, 1]. */
export interface Activation {
  idx: number
  activation: number
}

/**
 * How active an answer makes its patterns: softmax(sharpness x cosine), scaled so that the largest is 1. Only activations above
 * `activationMin`, and of those the strongest `answeredTogether`.
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
 * Collects strengthenings of associations before they are written. One step with learning rate eta and activations a is
 * w <- w + eta a_i a_j (1 - w). So any number of steps, in any order and by several processes, is
 * 1 - w <- (1 - w) product(1 - eta a_i a_j): the product, `kept`, is all that has to be written.
 */
export class Strengthening {
  readonly #kept = new Map<string, { a: number; b: number; kept: number }>()

  /** Adds a step. @param rate multiplies the learning rate */
  add(one: Activation, other: Activation, rate: number): void {
    if (one.idx === other.idx) return
    const pair = pairOf(one.idx, other.idx)
    const name = pairName(pair)
    const { kept } = this.#kept.get(name) ?? { kept: 1 }
    const step = Math.min(1, associationRate * rate * one.activation * other.activation)
    this.#kept.set(name, { ...pair, kept: kept * (1 - step) })
  }

  /** The pairs (a < b), each with the product by which 1 - w is to be multiplied. */
  get pairs(): { a: number; b: number; kept: number }[] {
    return [...this.#kept.values()]
  }
}

/** How strongly two patterns are associated: a weight that fades since a time. */
export interface Association {
  /** In [0, 1], as it was at `at`. */
  weight: number
  /** Ms since 1970. */
  at: number
}

/**
 * Leaves out new associations that would be dropped at once, since one of their patterns has `associationsMax` stronger ones. In
 * a small space that is used much, most new ones are such.
 * @param pairs as given by `Strengthening`
 * @param associatesOf gives a pattern's associates by idx; none if unknown
 * @param now ms since 1970
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

/** What is left at `now` of a weight or count that had `value` at `at`: it halves each `halfLifeMs`. Times in ms since 1970. */
export function faded(value: number, at: number, now: number): number {
  return value * 2 ** (-Math.max(0, now - at) / halfLifeMs)
}
