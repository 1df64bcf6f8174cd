import type { Caller } from '../../catalogue/operation.ts'
import { norm } from '../../engine/kernels/javascript.ts'
import type { Hits } from '../../engine/kernels/kernels.ts'
import { activationsOf } from '../../engine/learning/association.ts'
import { parameters } from '../../engine/parameters.ts'
import type { HeadWeights } from '../../engine/recall/heads.ts'
import { type Moments, silent } from '../../engine/recall/moments.ts'
import { queryCentre } from '../../engine/recall/query-centre.ts'
import { type Candidate, type Scored, type SpaceHeads, scoreCandidates } from '../../engine/recall/score.ts'
import { spreadActivation } from '../../engine/recall/spread.ts'
import { salienceOf } from '../../engine/salience.ts'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { cosinesOf } from './candidate-keys.ts'
import { semanticMoments } from './semantic-moments.ts'
import { salienceMoments } from './space-salience.ts'
import { type SpaceShape, shapeOf } from './space-shape.ts'

const { strongPatterns, neighbourLag } = parameters.recall

type Attending = Pick<MemoryContext, 'queries' | 'clock'>

/** What candidates are found in and scored by. */
export interface Scene {
  index: SpaceIndex
  /** Where the candidates are, each with the query in its dimension. */
  parts: readonly { shard: Shard; query: Float32Array }[]
  learning: SpaceLearning
  /** Nearest patterns by cosine, best first. */
  dense: Hits
  /** What the query's words say; undefined for a query without words. */
  words?: Words | undefined
  weights: HeadWeights
  /** Only these patterns count; undefined: all. */
  among?: ReadonlySet<number> | undefined
}

export interface Words {
  /** Patterns that share words with the query, best first. */
  labels: Int32Array
  /** Of BM25, over all patterns. */
  moments: Moments
  /** BM25 of patterns. */
  scoresOf(indexes: readonly number[]): Promise<Map<number, number>>
  /** Whether a pattern is a text: others are in no answer, and bring none. */
  isText(idx: number): boolean
  /** Whether a pattern's text asks something. */
  asks(idx: number): boolean
}

/**
 * Scores the candidates of a query: what is nearest, what shares its words, what was used with those, and what was
 * stored next to the strongest of them. Best first.
 */
export async function attend(context: Attending, caller: Caller, scene: Scene): Promise<Scored[]> {
  const { index, parts, learning, dense, words, among } = scene
  const now = context.clock.now().getTime()
  const nearest = Array.from(dense.labels, (idx, i) => ({ idx, cosine: dense.scores[i] as number }))
  const spread = spreadActivation(
    activationsOf(nearest),
    (idx) => learning.associatesOf(idx),
    index.size,
    now,
  )
  const strong = [
    ...dense.labels.subarray(0, strongPatterns),
    ...(words?.labels.subarray(0, strongPatterns) ?? []),
  ]
  const shapes = await Promise.all(parts.map(({ shard }) => shapeOf(context, caller, index, shard)))
  // Where store order says nothing, neighbours would gain nothing.
  const hasOrder = shapes.some(({ orderTrust }) => orderTrust > 0)
  const found = new Set([
    ...dense.labels,
    ...(words?.labels ?? []),
    ...spread.activation.keys(),
    ...(hasOrder ? strong.flatMap((idx) => index.around(idx, neighbourLag)) : []),
  ])
  const candidates = [...found].filter((idx) => (among?.has(idx) ?? true) && (words?.isText(idx) ?? true))
  const salience = salienceMoments(learning, index.end, now)
  const heads = { lexical: words?.moments ?? silent, associative: spread.moments, salience }
  const [lexical, ...places] = await Promise.all([
    words?.scoresOf(candidates),
    ...parts.map((part, i) => locate(context, caller, scene, part, shapes[i] as SpaceShape, candidates)),
  ])
  const scored = places.flatMap(({ located, space }) =>
    scoreCandidates(
      located.map(({ idx, cosine, centreCosine }) => ({
        idx,
        cosine,
        centreCosine,
        lexical: lexical?.get(idx) ?? 0,
        associative: spread.activation.get(idx) ?? 0,
        salience: salience.deviation === 0 ? 0 : salienceOf(learning.useOf(idx), now),
        asks: words?.asks(idx),
      })),
      { ...heads, ...space },
      scene.weights,
    ),
  )
  return places.length > 1 ? scored.sort((a, b) => b.score - a.score || a.idx - b.idx) : scored
}

interface Place {
  /** The candidates that the shard holds, with their cosines to the query, and to the centre where there is one. */
  located: Pick<Candidate, 'idx' | 'cosine' | 'centreCosine'>[]
  space: Pick<SpaceHeads, 'centreNorm' | 'semantic' | 'orderTrust'>
}

/**
 * Where the candidates of one shard lie, and where its patterns do on the whole. Texts are told apart from their space's
 * centre; of keys that somebody else made, nothing says that what they have in common is not meant.
 */
async function locate(
  context: Attending,
  caller: Caller,
  { index, words, learning }: Scene,
  { shard, query }: Scene['parts'][number],
  shape: SpaceShape,
  candidates: readonly number[],
): Promise<Place> {
  const centre = words && queryCentre(shape.directions, learning.queryDirections)
  const centreNorm = centre === undefined ? 0 : norm(centre)
  const directions = centre !== undefined && centreNorm > 0 ? [query, centre] : [query]
  const own = candidates.filter((idx) => index.isIn(shard, idx))
  const [{ values, held }, semantic] = await Promise.all([
    cosinesOf(context, caller, shard, own, directions),
    semanticMoments(context, caller, { index, shard, shape }, query, directions[1]),
  ])
  const located: Place['located'] = []
  for (const [at, idx] of own.entries()) {
    if (held[at] === 0) continue
    const row = at * directions.length
    located.push({
      idx,
      cosine: values[row] as number,
      centreCosine: directions.length > 1 ? (values[row + 1] as number) : 0,
    })
  }
  return { located, space: { centreNorm, semantic, orderTrust: shape.orderTrust } }
}
