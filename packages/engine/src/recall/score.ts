import { parameters } from '../parameters.ts'
import { contiguityOf, type Neighbouring, type Placed, type StoreOrder } from './contiguity.ts'
import { type HeadName, type HeadWeights, headNames, inHeadOrder } from './heads.ts'
import type { MeanDeviation } from './mean-deviation.ts'
import type { Wording } from './views.ts'

const { deviationMin, zClip, sparseClip, passageMargin, timeLead, alikeLength } = parameters.recall

/** The parameters of `combineHeads` that can be fitted, see `parameters.recall`. */
export type Fusion = Neighbouring &
  Readonly<
    Record<
      | 'coverageFull'
      | 'spacelessFull'
      | 'statementWords'
      | 'foreignShare'
      | 'foreignMargin'
      | 'queryWords'
      | 'everyWord'
      | 'unlikeCosine'
      | 'likeCosine'
      | 'timeGain',
      number
    >
  >

/** A pattern as seen from one view of the query (see `viewsOf`). */
export interface Seen {
  /** Cosine of the pattern's key with the view's vector. */
  cosine: number
  /** Cosine of the pattern's key with the centre; not used without a centre. */
  centreCosine: number
  /** BM25 of the pattern's text. */
  lexical: number
}

/** A pattern to be scored, with the raw values that the heads are computed from. */
export interface Candidate {
  idx: number
  /** For each view of the query, the whole query first. */
  seen: readonly Seen[]
  /** The passage of its text that is nearest to a view, of which `view` is the position; undefined: none is known. */
  passage?: { cosine: number; view: number } | undefined
  /** Activation from associates, see `spreadActivation`. */
  associative: number
  /** See `salienceOf`. */
  salience: number
  /** Whether its text asks something (see `asksQuestion`). */
  asks?: boolean | undefined
  /** Length of its text, in UTF-16 units; 0 unless given. */
  characters?: number | undefined
  /** Whether its text is known to be in another language than the query. */
  isForeign?: boolean | undefined
  /** Whether the language of its text, or of the query, is unknown. */
  isUntold?: boolean | undefined
  /** Whether it occurred in the time that the query names. */
  isOfTime?: boolean | undefined
}

/** One view of the query, with statistics over the space that its values are normalised by. */
export interface View {
  /** See `QueryView`. */
  share: number
  /** See `QueryView`; 1 unless given. */
  weight?: number | undefined
  /** Length of the centre; 0: no centre, cosines count as they are. */
  centreNorm: number
  /** Mean and deviation of the semantic value over the space, or a sample of it. A deviation of 0 switches a head off. */
  semantic: MeanDeviation
  /** How much lower the semantic value of texts in other languages than the view's is, on average; 0 unless given. */
  foreignLag?: number | undefined
  /** Mean and deviation of BM25 over the space. */
  lexical: MeanDeviation
  /** BM25 of a text of mean length that has every word of the view once; 0 if the view has no words. */
  fullScore: number
  /** Undefined: taken for a question in a script with white space between words. */
  wording?: Wording | undefined
}

/** Statistics over the space that candidates were taken from. */
export interface SpaceHeads extends StoreOrder {
  /** The views of the query, the whole query first. */
  views: readonly View[]
  /** Mean and deviation of spreading activation. */
  associative: MeanDeviation
  /** Mean and deviation of salience. */
  salience: MeanDeviation
}

/** A candidate with its score. */
export interface Scored {
  idx: number
  /** Cosine with the whole query. */
  cosine: number
  /** In standard deviations over the space: the sum of `parts` and `time`. */
  score: number
  /** What everything but the semantic head adds to the score, converted to a cosine: cosine + boost orders as the score does. */
  boost: number
  /** Each head's z-score, in the order of `headNames`; for contiguity, what neighbours pass on. */
  z: number[]
  /** What each head adds to the score, in the order of `headNames`. */
  parts: number[]
  /** What the pattern gains for having occurred in the time that the query names. */
  time: number
}

