import { differences } from '../contradiction/alignment.ts'
import {
  type Comparable,
  type ContradictionReason,
  findContradiction,
} from '../contradiction/contradiction.ts'
import { parameters } from '../parameters.ts'

const { duplicateMin, contradictionMin, sharedMin, laterMs } = parameters.conflicts

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
  const mayDiffer = similarity >= contradictionMin && haveMostInCommon(one.comparable, other.comparable)
  if (similarity < duplicateMin && !mayDiffer) return undefined
  const reason = findContradiction(one.comparable, other.comparable)
  if (reason === undefined) {
    return similarity < duplicateMin ? undefined : { kind: 'near_duplicate', reason: null }
  }
  if (!mayDiffer || (isOfOnePlace.has(reason) && replacements(one.comparable, other.comparable) > 1))
    return undefined
  const isLater = Math.abs(one.at - other.at) >= laterMs
  return { kind: isLater ? 'superseded_candidate' : 'possible_contradiction', reason }
}

/** Where something else stands in several places, the texts tell of several things, as records of a form do. */
const isOfOnePlace: ReadonlySet<ContradictionReason> = new Set(['number', 'unit', 'opposite', 'name'])

/** In how many places something stands in the place of something else. */
function replacements(
  { reading: { tokens } }: Comparable,
  { reading: { tokens: others } }: Comparable,
): number {
  const places = differences(
    tokens.map(({ key }) => key),
    others.map(({ key }) => key),
  )
  return places.filter(({ one, other }) => one[0] < one[1] && other[0] < other[1]).length
}

/** Whether two texts share most of their words, as those do that say of the same thing something else. */
function haveMostInCommon(
  { reading: { tokens } }: Comparable,
  { reading: { tokens: others } }: Comparable,
): boolean {
  const left = new Map<string, number>()
  for (const { key } of others) left.set(key, (left.get(key) ?? 0) + 1)
  let shared = 0
  for (const { key } of tokens) {
    const count = left.get(key) ?? 0
    if (count > 0) shared++
    left.set(key, count - 1)
  }
  return 2 * shared >= sharedMin * (tokens.length + others.length)
}
