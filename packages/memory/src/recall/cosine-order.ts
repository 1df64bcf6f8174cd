import type { Hits } from '@memory/engine/kernels/kernels'
import { headNames } from '@memory/engine/recall/heads'
import type { Scored } from '@memory/engine/recall/score'

const silence = headNames.map(() => 0)

/** A search's results as scored candidates, in order of cosine, for when the heads are not used. */
export function inCosineOrder({ labels, scores }: Hits): Scored[] {
  return Array.from(labels, (idx, i) => byMeaning({ idx, cosine: scores[i] as number }))
}

/** A candidate whose score is its cosine; the heads contribute nothing else. */
export function byMeaning({ idx, cosine }: Pick<Scored, 'idx' | 'cosine'>): Scored {
  return { idx, cosine, score: cosine, boost: 0, z: silence, parts: onlyMeaning(cosine), time: 0 }
}

/** The parts of a score that is the cosine alone: all of it from the semantic head. */
const onlyMeaning = (cosine: number): number[] => headNames.map((head) => (head === 'semantic' ? cosine : 0))
