import { contentWords } from '@memory/engine/explain/terms'
import { type Clusters, kMeans, nearestToCentres } from '@memory/engine/map/k-means'
import { type Edges, neighbourEdges, relaxLayout } from '@memory/engine/map/layout'
import { type Cells, type Neighbours, nearestOthers } from '@memory/engine/map/neighbours'
import { type Components, principalComponents, projectOnto } from '@memory/engine/map/principal-components'
import { tellingWords } from '@memory/engine/map/telling-words'
import { parameters } from '@memory/engine/parameters'
import { seededRandom } from '@memory/engine/random'
import { detectLanguage } from '../explain/detect-language.ts'

const { components, neighbours, rounds, words, wordTexts } = parameters.map

/** A piece of the work on a map, of half a second at most: what it takes and what it gives can be posted to a thread. */
export type MapStep =
  | { kind: 'components'; rows: Float32Array; dimensions: number }
  | { kind: 'project'; rows: Float32Array; components: Components }
  /** Named, so that each draws its own numbers. */
  | { kind: 'cluster'; points: Float32Array; wanted: number; rounds: number; name: string }
  | { kind: 'neighbours'; points: Float32Array; cells: Cells; range: readonly [number, number] }
  | { kind: 'edges'; nearest: Neighbours }
  | { kind: 'layout'; places: Float32Array; edges: Edges; range: readonly [number, number] }
  | { kind: 'typical'; points: Float32Array; clusters: Clusters }
  | { kind: 'words'; texts: readonly (readonly string[])[] }

export interface MapResults {
  components: Components
  project: Float32Array
  cluster: Clusters
  neighbours: Neighbours
  edges: Edges
  /** The places after these rounds. */
  layout: Float32Array
  /** Of each cluster, the points that are nearest to its middle. */
  typical: Int32Array[]
  /** Of each group of texts. */
  words: string[][]
}

/** Does a step. The same step always gives the same. */
export function runMapStep(step: MapStep): MapResults[MapStep['kind']] {
  switch (step.kind) {
    case 'components':
      return principalComponents(step.rows, step.dimensions, components, seededRandom('map/components'))
    case 'project':
      return projectOnto(step.rows, step.components)
    case 'cluster':
      return kMeans(step.points, components, step.wanted, seededRandom(`map/${step.name}`), step.rounds)
    case 'neighbours':
      return nearestOthers(step.points, components, step.cells, step.range, neighbours)
    case 'edges':
      return inSharedMemory(neighbourEdges(step.nearest, neighbours))
    case 'layout': {
      const random = seededRandom(`map/layout/${step.range[0]}`)
      relaxLayout(step.places, step.edges, step.range, rounds, random)
      return step.places
    }
    case 'typical':
      return nearestToCentres(step.points, components, step.clusters, wordTexts)
    case 'words': {
      const groups = step.texts.map((texts) =>
        texts.map((text) => contentWords(text, detectLanguage(text) ?? 'en')),
      )
      return tellingWords(groups, words)
    }
  }
}

/** Posted to threads without being copied. */
function inSharedMemory({ from, to, weights }: Edges): Edges {
  const share = <List extends Int32Array | Float32Array>(list: List, shared: List): List => {
    shared.set(list)
    return shared
  }
  const memory = () => new SharedArrayBuffer(4 * from.length)
  return {
    from: share(from, new Int32Array(memory())),
    to: share(to, new Int32Array(memory())),
    weights: share(weights, new Float32Array(memory())),
  }
}
