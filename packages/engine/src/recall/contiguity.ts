import { parameters } from '../parameters.ts'

const { lagDecay, answerShare, questionDamping, strongRank, strongMin } = parameters.recall

/** The parameters of `contiguityOf` that can be fitted, see `parameters.recall`. */
export type Neighbouring = Readonly<Record<'turnCharacters' | 'groupShare' | 'groupMax', number>>

/** A pattern with what contiguity needs to know of it. */
export interface Placed {
  idx: number
  /** Its score by itself, in standard deviations. */
  score: number
  /** Whether its text asks something. */
  asks: boolean
  /** Length of its text, in UTF-16 units. */
  characters: number
}

/** Store order: which pattern was stored just before and after another, among those of the same subject. */
export interface Sequence {
  before(idx: number): number | undefined
  after(idx: number): number | undefined
}

/** Store order where subjects are unknown: by idx, even if no pattern has that idx. */
export const byIdx: Sequence = {
  before: (idx) => (idx > 0 ? idx - 1 : undefined),
  after: (idx) => idx + 1,
}

/** Store order, and how much it says about which patterns of a space belong together. */
export interface StoreOrder {
  /** How far patterns stored next to each other belong together, in [0, 1] (see `sequenceCoherence`). */
  coherence: number
  /** How far they are the turns of a conversation, in [0, 1] (see `turnTaking`). */
  turns: number
  /** Undefined: by idx. */
  sequence?: Sequence | undefined
}

/**
 * What each pattern gains from those stored just before and after it: the temporal context in which something was stored comes
 * back with it (Howard and Kahana, A Distributed Representation of Temporal Context, 2002). A pattern passes on its excess
 * e = max(0, score - max(strongMin, score of rank strongRank)), times a share d_l = lagDecay that falls with the lag l:
 *
 *     N_i(e) = sum over l of d_l (e_(i-l) + e_(i+l))
 *
 * Where speakers take turns, a short text says little without what it follows, and passes on all that it says. Long ones, such as
 * an assistant's answers, stand alone. Both are scaled by s = min(1, turnCharacters / characters). The text after a question
 * probably answers it and gains more; a question itself answers little. With a = 1 for a question and else 0:
 *
 *     T_i = s_i (1 - questionDamping a_i) (N_i(s e) + answerShare a_(i-1) s_(i-1) e_(i-1))
 *
 * Elsewhere neighbours are merely about the same topic, so what they add is bounded: G_i = min(groupMax, groupShare N_i(e)).
 * The result is coherence (turns T_i + (1 - turns) G_i).
 * @returns one value for each pattern, in their order, none negative
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

/** A pattern whose score exceeds the threshold. */
interface Strong {
  /** By how much: e. */
  excess: number
  /** s e. */
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

/** By idx: N(e) in `excess`, and in `said` N(s e) with the part that a text after a question gains. */
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
 * The score above which a pattern passes something on. By rank, since in a large space many patterns are `strongMin` deviations
 * above the mean; in a small one fewer than `strongRank` are.
 */
function strongThreshold(patterns: readonly Placed[]): number {
  const ascending = new Float64Array(patterns.length)
  for (let i = 0; i < patterns.length; i++) ascending[i] = (patterns[i] as Placed).score
  ascending.sort()
  return Math.max(strongMin, ascending[ascending.length - strongRank] ?? strongMin)
}
