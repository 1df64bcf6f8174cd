import type { Tier } from '@memory/engine/tiers'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import { recordAnswer } from '../learning/record-use.ts'
import { type Moment, momentOf, shownMoment } from '../patterns/past-store.ts'
import { answered } from '../patterns/pattern-cache.ts'
import { isoOrNull } from '../patterns/show-pattern.ts'
import { searchTexts, searchTextsAt } from '../texts/search-texts.ts'
import type { RetrieveTiered } from './tier-schema.ts'
import { findTiered } from './tier-store.ts'

type Answer = Output<typeof RetrieveTiered>

/** The tiered retrieve operation: text patterns in cosine order with their tiers; only those of one tier if it is given. */
export async function retrieveTiered(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof RetrieveTiered>['body'],
): Promise<Answer> {
  const moment = momentOf(body)
  return moment === undefined
    ? retrieveNow(context, caller, body)
    : { results: await retrieveAt(context, caller, body, moment) }
}

/** With `as_of` or `include_superseded`: past patterns, or invalid ones too. */
async function retrieveAt(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof RetrieveTiered>['body'],
  moment: Moment,
): Promise<Answer['results']> {
  const filter = inTier(body.tier ?? null, body.filter)
  const found = await searchTextsAt(context, caller, { ...body, filter }, moment)
  return found.map((one) => ({
    text: one.text as string,
    tier: one.tier,
    confidence: Math.max(0, one.cosine),
    last_accessed: isoOrNull(one.last_accessed),
    ...shownMoment(one),
  }))
}

async function retrieveNow(
  context: MemoryContext,
  caller: Caller,
  { query, top_k, tier = null, filter, min_similarity, read_only }: Input<typeof RetrieveTiered>['body'],
): Promise<Answer> {
  const { queries } = context
  const { spaceId } = caller
  const [embedding, index] = await Promise.all([
    context.compute.embed(caller, query, 'search'),
    context.spaces.get(spaceId, caller.spaceVersion),
  ])
  const wanted = inTier(tier, filter)
  const among = wanted && (await findMatching(context, caller, wanted))
  const search = { k: top_k, minScore: min_similarity ?? -1, among }
  const { labels, scores } = await searchTexts(context, caller, index, embedding, search)
  const rows = await findTiered(queries, spaceId, Array.from(labels), tier)
  if (!read_only) {
    const patterns = answered({ labels, scores }, rows)
    recordAnswer(context, caller, { query, pathway: 'exact', patterns, search, nearest: scores[0] })
  }
  const results = Array.from(labels, (idx, i) => {
    const row = rows.get(idx)
    if (row?.text == null) return undefined
    return {
      text: row.text,
      tier: row.tier,
      confidence: Math.max(0, scores[i] as number),
      last_accessed: isoOrNull(row.last_accessed),
    }
  })
  return { results: results.filter((result) => result !== undefined) }
}

/** Narrows a filter to the patterns in a tier, if one is given. */
function inTier(tier: Tier | null, filter: Filter | undefined): Filter | undefined {
  if (tier === null) return filter
  const isIn: Filter = { kind: 'equals', field: '$tier', values: [tier] }
  return filter === undefined ? isIn : { kind: 'and', of: [isIn, filter] }
}
