import { ApiError, type ErrorCode } from '@memory/shared/catalogue/errors'
import type { Caller } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { jsonbText } from '@memory/shared/platform/database/jsonb-text'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { MemoryContext } from '../context.ts'
import { recordStores } from '../learning/record-stores.ts'
import { insertPassages } from '../lexical/passage-store.ts'
import * as store from '../store.ts'
import { orNameTaken, tooEarly, versioningOf } from './address.ts'
import { itemsOf, type NamedBatch, nameBatch, type StoredItem } from './name-batch.ts'
import { type StoredPart, showStored } from './show-stored.ts'

/** Stores a request's answer, in the transaction of its effect, so that a repetition with the same `Idempotency-Key` gets it. */
export type RecordAnswer<Answer> = (trx: Trx, answer: Answer) => Promise<void>

export type Storing = Pick<
  MemoryContext,
  'queries' | 'compute' | 'spaces' | 'payloads' | 'clock' | 'learning' | 'versionsKept'
>

/** The patterns that a request stores. */
export interface StoreRequest {
  patterns: store.NewPattern[]
  onConflict: store.ConflictRule
  /** Where in the request a pattern is. */
  locOf: (item: number) => Loc
}

/** A place in a request. */
export type Loc = (string | number)[]

/** What became of them. */
export interface StoreOutcome {
  items: StoredItem[]
  /** How many items are stored now. */
  stored: number
  patternsUsed: number
}

/**
 * Most vector elements and characters in one statement, unless it has a single pattern. Time and memory per statement are
 * limited, and no other request is served while one is written.
 */
const statementSize = 1_000_000
/** Retry-After of a full plan: long, since room comes by deletes, expiry or another plan, and not by waiting. */
const patternRetryS = 3_600

/**
 * Stores patterns in one transaction, as many as the plan has room for, and shows them to this process's searches.
 * @throws ApiError pattern_limit_reached when there is room for none, or why a name or what is superseded refuses it
 */
export async function storePatterns<Answer>(
  context: Storing,
  caller: Caller,
  { patterns, onConflict, locOf }: StoreRequest,
  toAnswer: (outcome: StoreOutcome) => Answer,
  record: RecordAnswer<Answer> | undefined,
): Promise<Answer> {
  const { queries } = context
  const { spaceId } = caller
  const batch = nameBatch(patterns, onConflict)
  const statements = await split(batch.patterns)
  const work = async (runner: Queries) => {
    const done = await insertAll(runner, context, caller, {
      statements,
      onConflict,
      locOf: (n) => locOf(batch.chosen[n] as number),
    })
    const patternsUsed = await usedBy(runner, caller, done)
    return { done, answer: toAnswer({ ...outcomeOf(batch, done), patternsUsed }) }
  }
  const isOneStatement =
    record === undefined &&
    statements.length === 1 &&
    !batch.patterns.some(({ passages }) => passages?.length)
  const storing = isOneStatement
    ? work(queries)
    : asTenant(queries, { spaceId }, async (trx) => {
        const result = await work(trx)
        await record?.(trx, result.answer)
        return result
      })
  const { done, answer } = await orNameTaken(storing)
  for (const part of done.parts) showStored(context, caller, part)
  const created = done.parts.flatMap(({ patterns }) => patterns.filter(({ isNew }) => isNew))
  if (created.length > 0) {
    recordStores(context, caller, {
      patterns: created.map(({ idx, pattern: { key } }) => ({ idx, key })),
      patternsUsed: done.patternsUsed,
      version: done.parts.at(-1)?.version ?? 0,
    })
  }
  return answer
}

/** The result of the transaction. */
interface Done {
  placed: store.Placed[]
  patternsUsed: number
  /** What each statement stored, in order; each gives the space a version of its own. */
  parts: StoredPart[]
}

function outcomeOf(batch: NamedBatch, { placed }: Done): Omit<StoreOutcome, 'patternsUsed'> {
  const items = itemsOf(batch, placed)
  return { items, stored: items.filter(({ created }) => created !== null).length }
}

/** How many patterns the space has; for a caller bound to an end user, how many that user has. */
const usedBy = async (
  runner: Queries,
  { spaceId, subject }: Caller,
  { patternsUsed }: Done,
): Promise<number> =>
  subject === undefined ? patternsUsed : store.countOfSubject(runner, spaceId, subject.name)

/** Stores all patterns. The first statement locks the space, so the new idx are consecutive. */
async function insertAll(
  runner: Queries,
  context: Storing,
  caller: Caller,
  {
    statements,
    onConflict,
    locOf,
  }: { statements: store.NewPattern[][] } & Pick<StoreRequest, 'onConflict' | 'locOf'>,
): Promise<Done> {
  const { spaceId, patternsLimit } = caller
  const options = { ...versioningOf(context, caller), onConflict }
  const model = context.compute.modelId
  const done: Done = { placed: [], patternsUsed: 0, parts: [] }
  for (const patterns of statements) {
    const inserted = await store.insertPatterns(runner, spaceId, patternsLimit, model, patterns, options)
    if (inserted.refused !== undefined) {
      const { refusal, n } = inserted.refused
      throw refusedBy(refusal, locOf(done.placed.length + n))
    }
    done.placed.push(...inserted.placed)
    done.patternsUsed = inserted.patternsUsed
    const part = partOf(patterns, inserted)
    if (part.patterns.length === 0) continue
    done.parts.push(part)
    await insertPassages(
      runner,
      spaceId,
      part.patterns.map(({ idx, pattern: { passages = [] } }) => ({ idx, passages })),
    )
    await yieldToEventLoop()
  }
  if (done.placed.every(({ outcome }) => outcome === 'failed')) {
    throw new ApiError('pattern_limit_reached', { retryAfterS: patternRetryS })
  }
  return done
}

const refusals: Record<Exclude<store.Refusal, 'too_early'>, ErrorCode> = {
  exists: 'external_id_exists',
  other_kind: 'pattern_of_other_kind',
  unknown: 'pattern_not_found',
  superseded: 'already_superseded',
}

const refusedBy = (refusal: store.Refusal, loc: Loc): Error =>
  refusal === 'too_early' ? tooEarly(loc) : new ApiError(refusals[refusal])

/** What is shown of a statement later, when all are shown at once, is made here: one statement at a time. */
function partOf(
  patterns: readonly store.NewPattern[],
  { placed, version, at, changedOthers }: store.Inserted,
): StoredPart {
  const stored = placed.flatMap(({ outcome, id, ...place }, i) => {
    if (outcome !== 'created' && outcome !== 'replaced') return []
    const pattern = { ...(patterns[i] as store.NewPattern), id }
    const metadata = pattern.metadata && jsonbText(pattern.metadata)
    return [{ pattern, metadata, ...place, isNew: outcome === 'created' }]
  })
  return { patterns: stored, version, at, changedOthers }
}

/** Splits patterns into lists of up to `statementSize`. */
async function split(patterns: readonly store.NewPattern[]): Promise<store.NewPattern[][]> {
  const lists: store.NewPattern[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const pattern of patterns) {
    const added = sizeOf(pattern)
    if (size + added > statementSize) {
      lists.push([])
      size = 0
    }
    lists.at(-1)?.push(pattern)
    size += added
    await yieldToEventLoop()
  }
  return lists
}

const sizeOf = ({ key, value, text, metadata }: store.NewPattern): number =>
  key.length +
  (value?.length ?? 0) +
  (text?.length ?? 0) +
  (metadata === null ? 0 : JSON.stringify(metadata).length)
