import { ApiError } from '@memory/shared/catalogue/errors'
import { requireFuture } from '@memory/shared/catalogue/fields'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { recordStores } from '../learning/record-stores.ts'
import { insertPassages } from '../lexical/passage-store.ts'
import { describeText } from '../patterns/category.ts'
import { newPatternId } from '../patterns/pattern-id.ts'
import { showStored } from '../patterns/show-stored.ts'
import type { BatchStoreTexts, StoreText } from '../schema.ts'
import * as store from '../store.ts'
import { type EmbeddedText, embedTexts } from './embed-texts.ts'
import { textHash } from './text-identity.ts'

/** Keeps an answer in the transaction of its effect, so that a repeated request gets it again. */
export type RecordAnswer<Answer> = (trx: Trx, answer: Answer) => Promise<void>

type TextItem = Input<typeof StoreText>['body']
/** Patterns are tried again in an hour: a delete, an expiry or another plan makes room, not time. */
export const patternRetryS = 3_600

/** Stores one text. @throws ApiError pattern_limit_reached, ValidationError */
export async function storeText(
  context: MemoryContext,
  caller: Caller,
  item: TextItem,
  record?: RecordAnswer<Output<typeof StoreText>>,
): Promise<Output<typeof StoreText>> {
  requireFuture(item.expires_at, context.clock.now())
  const answer = (ids: string[], inserted: store.Inserted) => ({
    success: true,
    pattern_id: ids[0] as string,
    embedding_dim: context.compute.dimensions,
    patterns_used: inserted.patternsUsed,
    patterns_limit: caller.patternsLimit,
  })
  return insertTexts(context, caller, [item], answer, record)
}

/** Stores texts in one transaction, as many as the plan has room for. @throws as `storeText` */
export async function batchStoreTexts(
  context: MemoryContext,
  caller: Caller,
  { items }: Input<typeof BatchStoreTexts>['body'],
  record?: RecordAnswer<Output<typeof BatchStoreTexts>>,
): Promise<Output<typeof BatchStoreTexts>> {
  const started = performance.now()
  const now = context.clock.now()
  items.forEach((item, i) => {
    requireFuture(item.expires_at, now, ['body', 'items', i, 'expires_at'])
  })
  const answer = (ids: string[], inserted: store.Inserted) => ({
    stored: inserted.stored,
    failed: items.length - inserted.stored,
    pattern_ids: ids.slice(0, inserted.stored),
    latency_ms: performance.now() - started,
  })
  return insertTexts(context, caller, items, answer, record)
}

/** Embeds outside any transaction, inserts in one, then shows the new rows to this process's searches. */
async function insertTexts<Answer>(
  context: MemoryContext,
  caller: Caller,
  items: TextItem[],
  toAnswer: (ids: string[], inserted: store.Inserted) => Answer,
  record: RecordAnswer<Answer> | undefined,
): Promise<Answer> {
  const { compute, queries } = context
  const { spaceId, patternsLimit } = caller
  const embeddings = await embedTexts(
    context,
    caller,
    items.map(({ text }) => text),
  )
  const patterns = items.map((item, i) => newPattern(context, item, embeddings[i] as EmbeddedText))
  const ids = patterns.map((pattern) => pattern.id)
  const insert = async (runner: Queries) => {
    const inserted = await store.insertPatterns(runner, spaceId, patternsLimit, compute.modelId, patterns)
    if (inserted.stored === 0) throw new ApiError('pattern_limit_reached', { retryAfterS: patternRetryS })
    const stored = patterns.slice(0, inserted.stored)
    await insertPassages(
      runner,
      spaceId,
      stored.map(({ passages = [] }, i) => ({ idx: inserted.firstIdx + i, passages })),
    )
    return { inserted, stored, answer: toAnswer(ids, inserted) }
  }
  const isOneStatement = record === undefined && embeddings.every(({ passages }) => passages.length === 0)
  const { inserted, stored, answer } = isOneStatement
    ? await insert(queries)
    : await asTenant(queries, { spaceId }, async (trx) => {
        const result = await insert(trx)
        await record?.(trx, result.answer)
        return result
      })
  const { firstIdx, version, patternsUsed } = inserted
  showStored(context, spaceId, { patterns: stored, firstIdx, version })
  recordStores(context, caller, {
    patterns: stored.map(({ key }, i) => ({ idx: firstIdx + i, key })),
    patternsUsed,
    version,
  })
  return answer
}

function newPattern(
  { clock }: Pick<MemoryContext, 'clock'>,
  item: TextItem,
  { key, passages }: EmbeddedText,
): store.NewPattern {
  const metadata = item.metadata ?? null
  return {
    id: newPatternId(clock.now()),
    text: item.text,
    metadata,
    key,
    value: null,
    sourceDim: null,
    textHash: textHash(item.text),
    ...describeText(item.text, key, metadata),
    expiresAt: item.expires_at ?? null,
    occurredAt: item.occurred_at ?? null,
    passages,
  }
}
