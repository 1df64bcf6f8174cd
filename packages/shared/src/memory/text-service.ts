import { ApiError, ValidationError } from '../catalogue/errors.ts'
import { requireFuture } from '../catalogue/fields.ts'
import type { Caller, Input, Output } from '../catalogue/operation.ts'
import { type Hits, kernels, RowFlag } from '../engine/kernels/kernels.ts'
import type { Clock } from '../platform/clock.ts'
import { asTenant, type Queries, type Trx } from '../platform/database/database.ts'
import type { AccessLog } from './access-log.ts'
import { categoryOf, isProtected } from './category.ts'
import type { Compute } from './compute.ts'
import type { ResidentSpaces } from './index/resident-spaces.ts'
import type { SpaceIndex } from './index/space-index.ts'
import { newPatternId } from './pattern-id.ts'
import { getStatistics } from './pattern-store.ts'
import type {
  BatchStoreTexts,
  CompareTexts,
  EmbedText,
  ForgetTexts,
  RetrieveTexts,
  StoreText,
  TextStatistics,
} from './schema.ts'
import * as store from './store.ts'
import { textHash } from './text-identity.ts'

/** What the memory services work with. */
export interface MemoryContext {
  queries: Queries
  compute: Compute
  spaces: ResidentSpaces
  accesses: AccessLog
  clock: Clock
}

/** Keeps an answer in the transaction of its effect, so that a repeated request gets it again. */
export type RecordAnswer<Answer> = (trx: Trx, answer: Answer) => Promise<void>

type TextItem = Input<typeof StoreText>['body']
/** Patterns are tried again in an hour: a delete, an expiry or another plan makes room, not time. */
const patternRetryS = 3_600

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
  const { compute, spaces, queries } = context
  const { spaceId, patternsLimit } = caller
  const embeddings = await Promise.all(items.map((item) => compute.embed(caller.organizationId, item.text)))
  const patterns = items.map((item, i) => newPattern(context, item, embeddings[i] as Float32Array))
  const ids = patterns.map((pattern) => pattern.id)
  const insert = async (runner: Queries) => {
    const inserted = await store.insertPatterns(runner, spaceId, patternsLimit, compute.modelId, patterns)
    if (inserted.stored === 0) throw new ApiError('pattern_limit_reached', { retryAfterS: patternRetryS })
    return { inserted, answer: toAnswer(ids, inserted) }
  }
  const { inserted, answer } =
    record === undefined
      ? await insert(queries)
      : await asTenant(queries, { spaceId }, async (trx) => {
          const result = await insert(trx)
          await record(trx, result.answer)
          return result
        })
  spaces.committed(spaceId, inserted.version, {
    stored: patterns.slice(0, inserted.stored).map((pattern, i) => ({
      idx: inserted.firstIdx + i,
      key: pattern.key,
      isText: true,
      expiresAt: pattern.expiresAt,
    })),
  })
  return answer
}

function newPattern(
  { clock }: Pick<MemoryContext, 'clock'>,
  item: TextItem,
  key: Float32Array,
): store.NewPattern {
  const metadata = item.metadata ?? null
  const category = categoryOf(metadata)
  return {
    id: newPatternId(clock.now()),
    text: item.text,
    metadata,
    key,
    value: null,
    sourceDim: null,
    textHash: textHash(item.text),
    category,
    protected: isProtected(metadata, category),
    expiresAt: item.expires_at ?? null,
    occurredAt: item.occurred_at ?? null,
  }
}

