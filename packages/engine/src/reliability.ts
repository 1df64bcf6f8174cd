import { digamma } from './digamma.ts'
import { parameters } from './parameters.ts'

/** The belief about how often the first result of a pathway is useful: Beta(a, b). Plain JSON. */
export interface Reliability {
  /** 1 + useful answers, faded. */
  a: number
  /** 1 + useless answers, faded. */
  b: number
  /** When a and b were computed, in ms since 1970: they fade since. */
  at: number
}

/** Before the first answer: the uniform distribution. */
export const unknownReliability: Reliability = { a: 1, b: 1, at: 0 }

/** The belief at a later time: what was observed counts half as much after each half-life. An earlier time changes nothing. */
export function fadeReliability({ a, b, at }: Reliability, now: number): Reliability {
  const kept = 2 ** (-Math.max(0, now - at) / parameters.reliability.halfLifeMs)
  return { a: 1 + (a - 1) * kept, b: 1 + (b - 1) * kept, at: Math.max(at, now) }
}

/** The belief after one more answer. @param now ms since 1970 */
export function observeUse(reliability: Reliability, useful: boolean, now: number): Reliability {
  const { a, b, at } = fadeReliability(reliability, now)
  return useful ? { a: a + 1, b, at } : { a, b: b + 1, at }
}

/** The expected share of useful answers, in (0, 1). */
export const meanReliability = ({ a, b }: Pick<Reliability, 'a' | 'b'>): number => a / (a + b)

/**
 * Expected information gain of the next outcome about the rate, in nats: the mutual information of a Bernoulli outcome and
 * its Beta(a, b) rate, h(a/(a+b)) - E[h(rate)] = h(a/(a+b)) - psi(a+b+1) + [a psi(a+1) + b psi(b+1)]/(a+b), with h
 * the binary entropy.
 * @param beta a and b above 0
 */
export function informationGain({ a, b }: Pick<Reliability, 'a' | 'b'>): number {
  const n = a + b
  const expectedEntropy = digamma(n + 1) - (a * digamma(a + 1) + b * digamma(b + 1)) / n
  return Math.max(0, binaryEntropy(a / n) - expectedEntropy)
}

function binaryEntropy(p: number): number {
  return p <= 0 || p >= 1 ? 0 : -p * Math.log(p) - (1 - p) * Math.log1p(-p)
}