/**
 * Scores candidates by all heads together. A head's value is a z-score over the space. The score is
 *
 *     (1 - w_c - w_b) s + w_c C + w_b b
 *
 * where s is the mean, weighted by w, of the semantic, lexical and associative values (of those heads that have something to
 * say), C what the patterns stored next to it pass on (see `contiguityOf`, which goes by s), b the salience, and w_c and w_b
 * their weights. In detail:
 *
 * - Semantic: for query q, key k (both at length 1) and centre c the value is (q - c) · k = cos(q, k) - |c| cos(c, k), since what
 *   a key shares with the centre says nothing about this query.
 * - Lexical: z is multiplied by the square of coverage, min(1, (BM25 / fullScore) / coverageFull), so that one rare word, or some of
 *   its letters, is not taken for the whole query. In scripts without white space, whose terms are pairs of characters,
 *   `spacelessFull` takes the place of `coverageFull`, and coverage is not squared.
 * - A text in another language than the query can't have its words: `foreignShare` times its semantic value counts in their
 *   place, in full from a cosine of `likeCosine` on and nothing up to `unlikeCosine`. For a text of unknown language that is
 *   multiplied by the share of foreign texts among the candidates whose language is known, and counts if it is more than the
 *   text's words do. With either gain a text may not pass a nearer one in the query's language (see `heldBack`).
 * - With several views, a head's value is that of the sentence that brings most: `weight` times the mean of its own and the whole
 *   query's by `share`. See `weighted`.
 * - If a passage is nearer to the query than its whole text, the difference is added, but after contiguity, so that neighbours do
 *   not get a part of it: of texts of 9,500 characters about one topic, the right one was first for 75 % of questions when they
 *   did, and is for 95 %.
 * - A text that occurred in the time that the query names gains `timeGain`, if it is more like the query than most, or within
 *   `timeLead` of the nearest. (Among few texts a score below the mean says little.)
 * @param weights finite, none negative
 * @param fusion replaces the parameters while they are being fitted
 * @returns best first; on equal scores the lower idx first
 */
