import { ValidationError } from '@memory/shared/catalogue/errors'
import { type Filter, saysNothing } from '@memory/shared/catalogue/filter'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { requireScope } from '@memory/shared/catalogue/require-scope'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { ReceiptIssuer } from '@memory/shared/receipts/receipt'
import type { MemoryContext } from '../context.ts'
import { findMatchingAt, type MatchingAt, matchingNow } from '../filter/find-matching.ts'
import { requireSelective } from '../filter/require-selective.ts'
import { forgetSearches } from '../learning/learning-store.ts'
import type { RecordAnswer } from '../patterns/store-patterns.ts'
import { type BegunErasure, beginErasure } from '../receipts/erasure-store.ts'
import { selectorOf } from '../receipts/selector.ts'
import type { ForgetTexts } from '../schema.ts'
import * as store from '../store.ts'
import { ofSubjects } from '../subjects/narrow.ts'
import { ForgetGuard, type Kept } from './forget-guard.ts'
import { OldVersions } from './old-versions.ts'
import { givenOf, recordForgotten } from './record-forgotten.ts'
import { searchTexts } from './search-texts.ts'
import { textHash } from './text-identity.ts'

type Body = Input<typeof ForgetTexts>['body']

interface ForgetOptions {
  /** The body as it was sent. */
  sent: unknown
  record?: RecordAnswer<Output<typeof ForgetTexts>> | undefined
}

/**
 * The forget operation: removes the patterns that meet all conditions given, and erases earlier revisions of other patterns that
 * do.
 * @throws ValidationError if no condition is given, or one matches everything; ApiError insufficient_scope for a dry run by a
 * caller who may not read
 */
export async function forgetTexts(
  context: MemoryContext,
  caller: Caller,
  body: Body,
  { sent, record }: ForgetOptions,
): Promise<Output<typeof ForgetTexts>> {
  const { spaceId } = caller
  if (body.dry_run) requireScope(caller, 'memory:read')
  const requestedAt = context.clock.now()
  const chosen = await choose(context, caller, body)
  const issuer = body.dry_run ? undefined : await ReceiptIssuer.open(context.receipts, context.clock)
  const { removed, answer } = await asTenant(context.queries, caller, async (trx) => {
    const { removed, kept, versions, begun } = await remove(trx, spaceId, chosen)
    const answer: Output<typeof ForgetTexts> = {
      forgotten: removed.patterns.length,
      pattern_ids: removed.patterns.map(({ id }) => id),
      kept: kept.map(({ id, reason }) => ({ pattern_id: id, reason })),
      ...(versions > 0 && { versions }),
    }
    if (issuer !== undefined && begun !== undefined) {
      const isOfAll = body.query == null && body.category == null
      if (isOfAll && chosen.filter !== undefined) await forgetSearches(trx, spaceId, requestedAt)
      await recordForgotten(trx, caller, namedBy(body), removed.patterns.length, versions)
      const selector = selectorOf(sent as object)
      answer.receipt = await issuer.issue(trx, { ...caller, ...begun, selector, requestedAt })
    }
    await record?.(trx, answer)
    return { removed, answer }
  })
  if (removed.version !== undefined) {
    context.spaces.committed(spaceId, removed.version, { removed: removed.patterns.map(({ idx }) => idx) })
  }
  return answer
}

const namedBy = ({ query, category, filter, subject }: Body) =>
  givenOf([
    ['query', query],
    ['category', category],
    ['filter', filter],
    ['subject', subject],
  ])

/** What is to be forgotten, as determined before the space is locked. */
interface Chosen {
  removal: store.Removal
  filter: Filter | undefined
  matching: MatchingAt | undefined
  guard: ForgetGuard | undefined
  old: OldVersions
}

