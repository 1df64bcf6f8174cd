import type { Tier } from '@memory/engine/tiers'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { NewPattern } from '../store.ts'
import type { NewPayload } from './pattern-cache.ts'

/** Patterns of one statement, which has a version of its own. */
export interface StoredPart {
  patterns: readonly StoredPattern[]
  version: number
  /** When, in ms since 1970. */
  at: number
  /** See `Inserted`. */
  changedOthers: boolean
}

export interface StoredPattern {
  pattern: NewPattern
  /** Its metadata as the database writes it. */
  metadata: string | null
  idx: number
  tier: Tier
  /** Whether it took nothing's place. */
  isNew: boolean
}

/** Shows what was just stored to the searches of this process, with what their answers show of it. */
export function showStored(
  { spaces, payloads }: Pick<MemoryContext, 'spaces' | 'payloads'>,
  { spaceId, subject }: Pick<Caller, 'spaceId' | 'subject'>,
  { patterns, version, at, changedOthers }: StoredPart,
): void {
  // What is not valid yet, or changes how long others are, is read from the database, as other processes do.
  if (changedOthers || patterns.some(isTimed)) return
  const index = spaces.committed(spaceId, version, {
    stored: patterns.map(({ pattern, idx, tier, isNew }) => ({
      idx,
      key: pattern.key,
      isText: pattern.text !== null,
      sourceDim: pattern.sourceDim,
      expiresAt: pattern.expiresAt,
      tier,
      ...(pattern.text !== null && {
        text: pattern.text,
        passages: pattern.passages,
        subject: subjectOf(pattern, isNew, subject?.name),
      }),
    })),
  })
  if (index !== undefined) payloads.keep(index, payloadsOf(patterns, at))
}

/** Whose a pattern is now, null: nobody's; undefined: that of what it replaced. @param bound whom the caller is bound to */
function subjectOf(
  { address }: NewPattern,
  isNew: boolean,
  bound: string | undefined,
): string | null | undefined {
  const said = address?.subject
  return said === undefined && !isNew ? undefined : (said ?? bound ?? null)
}

const isTimed = ({ pattern: { address } }: StoredPattern): boolean =>
  address !== undefined && (address.validFrom ?? address.validTo) != null

/** One by one, so that none is made that there is no room for. */
function* payloadsOf(patterns: readonly StoredPattern[], storedAt: number): Generator<NewPayload> {
  for (const { pattern, metadata, idx } of patterns) {
    const { id, text, key, value, sourceDim, occurredAt, address } = pattern
    yield {
      idx,
      id,
      text,
      metadata,
      value: text === null ? (value ?? key) : null,
      dimensions: key.length,
      source_dim: sourceDim,
      at: occurredAt?.getTime() ?? storedAt,
      external_id: address?.externalId ?? null,
    }
  }
}