export function combineHeads(
  candidates: readonly Candidate[],
  space: SpaceHeads,
  weights: HeadWeights,
  fusion: Fusion = parameters.recall,
): Scored[] {
  space = { ...space, views: weighted(space.views, candidates) }
  const shares = sharesOf(space, weights)
  const related = 1 - weights.contiguity - weights.salience
  const { sequence } = space
  const order = { coherence: within01(space.coherence), turns: within01(space.turns), sequence }
  const told = tell(candidates, space, shares, fusion)
  const nearest = candidates.reduce((most, candidate) => Math.max(most, cosineOf(candidate)), -1)
  const raisedBy = (i: number) => shares.semantic * (told[i] as Told).raise
  const standings = standingsOf(told, candidates, space, fusion)
  const inPlaceOfWords = heldBack(
    told.map(({ semantic, lexical, associative }, i) => semantic + lexical + associative + raisedBy(i)),
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
  const untoldShare = foreignShareOf(candidates)
  /** What of its gain a text would have although it is in another language, or may be. */
  const foreignGain = candidates.map(
    ({ isForeign, isUntold }, i) => gained(i) * (isForeign ? 1 : isUntold ? untoldShare : 0),
  )
  const heard = heldBack(
    scored.map(({ score }, i) => related * (score + raisedBy(i)) + gained(i) - (foreignGain[i] as number)),
    foreignGain,
    standings,
  )
  const raising = related * shares.semantic
  return scored
    .map((one, i) => {
      raise(one, (told[i] as Told).raise, raising)
      const by = gained(i) - (foreignGain[i] as number) + (heard[i] as number)
      return withNeighbours(one, { passed: passed?.[i] ?? 0, gained: by }, raising, space)
    })
    .sort((a, b) => b.score - a.score || a.idx - b.idx)
}

/**
 * Weighs each sentence of a query by how near the nearest text is to it, beside the sentence that a text is nearest to. "I had a
 * long day." is near to nothing stored, so that its values tell what is least unlike it.
 */
function weighted(views: readonly View[], candidates: readonly Candidate[]): readonly View[] {
  if (views.length < 2) return views
  const nearest = views.map((_, view) =>
    candidates.reduce((most, { seen, passage }) => {
      const ofPassage = passage?.view === view ? finite(passage.cosine) : 0
      return Math.max(most, finite(seen[view]?.cosine ?? 0), ofPassage)
    }, 0),
  )
  const most = Math.max(...nearest.slice(1))
  return views.map((view, i) =>
    i === 0 || !(most > 0) ? view : { ...view, weight: ((view.weight ?? 1) * (nearest[i] as number)) / most },
  )
}

/** Cosine with the whole query. */
const cosineOf = ({ seen }: Candidate): number => finite(seen[0]?.cosine ?? 0)

/** The values of the heads that compare a candidate with the query. */
interface Told {
  /** The z-score by each head. */
  values: Record<HeadName, number>
  /** The z-score times the head's share in s. The same for the two below. */
  semantic: number
  lexical: number
  associative: number
  /** By how many deviations its nearest passage is nearer, see `raiseOf`. */
  raise: number
  /** For a text that is in another language, or may be: what its meaning counts in place of words, before `heldBack`. */
  inPlace: number
}

/** Computes the heads' values for each candidate. */
function tell(candidates: readonly Candidate[], space: SpaceHeads, shares: Shares, fusion: Fusion): Told[] {
  const untoldShare = foreignShareOf(candidates)
  const isStated = space.views.some(({ wording }) => wording !== undefined && !wording.asks)
  const typical = isStated ? typicalLength(candidates) : 0
  const all = candidates.map((candidate) => valuesOf(candidate, space, typical, fusion))
  const raises = candidates.map((candidate) => finite(raiseOf(candidate, space)))
  const compared = all.map(({ lexical, semantic }, i) => ({
    lexical,
    semantic: semantic + (raises[i] as number),
  }))
  const wordsAt = wordsByNearness(candidates, compared, foreignLagOf(space))
  return candidates.map((candidate, i) => {
    const values = all[i] as Record<HeadName, number>
    const near = (compared[i] as (typeof compared)[number]).semantic
    const inPlace = likenessOf(candidate, fusion) * Math.min(fusion.foreignShare * near, wordsAt(near))
    const untold = candidate.isUntold ? Math.max(0, untoldShare * inPlace - Math.max(0, values.lexical)) : 0
    return {
      values,
      semantic: shares.semantic * values.semantic,
      lexical: shares.lexical * values.lexical,
      associative: shares.associative * values.associative,
      raise: raises[i] as number,
      inPlace: shares.lexical * (candidate.isForeign ? inPlace : untold),
    }
  })
}

/**
 * In [0, 1]: how surely a text, or its nearest passage, is like the query or a sentence of it, by the greatest cosine. Where nothing is, what is least unlike it
 * is many deviations from the mean too.
 */
function likenessOf({ seen, passage }: Candidate, { unlikeCosine, likeCosine }: Fusion): number {
  const cosine = Math.max(finite(passage?.cosine ?? -1), ...seen.map((one) => finite(one.cosine)))
  return within01((cosine - unlikeCosine) / (likeCosine - unlikeCosine))
}

/**
 * What the words of a text in another language would count were it in the query's, by its nearness: as much as those of the
 * candidates in the query's language, of which the nearest is taken to have the most words. It limits gains only: Infinity for a
 * text that is less like the query than most.
 * @param lag by how much less near it is because of its language alone
 */
function wordsByNearness(
  candidates: readonly Candidate[],
  all: readonly Record<'semantic' | 'lexical', number>[],
  lag: number,
): (semantic: number) => number {
  const natives = all.filter((_, i) => isNative(candidates[i] as Candidate))
  const nearest = natives.reduce((most, { semantic }) => Math.max(most, semantic), 0)
  const words = natives.reduce((most, { lexical }) => Math.max(most, lexical), 0)
  return (semantic) =>
    nearest > 0 && semantic + lag > 0 ? (words * (semantic + lag)) / nearest : Number.POSITIVE_INFINITY
}

/** Whether a text is known to be in the query's language. */
const isNative = ({ isForeign, isUntold }: Candidate): boolean => !isForeign && !isUntold

/** What `heldBack` compares a candidate with others by. */
interface Standing {
  /** Whether its text is known to be in the query's language. */
  isNative: boolean
  /**
   * The semantic z-score, of the nearest passage where that is nearer; with the share c of the query's words plus
   * `queryWords` c + `everyWord` c³. Texts in other languages have its names and numbers.
   */
  nearness: number
}

interface Standings {
  /** The standing of each candidate. */
  places: readonly Standing[]
  /** Positions in `places` of the candidates in the query's language, nearest first. */
  natives: readonly number[]
  /** How much nearer a native text must be to stay ahead of a foreign one, in deviations of the semantic head. */
  margin: number
}

function standingsOf(
  told: readonly Told[],
  candidates: readonly Candidate[],
  space: SpaceHeads,
  { queryWords, everyWord, foreignMargin }: Fusion,
): Standings {
  const places = told.map(({ values: { semantic }, raise }, i): Standing => {
    const candidate = candidates[i] as Candidate
    const covered = coveredOf(candidate, space)
    const words = queryWords * covered + everyWord * covered ** 3
    return { isNative: isNative(candidate), nearness: semantic + raise + words }
  })
  const natives = places
    .flatMap(({ isNative }, i) => (isNative ? i : []))
    .sort((a, b) => nearnessOf(places, b) - nearnessOf(places, a))
  return { places, natives, margin: foreignMargin + foreignLagOf(space) }
}

const nearnessOf = (places: readonly Standing[], i: number): number => (places[i] as Standing).nearness

/**
 * Limits gains of texts that are in another language than the query, or may be. Such a text gains its meaning in place of words,
 * and what neighbours pass on, neither of which is likeness of its own; it may gain no more than keeps it behind every text in
 * the query's language that is nearer by `margin`. Results in stores of four languages: docs/benchmarks.md, "Recall on many kinds
 * of text".
 * @param scores of the candidates, before the gains
 * @returns the gains, limited
 */
function heldBack(
  scores: readonly number[],
  gains: readonly number[],
  standings: Standings,
): readonly number[] {
  const { places, natives, margin } = standings
  if (natives.length === 0 || !gains.some((gain) => gain > 0)) return gains
  /** For each native text the least score among it and the nearer ones. */
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
    // Held back to just behind the bound: the more it was ahead, the closer, so that several keep their order.
    return ahead > 0 ? Math.max(0, gain - ahead - behind / (1 + ahead)) : gain
  })
}

