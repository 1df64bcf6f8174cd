import { jsonbText } from '@memory/shared/platform/database/jsonb-text'
import type { MemoryContext } from '../context.ts'
import type { NewPattern } from '../store.ts'
import type { NewPayload } from './pattern-cache.ts'

/** Patterns of one statement, which has a version of its own, with indexes that count up from the first one's. */
export interface StoredPart {
  patterns: readonly NewPattern[]
  firstIdx: number
  version: number
}

/** Shows what was just stored to the searches of this process, with what their answers show of it. */
export function showStored(
  { spaces, payloads, clock }: Pick<MemoryContext, 'spaces' | 'payloads' | 'clock'>,
  spaceId: string,
  { patterns, firstIdx, version }: StoredPart,
): void {
  const index = spaces.committed(spaceId, version, {
    stored: patterns.map(({ key, text, sourceDim, expiresAt, passages }, i) => ({
      idx: firstIdx + i,
      key,
      isText: text !== null,
      sourceDim,
      expiresAt,
      tier: 'hot',
      ...(text !== null && { text, passages }),
    })),
  })
  if (index !== undefined) payloads.keep(index, payloadsOf(patterns, firstIdx, clock.now()))
}

/** One by one, so that none is made that there is no room for. */
function* payloadsOf(
  patterns: readonly NewPattern[],
  firstIdx: number,
  storedAt: Date,
): Generator<NewPayload> {
  for (const [i, { id, text, metadata, key, value, sourceDim, occurredAt }] of patterns.entries()) {
    yield {
      idx: firstIdx + i,
      id,
      text,
      metadata: metadata && jsonbText(metadata),
      value: text === null ? (value ?? key) : null,
      dimensions: key.length,
      source_dim: sourceDim,
      at: (occurredAt ?? storedAt).getTime(),
    }
  }
}
