import { parameters } from '@memory/engine/parameters'

const { densePatterns, exactPatterns } = parameters.recall

/** How many of the nearest patterns are looked at for an answer of k, and how many of these are found exactly. */
export const recalledOf = (k: number): { k: number; exactK: number } => ({
  k: Math.max(k, densePatterns),
  exactK: Math.max(k, exactPatterns),
})