/** How far behind the bound a text is held back at most, in deviations. */
const behind = 1e-6

/** How many native texts have a nearness above `value`. */
function countNearer({ places, natives }: Standings, value: number): number {
  let [low, high] = [0, natives.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (nearnessOf(places, natives[middle] as number) > value) low = middle + 1
    else high = middle
  }
  return low
}

/** How far texts in other languages lag behind because of their language alone, in deviations; at least 0. */
function foreignLagOf({ views: [whole] }: SpaceHeads): number {
  if (whole === undefined || !(whole.semantic.deviation > deviationMin)) return 0
  return Math.max(0, finite(whole.foreignLag ?? 0) / whole.semantic.deviation)
}

/** How much each head that compares with the query counts in s; they sum to 1, or are all 0. */
type Shares = Record<'semantic' | 'lexical' | 'associative', number>

/** The weights of these heads, normalised over those whose deviation is not 0. */
function sharesOf({ views, associative }: SpaceHeads, weights: HeadWeights): Shares {
  const isActive = ({ deviation }: MeanDeviation) => deviation > deviationMin
  const semantic = views.some((view) => isActive(view.semantic)) ? weights.semantic : 0
  const lexical = views.some((view) => isActive(view.lexical)) ? weights.lexical : 0
  const associated = isActive(associative) ? weights.associative : 0
  const total = semantic + lexical + associated
  const share = (weight: number) => (total > 0 ? weight / total : 0)
  return { semantic: share(semantic), lexical: share(lexical), associative: share(associated) }
}

/** Among the candidates whose language is known, the share in another language than the query. */
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

/** A candidate's z-score by each head except contiguity. @param typical median length of the candidates' texts */
function valuesOf(
  candidate: Candidate,
  space: SpaceHeads,
  typical: number,
  fusion: Fusion,
): Record<HeadName, number> {
  const { views } = space
  const semantic = semanticsOf(candidate, views)
  const lexical = views.map((view, i) => {
    const seen = candidate.seen[i]
    if (seen === undefined) return 0
    const counts = coverageOf(seen, view, fusion) * wordsCount(view, typical, fusion)
    // Where most texts have words of the query, those of a long one may be less than the mean, but don't count against it.
    return counts * Math.max(0, zScore(seen.lexical, view.lexical, zClip))
  })
  return {
    semantic: combined(semantic, views),
    lexical: combined(lexical, views),
    associative: zScore(candidate.associative, space.associative, sparseClip),
    contiguity: 0,
    salience: zScore(candidate.salience, space.salience, sparseClip),
  }
}

