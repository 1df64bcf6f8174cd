import { classNames } from './facts.ts'

/** What a fact's class is, and what it was taken for. */
export interface Judgement {
  truth: string
  answer: string
}

export interface ClassScores {
  facts: number
  precision: number
  recall: number
  f1: number
}

/** Precision, recall and their harmonic mean for one class; 0 where nothing was found. */
export function classScores(judgements: readonly Judgement[], name: string): ClassScores {
  const count = (matches: (each: Judgement) => boolean) => judgements.filter(matches).length
  const facts = count(({ truth }) => truth === name)
  const answered = count(({ answer }) => answer === name)
  const right = count(({ truth, answer }) => truth === name && answer === name)
  return {
    facts,
    precision: answered === 0 ? 0 : right / answered,
    recall: facts === 0 ? 0 : right / facts,
    f1: facts + answered === 0 ? 0 : (2 * right) / (facts + answered),
  }
}

/** The mean of the classes' F1: each counts the same, however many facts it has. Classes without facts don't count. */
export function macroF1(judgements: readonly Judgement[]): number {
  const present = classNames.filter((name) => judgements.some(({ truth }) => truth === name))
  const scores = present.map((name) => classScores(judgements, name).f1)
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
}
