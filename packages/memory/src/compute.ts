import type { Iteration, IterationEnd } from '@memory/engine/energy'
import type { LexicalFound, LexicalIndex } from './index/lexical-index.ts'
import type { Found, Shard, ShardSearch } from './index/shard.ts'
import type { MapResults, MapStep } from './map/map-step.ts'

/** Somebody waits for a search, so embedding for a search goes before embedding of what is stored. */
export type Urgency = 'search' | 'store'

/** On whose behalf work is done: turns are taken per organization, and within one per end user. */
export interface Requester {
  /** Embeddings are cached per organization: how fast an answer comes must not reveal what another one has embedded. */
  organizationId: string
  /** The end user whom the caller's key is bound to; undefined for an unbound key. */
  subject?: { name: string } | undefined
  /** Aborted when the client has hung up; work not yet begun is then dropped. */
  signal?: AbortSignal | undefined
}

/** The heavy work: encoding texts, searching, numeric iterations. The implementation decides in which thread it runs. */
export interface Compute {
  /** Length of the encoder's embeddings. */
  readonly dimensions: number
  /** Identifies the encoder. Embeddings of different encoders can't be compared. */
  readonly modelId: string
  /** Whether the encoder's vocabulary covers a character. If not, the character has no influence on an embedding. */
  knows(character: string): boolean
  /** Embeds a text as a unit vector. Urgency: 'store' unless given. @throws ApiError abandoned, unavailable */
  embed(requester: Requester, text: string, urgency?: Urgency): Promise<Float32Array>
  /** Counts the encoder's tokens of each text, special tokens included. @throws as `embed` */
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
  /** The BM25 score of each pattern in `labels` (by idx); 0 for those not in the index. @throws as `embed` */
  scoreLexical(
    requester: Requester,
    index: LexicalIndex,
    query: string,
    labels: Int32Array,
  ): Promise<Float64Array>
  /** Runs each iteration to its end, as `relaxFar` does, at low priority and a few at a time. @throws as `embed` */
  relax(requester: Requester, iterations: readonly Iteration[]): Promise<IterationEnd[]>
  /** Runs one step of drawing a map, at low priority. @throws as `embed` */
  mapStep<Kind extends MapStep['kind']>(
    requester: Requester,
    step: MapStep & { kind: Kind },
  ): Promise<MapResults[Kind]>
}