/** The semantic head's z-score for each view. */
const semanticsOf = ({ seen }: Candidate, views: readonly View[]): number[] =>
  views.map(({ centreNorm, semantic }, i) => {
    const one = seen[i]
    return one === undefined ? 0 : zScore(semanticOf(one, centreNorm), semantic, zClip)
  })

/** The value of a head from its values for each view, the whole query first: by the sentence that brings most. */
function combined(values: readonly number[], views: readonly Pick<View, 'share' | 'weight'>[]): number {
  const whole = values[0] ?? 0
  let most = views.length > 1 ? Number.NEGATIVE_INFINITY : whole
  for (let i = 1; i < views.length; i++) {
    const { share, weight = 1 } = views[i] as View
    const value = (1 - share) * whole + share * (values[i] ?? 0)
    // What is less like it than most texts are is no better for a sentence that weighs little.
    most = Math.max(most, value > 0 ? weight * value : value)
  }
  return most
}

/** By how many deviations the semantic head's value grows by the nearest passage of a text, beyond `passageMargin`. */
function raiseOf(candidate: Candidate, { views }: SpaceHeads): number {
  const { seen, passage } = candidate
  const view = views[passage?.view ?? 0]
  if (passage === undefined || view === undefined || !(view.semantic.deviation > deviationMin)) return 0
  const nearer = finite(passage.cosine) - finite(seen[passage.view]?.cosine ?? 0) - passageMargin
  if (!(nearer > 0)) return 0
  const values = semanticsOf(candidate, views)
  const raised = (values[passage.view] as number) + nearer / view.semantic.deviation
  return combined(values.with(passage.view, raised), views) - combined(values, views)
}

/** Adds `by` deviations to the semantic head. @param raising what one deviation of it adds to the score */
function raise({ z, parts }: Scored, by: number, raising: number): void {
  z[semanticAt] = (z[semanticAt] as number) + finite(by)
  parts[semanticAt] = (parts[semanticAt] as number) + raising * finite(by)
}

/** Completes a candidate with contiguity, and sums up its score. @param raising as for `raise` */
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

/** The semantic head's value before normalisation: cos(q, k) - |c| cos(c, k). */
const semanticOf = ({ cosine, centreCosine }: Seen, centreNorm: number): number =>
  finite(cosine) - (centreNorm > 0 ? finite(centreNorm) * finite(centreCosine) : 0)

/** Median length of the candidates' texts. */
function typicalLength(candidates: readonly Candidate[]): number {
  const lengths = Float64Array.from(candidates, ({ characters = 0 }) => characters).sort()
  return lengths[lengths.length >> 1] ?? 0
}

/**
 * How much lexical matches count for a view. A statement about as long as the texts searches for texts that say the same, and for
 * that shared words are poor evidence: they count `statementWords`. For questions, or among longer texts, they count in full.
 */
const wordsCount = ({ wording }: View, typical: number, { statementWords }: Fusion): number =>
  wording !== undefined && !wording.asks && typical <= alikeLength * wording.characters ? statementWords : 1

/** How much of the query's words a text has, in [0, 1]: BM25 / fullScore. */
const coveredOf = ({ seen }: Candidate, { views }: SpaceHeads): number =>
  combined(
    views.map(({ fullScore }, i) => (fullScore > 0 ? within01((seen[i]?.lexical ?? 0) / fullScore) : 0)),
    views,
  )

/** In [0, 1]: how much a text's lexical value counts, by its coverage, how much of the view's words it has. */
function coverageOf({ lexical }: Seen, { fullScore, wording }: View, fusion: Fusion): number {
  if (!(fullScore > 0)) return 1
  const spaceless = within01(wording?.spaceless ?? 0)
  const full = fusion.coverageFull + spaceless * (fusion.spacelessFull - fusion.coverageFull)
  return within01(lexical / fullScore / full) ** (2 - spaceless)
}

const semanticAt = headNames.indexOf('semantic')
const contiguityAt = headNames.indexOf('contiguity')

/** (value - mean) / deviation, clipped to ±`clip`; 0 where all patterns are alike. */
function zScore(value: number, { mean, deviation }: MeanDeviation, clip: number): number {
  if (!(deviation > deviationMin)) return 0
  const z = finite((value - mean) / deviation)
  return Math.min(clip, Math.max(-clip, z))
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

const within01 = (value: number): number => Math.min(1, Math.max(0, finite(value)))
