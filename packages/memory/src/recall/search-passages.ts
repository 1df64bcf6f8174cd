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
  /** Estimated cosine with the query, to about 0.01, since passages' keys are held as int8 codes. */
  cosine: number
}

/**
 * Finds the passages nearest to a query.
 * @param allowed bit idx % 8 of byte idx / 8 lets a text in; undefined: all
 * @returns by the text's idx, the nearest passage of each text found
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
