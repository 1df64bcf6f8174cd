import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import { requireFuture } from '@memory/shared/catalogue/fields'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { recordStores } from '../learning/record-stores.ts'
import { describeVector } from '../patterns/category.ts'
import { newPatternId } from '../patterns/pattern-id.ts'
import { type StoredPart, showStored } from '../patterns/show-stored.ts'
import * as store from '../store.ts'
import { patternRetryS, type RecordAnswer } from '../texts/store-texts.ts'
import { type BatchStoreVectors, type StoreVector, sourceDimFault } from './vector-schema.ts'
import { unlessEqual } from './vector-value.ts'

type Storing = Pick<MemoryContext, 'queries' | 'compute' | 'spaces' | 'payloads' | 'clock' | 'learning'>
type VectorItem = Input<typeof StoreVector>['body']

/** Numbers of one statement, 4 MB: the database's time and memory for one are limited. */
const statementNumbers = 1_000_000

/** Stores one key and value. @throws ApiError pattern_limit_reached, ValidationError */
export async function storeVector(
  context: Storing,
  caller: Caller,
  item: VectorItem,
  record?: RecordAnswer<Output<typeof StoreVector>>,
): Promise<Output<typeof StoreVector>> {
  check(item, context.clock.now(), ['body'])
  const pattern = newPattern(context, item)
  const toAnswer = ({ patternsUsed }: Stored) => ({
    success: true,
    pattern_id: pattern.id,
    patterns_used: patternsUsed,
    patterns_limit: caller.patternsLimit,
  })
  return insert(context, caller, [pattern], toAnswer, record)
}

/** Stores keys and values in one transaction, as many as the plan has room for. @throws as `storeVector` */
export async function batchStoreVectors(
  context: Storing,
  caller: Caller,
  { patterns: items }: Input<typeof BatchStoreVectors>['body'],
  record?: RecordAnswer<Output<typeof BatchStoreVectors>>,
): Promise<Output<typeof BatchStoreVectors>> {
  const now = context.clock.now()
  items.forEach((item, i) => {
    check(item, now, ['body', 'patterns', i])
  })
  const patterns = items.map((item) => newPattern(context, item))
  const toAnswer = ({ count }: Stored) => ({ stored: count, failed: items.length - count })
  return insert(context, caller, patterns, toAnswer, record)
}

/** What the fields alone can't tell. */
function check(item: VectorItem, now: Date, loc: (string | number)[]): void {
  requireFuture(item.expires_at, now, [...loc, 'expires_at'])
  const fault = sourceDimFault(item)
  if (fault !== undefined) throw ValidationError.rule([...loc, 'source_dim'], fault, item.source_dim)
}

/** What a transaction stored. */
interface Stored {
  /** The first ones. */
  count: number
  patternsUsed: number
  /** The statements, in order, each with a version of its own. */
  parts: StoredPart[]
}

async function insert<Answer>(
  context: Storing,
  caller: Caller,
  patterns: store.NewPattern[],
  toAnswer: (stored: Stored) => Answer,
  record: RecordAnswer<Answer> | undefined,
): Promise<Answer> {
  const { queries, compute } = context
  const { spaceId } = caller
  const statements = split(patterns)
  const work = async (runner: Queries) => {
    const stored = await insertAll(runner, caller, compute.modelId, statements)
    return { stored, answer: toAnswer(stored) }
  }
  const { stored, answer } =
    record === undefined && statements.length === 1
      ? await work(queries)
      : await asTenant(queries, { spaceId }, async (trx) => {
          const result = await work(trx)
          await record?.(trx, result.answer)
          return result
        })
  for (const part of stored.parts) showStored(context, spaceId, part)
  recordStores(context, caller, {
    patterns: stored.parts.flatMap(({ patterns, firstIdx }) =>
      patterns.map(({ key }, i) => ({ idx: firstIdx + i, key })),
    ),
    patternsUsed: stored.patternsUsed,
    version: stored.parts.at(-1)?.version ?? 0,
  })
  return answer
}

/** Stops where the plan's room ends. The first statement locks the space, so the indexes are in one row. */
async function insertAll(
  runner: Queries,
  { spaceId, patternsLimit }: Caller,
  modelId: string,
  statements: store.NewPattern[][],
): Promise<Stored> {
  const all: Stored = { count: 0, patternsUsed: 0, parts: [] }
  for (const patterns of statements) {
    const inserted = await store.insertPatterns(runner, spaceId, patternsLimit, modelId, patterns)
    const { stored, firstIdx, version } = inserted
    all.count += stored
    all.patternsUsed = inserted.patternsUsed
    if (stored > 0) all.parts.push({ patterns: patterns.slice(0, stored), firstIdx, version })
    if (stored < patterns.length) break
  }
  if (all.count === 0) throw new ApiError('pattern_limit_reached', { retryAfterS: patternRetryS })
  return all
}

/** Cuts patterns into lists of about `statementNumbers` numbers. */
function split(patterns: store.NewPattern[]): store.NewPattern[][] {
  const lists: store.NewPattern[][] = []
  let numbers = Number.POSITIVE_INFINITY
  for (const pattern of patterns) {
    const added = pattern.key.length + (pattern.value?.length ?? 0)
    if (numbers + added > statementNumbers) {
      lists.push([])
      numbers = 0
    }
    lists.at(-1)?.push(pattern)
    numbers += added
  }
  return lists
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
  }
}
