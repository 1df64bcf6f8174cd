import type { Hits } from '@memory/engine/kernels/kernels'
import { headNames } from '@memory/engine/recall/heads'
import type { Scored } from '@memory/engine/recall/score'

const silence = headNames.map(() => 0)

/** What a search found, in its own order, as candidates that no head has spoken of. */
export function inCosineOrder({ labels, scores }: Hits): Scored[] {
  return Array.from(labels, (idx, i) => byMeaning({ idx, cosine: scores[i] as number }))
}

/** What is found by its meaning alone. */
export function byMeaning({ idx, cosine }: Pick<Scored, 'idx' | 'cosine'>): Scored {
  return { idx, cosine, score: cosine, boost: 0, z: silence, parts: onlyMeaning(cosine), time: 0 }
}

/** What makes a score that is the cosine alone. */
const onlyMeaning = (cosine: number): number[] => headNames.map((head) => (head === 'semantic' ? cosine : 0))
