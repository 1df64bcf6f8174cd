import { parameters } from '../parameters.ts'
import { contiguityOf, type Neighbouring, type Placed, type StoreOrder } from './contiguity.ts'
import { type HeadWeights, inHeadOrder } from './heads.ts'
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
  const foreignShare = foreignShareOf(candidates)
  const told = tell(candidates, space, { shares, foreignShare, fusion })
  const related = 1 - weights.contiguity - weights.salience
  const raising = related * shares.semantic
  // Most spaces are in one language, where nothing is held back.
  let known: Standings | undefined
  const standings = () => {
    known ??= standingsOf(told, candidates, space, fusion)
    return known
  }

  const likeness = told.map(({ score, raise }) => score + shares.semantic * raise)
  const inPlaceOfWords = heldBack(
    likeness,
    told.map(({ inPlace }) => inPlace),
    standings,
  )
  told.forEach((one, i) => {
    one.score += inPlaceOfWords[i] as number
  })

  const passed = passedOn(told, space, fusion)
  const gained = passed.map((by) => weights.contiguity * by)
  /** What of its gain a text would have although it is in another language, or may be. */
  const foreignGain = candidates.map(
    ({ isForeign, isUntold }, i) => (gained[i] as number) * (isForeign ? 1 : isUntold ? foreignShare : 0),
  )
  const heard = heldBack(
    told.map(
      ({ score, raise }, i) =>
        related * (score + shares.semantic * raise) + (gained[i] as number) - (foreignGain[i] as number),
    ),
    foreignGain,
    standings,
  )

  const nearest = told.reduce((most, { cosine }) => Math.max(most, cosine), -1)
  const deviation = space.views[0]?.semantic.deviation ?? 0
  const scored = told.map((one, i): Scored => {
    const { idx, cosine, semantic, lexical, associative, salience, raise } = one
    const isOfTime = candidates[i]?.isOfTime && (one.score >= 0 || cosine >= nearest - timeLead)
    const time = isOfTime ? fusion.timeGain : 0
    const parts = inHeadOrder({
      semantic: related * (shares.semantic * semantic + (inPlaceOfWords[i] as number)) + raising * raise,
      lexical: related * (shares.lexical * lexical),
      associative: related * (shares.associative * associative),
      contiguity: (gained[i] as number) - (foreignGain[i] as number) + (heard[i] as number),
      salience: weights.salience * salience,
    })
    const contiguity = passed[i] as number
    const z = inHeadOrder({ semantic: semantic + raise, lexical, associative, contiguity, salience })
    const score = parts.reduce((sum, part) => sum + part, time)
    const others = score - raising * (semantic + raise)
    const boost = raising > 0 ? finite((deviation * others) / raising) : 0
    return { idx, cosine, score, boost, z, parts, time }
  })
  return scored.sort((a, b) => b.score - a.score || a.idx - b.idx)
}

