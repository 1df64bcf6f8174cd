import { digamma } from '../digamma.ts'
import { informationGain, type Reliability } from '../reliability.ts'

/** What is believed of how often a composition of two patterns is valid: Beta(a, b), from Beta(1, 1) on. */
export type Validity = Pick<Reliability, 'a' | 'b'>

/** Nothing is known: every share is equally likely. */
export const unknownValidity: Validity = { a: 1, b: 1 }

export const observeTrial = ({ a, b }: Validity, valid: boolean): Validity =>
  valid ? { a: a + 1, b } : { a, b: b + 1 }

/**
 * What one trial has told, in nats: KL(posterior || prior) of the Beta. For one more success it is
 * ln((a + b)/a) + psi(a + 1) - psi(a + b + 1), since B(a, b)/B(a + 1, b) = (a + b)/a; for a failure a and b change
 * places. Its expectation over the outcome is `informationGain`.
 * @param prior a and b above 0
 */
export function trialGain({ a, b }: Validity, valid: boolean): number {
  const grown = valid ? a : b
  const n = a + b
  return Math.max(0, Math.log(n / grown) + digamma(grown + 1) - digamma(n + 1))
}

/** What the next trial is expected to tell, in nats. */
export const expectedGain = (validity: Validity): number => informationGain(validity)

/** Standard deviation of the Beta, times sqrt(12): 1 where nothing is known. */
export function uncertainty({ a, b }: Validity): number {
  const n = a + b
  return Math.sqrt((12 * a * b) / (n * n * (n + 1)))
}

/**
 * How much a pair deserves to become a composition, in [0, 1]: the geometric mean of how likely it is valid, how
 * coherent, and how unlike the compositions there are.
 * @param similarity greatest cosine with one of them; undefined for none
 */
export function consolidationPriority(
  { a, b }: Validity,
  coherence: number,
  similarity: number | undefined,
): number {
  const novelty = 1 - Math.min(1, Math.max(0, similarity ?? 0))
  return Math.cbrt((a / (a + b)) * Math.min(1, Math.max(0, coherence)) * novelty)
}
