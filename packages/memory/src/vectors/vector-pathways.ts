import type { Hits } from '@memory/engine/kernels/kernels'
import { parameters } from '@memory/engine/parameters'
import { decide, evaluatePathways } from '@memory/engine/routing'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { pathwayPolicy } from '../routing/pathway-policy.ts'
import { relaxHits } from './relax-hits.ts'
import { searchVectors, type VectorSearch } from './search-vectors.ts'
import { candidatesOf, type VectorPathway, type WantedPathway } from './vector-schema.ts'

export interface PathwayAnswer {
  pathway: VectorPathway
  /** Best first as the pathway has it; scores are the query's cosines. */
  hits: Hits
  /** Greatest cosine of what was found; undefined for nothing. */
  nearest: number | undefined
}

type Searching = Pick<
  MemoryContext,
  'compute' | 'queries' | 'speculativeSearches' | 'learned' | 'clock' | 'pathwayCosts'
>

/**
 * The patterns nearest to a vector, by the pathway that is wanted. In auto a query that is certain is answered exactly,
 * and otherwise routing chooses by expected free energy. A regime that has answers be exact overrules what is wanted.
 */
export async function searchByPathway(
  context: Searching,
  caller: Caller,
  index: SpaceIndex,
  query: Float32Array,
  search: VectorSearch,
  wanted: WantedPathway,
): Promise<PathwayAnswer> {
  const started = performance.now()
  const candidates = { ...search, ...candidatesOf(wanted, search) }
  const { hits, compared } = await searchVectors(context, caller, index, [query], candidates)
  const found = hits[0] as Hits
  const nearest = found.scores[0]
  const searched = performance.now()
  const exact: PathwayAnswer = { pathway: 'exact', hits: answered(search, found), nearest }
  const isCertain = wanted === 'auto' && (nearest ?? 1) >= parameters.routing.certainCosine
  if (wanted === 'exact' || nearest === undefined || isCertain) return exact
  const { forceExact, reliability } = await pathwayPolicy(context, caller)
  if (forceExact) return exact

  const relaxing = performance.now()
  const { hits: relaxed, energy } = await relaxHits(context, caller, index, query, found, compared)
  context.pathwayCosts.record('exact', searched - started)
  context.pathwayCosts.record('energy', searched - started + (performance.now() - relaxing))
  const relaxedAnswer: PathwayAnswer = { pathway: 'energy', hits: answered(search, relaxed), nearest }
  if (wanted === 'energy') return relaxedAnswer
  const compare = candidatesByCosine(relaxed, energy)
  const evaluations = evaluatePathways({
    exact: view('exact', compare.cosines),
    energy: view('energy', compare.energy),
  })
  return decide(evaluations).pathway === 'exact' ? exact : relaxedAnswer

  function view(pathway: VectorPathway, scores: Float64Array) {
    const costMs = context.pathwayCosts.of(pathway)
    return { scores, cosines: compare.cosines, reliability: reliability[pathway], costMs }
  }
}

/** The exact and the energy pathway's scores of the patterns nearest to the query. */
function candidatesByCosine({ scores }: Hits, energy: Float64Array) {
  const order = [...scores.keys()]
    .sort((a, b) => (scores[b] as number) - (scores[a] as number))
    .slice(0, parameters.routing.candidates)
  return {
    cosines: Float64Array.from(order, (at) => scores[at] as number),
    energy: Float64Array.from(order, (at) => energy[at] as number),
  }
}

/** Of patterns in some order the first that are near enough. */
function answered({ k, minScore }: VectorSearch, { labels, scores }: Hits): Hits {
  const isNear = (score: number) => score >= minScore
  if (scores.every(isNear)) return { labels: labels.subarray(0, k), scores: scores.subarray(0, k) }
  return {
    labels: labels.filter((_, at) => isNear(scores[at] as number)).subarray(0, k),
    scores: scores.filter(isNear).subarray(0, k),
  }
}
