import { parameters } from '@memory/engine/parameters'

const { densePatterns, surePatterns } = parameters.recall

/** How many of the nearest patterns are looked at for an answer of k, and how many of these are found surely. */
export const recalledOf = (k: number): { k: number; sure: number } => ({
  k: Math.max(k, densePatterns),
  sure: Math.max(k, surePatterns),
})
