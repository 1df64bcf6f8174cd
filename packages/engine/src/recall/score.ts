import { parameters } from '../parameters.ts'
import { contiguityOf, type Neighbouring, type Placed, type StoreOrder } from './contiguity.ts'
import type { Wording } from './focus.ts'
import { type HeadName, type HeadWeights, headNames, inHeadOrder } from './heads.ts'
import type { MeanDeviation } from './mean-deviation.ts'

const { deviationMin, zClip, sparseClip, passageMargin, timeLead, alikeLength } = parameters.recall

/** What the parts of a score count beside each other, see `parameters.recall`. */
export type Fusion = Neighbouring &
  Readonly<
    Record<
      | 'coverageFull'
      | 'spacelessFull'
      | 'statementWords'
      | 'foreignShare'
      | 'foreignMargin'
      | 'nativeWords'
      | 'timeGain',
      number
    >
  >

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
  /** By how much texts in other languages than the view are further from it than those in its own, on average; 0 unless given. */
  foreignLag?: number | undefined
  lexical: MeanDeviation
  /** BM25 that a text of mean length has with all words of the view once; 0: there are none. */
  fullScore: number
  /** Undefined: a question in a script with white space between words. */
  wording?: Wording | undefined
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
 * (1 - w_c - w_b) s + w_c C + w_b b with b the salience, which no query changes and which says nothing of neighbours. Beside that:
 *
 * - Semantic: linear, (q - c) k = cos(q, k) - |c| cos(c, k): what the key shares with the centre c is no sign of the query.
 * - Lexical: by coverage, z min(1, (BM25 / full score) / 0.15), so that one rare word is not taken for the whole query; in scripts without
 *   white space, whose terms are pairs of characters, with 0.8.
 * - A text in another language can't have the query's words; its meaning counts in their place. One whose language can't be told is in
 *   another with the share that those have which can, and has what is more: its words or so much of its meaning. Neither passes by
 *   that a text in the query's language which is nearer (see `heldBack`): where the answer is in the query's language, others are none.
 * - Of a query that is seen in several views a head's value is their mean by share.
 * - What a passage of a text is nearer than the whole is added to it, after contiguity: of texts of 9,500 characters that are about one
 *   topic, which passed it on to each other, the right one was first for 75 % of questions, and is for 95 %.
 * - A text that is of the time that the query names gains, if it is more like the query than most, or about as near as the nearest: of
 *   few texts a deviation is all that there is between them.
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
  const { sequence } = space
  const order = { coherence: within01(space.coherence), turns: within01(space.turns), sequence }
  const told = tell(candidates, space, shares, fusion)
  const nearest = candidates.reduce((most, candidate) => Math.max(most, cosineOf(candidate)), -1)
  const standings = standingsOf(told, candidates, space, fusion)
  const inPlaceOfWords = heldBack(
    told.map(({ semantic, lexical, associative }) => semantic + lexical + associative),
    told.map(({ inPlace }) => inPlace),
    standings,
  )
  const scored = candidates.map((candidate, i): Scored & Placed => {
    const { values, ...one } = told[i] as Told
    const own = { ...one, semantic: one.semantic + (inPlaceOfWords[i] as number) }
    const ownScore = own.semantic + own.lexical + own.associative
    const cosine = cosineOf(candidate)
    const parts = {
      semantic: related * own.semantic,
      lexical: related * own.lexical,
      associative: related * own.associative,
      contiguity: 0,
      salience: weights.salience * values.salience,
    }
    return {
      idx: candidate.idx,
      cosine,
      score: ownScore,
      boost: 0,
      z: inHeadOrder(values),
      parts: inHeadOrder(parts),
      time: candidate.isOfTime && (ownScore >= 0 || cosine >= nearest - timeLead) ? fusion.timeGain : 0,
      asks: candidate.asks ?? false,
      characters: candidate.characters ?? 0,
    }
  })
  const passed = order.coherence > 0 ? contiguityOf(scored, order, fusion) : undefined
  const gained = (i: number) => weights.contiguity * (passed?.[i] ?? 0)
  const isForeign = (i: number) => candidates[i]?.isForeign ?? false
  const heard = heldBack(
    scored.map(({ score }, i) => related * score + (isForeign(i) ? 0 : gained(i))),
    scored.map((_, i) => (isForeign(i) ? gained(i) : 0)),
    standings,
  )
  const raising = related * shares.semantic
  return scored
    .map((one, i) => {
      raise(one, raiseOf(candidates[i] as Candidate, space), raising)
      const by = isForeign(i) ? (heard[i] as number) : gained(i)
      return withNeighbours(one, { passed: passed?.[i] ?? 0, gained: by }, raising, space)
    })
    .sort((a, b) => b.score - a.score || a.idx - b.idx)
}

