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

/** Which pattern was stored just before and after one, of what belongs to the same subject. */
export interface Sequence {
  before(idx: number): number | undefined
  after(idx: number): number | undefined
}

/** Where nothing is known of subjects: one idx after the other, whether something is there or not. */
export const byIdx: Sequence = {
  before: (idx) => (idx > 0 ? idx - 1 : undefined),
  after: (idx) => idx + 1,
}

/** What store order says in a space. */
export interface StoreOrder {
  /** How far neighbours belong together, in [0, 1] (see `sequenceCoherence`). */
  coherence: number
  /** How far they are turns of a conversation, in [0, 1] (see `turnTaking`). */
  turns: number
  /** Undefined: one idx after the other. */
  sequence?: Sequence | undefined
}

/**
 * What each pattern gains from those stored just before and after it: the temporal context in which something was
 * stored comes back with it (Howard and Kahana, A Distributed Representation of Temporal Context, 2002). A pattern
 * passes on by how much its score exceeds that of the 48th best, times a share that falls with the lag in the sequence:
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
  { coherence, turns, sequence = byIdx }: StoreOrder,
  { turnCharacters, groupShare, groupMax }: Neighbouring = parameters.recall,
): Float64Array {
  const threshold = strongThreshold(patterns)
  const shortness = (characters: number) => Math.min(1, turnCharacters / Math.max(1, characters))
  const strong = new Map<number, Strong>()
  for (const { idx, score, asks, characters } of patterns) {
    if (score <= threshold) continue
    strong.set(idx, { excess: score - threshold, said: shortness(characters) * (score - threshold), asks })
  }
  const passed = passedOn(strong, sequence)
  const gained = new Float64Array(patterns.length)
  for (let i = 0; i < patterns.length; i++) {
    const { idx, asks, characters } = patterns[i] as Placed
    const here = passed.get(idx)
    if (here === undefined) continue
    const turn = shortness(characters) * (asks ? 1 - questionDamping : 1) * here.said
    const group = Math.min(groupMax, groupShare * here.excess)
    gained[i] = coherence * (turns * turn + (1 - turns) * group)
  }
  return gained
}

/** How much the score of a pattern exceeds the threshold, and how much of that counts as said to others. */
interface Strong {
  excess: number
  said: number
  asks: boolean
}

/** The patterns up to `lag` places before and after one in a sequence, with their lags. */
export function neighboursOf(idx: number, lag: number, sequence: Sequence = byIdx): Neighbour[] {
  const near: Neighbour[] = []
  for (const way of ['before', 'after'] as const) {
    let at = sequence[way](idx)
    for (let places = 1; places <= lag && at !== undefined; places++) {
      near.push({ idx: at, lag: places })
      at = sequence[way](at)
    }
  }
  return near
}

interface Neighbour {
  idx: number
  lag: number
}

/** What strong patterns pass on to those near them; of what is said, to the one after a question its answer's share too. */
function passedOn(strong: ReadonlyMap<number, Strong>, sequence: Sequence): Map<number, Passed> {
  const passed = new Map<number, Passed>()
  const pass = (to: number, share: number, { said, excess }: Passed) => {
    const there = passed.get(to)
    if (there === undefined) {
      passed.set(to, { said: share * said, excess: share * excess })
    } else {
      there.said += share * said
      there.excess += share * excess
    }
  }
  for (const [idx, from] of strong) {
    for (const near of neighboursOf(idx, lagDecay.length, sequence)) {
      pass(near.idx, lagDecay[near.lag - 1] as number, from)
    }
    const next = from.asks ? sequence.after(idx) : undefined
    if (next !== undefined) pass(next, answerShare, { said: from.said, excess: 0 })
  }
  return passed
}

type Passed = Pick<Strong, 'said' | 'excess'>

/**
 * The score from which a pattern is strong. By rank, since in a large space many patterns are a deviation above its
 * mean; a small one has no 48 that are.
 */
function strongThreshold(patterns: readonly Placed[]): number {
  const ascending = new Float64Array(patterns.length)
  for (let i = 0; i < patterns.length; i++) ascending[i] = (patterns[i] as Placed).score
  ascending.sort()
  return Math.max(strongMin, ascending[ascending.length - strongRank] ?? strongMin)
}
