import { ValidationError } from '@memory/shared/catalogue/errors'
import { requireFuture } from '@memory/shared/catalogue/fields'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { addressOf, requireValidity } from '../patterns/address.ts'
import { describeVector } from '../patterns/category.ts'
import { newPatternId } from '../patterns/pattern-id.ts'
import {
  type RecordAnswer,
  type StoreOutcome,
  type Storing,
  storePatterns,
} from '../patterns/store-patterns.ts'
import type * as store from '../store.ts'
import { type BatchStoreVectors, type StoreVector, sourceDimFault } from './vector-schema.ts'
import { unlessEqual } from './vector-value.ts'

type VectorItem = Omit<Input<typeof StoreVector>['body'], 'on_conflict'>

/** Stores one key and value. @throws ApiError as `storePatterns`, ValidationError */
export async function storeVector(
  context: Storing,
  caller: Caller,
  { on_conflict: onConflict, ...item }: Input<typeof StoreVector>['body'],
  record?: RecordAnswer<Output<typeof StoreVector>>,
): Promise<Output<typeof StoreVector>> {
  check(item, context.clock.now(), ['body'])
  const toAnswer = ({ items: [stored], patternsUsed }: StoreOutcome) => ({
    success: true,
    pattern_id: stored?.id as string,
    created: stored?.created === true,
    patterns_used: patternsUsed,
    patterns_limit: caller.patternsLimit,
  })
  const patterns = [newPattern(context, item)]
  return storePatterns(context, caller, { patterns, onConflict, locOf: () => ['body'] }, toAnswer, record)
}

/** Stores keys and values in one transaction, as many as the plan has room for. @throws as `storeVector` */
export async function batchStoreVectors(
  context: Storing,
  caller: Caller,
  { patterns: items, on_conflict: onConflict }: Input<typeof BatchStoreVectors>['body'],
  record?: RecordAnswer<Output<typeof BatchStoreVectors>>,
): Promise<Output<typeof BatchStoreVectors>> {
  const now = context.clock.now()
  for (const [i, item] of items.entries()) check(item, now, ['body', 'patterns', i])
  const toAnswer = ({ items: all, stored }: StoreOutcome) => ({
    stored,
    failed: items.length - stored,
    created: all.map(({ created }) => created),
  })
  const patterns = items.map((item) => newPattern(context, item))
  return storePatterns(
    context,
    caller,
    { patterns, onConflict, locOf: (i) => ['body', 'patterns', i] },
    toAnswer,
    record,
  )
}

/** What the fields alone can't tell. */
function check(item: VectorItem, now: Date, loc: (string | number)[]): void {
  requireFuture(item.expires_at, now, [...loc, 'expires_at'])
  requireValidity(item, loc)
  const fault = sourceDimFault(item)
  if (fault !== undefined) throw ValidationError.rule([...loc, 'source_dim'], fault, item.source_dim)
}

function newPattern({ clock }: Pick<MemoryContext, 'clock'>, item: VectorItem): store.NewPattern {
  const metadata = item.metadata ?? null
  return {
    id: newPatternId(clock.now()),
    text: null,
    metadata,
    key: item.key,
    value: unlessEqual(item.value, item.key),
    // A key of its source's own length was not projected.
    sourceDim: item.source_dim === item.key.length ? null : (item.source_dim ?? null),
    textHash: null,
    ...describeVector(metadata),
    expiresAt: item.expires_at ?? null,
    occurredAt: item.occurred_at ?? null,
    address: addressOf(item),
  }
}
