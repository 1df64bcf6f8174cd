import { kernels } from '@memory/engine/kernels/kernels'
import { parameters } from '@memory/engine/parameters'
import { type Pathway, type PathwayView, pathways } from '@memory/engine/routing'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { searchTexts } from '../texts/search-texts.ts'
import { findHitKeys, relaxHits } from '../vectors/relax-hits.ts'
import type { PathwayPolicy } from './pathway-policy.ts'

/** A pattern as the attention pathway scores it. */
export interface AttentionScore {
  idx: number
  cosine: number
  score: number
}

/** Scores a query's candidates by recall, best first. Passed in, so that tests can replace it. */
export type ScoreByAttention = (
  context: MemoryContext,
  caller: Caller,
  query: { text: string; vector: Float32Array },
) => Promise<readonly AttentionScore[]>

/** What each pathway says about the text patterns that they are compared on. */
export interface PathwayViews {
  views: Record<Pathway, PathwayView>
  /** Greatest cosine of a text pattern; undefined where there is none. */
  nearest: number | undefined
}

/**
 * Has every pathway score the same candidates, the text patterns that are best by cosine or by attention; and measures how long
 * each pathway takes.
 */
export async function viewPathways(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  query: { text: string; vector: Float32Array },
  { reliability }: PathwayPolicy,
  scoreByAttention: ScoreByAttention,
): Promise<PathwayViews> {
  const { pathwayCosts } = context
  const watch = stopwatch()
  const k = parameters.energy.candidates
  const found = await searchTexts(context, caller, index, query.vector, { k, minScore: -1 })
  const searchMs = watch()
  const patterns = index.shard(context.compute.dimensions)?.size ?? found.labels.length
  const { hits, energy, relaxed } = await relaxHits(context, caller, index, query.vector, found, patterns)
  const relaxMs = watch()
  const attended = found.labels.length === 0 ? [] : await scoreByAttention(context, caller, query)
  if (found.labels.length > 0) {
    pathwayCosts.record('exact', searchMs)
    pathwayCosts.record('energy', searchMs + relaxMs)
    // Not plus searchMs: recall makes its own search.
    pathwayCosts.record('attention', watch())
  }

  const cosines = new Map(Array.from(found.labels, (idx, i) => [idx, found.scores[i] as number]))
  const energies = new Map(Array.from(hits.labels, (idx, i) => [idx, energy[i] as number]))
  const attention = new Map(attended.map(({ idx, score }) => [idx, score]))
  const { candidates } = parameters.routing
  const compared = new Set([
    ...found.labels.subarray(0, candidates),
    ...attended.slice(0, candidates).map(({ idx }) => idx),
  ])
  // Recall also finds patterns far from the query, by their words: their keys have not been read yet.
  const far = Int32Array.from([...compared].filter((idx) => !energies.has(idx)))
  const { length } = query.vector
  for (const [idx, key] of await findHitKeys(context.queries, caller.spaceId, index, length, far)) {
    if (key.length !== length) continue
    energies.set(idx, kernels.cosine(key, relaxed.state))
    cosines.set(idx, kernels.cosine(key, query.vector))
  }
  const list = [...compared].filter((idx) => energies.has(idx) && cosines.has(idx))
  // A candidate that recall did not consider gets the score of recall's last one.
  const last = attended.at(-1)?.score ?? 0
  const scores: Record<Pathway, Float64Array> = {
    exact: Float64Array.from(list, (idx) => cosines.get(idx) as number),
    energy: Float64Array.from(list, (idx) => energies.get(idx) as number),
    attention: Float64Array.from(list, (idx) => attention.get(idx) ?? last),
  }
  const views = pathways.map((name) => {
    const view = { scores: scores[name], cosines: scores.exact, reliability: reliability[name] }
    return [name, { ...view, costMs: pathwayCosts.of(name) }]
  })
  return { views: Object.fromEntries(views) as Record<Pathway, PathwayView>, nearest: found.scores[0] }
}

/** A function that gives the ms since it was last called, or made. */
function stopwatch(): () => number {
  let since = performance.now()
  return () => {
    const now = performance.now()
    const passed = now - since
    since = now
    return passed
  }
}
