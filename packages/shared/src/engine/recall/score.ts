import { parameters } from '../parameters.ts'
import { contiguityOf, type Placed } from './contiguity.ts'
import { type HeadName, type HeadWeights, headNames } from './heads.ts'
import { type Moments, weightedMoments } from './moments.ts'

const { deviationMin, zClip, sparseClip } = parameters.recall

/** What the heads say of a pattern, as measured. */
export interface Candidate {
  /** Store order: contiguity counts its lags in it. */
  idx: number
  /** Of the key with the query. */
  cosine: number
  /** Of the key with the centre that queries are told apart from; anything where there is none. */
  centreCosine: number
  /** BM25. */
  lexical: number
  /** Spreading activation. */
  associative: number
  /** Base-level activation. */
  salience: number
  /** Whether its text asks something (see `asksQuestion`). */
  asks?: boolean | undefined
}

/** What the heads say of the space that the candidates were taken from. */
export interface SpaceHeads {
  /** Length of the centre; 0: cosines count as they are. */
  centreNorm: number
  /** Patterns that stand for all: the semantic head's mean and deviation are theirs. */
  semanticSample: readonly Pick<Candidate, 'cosine' | 'centreCosine'>[]
  /** Over all patterns. A deviation of 0 switches a head off. */
  lexical: Moments
  associative: Moments
  salience: Moments
  /** How far store order can be trusted, in [0, 1] (see `orderTrust`); 1 unless given. */
  orderTrust?: number | undefined
}

export interface Scored {
  idx: number
  cosine: number
  /** In deviations. */
  score: number
  /** What the heads beside the semantic one add to it, as a cosine: cosine + raised orders as the score does. */
  raised: number
  /** By head, in the order of `headNames`; of contiguity what neighbours pass on. */
  z: Float64Array
}

/**
 * Orders candidates by what all heads say of them. A head's value is its z-score over the space; what a candidate has
 * in common with the query, s, is the mean by weight of the semantic, lexical and associative ones that have something to
 * say; contiguity passes C on from what was stored next to it (see `contiguityOf`), and the score is
 * (1 - w_c - w_b) s + w_c C + w_b b with b the salience, which no query changes and which says nothing of neighbours.
 *
 * The semantic head is linear, (q - c) k = cos(q, k) - |c| cos(c, k): what the key shares with the centre c is no sign
 * of the query.
 * @param weights finite, none negative
 * @returns best first, lower idx first where scores are equal
 */
export function scoreCandidates(
  candidates: readonly Candidate[],
  space: SpaceHeads,
  weights: HeadWeights,
): Scored[] {
  const semantic = (pattern: SpaceHeads['semanticSample'][number]) =>
    finite(pattern.cosine) -
    (space.centreNorm > 0 ? finite(space.centreNorm) * finite(pattern.centreCosine) : 0)
  const sample = space.semanticSample.map((pattern) => ({ value: semantic(pattern), count: 1 }))
  const heads: OwnHead[] = [
    { name: 'semantic', moments: weightedMoments(sample), measure: semantic, clip: zClip },
    {
      name: 'lexical',
      moments: space.lexical,
      measure: ({ lexical }) => lexical,
      clip: zClip,
    },
    {
      name: 'associative',
      moments: space.associative,
      measure: ({ associative }) => associative,
      clip: sparseClip,
    },
  ]
  const active = heads.filter(({ moments }) => moments.deviation > deviationMin)
  const total = active.reduce((sum, { name }) => sum + weights[name], 0)
  const isSalient = space.salience.deviation > deviationMin

  const related = 1 - weights.contiguity - weights.salience
  const semanticHead = active.find(({ name }) => name === 'semantic')
  const semanticShare = semanticHead === undefined || total === 0 ? 0 : (related * weights.semantic) / total

  const scored: (Scored & Placed)[] = candidates.map((candidate) => {
    const z = new Float64Array(headNames.length)
    z[salience] = isSalient ? zScore(candidate.salience, space.salience, sparseClip) : 0
    let own = 0
    for (const { name, moments, measure, clip } of active) {
      const value = zScore(measure(candidate), moments, clip)
      z[headNames.indexOf(name)] = value
      if (total > 0) own += (weights[name] / total) * value
    }
    const { idx, cosine, asks = false } = candidate
    return { idx, cosine, score: own, raised: 0, z, asks }
  })
  const passed = contiguityOf(scored)
  const trust = Math.min(1, Math.max(0, finite(space.orderTrust ?? 1)))
  for (const [i, one] of scored.entries()) {
    const gained = trust * (passed[i] as number)
    one.z[contiguity] = gained
    one.score =
      related * one.score + weights.contiguity * gained + weights.salience * (one.z[salience] as number)
    if (semanticShare > 0) {
      const others = one.score - semanticShare * (one.z[headNames.indexOf('semantic')] as number)
      one.raised = ((semanticHead as OwnHead).moments.deviation * others) / semanticShare
    }
  }
  return scored
    .map(({ idx, cosine, score, raised, z }) => ({ idx, cosine, score, raised, z }))
    .sort((a, b) => b.score - a.score || a.idx - b.idx)
}

const contiguity = headNames.indexOf('contiguity')
const salience = headNames.indexOf('salience')

/** A head that compares each candidate with the query. */
interface OwnHead {
  name: Exclude<HeadName, 'contiguity' | 'salience'>
  moments: Moments
  measure(candidate: Candidate): number
  /** Greatest |z|. */
  clip: number
}

function zScore(value: number, { mean, deviation }: Moments, clip: number): number {
  const z = finite((value - mean) / deviation)
  return Math.min(clip, Math.max(-clip, z))
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)
