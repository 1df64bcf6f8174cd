import { parameters } from '../parameters.ts'

const { lagDecay, answerShare, questionDamping, strongRank, strongMin } = parameters.recall

/** How much neighbours count, see `parameters.recall`. */
export type Neighbouring = Readonly<Record<'turnCharacters' | 'groupShare' | 'groupMax', number>>

/** A pattern where it was stored, with its own score in deviations. */
export interface Placed {
  idx: number
  score: number
  asks: boolean
  /** Length of its text. */
  characters: number
}

/** What store order says in a space, each in [0, 1]. */
export interface StoreOrder {
  /** How far neighbours belong together (see `sequenceCoherence`). */
  coherence: number
  /** How far they are turns of a conversation (see `turnTaking`). */
  turns: number
}

/**
 * What each pattern gains from those stored just before and after it: the temporal context in which something was
 * stored comes back with it (Howard and Kahana, A Distributed Representation of Temporal Context, 2002). A pattern
 * passes on by how much its score exceeds that of the 48th best, times a share that falls with the lag in idx:
 * N_i(e) = sum over lags l of d_l (e_(i-l) + e_(i+l)) with d = 0.4, 0.4, 0.2, 0.2 and e = max(0, score - max(1, 48th best score)).
 *
 * Where speakers take turns, a short text says little without what it follows, and passes on what it says whole; of long
 * ones, such as an assistant's answers, neither is so: both count by s = min(1, 300 / characters). What was said next to a
 * question answers it, so it gains more, and a question answers little:
 * T_i = s_i (1 - 0.5 a_i) (N_i(s e) + 0.7 a_(i-1) s_(i-1) e_(i-1)), where a is 1 for a question and else 0. Elsewhere neighbours are about the same, which is no sign that they answer, so what they
 * add is bounded: G_i = min(0.9, 0.45 N_i(e)). With t for turns and c for coherence, C_i = c (t T_i + (1 - t) G_i).
 * @returns one value a pattern, at least 0, in their order
 */
export function contiguityOf(
  patterns: readonly Placed[],
  { coherence, turns }: StoreOrder,
  { turnCharacters, groupShare, groupMax }: Neighbouring = parameters.recall,
): Float64Array {
  const threshold = strongThreshold(patterns)
  const shortness = (characters: number) => Math.min(1, turnCharacters / Math.max(1, characters))
  const strong = new Map<number, Strong>()
  for (const { idx, score, asks, characters } of patterns) {
    if (score <= threshold) continue
    strong.set(idx, { excess: score - threshold, said: shortness(characters) * (score - threshold), asks })
  }
  return Float64Array.from(patterns, ({ idx, asks, characters }) => {
    const before = strong.get(idx - 1)
    const answered = before?.asks ? answerShare * before.said : 0
    const heard = shortness(characters) * (asks ? 1 - questionDamping : 1)
    const turn = heard * (passedOn(strong, idx, 'said') + answered)
    const group = Math.min(groupMax, groupShare * passedOn(strong, idx, 'excess'))
    return coherence * (turns * turn + (1 - turns) * group)
  })
}

/** How much the score of a pattern exceeds the threshold, and how much of that counts as said to others. */
interface Strong {
  excess: number
  said: number
  asks: boolean
}

/** What strong patterns pass on to one. */
function passedOn(strong: ReadonlyMap<number, Strong>, idx: number, what: 'excess' | 'said'): number {
  let sum = 0
  for (let lag = 1; lag <= lagDecay.length; lag++) {
    const both = (strong.get(idx - lag)?.[what] ?? 0) + (strong.get(idx + lag)?.[what] ?? 0)
    sum += (lagDecay[lag - 1] as number) * both
  }
  return sum
}

/**
 * The score from which a pattern is strong. By rank, since in a large space many patterns are a deviation above its
 * mean; a small one has no 48 that are.
 */
function strongThreshold(patterns: readonly Placed[]): number {
  const ascending = new Float64Array(patterns.length)
  for (const [at, { score }] of patterns.entries()) ascending[at] = score
  ascending.sort()
  return Math.max(strongMin, ascending[ascending.length - strongRank] ?? strongMin)
}
