import { kernels } from '@memory/engine/kernels/kernels'
import { isSameSearch, type Shard, type ShardSearch } from '@memory/memory/index/shard'

/** A search of a shard with one vector. */
export interface OneSearch {
  shard: Shard
  query: Float32Array
  search: ShardSearch
}

/**
 * Numbers up to which searches of one kind are done on the main thread; of a block the sum counts. Natively 10,000 rows
 * of 384 take 0.1 to 0.2 ms, and to a thread and back is 0.05 ms more at best. In JavaScript 250 rows take 0.15 ms.
 */
export const smallSearch = (kernels.name === 'native' ? 10_000 : 100) * 384
/**
 * Numbers that the searches of a block compare with, unless it is of one search: so many take 2 to 3 ms, which is less
 * than encoding a text takes, and against which handing a block over costs nothing.
 */
export const blockNumbersMax = 64_000_000
/** More searches in one block make none of them cheaper. */
const blockSearchesMax = 32
/** Fewer of one call in a block make each dearer, where rows come from memory. */
const blockSearchesMin = 8

/** Searches of one shard that differ in their queries alone: answered in one pass, each finds what it would alone. */
export function mayShareBlock(a: OneSearch, b: OneSearch): boolean {
  return a.shard === b.shard && a.query.length === b.query.length && isSameSearch(a.search, b.search)
}

/** Most searches of a block of this one's kind, at least 1. */
export function blockMost({ shard }: OneSearch): number {
  const most = Math.floor(blockNumbersMax / numbersCompared(shard))
  return Math.max(1, Math.min(most, blockSearchesMax))
}

/** Searches of one call as blocks of which each is worth a thread, at least one a thread, and none takes long. */
export function blocksOf(
  shard: Shard,
  queries: readonly Float32Array[],
  threads: number,
): (readonly Float32Array[])[] {
  const numbers = numbersCompared(shard)
  const most = Math.max(blockSearchesMin, Math.floor(blockNumbersMax / numbers))
  const worth = Math.floor((queries.length * numbers) / smallSearch)
  const length = Math.min(most, Math.ceil(queries.length / Math.max(1, Math.min(worth, threads))))
  const blocks: (readonly Float32Array[])[] = []
  for (let at = 0; at < queries.length; at += length) blocks.push(queries.slice(at, at + length))
  return blocks
}

/** Numbers that one search of a shard compares with, about. */
export function numbersCompared({ scannedRows, dimensions }: Shard): number {
  return scannedRows * dimensions
}

/** Searches that a block must have room for to be waited for, see `oneAtATime`. */
const waitedFor = 8

/**
 * What only one block at a time is searched of: then more searches come together in the next one, which saves
 * threads being woken and the main thread being told (50 us in all). None of a shard whose searches take so long that
 * several threads do more, nor of searches among some patterns, which share no block with others.
 */
export function oneAtATime(one: OneSearch): Shard | undefined {
  return one.search.allowed === undefined && blockMost(one) >= waitedFor ? one.shard : undefined
}

/**
 * Does a block at once and, should that fail, each of it alone, so that one that can't be done spoils no other.
 * @param work what it gives has the order of what it is given
 */
export async function settleEach<Item, Result>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Result[]>,
): Promise<PromiseSettledResult<Result>[]> {
  try {
    return (await work(items)).map((value) => ({ status: 'fulfilled', value }))
  } catch (reason) {
    if (items.length === 1) return [{ status: 'rejected', reason }]
    const settled: PromiseSettledResult<Result>[] = []
    for (const item of items) settled.push(...(await settleEach([item], work)))
    return settled
  }
}
