import { ApiError, type ErrorCode } from '@memory/shared/catalogue/errors'
import type { Caller } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { recordStores } from '../learning/record-stores.ts'
import { insertPassages } from '../lexical/passage-store.ts'
import * as store from '../store.ts'
import { orNameTaken, versioningOf } from './address.ts'
import { itemsOf, type NamedBatch, nameBatch, type StoredItem } from './name-batch.ts'
import { type StoredPart, showStored } from './show-stored.ts'

/** Keeps an answer in the transaction of its effect, so that a repeated request gets it again. */
export type RecordAnswer<Answer> = (trx: Trx, answer: Answer) => Promise<void>

export type Storing = Pick<
  MemoryContext,
  'queries' | 'compute' | 'spaces' | 'payloads' | 'clock' | 'learning' | 'versionsKept'
>

/** What a request stores. */
export interface StoreRequest {
  patterns: store.NewPattern[]
  onConflict: store.ConflictRule
}

/** What became of it. */
export interface StoreOutcome {
  items: StoredItem[]
  /** Items that are there now. */
  stored: number
  patternsUsed: number
}

/** Numbers of one statement, 4 MB: the database's time and memory for one are limited. */
const statementNumbers = 1_000_000
/** Patterns are tried again in an hour: a delete, an expiry or another plan makes room, not time. */
const patternRetryS = 3_600

/**
 * Stores patterns in one transaction, as many as the plan has room for, and shows them to this process's searches.
 * @throws ApiError pattern_limit_reached when there is room for none, or why a name or what is superseded refuses it
 */
export async function storePatterns<Answer>(
  context: Storing,
  caller: Caller,
  { patterns, onConflict }: StoreRequest,
  toAnswer: (outcome: StoreOutcome) => Answer,
  record: RecordAnswer<Answer> | undefined,
): Promise<Answer> {
  const { queries } = context
  const { spaceId } = caller
  const batch = nameBatch(patterns, onConflict)
  const statements = split(batch.patterns)
  const work = async (runner: Queries) => {
    const done = await insertAll(runner, context, caller, { statements, onConflict })
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

/** What a transaction stored. */
interface Done {
  placed: store.Placed[]
  patternsUsed: number
  /** The statements, in order, each with a version of its own. */
  parts: StoredPart[]
}

function outcomeOf(batch: NamedBatch, { placed }: Done): Omit<StoreOutcome, 'patternsUsed'> {
  const items = itemsOf(batch, placed)
  return { items, stored: items.filter(({ created }) => created !== null).length }
}

/** Patterns of the space; to a caller who is bound to an end user, those of that user. */
const usedBy = async (
  runner: Queries,
  { spaceId, subject }: Caller,
  { patternsUsed }: Done,
): Promise<number> =>
  subject === undefined ? patternsUsed : store.countOfSubject(runner, spaceId, subject.name)

/** The first statement locks the space, so the indexes are in one row. */
async function insertAll(
  runner: Queries,
  context: Storing,
  caller: Caller,
  { statements, onConflict }: { statements: store.NewPattern[][]; onConflict: store.ConflictRule },
): Promise<Done> {
  const { spaceId, patternsLimit } = caller
  const options = { ...versioningOf(context, caller), onConflict }
  const model = context.compute.modelId
  const done: Done = { placed: [], patternsUsed: 0, parts: [] }
  for (const patterns of statements) {
    const inserted = await store.insertPatterns(runner, spaceId, patternsLimit, model, patterns, options)
    if (inserted.refused !== undefined) throw new ApiError(refusals[inserted.refused.refusal])
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
  }
  if (done.placed.every(({ outcome }) => outcome === 'failed')) {
    throw new ApiError('pattern_limit_reached', { retryAfterS: patternRetryS })
  }
  return done
}

const refusals: Record<store.Refusal, ErrorCode> = {
  exists: 'external_id_exists',
  other_kind: 'pattern_of_other_kind',
  unknown: 'pattern_not_found',
  superseded: 'already_superseded',
}

function partOf(patterns: readonly store.NewPattern[], { placed, version, at }: store.Inserted): StoredPart {
  const stored = placed.flatMap(({ outcome, id, ...place }, i) => {
    if (outcome !== 'created' && outcome !== 'replaced') return []
    return [{ pattern: { ...(patterns[i] as store.NewPattern), id }, ...place, isNew: outcome === 'created' }]
  })
  return { patterns: stored, version, at }
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
