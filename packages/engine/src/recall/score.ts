import { parameters } from '../parameters.ts'
import { contiguityOf, type Neighbouring, type Placed, type StoreOrder } from './contiguity.ts'
import { type HeadName, type HeadWeights, headNames, inHeadOrder } from './heads.ts'
import type { MeanDeviation } from './mean-deviation.ts'

const { deviationMin, zClip, sparseClip, passageMargin } = parameters.recall

/** What the parts of a score count beside each other, see `parameters.recall`. */
export type Fusion = Neighbouring & Readonly<Record<'coverageFull' | 'foreignShare' | 'timeGain', number>>

/** What one view of the query, the whole of it or its last sentence, says of a pattern. */
export interface Seen {
  /** Of the key with the view's vector. */
  cosine: number
  /** Of the key with the centre that queries are told apart from; anything where there is none. */
  centreCosine: number
  /** BM25. */
  lexical: number
}

/** What the heads say of a pattern, as measured. */
export interface Candidate {
  /** Store order: contiguity counts its lags in it. */
  idx: number
  /** By view of the query, the whole query first. */
  seen: readonly Seen[]
  /** The greatest cosine of a passage of its text with the view that counts most; undefined: none is known. */
  passageCosine?: number | undefined
  /** Spreading activation. */
  associative: number
  /** Base-level activation. */
  salience: number
  /** Whether its text asks something (see `asksQuestion`). */
  asks?: boolean | undefined
  /** Length of its text; 0 unless given. */
  characters?: number | undefined
  /** Whether its text is known to be in another language than the query. */
  isForeign?: boolean | undefined
  /** Whether that can't be told: it says too little, or the query does. */
  isUntold?: boolean | undefined
  /** Whether it tells of something in the time that the query names. */
  isOfTime?: boolean | undefined
}

/** What one view of the query meets in the space that the candidates were taken from. */
export interface View {
  /** How much it counts: all of them 1 in sum. */
  share: number
  /** Length of the centre; 0: cosines count as they are. */
  centreNorm: number
  /** Over all patterns, or a sample that stands for them. A deviation of 0 switches a head off. */
  semantic: MeanDeviation
  lexical: MeanDeviation
  /** BM25 that a text of mean length has with all words of the view once; 0: there are none. */
  fullScore: number
}

/** What the heads say of the space that the candidates were taken from. */
export interface SpaceHeads extends StoreOrder {
  /** The whole query first. */
  views: readonly View[]
  associative: MeanDeviation
  salience: MeanDeviation
}

export interface Scored {
  idx: number
  cosine: number
  /** In deviations. */
  score: number
  /** What the heads beside the semantic one add to it, as a cosine: cosine + boost orders as the score does. */
  boost: number
  /** By head, in the order of `headNames`; of contiguity what neighbours pass on. */
  z: number[]
  /** What each head adds to the score, in the order of `headNames`: with `time` the score is their sum. */
  parts: number[]
  /** What it gains beside them since it is of the time that the query names. */
  time: number
}

/**
 * Orders candidates by what all heads say of them. A head's value is its z-score over the space; what a candidate has
 * in common with the query, s, is the mean by weight of the semantic, lexical and associative ones that have something to
 * say; contiguity passes C on from what was stored next to it (see `contiguityOf`), and the score is
 * (1 - w_c - w_b) s + w_c C + w_b b with b the salience, which no query changes and which says nothing of neighbours.
 *
 * The semantic head is linear, (q - c) k = cos(q, k) - |c| cos(c, k): what the key shares with the centre c is no sign
 * of the query. The lexical head counts by coverage: z min(1, (BM25 / full score) / 0.15), so that one rare word is
 * not taken for the whole query. A text in another language can't have the query's words; its meaning counts in their
 * place. One whose language can't be told is in another with the share that those have which can, and has what is more: its
 * words or so much of its meaning. Of a query that is seen in several views a head's value is their mean by share. What a passage of a text is
 * nearer than the whole is added to it, after contiguity: of texts of 9,500 characters that are about one topic, which
 * passed it on to each other, the right one was first for 75 % of questions, and is for 95 %. So is what a text gains that is of
 * the time that the query names.
 * @param weights finite, none negative
 * @param fusion others than the parameters, where they are fitted
 * @returns best first, lower idx first where scores are equal
 */
export function combineHeads(
  candidates: readonly Candidate[],
  space: SpaceHeads,
  weights: HeadWeights,
  fusion: Fusion = parameters.recall,
): Scored[] {
  const shares = sharesOf(space, weights)
  const related = 1 - weights.contiguity - weights.salience
  const order = { coherence: within01(space.coherence), turns: within01(space.turns) }
  const untoldShare = foreignShareOf(candidates)
  const scored = candidates.map((candidate): Scored & Placed => {
    const values = valuesOf(candidate, space, fusion)
    const inPlace = fusion.foreignShare * values.semantic
    const untold = candidate.isUntold ? Math.max(0, untoldShare * inPlace - Math.max(0, values.lexical)) : 0
    const foreign = shares.lexical * (candidate.isForeign ? inPlace : untold)
    const own = {
      semantic: shares.semantic * values.semantic + foreign,
      lexical: shares.lexical * values.lexical,
      associative: shares.associative * values.associative,
    }
    const parts = {
      semantic: related * own.semantic,
      lexical: related * own.lexical,
      associative: related * own.associative,
      contiguity: 0,
      salience: weights.salience * values.salience,
    }
    return {
      idx: candidate.idx,
      cosine: candidate.seen[0]?.cosine ?? 0,
      score: own.semantic + own.lexical + own.associative,
      boost: 0,
      z: inHeadOrder(values),
      parts: inHeadOrder(parts),
      time: candidate.isOfTime ? fusion.timeGain : 0,
      asks: candidate.asks ?? false,
      characters: candidate.characters ?? 0,
    }
  })
  const passed = order.coherence > 0 ? contiguityOf(scored, order, fusion) : undefined
  const raising = related * shares.semantic
  return scored
    .map((one, i) => {
      raise(one, raiseOf(candidates[i] as Candidate, space), raising)
      return withNeighbours(one, passed?.[i] ?? 0, weights.contiguity, raising, space)
    })
    .sort((a, b) => b.score - a.score || a.idx - b.idx)
}

