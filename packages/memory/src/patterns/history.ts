import { ApiError } from '@memory/shared/catalogue/errors'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { pageOf, startOf } from '@memory/shared/catalogue/pages'
import { requireScope } from '@memory/shared/catalogue/require-scope'
import { beginLongAnswer } from '@memory/shared/platform/asker'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { revokeExports } from '../receipts/erasure-store.ts'
import type { Pattern } from '../schema.ts'
import * as store from '../store.ts'
import { recordForgotten } from '../texts/record-forgotten.ts'
import { requireMatch } from './address.ts'
import { type Changing, commitChange, describeAgain, embedChanged } from './change-pattern.ts'
import { placeCursors } from './cursor.ts'
import type { ListVersions, RedactVersion, RevertPattern } from './history-schema.ts'
import { type PatternRow, requirePattern, requirePatternIn } from './pattern-store.ts'
import { isoOrNull, toPattern } from './show-pattern.ts'
import {
  findVersion,
  type KeptVersion,
  listVersions,
  redactVersions,
  type VersionRow,
} from './version-store.ts'

const revisionMax = 2 ** 31 - 1

/** A page of what a pattern has been. @throws ApiError pattern_not_found, ValidationError */
export async function patternHistory(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Caller,
  id: string,
  { cursor, limit }: Input<typeof ListVersions>['query'],
): Promise<Output<typeof ListVersions>> {
  const before = startOf(cursor, placeCursors.decode) ?? revisionMax
  const { idx } = await requirePattern(queries, spaceId, id)
  await beginLongAnswer(limit)
  const rows = await listVersions(queries, spaceId, idx, { before, count: limit + 1 })
  const { page, next_cursor } = pageOf(rows, limit, ({ revision }) => placeCursors.encode(revision))
  return { versions: page.map(toVersion), next_cursor }
}

export function toVersion(row: VersionRow): Output<typeof ListVersions>['versions'][number] {
  return {
    version: row.revision,
    text: row.text,
    value: row.value === null ? null : JSON.parse(row.value),
    metadata: row.metadata ?? (row.text === null ? null : {}),
    occurred_at: isoOrNull(row.occurred_at),
    expires_at: isoOrNull(row.expires_at),
    valid_from: isoOrNull(row.valid_from),
    valid_to: isoOrNull(row.valid_to),
    changed_at: row.changed_at.toISOString(),
    changed_by: row.changed_by,
    change: row.change,
    redacted: row.redacted,
  }
}

/**
 * Makes a pattern what it was in a version, and answers that. The version that is there now is only read.
 * @throws ApiError pattern_not_found, version_not_found, version_mismatch, insufficient_scope
 */
export async function revertPattern(
  context: Changing,
  caller: Caller,
  id: string,
  { version }: Input<typeof RevertPattern>['body'],
  ifMatch: string | undefined,
): Promise<Pattern> {
  const { spaceId } = caller
  const find = async (trx: Trx, { idx }: PatternRow): Promise<KeptVersion> => {
    const kept = await findVersion(trx, spaceId, idx, version)
    if (kept === undefined) throw new ApiError('version_not_found')
    return kept
  }
  const [row, before] = await asTenant(context.queries, { spaceId }, async (trx) => {
    const row = await requirePatternIn(trx, spaceId, id)
    requireMatch(ifMatch, row)
    return [row, version === row.revision ? undefined : await find(trx, row)] as const
  })
  if (before === undefined) {
    requireScope(caller, 'memory:read')
    return toPattern(row)
  }
  const embedding = before.text === null ? undefined : await embedChanged(context, caller, before.text)
  return commitChange(context, caller, {
    id: row.id,
    ifMatch,
    change: 'reverted',
    embedding,
    make: async (now, key, trx) => {
      // While its text was embedded, the version may have been erased, and somebody told so.
      const kept = await find(trx, now)
      const described = describeAgain(now, key, { metadata: kept.metadata, embedding })
      return {
        embedding,
        vectors: kept.text === null ? kept : undefined,
        metadata: { value: kept.metadata, ...described },
        fields: timesOf(kept, now.superseded_by),
      }
    },
  })
}

function timesOf(kept: KeptVersion, supersededBy: string | null): store.ChangedFields {
  const { validTo, isSuperseded } = kept
  return {
    expires_at: kept.expiresAt,
    occurred_at: kept.occurredAt,
    valid_from: kept.validFrom,
    valid_to: validTo,
    superseded_by: isSuperseded && validTo !== null ? supersededBy : null,
  }
}

/** Erases what a version held. @throws ApiError pattern_not_found, version_not_found, current_version */
export async function redactPatternVersion(
  { queries }: Pick<MemoryContext, 'queries'>,
  caller: Caller,
  { pattern_id, version }: Input<typeof RedactVersion>['params'],
): Promise<Output<typeof RedactVersion>> {
  const { spaceId } = caller
  await asTenant(queries, caller, async (trx) => {
    await store.lockSpace(trx, spaceId)
    const { idx, revision, created_at } = await requirePatternIn(trx, spaceId, pattern_id)
    if (version === revision) throw new ApiError('current_version')
    const possible = version >= 1 && version <= revisionMax
    const redacted = possible ? await redactVersions(trx, spaceId, [{ idx, revision: version }]) : 0
    if (redacted === 0) throw new ApiError('version_not_found')
    await revokeExports(trx, created_at)
    await recordForgotten(trx, caller, ['version'], 0, redacted)
  })
  return { message: 'Version redacted' }
}
