import { ValidationError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { asTenant } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import type { DeletePatterns, GetPatterns } from '../schema.ts'
import * as store from '../store.ts'
import { recordForgotten } from '../texts/record-forgotten.ts'
import { findPatterns } from './pattern-store.ts'
import { toPattern } from './show-pattern.ts'

/** Patterns by id, then by their callers' names, in the order asked; null where there is none. */
export async function getPatterns(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Caller,
  body: Input<typeof GetPatterns>['body'],
): Promise<Output<typeof GetPatterns>> {
  const { pattern_ids: ids = [], external_ids: externalIds = [] } = body
  requireCount(ids.length + externalIds.length, limits.getByIds)
  const rows = await asTenant(queries, { spaceId }, (trx) => findPatterns(trx, spaceId, { ids, externalIds }))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byName = new Map(rows.map((row) => [row.external_id, row]))
  const found = [...ids.map((id) => byId.get(id)), ...externalIds.map((name) => byName.get(name))]
  return { patterns: found.map((row) => (row === undefined ? null : toPattern(row))) }
}

/** Deletes those of the patterns that are there. */
export async function deletePatterns(
  { queries, spaces }: Pick<MemoryContext, 'queries' | 'spaces'>,
  caller: Caller,
  {
    pattern_ids: ids = [],
    external_ids: externalIds = [],
    dry_run: dryRun,
  }: Input<typeof DeletePatterns>['body'],
): Promise<Output<typeof DeletePatterns>> {
  const { spaceId } = caller
  requireCount(ids.length + externalIds.length, limits.deleteByIds)
  const { patterns, version } = await asTenant(queries, caller, async (trx) => {
    if (!dryRun) await store.lockSpace(trx, spaceId)
    const rows = await findPatterns(trx, spaceId, { ids, externalIds })
    const indexes = rows.map(({ idx }) => idx)
    const removed = await store.removePatterns(trx, spaceId, { indexes, textOnly: false, dryRun })
    if (!dryRun) await recordForgotten(trx, caller, removed.patterns.length)
    return removed
  })
  if (version !== undefined) {
    spaces.committed(spaceId, version, { removed: patterns.map(({ idx }) => idx) })
  }
  return { deleted: patterns.length, pattern_ids: patterns.map(({ id }) => id) }
}

function requireCount(count: number, most: number): void {
  if (count >= 1 && count <= most) return
  throw ValidationError.rule(['body'], `pattern_ids and external_ids must be 1 to ${most} together`)
}