async function choose(
  context: MemoryContext,
  caller: Caller,
  { query, category, threshold, filter: sent, subject, dry_run: dryRun, guard: isGuarded }: Body,
): Promise<Chosen> {
  const isEmpty = sent !== undefined && saysNothing(sent)
  const filter = ofSubjects(isEmpty ? undefined : sent, subject)
  if (query == null && category == null && filter === undefined) {
    throw ValidationError.rule(['body'], 'query, category, filter or subject is required')
  }
  if (sent !== undefined) requireSelective(sent)
  // Invalid and expired patterns are to be forgotten too.
  const matching = filter && (await findMatchingAt(context, caller, filter, { all: true, expired: true }))
  const similar = query == null ? undefined : await findSimilar(context, caller, query, threshold)
  const removal: store.Removal = {
    category: category ?? undefined,
    among: matching?.among,
    similar,
    textOnly: query != null,
    dryRun,
  }
  const guard = isGuarded && query != null && threshold < 1 ? new ForgetGuard(query) : undefined
  // Comparing texts takes long. Done once before the transaction, most results are known to the guard within it.
  if (guard !== undefined) await previewRemoval(context, caller, removal, guard)
  const asked =
    query == null || similar === undefined
      ? undefined
      : { text: query, vector: similar.query, threshold: similar.threshold }
  const wanted = { query: asked, filter, category: removal.category, guard }
  const old = await OldVersions.find(context.queries, caller, wanted)
  return { removal, filter, matching, guard, old }
}

interface Done {
  removed: store.Removed
  kept: Kept[]
  /** How many earlier revisions of patterns that stay were erased. */
  versions: number
  /** Undefined if nothing was removed. */
  begun?: BegunErasure | undefined
}

/** Removes the patterns found, except those that the guard keeps. Locks the space first, so that nothing changes in between. */
async function remove(
  trx: Trx,
  spaceId: string,
  { filter, matching, guard, old, ...chosen }: Chosen,
): Promise<Done> {
  const removal = { ...chosen.removal }
  if (!removal.dryRun) await store.lockSpace(trx, spaceId)
  if (filter !== undefined && matching !== undefined && !removal.dryRun) {
    removal.among = await matchingNow(trx, spaceId, filter, matching)
  }
  const { patterns } = await store.removePatterns(trx, spaceId, { ...removal, dryRun: true })
  const kept = (await guard?.findKept(trx, spaceId, patterns)) ?? []
  const keptIndexes = new Set(kept.map(({ idx }) => idx))
  const doomed = patterns.filter(({ idx }) => !keptIndexes.has(idx))
  const indexes = doomed.map(({ idx }) => idx)
  const gone = new Set(indexes)
  if (removal.dryRun) {
    return { removed: { patterns: doomed, version: undefined }, kept, versions: old.countBut(gone) }
  }
  const versions = await old.redactBut(trx, gone)
  const isNothing = indexes.length === 0 && versions === 0
  const begun = isNothing ? undefined : await beginErasure(trx, spaceId, indexes, versions)
  const removed = await store.removePatterns(trx, spaceId, {
    indexes,
    textOnly: removal.textOnly,
    dryRun: false,
  })
  // Without a guard, expired patterns that match are removed too; they are not in the answer.
  const expired = guard === undefined ? await store.removePatterns(trx, spaceId, removal) : undefined
  return { removed: { ...removed, version: expired?.version ?? removed.version }, kept, versions, begun }
}

/** Has the guard compare the texts that will probably be found. */
async function previewRemoval(
  context: MemoryContext,
  caller: Caller,
  removal: store.Removal,
  guard: ForgetGuard,
): Promise<void> {
  const found = await asTenant(context.queries, caller, (trx) =>
    store.removePatterns(trx, caller.spaceId, { ...removal, dryRun: true }),
  )
  await guard.findKept(context.queries, caller.spaceId, found.patterns)
}

/** The greatest possible number of patterns in a space. */
const everyPattern = 2 ** 31 - 1

/** Above every cosine. With a threshold of 1 only the same text (by its hash) is to be found, whatever vectors say. */
const beyondAll = 2

async function findSimilar(
  context: MemoryContext,
  caller: Caller,
  text: string,
  threshold: number,
): Promise<store.SimilarTo> {
  const query = await context.compute.embed(caller, text, 'search')
  const index = await context.spaces.get(caller.spaceId, caller.spaceVersion)
  const found = { seen: index.version, query, textHash: textHash(text) }
  if (threshold >= 1) return { ...found, found: [], threshold: beyondAll }
  const everything = { k: everyPattern, minScore: threshold }
  const { labels } = await searchTexts(context, caller, index, query, everything)
  return { ...found, found: labels, threshold }
}
