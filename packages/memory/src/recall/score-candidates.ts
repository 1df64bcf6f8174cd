import type { Hits } from '@memory/engine/kernels/kernels'
import { activationsOf } from '@memory/engine/learning/association'
import { parameters } from '@memory/engine/parameters'
import { neighboursOf } from '@memory/engine/recall/contiguity'
import type { HeadWeights } from '@memory/engine/recall/heads'
import { type MeanDeviation, noSignal, pooledMeanDeviation } from '@memory/engine/recall/mean-deviation'
import { type Candidate, combineHeads, type Scored, type SpaceHeads } from '@memory/engine/recall/score'
import { spreadActivation } from '@memory/engine/recall/spread'
import type { QueryView } from '@memory/engine/recall/views'
import { salienceOf } from '@memory/engine/salience'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import type { Kinship } from '../lexical/language.ts'
import { cosinesOf } from './candidate-keys.ts'
import type { NearPassage } from './search-passages.ts'
import type { LexicalEvidence } from './search-words.ts'
import type { ShardScoring } from './shard-scoring.ts'
import { salienceMeanDeviation, visibleSalience } from './space-salience.ts'

const { strongPatterns, neighbourLag } = parameters.recall

type ScoringContext = Pick<MemoryContext, 'queries' | 'clock'>

/** What candidates are gathered from and scored by. */
export interface RecallInput {
  index: SpaceIndex
  /** The measurements of each shard that candidates may be in. */
  shards: readonly ShardScoring[]
  learning: SpaceLearning
  /** Nearest patterns by cosine, best first. */
  dense: Hits
  /** More candidates: nearest patterns of the query's other views, texts with the identifiers it names, texts of its time. */
  alsoFound?: readonly Pick<Hits, 'labels'>[] | undefined
  /** The nearest passage of each long text, by idx. */
  passages?: ReadonlyMap<number, NearPassage> | undefined
  /** Lexical evidence for each view of the query, the whole query first; undefined for a query that is a vector. */
  words?: readonly LexicalEvidence[] | undefined
  /** Of each view of the query. Default: a single view. */
  views?: readonly Pick<QueryView, 'share' | 'weight'>[] | undefined
  /** What is known of texts; undefined for a query that is a vector. */
  texts?: KnownTexts | undefined
  weights: HeadWeights
  /** The patterns that the caller may see; undefined: all. No other pattern may influence scores. */
  visible?: PatternSet | undefined
  /** The patterns that a filter lets in; undefined: all. */
  among?: PatternSet | undefined
  /** The patterns that occurred in the time that the query names; undefined: it names none. */
  ofTime?: PatternSet | undefined
}

/** What is known of the texts of a space, seen from a query. */
export interface KnownTexts {
  /** Whether a pattern is a text. Others are never in the answer to a text query, nor lead to candidates. */
  has(idx: number): boolean
  /** Whether a text asks something. */
  asks(idx: number): boolean
  /** Length of a text in UTF-16 units. */
  lengthOf(idx: number): number
  /** Whether a text is in the query's language, as far as that is known. */
  kinshipOf(idx: number): Kinship
}

/** Gathers the candidates of a query and scores them. Best first. */
export async function scoreCandidates(
  context: ScoringContext,
  caller: Caller,
  input: RecallInput,
): Promise<Scored[]> {
  const gathered = await gatherCandidates(context, caller, input)
  const scored = gathered.flatMap(({ candidates, heads }) => combineHeads(candidates, heads, input.weights))
  return gathered.length > 1 ? scored.sort((a, b) => b.score - a.score || a.idx - b.idx) : scored
}

/** Candidates of one shard, and the statistics over the space that their scores are normalised by. */
export interface Gathered {
  candidates: Candidate[]
  heads: SpaceHeads
}

/**
 * Gathers the candidates of a query, by shard: the nearest patterns, those that share words with it, those associated with the
 * nearest, and those stored next to the best of each search.
 */
