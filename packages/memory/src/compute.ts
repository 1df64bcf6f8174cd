import type { Iteration, IterationEnd } from '@memory/engine/energy'
import type { LexicalFound, LexicalIndex } from './index/lexical-index.ts'
import type { Found, Shard, ShardSearch } from './index/shard.ts'
import type { MapResults, MapStep } from './map/map-step.ts'

/** A search is waited for by a person; what is being stored can come after it. */
export type Urgency = 'search' | 'store'

/** For whom work is done. */
export interface Requester {
  /** What is remembered of its texts must not show, by its speed, in another's requests. */
  organizationId: string
  /** The end user whom the caller is bound to: takes turns with others of the organization. Undefined for who is not. */
  subject?: { name: string } | undefined
  /** Fires when the client has hung up: work that nobody waits for is dropped. */
  signal?: AbortSignal | undefined
}

/** The heavy work, wherever it runs: encoding texts and searching matrices. */
export interface Compute {
  /** Length of every text's embedding. */
  readonly dimensions: number
  /** Names the encoder that made an embedding. */
  readonly modelId: string
  /** Whether the encoder knows a character. Of those that it doesn't know no embedding says what they mean. */
  knows(character: string): boolean
  /** Unit vector of a text; without a word on its urgency, it is to be stored. @throws ApiError abandoned, unavailable */
  embed(requester: Requester, text: string, urgency?: Urgency): Promise<Float32Array>
  /** Tokens of each of several texts as the encoder cuts them, its special ones included. @throws as `embed` */
  countTokens(requester: Requester, texts: readonly string[], urgency?: Urgency): Promise<number[]>
  /** Searches a shard with a vector. @throws as `embed` */
  search(requester: Requester, shard: Shard, query: Float32Array, search: ShardSearch): Promise<Found>
  /** Searches a shard with each of several vectors, many in one pass. @throws as `embed` */
  searchMany(
    requester: Requester,
    shard: Shard,
    queries: readonly Float32Array[],
    search: ShardSearch,
  ): Promise<Found[]>
  /**
   * Searches texts by BM25.
   * @param allowed bit idx % 8 of byte idx / 8 lets a pattern in; undefined: all
   * @throws as `embed`
   */
  searchLexical(
    requester: Requester,
    index: LexicalIndex,
    query: string,
    k: number,
    allowed?: Uint8Array,
  ): Promise<LexicalFound>
  /** The BM25 scores of patterns; 0 for those that the index has not. @throws as `embed` */
  scoreLexical(
    requester: Requester,
    index: LexicalIndex,
    query: string,
    labels: Int32Array,
  ): Promise<Float64Array>
  /** Where iterations end: each as by `relaxFar`, a few at a time, after what others wait for. @throws as `embed` */
  relax(requester: Requester, iterations: readonly Iteration[]): Promise<IterationEnd[]>
  /** Does a step of the work on a map, after what others wait for. @throws as `embed` */
  mapStep<Kind extends MapStep['kind']>(
    requester: Requester,
    step: MapStep & { kind: Kind },
  ): Promise<MapResults[Kind]>
}