/** Weights of the heads that compare with the query, as shares of those that have something to say. */
function sharesOf({ views, associative }: SpaceHeads, weights: HeadWeights) {
  const isActive = ({ deviation }: MeanDeviation) => deviation > deviationMin
  const semantic = views.some((view) => isActive(view.semantic)) ? weights.semantic : 0
  const lexical = views.some((view) => isActive(view.lexical)) ? weights.lexical : 0
  const associated = isActive(associative) ? weights.associative : 0
  const total = semantic + lexical + associated
  const share = (weight: number) => (total > 0 ? weight / total : 0)
  return { semantic: share(semantic), lexical: share(lexical), associative: share(associated) }
}

/** Of the candidates whose language can be told, the share that is in another one than the query. */
function foreignShareOf(candidates: readonly Candidate[]): number {
  let told = 0
  let foreign = 0
  for (const { isForeign, isUntold } of candidates) {
    if (isUntold) continue
    told++
    if (isForeign) foreign++
  }
  return told === 0 ? 0 : foreign / told
}

/** A candidate's z-score by each head, contiguity apart. */
function valuesOf(
  candidate: Candidate,
  space: SpaceHeads,
  { coverageFull }: Fusion,
): Record<HeadName, number> {
  let semantic = 0
  let lexical = 0
  for (let i = 0; i < space.views.length; i++) {
    const [view, seen] = [space.views[i] as View, candidate.seen[i]]
    if (seen === undefined) continue
    semantic += view.share * zScore(semanticOf(seen, view.centreNorm), view.semantic, zClip)
    const covered = coverageOf(seen, view, coverageFull)
    lexical += view.share * covered * zScore(seen.lexical, view.lexical, zClip)
  }
  return {
    semantic,
    lexical,
    associative: zScore(candidate.associative, space.associative, sparseClip),
    contiguity: 0,
    salience: zScore(candidate.salience, space.salience, sparseClip),
  }
}

/** How much nearer the nearest passage of a text is than the whole, beyond what chance makes, in deviations. */
function raiseOf({ seen, passageCosine }: Candidate, { views }: SpaceHeads): number {
  const most = leading(views)
  const view = views[most]
  if (view === undefined || passageCosine === undefined) return 0
  const nearer = Math.max(0, finite(passageCosine) - finite(seen[most]?.cosine ?? 0) - passageMargin)
  return view.semantic.deviation > deviationMin ? (view.share * nearer) / view.semantic.deviation : 0
}

/** Where the view of a query stands that counts most. */
export const leading = (views: readonly { share: number }[]): number =>
  views.reduce((most, { share }, i) => (share > (views[most]?.share ?? 0) ? i : most), 0)

/** Adds to what the semantic head says, in deviations. */
function raise({ z, parts }: Scored, by: number, raising: number): void {
  z[semanticAt] = (z[semanticAt] as number) + finite(by)
  parts[semanticAt] = (parts[semanticAt] as number) + raising * finite(by)
}

/** The score of a pattern once its neighbours have been heard. */
function withNeighbours(
  { idx, cosine, z, parts, time }: Scored,
  gained: number,
  weight: number,
  raising: number,
  space: SpaceHeads,
): Scored {
  z[contiguityAt] = gained
  parts[contiguityAt] = weight * gained
  const score = parts.reduce((sum, part) => sum + part, time)
  const others = score - raising * (z[semanticAt] as number)
  const deviation = space.views[0]?.semantic.deviation ?? 0
  const boost = raising > 0 ? finite((deviation * others) / raising) : 0
  return { idx, cosine, score, boost, z, parts, time }
}

/** What the semantic head says of a pattern. */
const semanticOf = ({ cosine, centreCosine }: Seen, centreNorm: number): number =>
  finite(cosine) - (centreNorm > 0 ? finite(centreNorm) * finite(centreCosine) : 0)

/** How much the words of a text count, in [0, 1], by how much of the view they are. */
const coverageOf = ({ lexical }: Seen, { fullScore }: View, coverageFull: number): number =>
  fullScore > 0 ? within01(lexical / fullScore / coverageFull) : 1

const semanticAt = headNames.indexOf('semantic')
const contiguityAt = headNames.indexOf('contiguity')

/** 0 where all patterns are alike. */
function zScore(value: number, { mean, deviation }: MeanDeviation, clip: number): number {
  if (!(deviation > deviationMin)) return 0
  const z = finite((value - mean) / deviation)
  return Math.min(clip, Math.max(-clip, z))
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

const within01 = (value: number): number => Math.min(1, Math.max(0, finite(value)))