/** With the whole query. */
const cosineOf = ({ seen }: Candidate): number => finite(seen[0]?.cosine ?? 0)

/** What the heads that compare with the query say of a candidate, by their shares. */
interface Told {
  /** By each head alone, in deviations. */
  values: Record<HeadName, number>
  semantic: number
  lexical: number
  associative: number
  /** What the meaning of a text in another language, or maybe so, counts in place of words. */
  inPlace: number
}

/** What the heads say of each candidate. */
function tell(candidates: readonly Candidate[], space: SpaceHeads, shares: Shares, fusion: Fusion): Told[] {
  const untoldShare = foreignShareOf(candidates)
  const isStated = space.views.some(({ wording }) => wording !== undefined && !wording.asks)
  const typical = isStated ? typicalLength(candidates) : 0
  return candidates.map((candidate) => {
    const values = valuesOf(candidate, space, typical, fusion)
    const inPlace = fusion.foreignShare * values.semantic
    const untold = candidate.isUntold ? Math.max(0, untoldShare * inPlace - Math.max(0, values.lexical)) : 0
    return {
      values,
      semantic: shares.semantic * values.semantic,
      lexical: shares.lexical * values.lexical,
      associative: shares.associative * values.associative,
      inPlace: shares.lexical * (candidate.isForeign ? inPlace : untold),
    }
  })
}

/** Where a candidate stands towards those in the query's language. */
interface Standing {
  /** It is known to be in the query's language. */
  isNative: boolean
  /** What its meaning says, in deviations, and in the query's language its words too. */
  nearness: number
}

interface Standings {
  /** By candidate. */
  places: readonly Standing[]
  /** Which of them are in the query's language, nearest first. */
  natives: readonly number[]
  /** How much nearer one must be to stay before one in another language, in deviations of the semantic head. */
  margin: number
}

function standingsOf(
  told: readonly Told[],
  candidates: readonly Candidate[],
  space: SpaceHeads,
  { nativeWords, foreignMargin }: Fusion,
): Standings {
  const places = told.map(({ values: { semantic } }, i): Standing => {
    const candidate = candidates[i] as Candidate
    const isNative = !candidate.isForeign && !candidate.isUntold
    return { isNative, nearness: semantic + (isNative ? nativeWords * coveredOf(candidate, space) : 0) }
  })
  const natives = places
    .flatMap(({ isNative }, i) => (isNative ? i : []))
    .sort((a, b) => nearnessOf(places, b) - nearnessOf(places, a))
  return { places, natives, margin: foreignMargin + foreignLagOf(space) }
}

const nearnessOf = (places: readonly Standing[], i: number): number => (places[i] as Standing).nearness

/**
 * What candidates gain by what is no likeness of their own: those that are in another language than the query, or may be, meaning in
 * place of words, and those that are, what neighbours pass on. No more than keeps each behind every one in the query's language that is
 * nearer by a margin. There the words of the query are evidence as well: a text that has them all is taken to be nearer by some
 * deviations than it is. What this is worth in stores of four languages: docs/benchmarks.md, "Recall on many kinds of text".
 * @param scores before the gains
 */
function heldBack(
  scores: readonly number[],
  gains: readonly number[],
  standings: Standings,
): readonly number[] {
  const { places, natives, margin } = standings
  if (natives.length === 0 || !gains.some((gain) => gain > 0)) return gains
  /** Of those that are at least as near as each, the least score. */
  const least = new Float64Array(natives.length)
  let lowest = Number.POSITIVE_INFINITY
  for (let at = 0; at < natives.length; at++) {
    lowest = Math.min(lowest, scores[natives[at] as number] as number)
    least[at] = lowest
  }
  return gains.map((gain, i) => {
    const { isNative, nearness } = places[i] as Standing
    if (isNative || gain <= 0) return gain
    const bound = least[countNearer(standings, nearness + margin) - 1] ?? Number.POSITIVE_INFINITY
    const ahead = (scores[i] as number) + gain - bound
    // Several that are held back by the same one stay in their order.
    return ahead > 0 ? Math.max(0, gain - ahead - behind / (1 + ahead)) : gain
  })
}

