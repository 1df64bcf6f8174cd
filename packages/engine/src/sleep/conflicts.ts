import {
  type Comparable,
  type ContradictionReason,
  findContradiction,
} from '../contradiction/contradiction.ts'
import { parameters } from '../parameters.ts'

const { duplicateMin, contradictionMin, laterMs } = parameters.conflicts

/** What two texts that are near to each other may be. */
export const conflicts = {
  near_duplicate: 'they say nearly the same, and nothing shows a difference',
  possible_contradiction: 'they differ in what may contradict, and neither is clearly later',
  superseded_candidate: 'they differ so, and one is clearly later: it may take the place of the other',
} as const
export type ConflictKind = keyof typeof conflicts
export const conflictKinds = Object.keys(conflicts) as ConflictKind[]

/** A text as it is compared with others that are near to it. */
export interface Statement {
  readonly comparable: Comparable
  /** When it was said, in ms since 1970. */
  readonly at: number
}

export interface Conflict {
  kind: ConflictKind
  /** In what they contradict each other; null where nothing shows that they do. */
  reason: ContradictionReason | null
}

/** The least cosine of texts that are compared. */
export const nearMin = Math.min(duplicateMin, contradictionMin)

/**
 * What two different texts are to each other; undefined where they may stand side by side.
 * @param similarity their cosine
 */
export function findConflict(one: Statement, other: Statement, similarity: number): Conflict | undefined {
  if (similarity < nearMin) return undefined
  const reason = findContradiction(one.comparable, other.comparable)
  if (reason === undefined) {
    return similarity < duplicateMin ? undefined : { kind: 'near_duplicate', reason: null }
  }
  if (similarity < contradictionMin) return undefined
  const isLater = Math.abs(one.at - other.at) >= laterMs
  return { kind: isLater ? 'superseded_candidate' : 'possible_contradiction', reason }
}
