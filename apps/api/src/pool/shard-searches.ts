import type { Requester } from '@memory/memory/compute'
import { searchShardMany } from '@memory/memory/index/search-shard'
import type { Found, Shard, ShardSearch } from '@memory/memory/index/shard'
import { ApiError } from '@memory/shared/catalogue/errors'
import { TickBatcher } from '@memory/shared/platform/tick-batcher'
import type { Asked, FairQueue, Shareable } from './fair-queue.ts'
import {
  blockMost,
  mayShareBlock,
  numbersCompared,
  type OneSearch,
  oneAtATime,
  settleEach,
  smallSearch,
} from './search-block.ts'

/**
 * `smallSearch` for one search while no other is under way, so that nothing is gained by a thread: 20,000 rows of 384, or
 * 100,000 in lists, take 0.25 to 0.5 ms.
 */
export const smallLoneSearch = 2.5 * smallSearch

/** A search that somebody waits for. */
interface AskedSearch extends Asked<OneSearch> {
  resolve(found: Found | Promise<Found>): void
  reject(error: unknown): void
}

/** At least one. */
type Group = [AskedSearch, ...AskedSearch[]]

type SearchInThread = (
  shard: Shard,
  queries: readonly Float32Array[],
  search: ShardSearch,
) => Promise<Found[]>

/**
 * Searches with one vector each, of which those that have the rest in common are answered together: all that one turn
 * of the event loop brings, and in threads also what has come while others were searching.
 */
export class ShardSearches {
  readonly #queue: FairQueue
  readonly #inThread: Shareable<OneSearch, Found>
  readonly #arriving = new TickBatcher<AskedSearch>((asked) => this.#startAll(asked))
  #inThreads = 0

  constructor(queue: FairQueue, searchInThread: SearchInThread) {
    this.#queue = queue
    this.#inThread = {
      joins: mayShareBlock,
      most: blockMost,
      only: oneAtATime,
      work: (block) => settleEach(block, (some) => searchInThread(...togetherOf(some))),
    }
  }

  /** @throws ApiError abandoned, unavailable */
  search(requester: Requester, item: OneSearch): Promise<Found> {
    return new Promise((resolve, reject) => {
      const asked = { requester, item, resolve, reject }
      // What will share no block need not wait until the turn ends.
      if (blockMost(item) === 1) this.#searchInThreads([asked])
      else this.#arriving.add(asked)
    })
  }

  /** Starts what was asked for in this turn of the event loop without waiting for its end. */
  start(): void {
    this.#arriving.flush()
  }

  /** Here where it is little to do, else in threads. */
  #startAll(asked: readonly AskedSearch[]): void {
    const isAlone = asked.length === 1 && this.#inThreads === 0
    const numbersMax = isAlone ? smallLoneSearch : smallSearch
    for (const ofShard of Map.groupBy(asked, ({ item }) => item.shard).values()) {
      for (const group of groupsOf(ofShard)) {
        if (group.length * numbersCompared(group[0].item.shard) <= numbersMax) void searchHere(group)
        else this.#searchInThreads(group)
      }
    }
  }

  #searchInThreads(group: Group): void {
    const found = this.#queue.runTogether(group, this.#inThread)
    this.#inThreads += group.length
    const ended = () => {
      this.#inThreads--
    }
    for (const [i, { resolve }] of group.entries()) {
      const one = found[i] as Promise<Found>
      one.then(ended, ended)
      resolve(one)
    }
  }
}

/** Searches on the main thread, for those who still wait. */
async function searchHere(group: Group): Promise<void> {
  const wanted = group.filter(({ requester }) => !requester.signal?.aborted)
  for (const { requester, reject } of group) if (requester.signal?.aborted) reject(new ApiError('abandoned'))
  const outcomes = await settleEach(
    wanted.map(({ item }) => item),
    async (some) => {
      const [shard, queries, search] = togetherOf(some)
      return searchShardMany(shard.target, queries, search)
    },
  )
  for (const [i, outcome] of outcomes.entries()) {
    const { resolve, reject } = wanted[i] as AskedSearch
    if (outcome.status === 'fulfilled') resolve(outcome.value)
    else reject(outcome.reason)
  }
}

/** What the searches of a block have in common, and their queries. */
function togetherOf(block: readonly OneSearch[]): [Shard, Float32Array[], ShardSearch] {
  const [{ shard, search }] = block as [OneSearch]
  return [shard, block.map(({ query }) => query), search]
}

/** Searches of one organization that may share a block, in the order they came. */
function groupsOf(searches: readonly AskedSearch[]): Group[] {
  const groups: Group[] = []
  for (const one of searches) {
    const joined = groups.find(
      ([first]) =>
        first.requester.organizationId === one.requester.organizationId &&
        mayShareBlock(first.item, one.item),
    )
    if (joined === undefined) groups.push([one])
    else joined.push(one)
  }
  return groups
}
