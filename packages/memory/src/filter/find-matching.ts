import { ApiError } from '@memory/shared/catalogue/errors'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { Trx } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { MemoryContext } from '../context.ts'
import { setBit } from '../index/bits.ts'
import { PatternSet } from '../index/pattern-set.ts'
import { findDocuments, listChangedSince } from './document-store.ts'
import { documentOf } from './javascript-metadata.ts'
import { type FilterDocument, matches } from './matches.ts'
import type { SpaceMetadata } from './metadata-cache.ts'
import type { MetadataFound } from './metadata-index.ts'
import { rowsOfNext } from './rows-at-once.ts'

/** Memory for what filters that are answered together match: 128 filters for a million patterns. */
const heldBytesMax = 2 ** 25

type Finding = Pick<MemoryContext, 'metadata' | 'queries' | 'clock'>
type Asking = Pick<Caller, 'spaceId' | 'spaceVersion' | 'signal'>

/** Which patterns are considered. */
interface Which {
  /** Also those that are not valid now. */
  all?: boolean
  /** Also those that have expired and are not erased yet. */
  expired?: boolean
}

/** The patterns of the caller's space that match a filter. @throws ApiError abandoned */
export async function findMatching(
  context: Finding,
  caller: Asking,
  filter: Filter,
  which?: Which,
): Promise<PatternSet> {
  return (await findMatchingAt(context, caller, filter, which)).among
}

/** The patterns that match a filter in a space as it was at a version. */
export interface MatchingAt {
  among: PatternSet
  version: number
}

/** Like `findMatching`, and says for which version of the space that is true. */
export async function findMatchingAt(
  context: Finding,
  caller: Asking,
  filter: Filter,
  which: Which = {},
): Promise<MatchingAt> {
  const space = await context.metadata.get(caller.spaceId, caller.spaceVersion)
  const { version } = space
  const { sure, count, unsure } = await findIn(context, space, filter, which)
  context.metadata.tell(unsure.length)
  const matching: number[] = []
  for await (const { idx, document } of documentsOf(context, caller, unsure)) {
    if (matches(filter, document)) matching.push(idx)
  }
  return { among: PatternSet.joined(sure, count, matching), version }
}

/** Which part of a list in store order is wanted. */
interface Part {
  /** Also patterns that are not valid now. */
  all: boolean
  /** The part begins after this idx. */
  after: number
  count: number
}

/**
 * The next patterns in store order that match a filter, by idx. Of the patterns that the index can't judge it reads only those up
 * to where the part ends, so that a page of a long list does not take as long as the whole list. @throws ApiError abandoned
 */
export async function findMatchingPart(
  context: Finding,
  caller: Asking,
  filter: Filter,
  { all, after, count }: Part,
): Promise<number[]> {
  const space = await context.metadata.get(caller.spaceId, caller.spaceVersion)
  const found = await findIn(context, space, filter, { all })
  const sure = new PatternSet(found.sure, found.count)
  const unsure = found.unsure.subarray(placeAfter(found.unsure, after))
  const part: number[] = []
  const rest = sure.from(after + 1)
  let next = rest.next()
  const takeSure = (before: number) => {
    for (; !next.done && next.value < before && part.length < count; next = rest.next()) part.push(next.value)
  }
  let read = 0
  takeSure(unsure[0] ?? Number.POSITIVE_INFINITY)
  if (part.length < count) {
    for await (const { idx, document } of documentsOf(context, caller, unsure)) {
      read++
      takeSure(idx)
      if (part.length < count && matches(filter, document)) part.push(idx)
      if (part.length === count) break
    }
  }
  takeSure(Number.POSITIVE_INFINITY)
  context.metadata.tell(read)
  return part
}

/** The place of the first idx greater than `after` in an ascending list. */
function placeAfter(indexes: Int32Array, after: number): number {
  const place = indexes.findIndex((idx) => idx > after)
  return place === -1 ? indexes.length : place
}

/** One of several filters that are answered together. */
interface Asked {
  filter: Filter
  /** The patterns that match, as far as they are judged: bit idx % 8 of byte idx / 8. */
  bits: Uint8Array
  count: number
  /** The patterns that the index can't judge. */
  unsure: PatternSet
}

/**
 * What `findMatching` says of each of several filters, in their order. A pattern that the index can't judge is read once for many
 * filters: for as many as `heldBytesMax` has room for. @throws ApiError abandoned
 */
