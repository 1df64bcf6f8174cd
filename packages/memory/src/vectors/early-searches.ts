import type { Caller, ExpectedSearch } from '@memory/shared/catalogue/operation'
import type { Compute } from '../compute.ts'
import type { Found, Shard, ShardSearch } from '../index/shard.ts'
import type { SpaceCache } from '../index/space-cache.ts'
import type { SpaceIndex } from '../index/space-index.ts'

interface Begun {
  index: SpaceIndex
  /** Every change of the space up to this version was in the index when the search began. */
  version: number
  shard: Shard
  search: ShardSearch
  /** Searches, the first time. */
  found(): Promise<Found>
}

/** Searches that begin before it is known who asks, and that whoever then may ask takes over. */
export class EarlySearches {
  readonly #compute: Pick<Compute, 'search'>
  readonly #spaces: Pick<SpaceCache, 'peek'>
  // By the vector itself, which only the request that brought it has.
  readonly #begun = new WeakMap<Float32Array, Begun>()

  constructor(compute: Pick<Compute, 'search'>, spaces: Pick<SpaceCache, 'peek'>) {
    this.#compute = compute
    this.#spaces = spaces
  }

  /** Begins a search of a space that is in memory. */
  begin(
    requester: Pick<Caller, 'organizationId' | 'spaceId' | 'signal'>,
    { query, k, exactK, minScore }: ExpectedSearch,
  ): void {
    const index = this.#spaces.peek(requester.spaceId)
    const shard = index?.shard(query.length)
    if (index === undefined || shard === undefined || shard.size === 0) return
    const search = { k, exactK, minScore, textOnly: false }
    let searching: Promise<Found> | undefined
    const found = () => {
      searching ??= this.#compute.search(requester, shard, query, search)
      return searching
    }
    // A question to the database, asked in this turn of the event loop, goes out first: a thread that is woken may take
    // this one's core for as long as it searches. Who needs no question asked takes the search over before.
    setImmediate(() => {
      // What goes wrong is told to the request that takes it over.
      found().catch(() => {})
    })
    this.#begun.set(query, { index, version: index.version, shard, search, found })
  }

  /** What was begun with this vector, when it is the search that is wanted now and as new as the caller may expect. */
  take(
    { spaceVersion }: Pick<Caller, 'spaceVersion'>,
    index: SpaceIndex,
    shard: Shard,
    query: Float32Array,
    { k, exactK, minScore, textOnly, allowed }: ShardSearch,
  ): Promise<Found> | undefined {
    const begun = this.#begun.get(query)
    if (begun === undefined || begun.index !== index || begun.shard !== shard) return undefined
    const isSame =
      begun.search.k === k &&
      begun.search.exactK === exactK &&
      begun.search.minScore === minScore &&
      !textOnly &&
      allowed === undefined
    return isSame && begun.version >= spaceVersion ? begun.found() : undefined
  }
}
