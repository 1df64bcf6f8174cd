import type { Question } from './locomo.ts'
import { mean } from './statistics.ts'

/** How well one question's evidence was found. */
export interface Found {
  category: string
  /** Share of the evidence turns among the first 5, and the first 10. */
  at5: number
  at10: number
  /** 1 / rank of the first evidence turn; 0 where it is not in the list. */
  reciprocalRank: number
}

/** The longest list a text endpoint answers, so the list every method is measured on. */
export const listLength = 50

/** Measures a list of turn ids, nearest first. */
export function measure({ category, evidence }: Question, ranking: readonly string[]): Found {
  const ranks = evidence.map((id) => ranking.slice(0, listLength).indexOf(id))
  const within = (k: number) => mean(ranks.map((rank) => (rank >= 0 && rank < k ? 1 : 0)))
  const present = ranks.filter((rank) => rank >= 0)
  return {
    category,
    at5: within(5),
    at10: within(10),
    reciprocalRank: present.length === 0 ? 0 : 1 / (1 + Math.min(...present)),
  }
}

/** Indices by falling score; equal scores keep their order. */
export function rank(scores: ArrayLike<number>): number[] {
  return Array.from(scores, (_, index) => index).sort((a, b) => (scores[b] as number) - (scores[a] as number))
}

export interface RecallFigures {
  questions: number
  recallAt5: number
  recallAt10: number
  mrr: number
}

/** Means over questions, in percent but for the MRR; every question weighs the same. */
export function recallFigures(found: readonly Found[]): RecallFigures {
  return {
    questions: found.length,
    recallAt5: 100 * mean(found.map((one) => one.at5)),
    recallAt10: 100 * mean(found.map((one) => one.at10)),
    mrr: mean(found.map((one) => one.reciprocalRank)),
  }
}
