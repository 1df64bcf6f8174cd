import { digamma } from '../digamma.ts'
import { informationGain, type Reliability } from '../reliability.ts'

/** The belief about how often a pair's trials are valid: Beta(a, b), with a = 1 + valid trials, b = 1 + invalid ones. */
export type Validity = Pick<Reliability, 'a' | 'b'>

/** Before the first trial: the uniform distribution. */
export const unknownValidity: Validity = { a: 1, b: 1 }

export const observeTrial = ({ a, b }: Validity, valid: boolean): Validity =>
  valid ? { a: a + 1, b } : { a, b: b + 1 }

/**
 * Information gained by one trial, in nats: KL(posterior || prior) of the Beta distributions. For a valid trial it is
 * ln((a + b)/a) + psi(a + 1) - psi(a + b + 1), since B(a, b)/B(a + 1, b) = (a + b)/a; for an invalid one a and b change
 * places. Its expectation over the outcome is `informationGain`.
 * @param prior a and b above 0
 */
export function trialGain({ a, b }: Validity, valid: boolean): number {
  const grown = valid ? a : b
  const n = a + b
  return Math.max(0, Math.log(n / grown) + digamma(grown + 1) - digamma(n + 1))
}

/** Expected information gain of the next trial, in nats. */
export const expectedGain: (validity: Validity) => number = informationGain

/** Standard deviation of the Beta distribution, times sqrt(12) so that it is 1 before the first trial. */
export function uncertainty({ a, b }: Validity): number {
  const n = a + b
  return Math.sqrt((12 * a * b) / (n * n * (n + 1)))
}

/**
 * How much a pair deserves to become a composition, in [0, 1]: the geometric mean of its expected validity, its coherence, and
 * its novelty (1 - similarity).
 * @param similarity greatest cosine with an existing composition; undefined: there is none
 */
export function consolidationPriority(
  { a, b }: Validity,
  coherence: number,
  similarity: number | undefined,
): number {
  const novelty = 1 - Math.min(1, Math.max(0, similarity ?? 0))
  return Math.cbrt((a / (a + b)) * Math.min(1, Math.max(0, coherence)) * novelty)
}
