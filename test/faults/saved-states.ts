import type { SpaceIndex } from '@memory/memory/index/space-index'
import { randomFrom, randomVector } from '../engine/naive.ts'
import { endsOf } from '../memory/index/ends-of.ts'

export const spaceId = '018f0000-0000-7000-8000-000000000001'
export const dimensions = 96
const firstPatterns = 20_000

/** Takes an index from the state before to the state of a version, which depends on the version only. */
export function changeTo(index: SpaceIndex, version: number): void {
  const count = version === 1 ? firstPatterns : 50
  const random = randomFrom(version)
  const sourceDim = version % 2 === 0 ? 200 : null
  const first = version === 1 ? 0 : firstPatterns + 50 * version
  index.put(
    Array.from({ length: count }, (_, i) => ({
      idx: first + i,
      key: randomVector(random, dimensions, false),
      isText: i % 2 === 0,
      sourceDim,
      expiresAt: i % 10 === 0 ? new Date(4_000_000_000_000 + i) : null,
      tier: 'hot' as const,
    })),
  )
  if (version > 1) index.remove(Array.from({ length: 20 }, (_, i) => 20 * version + i))
  index.version = version
}

/** Everything an index finds in order, and what expires. */
export function describeIndex(index: SpaceIndex): unknown {
  const { version, shards } = index.contents()
  return {
    version,
    expiries: endsOf(index),
    shards: shards.map((shard) => [shard.sourceDim, shard.labels().toSorted()]),
  }
}
