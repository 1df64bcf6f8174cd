import { parameters } from '@memory/engine/parameters'
import type { Scored } from '@memory/engine/recall/score'
import { hasCodePoints } from '@memory/shared/catalogue/fields'
import type { Compute, Requester } from '../compute.ts'
import type { PassageIndex } from '../lexical/passage-index.ts'

const { nearPassages, exactPatterns } = parameters.recall

/** The passage of a text that is nearest to a query: code points from `start` up to `end`. */
export interface NearPassage {
  start: number
  end: number
  /** Estimated cosine with a view of the query, to about 0.01, since passages' keys are held as int8 codes. */
  cosine: number
  /** Position of that view. */
  view: number
}

/**
 * Finds the passages nearest to a query: to its sentences if it has several, since the embedding of the whole is about everything
 * that a long query says.
 * @param views embeddings of the query's views, the whole query first
 * @param allowed bit idx % 8 of byte idx / 8 lets a text in; undefined: all
 * @returns by the text's idx, the nearest passage of each text found
 */
export async function searchPassages(
  compute: Compute,
  requester: Requester,
  passages: PassageIndex,
  views: readonly Float32Array[],
  allowed?: Uint8Array,
): Promise<ReadonlyMap<number, NearPassage>> {
  const nearest = new Map<number, NearPassage>()
  const { shard } = passages
  if (shard === undefined || shard.size === 0) return nearest
  const search = {
    k: nearPassages,
    exactK: exactPatterns,
    minScore: -1,
    textOnly: false,
    allowed: allowed && passages.allow(allowed),
  }
  const sentences = views.length > 1 ? [...views.entries()].slice(1) : [...views.entries()]
  const found = await Promise.all(
    sentences.map(async ([view, vector]) => ({
      view,
      hits: await compute.search(requester, shard, vector, search),
    })),
  )
  for (const { view, hits } of found) {
    for (const [i, label] of hits.labels.entries()) {
      const place = passages.placeOf(label)
      const cosine = hits.scores[i] as number
      if (place === undefined || cosine <= (nearest.get(place.idx)?.cosine ?? -1)) continue
      nearest.set(place.idx, { start: place.start, end: place.end, cosine, view })
    }
  }
  return nearest
}

/** The place of a text's nearest passage, if it is nearer to the query than the whole text. */
export function placeIn(
  text: string,
  { idx, cosine }: Pick<Scored, 'idx' | 'cosine'>,
  passages: ReadonlyMap<number, NearPassage>,
): { start: number; end: number } | undefined {
  const passage = passages.get(idx)
  if (passage === undefined || passage.cosine <= cosine) return undefined
  const { start, end } = passage
  // The text may have been replaced by a shorter one since the search.
  return hasCodePoints(text, end) ? { start, end } : undefined
}
