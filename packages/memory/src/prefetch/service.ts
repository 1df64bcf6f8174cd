import { parameters } from '@memory/engine/parameters'
import { startDistribution } from '@memory/engine/successor'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { readSpace } from '../spaces/open-space.ts'
import { searchVectors } from '../vectors/search-vectors.ts'
import { reachFrom } from './reach.ts'
import type * as schema from './schema.ts'

/** Reads payloads into this process's memory that some keys, or else the patterns used last, lead to. */
export async function warmPrefetch(
  context: MemoryContext,
  caller: Caller,
  { context_keys, depth, filter }: Input<typeof schema.WarmPrefetch>['body'],
): Promise<Output<typeof schema.WarmPrefetch>> {
  const { index, cluster, prefetched } = await warm(context, caller, context_keys ?? undefined, depth, filter)
  return {
    warmed_up: cluster.length > 0,
    patterns_prefetched: prefetched,
    cache_size: context.payloads.indexesOf(index).length,
  }
}

/** Reads payloads into this process's memory around one key. */
export async function warmCluster(
  context: MemoryContext,
  caller: Caller,
  { embedding }: Input<typeof schema.WarmCluster>['body'],
): Promise<Output<typeof schema.WarmCluster>> {
  const { cluster, prefetched } = await warm(context, caller, [embedding], 1)
  return { patterns_prefetched: prefetched, cluster_size: cluster.length }
}

/** Drops the payloads of the caller's space from this process's memory. */
export async function invalidatePrefetch(
  { spaces, payloads }: Pick<MemoryContext, 'spaces' | 'payloads'>,
  { spaceId }: Caller,
): Promise<Output<typeof schema.InvalidatePrefetch>> {
  const index = spaces.peek(spaceId)
  return { cleared: true, previous_cache_size: index === undefined ? 0 : payloads.clear(index) }
}

async function warm(
  context: MemoryContext,
  caller: Caller,
  keys: readonly Float32Array[] | undefined,
  depth: number,
  filter?: Filter,
): Promise<{ index: SpaceIndex; cluster: number[]; prefetched: number }> {
  const { spaceId } = caller
  const { index, learned } = await readSpace(context, caller)
  const among = filter && (await findMatching(context, caller, filter))
  const seeds =
    keys === undefined
      ? usedLast(context, spaceId, index, learned)
      : await nearestTo(context, caller, index, keys, among)
  const reached = await reachFrom(context, spaceId, { index, learned }, seeds, depth)
  const cluster = reached.filter((idx) => among?.has(idx) ?? true)
  // With values: which search will follow, and whether it shows values, is unknown.
  const prefetched = await context.payloads.warm(spaceId, index, cluster, { value: true })
  return { index, cluster, prefetched }
}

/** The patterns nearest to any of the keys, by idx, with the sum of their softmax weights as activation. */
async function nearestTo(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  keys: readonly Float32Array[],
  among: PatternSet | undefined,
): Promise<Map<number, number>> {
  const seeds = new Map<number, number>()
  for (const group of Map.groupBy(keys, (key) => key.length).values()) {
    const search = { k: parameters.successor.nearest, minScore: -1, among }
    const { hits } = await searchVectors(context, caller, index, group, search)
    for (const each of hits) {
      for (const [idx, share] of startDistribution(each)) seeds.set(idx, (seeds.get(idx) ?? 0) + share)
    }
  }
  return seeds
}

/** The patterns that were in answers most recently, each with activation 1. */
function usedLast(
  { accesses }: Pick<MemoryContext, 'accesses'>,
  spaceId: string,
  index: SpaceIndex,
  learned: SpaceLearning,
): Map<number, number> {
  const { recent } = parameters.prefetch
  // Accesses that are not counted in the database yet are later than all that are.
  const used = new Set([...accesses.uncounted(spaceId).toReversed(), ...learned.latestUsed(recent)])
  const there = [...used].filter((idx) => index.isStored(idx))
  return new Map(there.slice(0, recent).map((idx) => [idx, 1]))
}
