import { parameters } from '@memory/engine/parameters'

const { densePatterns, exactPatterns } = parameters.recall

/** How many nearest patterns become candidates for an answer of k, and how many of these are found reliably (`ShardSearch`). */
export const recalledOf = (k: number): { k: number; exactK: number } => ({
  k: Math.max(k, densePatterns),
  exactK: Math.max(k, exactPatterns),
})
