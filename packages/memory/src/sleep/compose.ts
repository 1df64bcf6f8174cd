import { pointBetween } from '@memory/engine/exploration/trial'
import { parameters } from '@memory/engine/parameters'
import { asTenant } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { insertCompositions, listCandidates, type NewComposition } from '../exploration/trial-store.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import type { Lease } from '../schedule/lease.ts'

const { validityMin, validatedMin, compositionsMax, compositionsKept } = parameters.sleep

/** Makes compositions of the pairs that exploration found valid often enough, in one transaction. @returns how many */
export async function composeValidated(
  { queries, clock }: Pick<MemoryContext, 'queries' | 'clock'>,
  spaceId: string,
  { renew }: Lease,
  index: SpaceIndex,
): Promise<number> {
  const seen = index.version
  const least = { valid: validatedMin, validity: validityMin }
  const candidates = await listCandidates(queries, spaceId, least, compositionsMax)
  const ofOneShard = candidates.filter(({ a, b }) => {
    const shard = index.shardOf(a)
    return shard !== undefined && index.isIn(shard, b)
  })
  const compositions: NewComposition[] = []
  for (const [shard, pairs] of Map.groupBy(ofOneShard, ({ a }) => index.shardOf(a) as Shard)) {
    const labels = Int32Array.from(new Set(pairs.flatMap(({ a, b }) => [a, b])))
    const keys = await findShardKeys(queries, spaceId, shard, labels)
    for (const { a, b, valid, invalid } of pairs) {
      const [keyA, keyB] = [keys.get(a), keys.get(b)]
      if (keyA === undefined || keyB === undefined) continue
      const key = pointBetween(keyA, keyB, 0.5)
      compositions.push({ a, b, key, strength: (1 + valid) / (2 + valid + invalid) })
    }
  }
  if (compositions.length === 0) return 0
  return asTenant(queries, { spaceId }, async (trx) => {
    await renew(trx)
    return insertCompositions(trx, spaceId, seen, clock.now(), compositions, compositionsKept)
  })
}
