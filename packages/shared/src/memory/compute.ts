import type { Urgency } from '../catalogue/operation.ts'
import type { Found, Shard, ShardSearch } from './index/shard.ts'

/** For whom work is done. */
export interface Requester {
  /** What is remembered of its texts must not show, by its speed, in another's requests. */
  organizationId: string
  /** Fires when the client has hung up: work that nobody waits for is dropped. */
  signal?: AbortSignal | undefined
}

/** The heavy work, wherever it runs: encoding texts and searching matrices. */
export interface Compute {
  /** Length of every text's embedding. */
  readonly dimensions: number
  /** Names the encoder that made an embedding. */
  readonly modelId: string
  /** Unit vector of a text; without a word on its urgency, it is to be stored. @throws ApiError abandoned, unavailable */
  embed(requester: Requester, text: string, urgency?: Urgency): Promise<Float32Array>
  /** Says that `embed` will probably be asked for this, so that it may begin. */
  foresee(requester: Requester, text: string, urgency: Urgency): void
  /** Searches a shard with a vector. @throws as `embed` */
  search(requester: Requester, shard: Shard, query: Float32Array, search: ShardSearch): Promise<Found>
  /** Searches a shard with each of several vectors, in one pass. @throws as `embed` */
  searchMany(
    requester: Requester,
    shard: Shard,
    queries: readonly Float32Array[],
    search: ShardSearch,
  ): Promise<Found[]>
}
