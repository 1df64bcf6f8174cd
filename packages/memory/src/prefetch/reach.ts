import { faded } from '@memory/engine/learning/association'
import { parameters } from '@memory/engine/parameters'
import { nextHop } from '@memory/engine/prefetch'
import { successorsOf } from '@memory/engine/successor'
import type { MemoryContext } from '../context.ts'
import { listPartners } from '../exploration/trial-store.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'

/**
 * The seeds, and the patterns that they lead to within `depth` hops over transitions, associations and compositions. Only
 * patterns that still exist.
 * @param seeds activations by idx
 */
export async function reachFrom(
  { queries, clock }: Pick<MemoryContext, 'queries' | 'clock'>,
  spaceId: string,
  { index, learned }: { index: SpaceIndex; learned: SpaceLearning },
  seeds: ReadonlyMap<number, number>,
  depth: number,
): Promise<number[]> {
  const now = clock.now().getTime()
  const reached = new Set(seeds.keys())
  let last = seeds
  for (let hop = 0; hop < depth && last.size > 0; hop++) {
    const partners = Map.groupBy(await listPartners(queries, spaceId, [...last.keys()]), ({ idx }) => idx)
    const linksOf = function* (idx: number): Generator<[number, number]> {
      yield* successorsOf(idx, learned.transitions, index, now)
      for (const [other, { weight, at }] of learned.associatesOf(idx)) {
        if (index.isStored(other)) yield [other, faded(weight, at, now)]
      }
      for (const { partner, strength } of partners.get(idx) ?? []) yield [partner, strength]
    }
    last = nextHop(last, reached, linksOf, parameters.prefetch.width)
    for (const idx of last.keys()) reached.add(idx)
  }
  return [...reached]
}
