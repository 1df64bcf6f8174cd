import type { Pathway } from '../../engine/learning/state.ts'
import type { AnsweredPattern } from '../../engine/learning/trace.ts'
import type { Scored } from '../../engine/recall/score.ts'

/** Patterns of an answer, as learning takes them: only what heads have ordered says something of the heads. */
export function answeredBy(pathway: Pathway, patterns: readonly Scored[]): AnsweredPattern[] {
  return patterns.map(({ idx, cosine, z }) =>
    pathway === 'attention' ? { idx, cosine, z } : { idx, cosine },
  )
}