/** Text patterns in cosine order. */
export async function retrieveTexts(
  context: MemoryContext,
  caller: Caller,
  { query, top_k, filter, min_similarity }: Input<typeof RetrieveTexts>['body'],
): Promise<Output<typeof RetrieveTexts>> {
  const started = performance.now()
  const { spaceId } = caller
  const index = await context.spaces.get(spaceId, caller.spaceVersion)
  const among =
    filter === undefined ? undefined : await store.listMatching(context.queries, spaceId, filter, true)
  const hits = await searchTexts(context, caller, index, query, {
    k: top_k,
    minScore: min_similarity ?? -1,
    among,
  })
  const contents = await store.findContents(context.queries, spaceId, hits.labels)
  const found = Array.from(hits.labels, (idx, i) => ({
    content: contents.get(idx),
    score: hits.scores[i] as number,
  }))
  context.accesses.record(spaceId, contents.keys())
  return {
    results: found.flatMap(({ content, score }) =>
      content?.text == null
        ? []
        : [
            {
              text: content.text,
              metadata: content.metadata ?? {},
              similarity: score,
              pattern_id: content.id,
            },
          ],
    ),
    latency_ms: performance.now() - started,
  }
}

/** The text patterns nearest to a text, among those with an idx in `among` when it is given. */
async function searchTexts(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Caller,
  index: SpaceIndex,
  text: string,
  { k, minScore, among }: { k: number; minScore: number; among?: number[] | undefined },
): Promise<Hits> {
  const shard = index.shard(compute.dimensions)
  if (shard === undefined || shard.size === 0 || among?.length === 0) {
    return { labels: new Int32Array(), scores: new Float64Array() }
  }
  const selection = {
    requiredFlags: RowFlag.alive | RowFlag.text,
    allowed: among === undefined ? undefined : shard.allow(among),
  }
  return compute.searchText(caller.organizationId, text, {
    matrix: shard.matrix(),
    k: Math.min(k, shard.size),
    minScore,
    selection,
  })
}

/** Cosine of two texts. The same text is 1 exactly. */
export async function compareTexts(
  { compute }: Pick<MemoryContext, 'compute'>,
  { organizationId }: Caller,
  { text_a, text_b }: Input<typeof CompareTexts>['body'],
): Promise<Output<typeof CompareTexts>> {
  const [a, b] = await Promise.all([
    compute.embed(organizationId, text_a),
    compute.embed(organizationId, text_b),
  ])
  return { similarity: text_a === text_b ? 1 : kernels.cosine(a, b), embedding_dim: compute.dimensions }
}

export async function embedText(
  { compute }: Pick<MemoryContext, 'compute'>,
  { organizationId }: Caller,
  { text }: Input<typeof EmbedText>['body'],
): Promise<Output<typeof EmbedText>> {
  const embedding = await compute.embed(organizationId, text)
  return { embedding: Array.from(embedding), dim: compute.dimensions }
}

export async function textStatistics(
  { queries, compute }: Pick<MemoryContext, 'queries' | 'compute'>,
  caller: Caller,
): Promise<Output<typeof TextStatistics>> {
  const { textPatterns, storageBytes } = await getStatistics(queries, caller.spaceId)
  return { total_patterns: textPatterns, embedding_dim: compute.dimensions, storage_bytes: storageBytes }
}

/** Removes the patterns that meet every condition given. @throws ValidationError when none is. */
export async function forgetTexts(
  context: MemoryContext,
  caller: Caller,
  { query, category, threshold, filter, dry_run }: Input<typeof ForgetTexts>['body'],
): Promise<Output<typeof ForgetTexts>> {
  const { spaceId } = caller
  if (query == null && category == null && filter === undefined) {
    throw ValidationError.rule(['body'], 'query, category or filter is required', {})
  }
  const removal: store.Removal = {
    category: category ?? undefined,
    filter,
    textOnly: query != null,
    dryRun: dry_run,
  }
  if (query != null) {
    const index = await context.spaces.get(spaceId, caller.spaceVersion)
    const everything = { k: Number.MAX_SAFE_INTEGER, minScore: threshold }
    const { labels } = await searchTexts(context, caller, index, query, everything)
    // Rounding may put a text a hair below 1 from itself; the hash does not round.
    removal.among = { indexes: labels, textHash: textHash(query) }
  }
  const removed = await store.removePatterns(context.queries, spaceId, removal)
  if (removed.version !== undefined) {
    context.spaces.committed(spaceId, removed.version, { removed: removed.patterns.map(({ idx }) => idx) })
  }
  return { forgotten: removed.patterns.length, pattern_ids: removed.patterns.map(({ id }) => id) }
}
