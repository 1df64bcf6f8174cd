import { parameters } from '@memory/engine/parameters'
import type { Scored } from '@memory/engine/recall/score'
import { hasCodePoints } from '@memory/shared/catalogue/fields'
import type { Compute, Requester } from '../compute.ts'
import type { PassageIndex } from '../lexical/passage-index.ts'

const { nearPassages, exactPatterns } = parameters.recall

/** The passage of a text that is nearest to a query. */
export interface NearPassage {
  start: number
  end: number
  /** With the query; passages are held as bytes, so it is an estimate, to about a hundredth. */
  cosine: number
}

/**
 * The texts that the passages nearest to a query are of, by idx, each with the nearest of its own.
 * @param allowed bit idx % 8 of byte idx / 8 lets a text in; undefined: all
 */
export async function searchPassages(
  compute: Compute,
  requester: Requester,
  passages: PassageIndex,
  query: Float32Array,
  allowed?: Uint8Array,
): Promise<ReadonlyMap<number, NearPassage>> {
  const nearest = new Map<number, NearPassage>()
  const { shard } = passages
  if (shard === undefined || shard.size === 0) return nearest
  const { labels, scores } = await compute.search(requester, shard, query, {
    k: nearPassages,
    exactK: exactPatterns,
    minScore: -1,
    textOnly: false,
    allowed: allowed && passages.allow(allowed),
  })
  for (const [i, label] of labels.entries()) {
    const place = passages.placeOf(label)
    const cosine = scores[i] as number
    if (place === undefined || cosine <= (nearest.get(place.idx)?.cosine ?? -1)) continue
    nearest.set(place.idx, { start: place.start, end: place.end, cosine })
  }
  return nearest
}

/** Where in a text that is answered a passage is nearer to the query than the whole. */
export function placeIn(
  text: string,
  { idx, cosine }: Pick<Scored, 'idx' | 'cosine'>,
  passages: ReadonlyMap<number, NearPassage>,
): { start: number; end: number } | undefined {
  const passage = passages.get(idx)
  if (passage === undefined || passage.cosine <= cosine) return undefined
  const { start, end } = passage
  // A text that is changed at this moment may be another one already.
  return hasCodePoints(text, end) ? { start, end } : undefined
}
