import type { Pathway } from '@memory/engine/learning/state'
import type { AnsweredPattern } from '@memory/engine/learning/trace'
import type { Scored } from '@memory/engine/recall/score'

/** Patterns of an answer, as learning takes them. Only if the heads ordered the answer (`attention`) are their z-scores given. */
export function answeredBy(pathway: Pathway, patterns: readonly Scored[]): AnsweredPattern[] {
  return patterns.map(({ idx, cosine, z }) =>
    pathway === 'attention' ? { idx, cosine, z } : { idx, cosine },
  )
}
