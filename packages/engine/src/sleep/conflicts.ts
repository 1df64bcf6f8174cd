import { differences } from '../contradiction/alignment.ts'
import {
  areOfTwoLanguages,
  type Comparable,
  type ContradictionReason,
  findContradiction,
} from '../contradiction/contradiction.ts'
import { isDenial } from '../contradiction/denial.ts'
import { isSameStem } from '../contradiction/stems.ts'
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

/** A text prepared for comparison with similar ones. */
export interface Statement {
  readonly comparable: Comparable
  /** When it was said, in ms since 1970. */
  readonly at: number
}

export interface Conflict {
  kind: ConflictKind
  /** In what they contradict each other; null for a near duplicate. */
  reason: ContradictionReason | null
}

/** Texts with a lower cosine have no conflict. */
export const nearMin = Math.min(duplicateMin, contradictionMin)

/**
 * The conflict between two different texts; undefined if there is none.
 * @param similarity their cosine
 */
export function findConflict(one: Statement, other: Statement, similarity: number): Conflict | undefined {
  const mayDiffer = similarity >= contradictionMin && areAboutOne(one.comparable, other.comparable)
  if (similarity < duplicateMin && !mayDiffer) return undefined
  const reason = findContradiction(one.comparable, other.comparable)
  if (reason === undefined) {
    return similarity < duplicateMin ? undefined : { kind: 'near_duplicate', reason: null }
  }
  if (!mayDiffer || tellOfSeveral(one.comparable, other.comparable, reason)) return undefined
  const isLater = Math.abs(one.at - other.at) >= laterMs
  return { kind: isLater ? 'superseded_candidate' : 'possible_contradiction', reason }
}

/**
 * In what two texts of nearly the same words contradict each other; undefined if nothing shows that they do. Between two
 * languages only a negation is sure.
 */
export function findDenial(one: Comparable, other: Comparable): ContradictionReason | undefined {
  const areTranslated = areOfTwoLanguages(one, other)
  if (!areTranslated && !areAboutOne(one, other)) return undefined
  const reason = findContradiction(one, other)
  if (areTranslated) return reason === 'negation' ? reason : undefined
  return reason === undefined || tellOfSeveral(one, other, reason) ? undefined : reason
}

/** Whether texts that differ for this reason are rather records of one form, about different things. */
const tellOfSeveral = (one: Comparable, other: Comparable, reason: ContradictionReason): boolean =>
  isOfOnePlace.has(reason) && replacements(one, other) > 1

/** With these reasons only texts that differ in a single place conflict: several differences are typical of records of a form. */
const isOfOnePlace: ReadonlySet<ContradictionReason> = new Set(['number', 'unit', 'opposite', 'name'])

/** In how many places one text has other words than the other; 0 if they have the same words in another order. */
function replacements(
  { reading: { tokens } }: Comparable,
  { reading: { tokens: others } }: Comparable,
): number {
  const places = differences(
    tokens.map(({ key }) => key),
    others.map(({ key }) => key),
  )
  const keysAt = (all: typeof tokens, ranges: readonly (readonly [from: number, to: number])[]) =>
    ranges.flatMap((range) => all.slice(...range).map(({ key }) => key)).toSorted()
  const moved = keysAt(
    tokens,
    places.map(({ one }) => one),
  )
  const otherMoved = keysAt(
    others,
    places.map(({ other }) => other),
  )
  // Words only changed places: the texts are about the same things.
  if (moved.join(' ') === otherMoved.join(' ')) return 0
  return places.filter(({ one, other }) => one[0] < one[1] && other[0] < other[1]).length
}

/** Whether two texts are about the same: by their words, or as a short statement and its denial, which have few in common. */
const areAboutOne = (one: Comparable, other: Comparable): boolean =>
  haveMostInCommon(one, other) || isDenial(one.reading, other.reading)

/**
 * Whether two texts share most of their words (Dice coefficient of at least `sharedMin`), as texts do that say different things
 * about the same. Another form of a word counts as the same word: "likes coffee", "does not like coffee".
 */
function haveMostInCommon(
  { reading: { tokens } }: Comparable,
  { reading: { tokens: others } }: Comparable,
): boolean {
  const counts = new Map<string, number>()
  for (const { key } of others) counts.set(key, (counts.get(key) ?? 0) + 1)
  const inOtherForms = tokens.filter(({ key }) => {
    const count = counts.get(key) ?? 0
    counts.set(key, count - 1)
    return count <= 0
  })
  const left = [...counts].flatMap(([key, count]) => Array.from({ length: Math.max(0, count) }, () => key))
  // Texts with very many different words are about different things whatever forms these have, and comparing all takes too long.
  const isBounded = inOtherForms.length * left.length <= parameters.contradiction.alignedPairs
  const different = inOtherForms.filter(({ key }) => {
    const at = isBounded ? left.findIndex((other) => isSameStem(key, other)) : -1
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
  const shared = tokens.length - different.length
  return 2 * shared >= sharedMin * (tokens.length + others.length)
}