export async function* findMatchingEach(
  context: Finding,
  caller: Asking,
  filters: readonly Filter[],
): AsyncGenerator<PatternSet, void, undefined> {
  const space = await context.metadata.get(caller.spaceId, caller.spaceVersion)
  let asked: Asked[] = []
  let bytes = 0
  for (const [i, filter] of filters.entries()) {
    const { sure, count, unsure } = await findIn(context, space, filter)
    const bits = new Uint8Array(
      new SharedArrayBuffer(Math.max(sure.length, ((unsure.at(-1) ?? -1) >> 3) + 1)),
    )
    bits.set(sure)
    const one = { filter, bits, count, unsure: PatternSet.of([...unsure]) }
    asked.push(one)
    bytes += bits.length + one.unsure.bits.length
    await yieldToEventLoop()
    if (bytes < heldBytesMax && i < filters.length - 1) continue
    await judge(context, caller, asked)
    for (const { bits, count } of asked) yield new PatternSet(bits, count)
    asked = []
    bytes = 0
  }
}

/** Adds to what filters match those of their unsure patterns that do. */
async function judge(context: Finding, caller: Asking, asked: readonly Asked[]): Promise<void> {
  const open = asked.filter(({ unsure }) => unsure.count > 0)
  const unsure = unionOf(open.map((one) => one.unsure))
  // Each filter counts as one, and each pattern that is read as one, however many filters it is read for.
  for (const one of asked) context.metadata.tell(one.unsure.count > 0 ? unsure.length / open.length : 0)
  for await (const { idx, document } of documentsOf(context, caller, unsure)) {
    for (const one of open) {
      if (!one.unsure.has(idx)) continue
      await yieldToEventLoop()
      if (!matches(one.filter, document)) continue
      setBit(one.bits, idx)
      one.count++
    }
  }
}

/** The patterns that are in any of the sets, ascending. */
function unionOf(sets: readonly PatternSet[]): number[] {
  const bits = new Uint8Array(sets.reduce((most, set) => Math.max(most, set.bits.length), 0))
  for (const set of sets) {
    for (const [at, byte] of set.bits.entries()) bits[at] = (bits[at] as number) | byte
  }
  return [...new PatternSet(bits, 0).from(0)]
}

/** What the index knows about a filter now. */
function findIn(
  { clock }: Finding,
  space: SpaceMetadata,
  filter: Filter,
  { all = false, expired = false }: Which = {},
): MetadataFound | Promise<MetadataFound> {
  return space.find(filter, expired ? Number.NEGATIVE_INFINITY : clock.now().getTime(), all)
}

/**
 * Patterns as `matches` takes them, ascending, without those that are gone by now. Others have a turn between any two.
 * @param indexes ascending @throws ApiError abandoned
 */
async function* documentsOf(
  { queries }: Pick<Finding, 'queries'>,
  { spaceId, signal }: Pick<Asking, 'spaceId' | 'signal'>,
  indexes: Int32Array | readonly number[],
): AsyncGenerator<{ idx: number; document: FilterDocument }, void, undefined> {
  let count = rowsOfNext()
  for (let first = 0; first < indexes.length; ) {
    if (signal?.aborted) throw new ApiError('abandoned')
    const rows = await findDocuments(queries, spaceId, [...indexes.slice(first, first + count)])
    for (const { text, ...row } of rows.sort((a, b) => a.idx - b.idx)) {
      yield { idx: row.idx, document: documentOf(row, text) }
      await yieldToEventLoop()
    }
    first += count
    count = rowsOfNext(rows)
  }
}

/**
 * Brings a result of `findMatchingAt` up to date with the space as it is now.
 * @param trx a transaction that has locked the space, so that the result stays true
 */
export async function matchingNow(
  trx: Trx,
  spaceId: string,
  filter: Filter,
  { among, version }: MatchingAt,
): Promise<PatternSet> {
  const changed = await listChangedSince(trx, spaceId, version)
  if (changed.size === 0) return among
  const matching = [...among.from(0)].filter((idx) => !changed.has(idx))
  const ascending = [...changed].sort((a, b) => a - b)
  for await (const { idx, document } of documentsOf({ queries: trx }, { spaceId }, ascending)) {
    if (matches(filter, document)) matching.push(idx)
  }
  return PatternSet.of(matching)
}
