import { ApiError } from '@memory/shared/catalogue/errors'
import { JsonText } from '@memory/shared/catalogue/json-text'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { asTenant } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { versioningOf } from '../patterns/address.ts'
import { describeVector } from '../patterns/category.ts'
import { revokeExports } from '../receipts/erasure-store.ts'
import { lockSpace } from '../store.ts'
import { recordForgotten } from '../texts/record-forgotten.ts'
import type { ChangeVector, DeleteVectors, GetVector } from './vector-schema.ts'
import { findTextsOfKey, findVector, putVector, removeVectors } from './vector-store.ts'
import { unlessEqual } from './vector-value.ts'

type Changing = Pick<MemoryContext, 'queries' | 'spaces'>
type Versioned = Changing & Pick<MemoryContext, 'versionsKept'>

/** Changes the value of the newest pattern with a key. @throws ApiError pattern_not_found, text_pattern */
export async function changeVector(
  context: Versioned,
  caller: Caller,
  { key, new_value, metadata }: Input<typeof ChangeVector>['body'],
): Promise<Output<typeof ChangeVector>> {
  const { queries, spaces } = context
  const change = {
    value: unlessEqual(new_value, key),
    metadata: metadata === undefined ? undefined : { value: metadata, ...describeVector(metadata) },
  }
  const changed = await putVector(queries, caller.spaceId, key, change, versioningOf(context, caller))
  if (changed === undefined) throw new ApiError('pattern_not_found')
  if (changed.isText) throw new ApiError('text_pattern')
  spaces.committed(caller.spaceId, changed.version, { touched: [changed.idx] })
  return { message: 'Pattern updated' }
}

/**
 * Removes every pattern with a key. Texts that differ are different patterns, also where an encoder made no difference:
 * a key that several have does not say which is meant. @throws ApiError pattern_not_found, key_of_several_texts
 */
export async function deleteVectors(
  { queries, spaces }: Changing,
  caller: Caller,
  key: Float32Array,
): Promise<Output<typeof DeleteVectors>> {
  const removed = await asTenant(queries, caller, async (trx) => {
    await lockSpace(trx, caller.spaceId)
    const { texts, since } = await findTextsOfKey(trx, caller.spaceId, key)
    if (texts > 1) throw new ApiError('key_of_several_texts')
    const removed = await removeVectors(trx, caller.spaceId, key)
    if (removed === undefined) return undefined
    await revokeExports(trx, since ?? undefined)
    await recordForgotten(trx, caller, ['key'], removed.indexes.length)
    return removed
  })
  if (removed === undefined) throw new ApiError('pattern_not_found')
  const { indexes, version } = removed
  spaces.committed(caller.spaceId, version, { removed: indexes })
  return { message: `${indexes.length} ${indexes.length === 1 ? 'pattern' : 'patterns'} deleted` }
}

const idxMax = 2 ** 31 - 1

/** @param idx any integer @throws ApiError pattern_not_found */
export async function getVector(
  { queries }: Pick<MemoryContext, 'queries'>,
  caller: Caller,
  idx: number,
): Promise<JsonText<Output<typeof GetVector>>> {
  const possible = idx >= 0 && idx <= idxMax
  const row = possible ? await findVector(queries, caller.spaceId, idx) : undefined
  if (row === undefined) throw new ApiError('pattern_not_found')
  const metadata = row.metadata ?? (row.is_text ? '{}' : 'null')
  return new JsonText(`{"key":${row.key},"value":${row.value ?? row.key},"metadata":${metadata}}`)
}
