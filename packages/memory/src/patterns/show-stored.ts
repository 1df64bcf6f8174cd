import type { Tier } from '@memory/engine/tiers'
import { jsonbText } from '@memory/shared/platform/database/jsonb-text'
import type { MemoryContext } from '../context.ts'
import type { NewPattern } from '../store.ts'
import type { NewPayload } from './pattern-cache.ts'

/** Patterns of one statement, which has a version of its own. */
export interface StoredPart {
  patterns: readonly StoredPattern[]
  version: number
}

export interface StoredPattern {
  pattern: NewPattern
  idx: number
  tier: Tier
  /** Whether it took nothing's place. */
  isNew: boolean
}

/** Shows what was just stored to the searches of this process, with what their answers show of it. */
export function showStored(
  { spaces, payloads, clock }: Pick<MemoryContext, 'spaces' | 'payloads' | 'clock'>,
  spaceId: string,
  { patterns, version }: StoredPart,
): void {
  // What is not valid yet or ends the validity of others is read from the database, as other processes do.
  if (patterns.some(isTimed)) return
  const index = spaces.committed(spaceId, version, {
    stored: patterns.map(({ pattern: { key, text, sourceDim, expiresAt, passages }, idx, tier }) => ({
      idx,
      key,
      isText: text !== null,
      sourceDim,
      expiresAt,
      tier,
      ...(text !== null && { text, passages }),
    })),
  })
  if (index !== undefined) payloads.keep(index, payloadsOf(patterns, clock.now()))
}

const isTimed = ({ pattern: { address } }: StoredPattern): boolean =>
  address !== undefined && (address.validFrom ?? address.validTo ?? address.supersedes) != null

/** One by one, so that none is made that there is no room for. */
function* payloadsOf(patterns: readonly StoredPattern[], storedAt: Date): Generator<NewPayload> {
  for (const { pattern, idx } of patterns) {
    const { id, text, metadata, key, value, sourceDim, occurredAt, address } = pattern
    yield {
      idx,
      id,
      text,
      metadata: metadata && jsonbText(metadata),
      value: text === null ? (value ?? key) : null,
      dimensions: key.length,
      source_dim: sourceDim,
      at: (occurredAt ?? storedAt).getTime(),
      external_id: address?.externalId ?? null,
    }
  }
}