/** What neighbours pass on to each candidate, see `contiguityOf`. */
function passedOn(
  told: readonly Told[],
  { coherence, turns, sequence }: StoreOrder,
  fusion: Fusion,
): Float64Array {
  const order = { coherence: within01(coherence), turns: within01(turns), sequence }
  return order.coherence > 0 ? contiguityOf(told, order, fusion) : new Float64Array(told.length)
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

/** A candidate as it is by itself; `score` is s, to which `combineHeads` adds what its meaning counts in place of words. */
interface Told extends Placed {
  /** Cosine with the whole query. */
  cosine: number
  /** The z-scores by the heads. */
  semantic: number
  lexical: number
  associative: number
  salience: number
  /** By how many deviations its nearest passage is nearer, see `raiseOf`. */
  raise: number
  /** For a text that is in another language, or may be: what its meaning counts in place of words, before `heldBack`. */
  inPlace: number
}

interface Telling {
  shares: Shares
  /** See `foreignShareOf`. */
  foreignShare: number
  fusion: Fusion
}

/** Computes the heads' values for each candidate. */
function tell(
  candidates: readonly Candidate[],
  space: SpaceHeads,
  { shares, foreignShare, fusion }: Telling,
): Told[] {
  const isStated = space.views.some(({ wording }) => wording !== undefined && !wording.asks)
  const typical = isStated ? typicalLength(candidates) : 0
  const views = space.views.map((view) => scaled(view, typical, fusion))
  const told = candidates.map((candidate): Told => {
    const { idx, seen, associative, salience, asks = false, characters = 0 } = candidate
    return {
      idx,
      cosine: cosineOf(candidate),
      semantic: combined(views, (view, i) => semanticOf(seen[i], view)),
      lexical: combined(views, (view, i) => lexicalOf(seen[i], view)),
      associative: zScore(associative, space.associative, sparseClip),
      salience: zScore(salience, space.salience, sparseClip),
      raise: finite(raiseOf(candidate, views)),
      inPlace: 0,
      score: 0,
      asks,
      characters,
    }
  })
  const wordsAt = wordsByNearness(candidates, told, foreignLagOf(space))
  told.forEach((one, i) => {
    const candidate = candidates[i] as Candidate
    one.score =
      shares.semantic * one.semantic + shares.lexical * one.lexical + shares.associative * one.associative
    if (isNative(candidate)) return
    const near = one.semantic + one.raise
    const likeness = likenessOf(candidate, fusion)
    const inPlace = likeness * Math.min(fusion.foreignShare * near, wordsAt(near))
    const untold = Math.max(0, foreignShare * inPlace - Math.max(0, one.lexical))
    one.inPlace = shares.lexical * (candidate.isForeign ? inPlace : untold)
  })
  return told
}

/**
 * In [0, 1]: how surely a text, or its nearest passage, is like the query or a sentence of it, by the greatest cosine. Where nothing is, what is least unlike it
 * is many deviations from the mean too.
 */
function likenessOf({ seen, passage }: Candidate, { unlikeCosine, likeCosine }: Fusion): number {
  const ofPassage = finite(passage?.cosine ?? -1)
  const cosine = seen.reduce((most, one) => Math.max(most, finite(one.cosine)), ofPassage)
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
  told: readonly Told[],
  lag: number,
): (semantic: number) => number {
  let nearest = 0
  let words = 0
  told.forEach(({ semantic, raise, lexical }, i) => {
    if (!isNative(candidates[i] as Candidate)) return
    nearest = Math.max(nearest, semantic + raise)
    words = Math.max(words, lexical)
  })
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
  const places = told.map(({ semantic, raise }, i): Standing => {
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
  standings: () => Standings,
): readonly number[] {
  if (!gains.some((gain) => gain > 0)) return gains
  const standing = standings()
  const { places, natives, margin } = standing
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
    const bound = least[countNearer(standing, nearness + margin) - 1] ?? Number.POSITIVE_INFINITY
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

/** A view with what its lexical values are scaled by, which is the same for all candidates. */
interface Scaled extends View {
  /** How much lexical matches count. */
  wordsCount: number
  /** Coverage from which they count in full, and its power, see `combineHeads`. */
  coverageFull: number
  coveragePower: number
}

/**
 * A statement about as long as the texts searches for texts that say the same, and for that shared words are poor evidence: they
 * count `statementWords`. For questions, or among longer texts, they count in full.
 * @param typical median length of the candidates' texts
 */
function scaled(view: View, typical: number, fusion: Fusion): Scaled {
  const { wording } = view
  const spaceless = within01(wording?.spaceless ?? 0)
  const isAlike = wording !== undefined && !wording.asks && typical <= alikeLength * wording.characters
  return {
    ...view,
    wordsCount: isAlike ? fusion.statementWords : 1,
    coverageFull: fusion.coverageFull + spaceless * (fusion.spacelessFull - fusion.coverageFull),
    coveragePower: 2 - spaceless,
  }
}

/** The semantic head's z-score for a view. Its value before normalisation is cos(q, k) - |c| cos(c, k). */
function semanticOf(seen: Seen | undefined, { centreNorm, semantic }: View): number {
  if (seen === undefined) return 0
  const { cosine, centreCosine } = seen
  const value = finite(cosine) - (centreNorm > 0 ? finite(centreNorm) * finite(centreCosine) : 0)
  return zScore(value, semantic, zClip)
}

/** The lexical head's z-score for a view, times how much that counts. */
function lexicalOf(seen: Seen | undefined, view: Scaled): number {
  // Where most texts have words of the query, those of a long one may be less than the mean, but don't count against it.
  const z = seen === undefined ? 0 : zScore(seen.lexical, view.lexical, zClip)
  if (seen === undefined || z <= 0) return 0
  const { fullScore, coverageFull, coveragePower, wordsCount } = view
  const coverage = fullScore > 0 ? within01(seen.lexical / fullScore / coverageFull) ** coveragePower : 1
  return coverage * wordsCount * z
}

/** The value of a head from its values for each view, the whole query first: by the sentence that brings most. */
function combined<One extends Pick<View, 'share' | 'weight'>>(
  views: readonly One[],
  valueFor: (view: One, i: number) => number,
): number {
  const [first] = views
  const whole = first === undefined ? 0 : valueFor(first, 0)
  if (views.length < 2) return whole
  let most = Number.NEGATIVE_INFINITY
  for (let i = 1; i < views.length; i++) {
    const view = views[i] as One
    const { share, weight = 1 } = view
    const value = (1 - share) * whole + share * valueFor(view, i)
    // What is less like it than most texts are is no better for a sentence that weighs little.
    most = Math.max(most, value > 0 ? weight * value : value)
  }
  return most
}

/** By how many deviations the semantic head's value grows by the nearest passage of a text, beyond `passageMargin`. */
function raiseOf({ seen, passage }: Candidate, views: readonly View[]): number {
  const view = views[passage?.view ?? 0]
  if (passage === undefined || view === undefined || !(view.semantic.deviation > deviationMin)) return 0
  const nearer = finite(passage.cosine) - finite(seen[passage.view]?.cosine ?? 0) - passageMargin
  if (!(nearer > 0)) return 0
  const raised = nearer / view.semantic.deviation
  const value = (view: View, i: number) => semanticOf(seen[i], view)
  const withPassage = (view: View, i: number) => value(view, i) + (i === passage.view ? raised : 0)
  return combined(views, withPassage) - combined(views, value)
}

/** Median length of the candidates' texts. */
function typicalLength(candidates: readonly Candidate[]): number {
  const lengths = new Float64Array(candidates.length)
  candidates.forEach(({ characters = 0 }, i) => {
    lengths[i] = characters
  })
  return lengths.sort()[lengths.length >> 1] ?? 0
}

/** How much of the query's words a text has, in [0, 1]: BM25 / fullScore. */
const coveredOf = ({ seen }: Candidate, { views }: SpaceHeads): number =>
  combined(views, ({ fullScore }, i) => (fullScore > 0 ? within01((seen[i]?.lexical ?? 0) / fullScore) : 0))

/** (value - mean) / deviation, clipped to ±`clip`; 0 where all patterns are alike. */
function zScore(value: number, { mean, deviation }: MeanDeviation, clip: number): number {
  if (!(deviation > deviationMin)) return 0
  const z = finite((value - mean) / deviation)
  return Math.min(clip, Math.max(-clip, z))
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

const within01 = (value: number): number => Math.min(1, Math.max(0, finite(value)))