export async function gatherCandidates(
  context: ScoringContext,
  caller: Caller,
  input: RecallInput,
): Promise<Gathered[]> {
  const { index, shards, learning, dense, passages, texts } = input
  const { words = [], views: seenFrom = [], ofTime, visible } = input
  const now = context.clock.now().getTime()
  const nearest = Array.from(dense.labels, (idx, i) => ({ idx, cosine: dense.scores[i] as number }))
  const spread = spreadActivation(
    activationsOf(nearest),
    (idx) => visibleAssociates(learning.associatesOf(idx), visible),
    visible?.count ?? index.size,
    now,
  )
  const candidates = candidatesOf(input, spread.activation.keys())
  const salience =
    visible === undefined
      ? salienceMeanDeviation(learning, index.end, now, (idx) => index.isStored(idx))
      : visibleSalience(learning, visible, now)
  const lexical = Promise.all(words.map((word) => word.scoresOf(candidates)))
  const located = await Promise.all(
    shards.map((shard) => locate(context, caller, index, shard, { candidates, lexical })),
  )
  const candidateOf = ({ idx, seen }: Located): Candidate => {
    const kinship = texts?.kinshipOf(idx)
    return {
      idx,
      seen,
      passage: passages?.get(idx),
      associative: spread.activation.get(idx) ?? 0,
      salience: salience.deviation === 0 ? 0 : salienceOf(learning.useOf(idx), now),
      asks: texts?.asks(idx),
      characters: texts?.lengthOf(idx),
      isForeign: kinship === 'foreign',
      isUntold: kinship === 'untold',
      isOfTime: ofTime?.has(idx),
    }
  }
  const overall = semanticOverall(shards)
  return located.map((own, i) => {
    const { semantic, centreNorm, order } = shards[i] as ShardScoring
    const views = semantic.map(({ foreignLag }, view) => ({
      share: 1,
      ...seenFrom[view],
      centreNorm,
      semantic: overall[view] ?? noSignal,
      foreignLag,
      lexical: words[view]?.found ?? noSignal,
      fullScore: words[view]?.found.full ?? 0,
      wording: words[view]?.wording,
    }))
    const heads = { views, associative: spread.meanDeviation, salience, ...order }
    return { candidates: own.map(candidateOf), heads }
  })
}

/** The idx of all candidates. @param associated those associated with the nearest */
function candidatesOf(
  { shards, dense, alsoFound = [], words = [], passages, texts, among }: RecallInput,
  associated: Iterable<number>,
): number[] {
  const searched = [dense, ...alsoFound, ...words.map(({ found }) => found)].map(({ labels }) => labels)
  // All shards have the same sequence: text queries search a single shard, and for vector queries store order is that of idx.
  const sequence = shards[0]?.order.sequence
  // If store order carries no information in any shard, neighbours would score nothing: do not gather them.
  const hasOrder = shards.some(({ order }) => order.coherence > 0)
  const strong = hasOrder ? searched.map((labels) => labels.subarray(0, strongPatterns)) : []
  const found = new Set<number>()
  for (const labels of searched) for (let i = 0; i < labels.length; i++) found.add(labels[i] as number)
  for (const idx of passages?.keys() ?? []) found.add(idx)
  for (const word of words) for (const idx of word.found.passages.keys()) found.add(idx)
  for (const idx of associated) found.add(idx)
  for (const labels of strong) {
    for (const idx of labels) {
      for (const other of neighboursOf(idx, neighbourLag, sequence)) found.add(other.idx)
    }
  }
  return [...found].filter((idx) => (among?.has(idx) ?? true) && (texts?.has(idx) ?? true))
}

/**
 * Mean and deviation of the semantic head for each view, over all shards together. Normalising each shard by its own would make
 * cosines of different shards (projected keys and others) incomparable.
 */
function semanticOverall(shards: readonly ShardScoring[]): MeanDeviation[] {
  const [first] = shards
  if (first === undefined || shards.length === 1) return [...(first?.semantic ?? [])]
  return first.semantic.map((_, view) =>
    pooledMeanDeviation(
      shards.map(({ semantic, size }) => ({ ...(semantic[view] as MeanDeviation), count: size })),
    ),
  )
}

function visibleAssociates<Link>(
  associates: ReadonlyMap<number, Link>,
  visible: PatternSet | undefined,
): ReadonlyMap<number, Link> {
  if (visible === undefined || associates.size === 0) return associates
  return new Map([...associates].filter(([idx]) => visible.has(idx)))
}

/** A candidate as seen from each view of the query. */
type Located = Pick<Candidate, 'idx' | 'seen'>

/** Those candidates that a shard holds. @param lexical BM25 of all candidates for each view */
async function locate(
  context: ScoringContext,
  caller: Caller,
  index: SpaceIndex,
  { shard, queries, centre }: ShardScoring,
  { candidates, lexical }: { candidates: readonly number[]; lexical: Promise<readonly Float64Array[]> },
): Promise<Located[]> {
  const own = [...candidates.keys()].filter((at) => index.isIn(shard, candidates[at] as number))
  const directions = centre === undefined ? queries : [...queries, centre]
  const labels = own.map((at) => candidates[at] as number)
  const [{ values, held }, words] = await Promise.all([
    cosinesOf(context, caller, shard, labels, directions),
    lexical,
  ])
  const width = directions.length
  const located: Located[] = []
  own.forEach((at, row) => {
    if (held[row] === 0) return
    const centreCosine = centre === undefined ? 0 : (values[(row + 1) * width - 1] as number)
    const seen = queries.map((_, view) => ({
      cosine: values[row * width + view] as number,
      centreCosine,
      lexical: words[view]?.[at] ?? 0,
    }))
    located.push({ idx: labels[row] as number, seen })
  })
  return located
}