/** In deviations. */
const behind = 1e-6

/** How many of those in the query's language are nearer than a value. */
function countNearer({ places, natives }: Standings, value: number): number {
  let [low, high] = [0, natives.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (nearnessOf(places, natives[middle] as number) > value) low = middle + 1
    else high = middle
  }
  return low
}

/** How far texts in other languages lie behind for their language alone, in deviations; 0 where they don't. */
function foreignLagOf({ views }: SpaceHeads): number {
  let lag = 0
  for (const { share, semantic, foreignLag = 0 } of views) {
    if (semantic.deviation > deviationMin) lag += (share * finite(foreignLag)) / semantic.deviation
  }
  return Math.max(0, lag)
}

/** How much each head that compares with the query counts: 1 in sum, or nothing. */
type Shares = Record<'semantic' | 'lexical' | 'associative', number>

/** Weights of the heads that compare with the query, as shares of those that have something to say. */
function sharesOf({ views, associative }: SpaceHeads, weights: HeadWeights): Shares {
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
  typical: number,
  fusion: Fusion,
): Record<HeadName, number> {
  let semantic = 0
  let lexical = 0
  for (let i = 0; i < space.views.length; i++) {
    const [view, seen] = [space.views[i] as View, candidate.seen[i]]
    if (seen === undefined) continue
    semantic += view.share * zScore(semanticOf(seen, view.centreNorm), view.semantic, zClip)
    const counts = coverageOf(seen, view, fusion) * wordsCount(view, typical, fusion)
    lexical += view.share * counts * zScore(seen.lexical, view.lexical, zClip)
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
  { passed, gained }: { passed: number; gained: number },
  raising: number,
  space: SpaceHeads,
): Scored {
  z[contiguityAt] = passed
  parts[contiguityAt] = gained
  const score = parts.reduce((sum, part) => sum + part, time)
  const others = score - raising * (z[semanticAt] as number)
  const deviation = space.views[0]?.semantic.deviation ?? 0
  const boost = raising > 0 ? finite((deviation * others) / raising) : 0
  return { idx, cosine, score, boost, z, parts, time }
}

/** What the semantic head says of a pattern. */
const semanticOf = ({ cosine, centreCosine }: Seen, centreNorm: number): number =>
  finite(cosine) - (centreNorm > 0 ? finite(centreNorm) * finite(centreCosine) : 0)

/** Half of the candidates' texts are no longer. */
function typicalLength(candidates: readonly Candidate[]): number {
  const lengths = Float64Array.from(candidates, ({ characters = 0 }) => characters).sort()
  return lengths[lengths.length >> 1] ?? 0
}

/**
 * Who asks with a statement that is as long as the texts are wants what says the same, of which texts with the same words that say
 * something else are no sign; in longer texts, or for some words, they are.
 */
const wordsCount = ({ wording }: View, typical: number, { statementWords }: Fusion): number =>
  wording !== undefined && !wording.asks && typical <= alikeLength * wording.characters ? statementWords : 1

/** How much of a query's words a text has, in [0, 1]: BM25 as a share of what it has with all of them. */
const coveredOf = ({ seen }: Candidate, { views }: SpaceHeads): number =>
  views.reduce((sum, { share, fullScore }, i) => {
    const lexical = seen[i]?.lexical ?? 0
    return sum + (fullScore > 0 ? share * within01(lexical / fullScore) : 0)
  }, 0)

/** How much the words of a text count, in [0, 1], by how much of the view they are. */
function coverageOf({ lexical }: Seen, { fullScore, wording }: View, fusion: Fusion): number {
  if (!(fullScore > 0)) return 1
  const spaceless = within01(wording?.spaceless ?? 0)
  const full = fusion.coverageFull + spaceless * (fusion.spacelessFull - fusion.coverageFull)
  return within01(lexical / fullScore / full)
}

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
