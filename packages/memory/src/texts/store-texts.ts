import { requireFuture } from '@memory/shared/catalogue/fields'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { addressOf, requireValidity } from '../patterns/address.ts'
import { describeText } from '../patterns/category.ts'
import { newPatternId } from '../patterns/pattern-id.ts'
import { type RecordAnswer, type StoreOutcome, storePatterns } from '../patterns/store-patterns.ts'
import type { BatchStoreTexts, StoreText } from '../schema.ts'
import type * as store from '../store.ts'
import { type EmbeddedText, embedTexts } from './embed-texts.ts'
import { textHash } from './text-identity.ts'

type TextItem = Omit<Input<typeof StoreText>['body'], 'on_conflict'>

/** Stores one text. @throws ApiError as `storePatterns`, ValidationError */
export async function storeText(
  context: MemoryContext,
  caller: Caller,
  { on_conflict: onConflict, ...item }: Input<typeof StoreText>['body'],
  record?: RecordAnswer<Output<typeof StoreText>>,
): Promise<Output<typeof StoreText>> {
  check(item, context.clock.now(), ['body'])
  const toAnswer = ({ items: [stored], patternsUsed }: StoreOutcome) => ({
    success: true,
    pattern_id: stored?.id as string,
    created: stored?.created === true,
    embedding_dim: context.compute.dimensions,
    patterns_used: patternsUsed,
    patterns_limit: caller.patternsLimit,
  })
  const patterns = await embedPatterns(context, caller, [item])
  return storePatterns(context, caller, { patterns, onConflict, locOf: () => ['body'] }, toAnswer, record)
}

/** Stores texts in one transaction, as many as the plan has room for. @throws as `storeText` */
export async function batchStoreTexts(
  context: MemoryContext,
  caller: Caller,
  { items, on_conflict: onConflict }: Input<typeof BatchStoreTexts>['body'],
  record?: RecordAnswer<Output<typeof BatchStoreTexts>>,
): Promise<Output<typeof BatchStoreTexts>> {
  const started = performance.now()
  const now = context.clock.now()
  for (const [i, item] of items.entries()) check(item, now, ['body', 'items', i])
  const toAnswer = ({ items: all, stored }: StoreOutcome) => ({
    stored,
    failed: items.length - stored,
    pattern_ids: all.filter(({ created }) => created !== null).map(({ id }) => id),
    created: all.map(({ created }) => created),
    latency_ms: performance.now() - started,
  })
  const patterns = await embedPatterns(context, caller, items)
  return storePatterns(
    context,
    caller,
    { patterns, onConflict, locOf: (i) => ['body', 'items', i] },
    toAnswer,
    record,
  )
}

/** Checks what the schema can't: that times are in the right order, and expiry is in the future. */
function check(item: TextItem, now: Date, loc: (string | number)[]): void {
  requireFuture(item.expires_at, now, [...loc, 'expires_at'])
  requireValidity(item, loc)
}

/** Embeds texts; done before the transaction, since it takes long. */
async function embedPatterns(
  context: MemoryContext,
  caller: Caller,
  items: readonly TextItem[],
): Promise<store.NewPattern[]> {
  const texts = items.map(({ text }) => text)
  const embedded = await embedTexts(context, caller, texts)
  return items.map((item, i) => newPattern(context, item, embedded[i] as EmbeddedText))
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
    address: addressOf(item),
  }
}
