import {
  type CreateIndexParams,
  type DeleteIndexParams,
  type DeleteVectorParams,
  type DeleteVectorsParams,
  type DescribeIndexParams,
  type IndexStats,
  MastraVector,
  type QueryResult,
  type QueryVectorParams,
  type UpdateVectorParams,
  type UpsertVectorParams,
} from '@mastra/core/vector'
import type { MemoryClient } from './client.ts'
import { requireSaid } from './said.ts'
import { requireWhole } from './sendable.ts'
import { requireKnown } from './settings.ts'
import { requireSubject } from './subject.ts'

/** Metadata by which a vector says of which index it is, by its record's own id, and the record what it is called. */
const ofIndex = 'mastra_index'
const made = 'mastra_index_made'

/** As many as one request takes. */
const pageItems = 200
const deletedAtOnce = 1_000

/** A filter of the service, as `docs/guides/filters.md` has them. */
export type MemoryServiceFilter = Record<string, unknown>

type Metadata = Record<string, unknown>

export interface MemoryServiceVectorOptions {
  /** The name by which Mastra knows it. */
  id?: string | undefined
  /**
   * The end user whose vectors these are: indexes of their own, which go when the user is erased. It is left out for those
   * of nobody, and never undefined.
   */
  subject?: string
}

/**
 * A vector store of Mastra's, for vectors that its embedder makes. An index is a record, and vectors that name it in
 * their metadata, of one dimension, compared by cosine. They are patterns as any others: exports have them.
 */
export class MemoryServiceVector extends MastraVector<MemoryServiceFilter> {
  readonly #memory: MemoryClient
  readonly #subject: string | undefined

  /**
   * @throws TypeError for a client of `forSubject`, which changes nothing by its id: `subject` does it; and for a subject that
   * is there and is no name
   */
  constructor(memory: MemoryClient, options: MemoryServiceVectorOptions = {}) {
    const { id = 'memory-service', subject } = options
    super({ id })
    requireKnown(options, { id: true, subject: true }, 'MemoryServiceVector')
    requireSaid(options, 'subject', 'give the end user, or leave the key out where the vectors are of nobody')
    if (subject !== undefined) requireSubject(subject)
    if (memory.subject !== undefined) throw new TypeError('Give the client itself, and the subject beside it')
    this.#memory = memory
    this.#subject = subject
  }

  /** @throws Error for a metric other than cosine, and where there is an index of the name with another dimension */
  async createIndex({ indexName, dimension, metric = 'cosine' }: CreateIndexParams): Promise<void> {
    if (metric !== 'cosine') throw new Error(`The service compares by cosine, not by ${metric}`)
    const there = await this.#recordOf(indexName)
    if (there !== undefined) return this.validateExistingIndex(indexName, dimension, metric)
    const key = Array.from({ length: dimension }, (_, at) => (at === 0 ? 1 : 0))
    // Who makes it at the same time makes the same.
    await this.#memory.vectors.batchStore({
      patterns: [
        {
          key,
          value: [1],
          metadata: { [made]: indexName, dimension },
          external_id: this.#recordId(indexName),
          subject: this.#subject ?? null,
        },
      ],
      on_conflict: 'skip',
    })
  }

  async listIndexes(): Promise<string[]> {
    const names: string[] = []
    for await (const { metadata } of this.#found({
      [made]: { $exists: true },
      $external_id: { $startsWith: this.#scope() },
    }))
      names.push(String(metadata?.[made]))
    return names
  }

  /** @throws Error where there is no such index */
  async describeIndex({ indexName }: DescribeIndexParams): Promise<IndexStats> {
    const { dimension } = await this.#required(indexName)
    const { count } = await this.#memory.patterns.count({ filter: this.#within(indexName) })
    return { dimension, count, metric: 'cosine' }
  }

  async deleteIndex({ indexName }: DeleteIndexParams): Promise<void> {
    await this.#memory.patterns.deleteMany({ filter: this.#within(indexName) })
    await this.#memory.patterns.deleteMany({ external_ids: [this.#recordId(indexName)] })
  }

  /**
   * Stores vectors, in the place of those that have their ids. What `deleteFilter` describes is deleted before that, in a
   * request of its own.
   * @returns their ids
   * @throws Error where there is no such index, and for a vector of another dimension than its own
   */
  async upsert({
    indexName,
    vectors,
    metadata,
    ids,
    sparseVectors,
    deleteFilter,
  }: UpsertVectorParams): Promise<string[]> {
    if (sparseVectors !== undefined) throw new Error('The service has no sparse vectors')
    await this.#requireFitting(indexName, vectors)
    const given = vectors.map((_, at) => ids?.[at] ?? crypto.randomUUID())
    if (deleteFilter != null)
      await this.deleteVectors({ indexName, filter: deleteFilter as MemoryServiceFilter })
    await this.#store(
      indexName,
      vectors.map((vector, at) => ({ id: given[at] as string, vector, metadata: metadata?.[at] ?? {} })),
    )
    return given
  }

  /**
   * The nearest by cosine, negative ones as 0, or without a vector what the filter describes, newest first, with a score of 0.
   * @throws Error where there is no such index, and for a vector of another dimension than its own
   */
  async query({
    indexName,
    queryVector,
    topK = 10,
    filter,
    includeVector = false,
    sparseVector,
  }: QueryVectorParams<MemoryServiceFilter>): Promise<QueryResult[]> {
    if (sparseVector !== undefined) throw new Error('The service has no sparse vectors')
    await this.#requireFitting(indexName, queryVector === undefined ? [] : [queryVector])
    if (queryVector === undefined) {
      if (includeVector) throw new Error('Vectors are shown of what is found by a vector')
      return this.#list(indexName, filter, topK)
    }
    const { results } = await this.#memory.vectors.query({
      embedding: queryVector,
      top_k: topK,
      filter: this.#within(indexName, filter),
      pathway: 'exact',
    })
    if (results.length === 0) return []
    const { patterns } = await this.#memory.patterns.getMany({
      pattern_ids: results.map(({ pattern_id }) => pattern_id),
    })
    return results.flatMap(({ external_id, confidence: score, value: vector }, at) => {
      const pattern = patterns[at]
      // Gone since it was found.
      if (pattern == null) return []
      const found = { id: this.#idOf(indexName, external_id), score, metadata: without(pattern.metadata) }
      return [includeVector ? { ...found, vector } : found]
    })
  }

  /**
   * Sets the vector, the metadata as a whole, or both.
   * @throws Error where there is no such index or no vector with the id, and for a vector of another dimension than the index's
   */
  async updateVector({
    indexName,
    id,
    filter,
    update,
  }: UpdateVectorParams<MemoryServiceFilter>): Promise<void> {
    if (update.vector === undefined && update.metadata === undefined)
      throw new Error('There is nothing to update: give a vector, metadata or both')
    await this.#requireFitting(indexName, update.vector === undefined ? [] : [update.vector])
    if (id !== undefined) {
      const externalId = this.#externalId(indexName, id)
      const { patterns } = await this.#memory.patterns.getMany({ external_ids: [externalId] })
      const [there] = patterns
      if (there == null) throw new Error(`There is no vector ${id} in ${indexName}`)
      return this.#update(indexName, id, there.metadata ?? {}, update)
    }
    requireFilter(filter)
    for await (const { external_id, metadata } of this.#found(this.#within(indexName, filter))) {
      await this.#update(indexName, this.#idOf(indexName, external_id), metadata ?? {}, update)
    }
  }

  async deleteVector({ indexName, id }: DeleteVectorParams): Promise<void> {
    await this.deleteVectors({ indexName, ids: [id] })
  }

  /** Deletes by ids, those that are there, or what a filter describes. */
  async deleteVectors({ indexName, ids, filter }: DeleteVectorsParams<MemoryServiceFilter>): Promise<void> {
    if ((ids === undefined) === (filter === undefined)) throw new Error('Give either ids or a filter')
    if (ids === undefined) {
      requireFilter(filter)
      await this.#memory.patterns.deleteMany({ filter: this.#within(indexName, filter) })
      return
    }
    const externalIds = ids.map((id) => this.#externalId(indexName, id))
    for (let at = 0; at < externalIds.length; at += deletedAtOnce)
      await this.#memory.patterns.deleteMany({ external_ids: externalIds.slice(at, at + deletedAtOnce) })
  }

  async #update(
    indexName: string,
    id: string,
    metadata: Metadata,
    update: { vector?: number[]; metadata?: Metadata },
  ): Promise<void> {
    const next = update.metadata ?? without(metadata)
    if (update.vector !== undefined)
      await this.#store(indexName, [{ id, vector: update.vector, metadata: next }])
    else
      await this.#memory.patterns.update(`ext:${this.#externalId(indexName, id)}`, {
        metadata: { ...next, [ofIndex]: this.#recordId(indexName) },
      })
  }

  async #store(
    indexName: string,
    vectors: readonly { id: string; vector: number[]; metadata: Metadata }[],
  ): Promise<void> {
    if (vectors.length === 0) return
    await this.#memory.vectors.batchStore({
      // What is found by a vector can then be shown with it.
      patterns: vectors.map(({ id, vector, metadata }) => ({
        key: vector,
        value: vector,
        metadata: { ...metadata, [ofIndex]: this.#recordId(indexName) },
        external_id: this.#externalId(indexName, id),
        subject: this.#subject ?? null,
      })),
      on_conflict: 'replace',
    })
  }

  async #list(
    indexName: string,
    filter: MemoryServiceFilter | undefined,
    topK: number,
  ): Promise<QueryResult[]> {
    requireFilter(filter)
    const found: QueryResult[] = []
    for await (const { external_id, metadata } of this.#found(this.#within(indexName, filter), topK)) {
      found.push({ id: this.#idOf(indexName, external_id), score: 0, metadata: without(metadata) })
      if (found.length === topK) break
    }
    return found
  }

  async *#found(filter: MemoryServiceFilter, limit = pageItems) {
    let cursor: string | null = null
    do {
      const { patterns, next_cursor }: Awaited<ReturnType<MemoryClient['patterns']['search']>> =
        await this.#memory.patterns.search({
          filter,
          cursor,
          order: '-created_at',
          limit: Math.min(limit, pageItems),
        })
      yield* patterns
      cursor = next_cursor
    } while (cursor !== null)
  }

  async #recordOf(indexName: string): Promise<{ dimension: number } | undefined> {
    const { patterns } = await this.#memory.patterns.getMany({ external_ids: [this.#recordId(indexName)] })
    const dimension = patterns[0]?.metadata?.dimension
    return typeof dimension === 'number' ? { dimension } : undefined
  }

  async #required(indexName: string): Promise<{ dimension: number }> {
    const record = await this.#recordOf(indexName)
    if (record === undefined) throw new Error(`There is no index ${indexName}: make it with createIndex`)
    return record
  }

  /** Vectors of another dimension would find nothing in the index, and be found by nothing. */
  async #requireFitting(indexName: string, vectors: readonly (readonly number[])[]): Promise<void> {
    const { dimension } = await this.#required(indexName)
    const wrong = vectors.findIndex(({ length }) => length !== dimension)
    if (wrong >= 0)
      throw new Error(`Vector ${wrong} has ${vectors[wrong]?.length} numbers; ${indexName} has ${dimension}`)
  }

  /** What the index holds, or what of that a filter describes. */
  #within(indexName: string, filter?: MemoryServiceFilter): MemoryServiceFilter {
    const index = { [ofIndex]: this.#recordId(indexName) }
    return filter === undefined || Object.keys(filter).length === 0 ? index : { $and: [index, filter] }
  }

  /** Own ids are one of a kind in a space: those of two users, or of two indexes, are told apart. */
  #externalId(indexName: string, id: string): string {
    return `${this.#recordId(indexName)}/${id}`
  }

  #recordId(indexName: string): string {
    requireWhole(indexName, 'indexName')
    return this.#scope() + encodeURIComponent(indexName)
  }

  #scope(): string {
    return `mastra/${encodeURIComponent(this.#subject ?? '')}/`
  }

  #idOf(indexName: string, externalId: string | null | undefined): string {
    return externalId?.slice(this.#recordId(indexName).length + 1) ?? ''
  }
}

function without(metadata: Metadata | null | undefined): Metadata {
  const { [ofIndex]: _, ...own } = metadata ?? {}
  return own
}

/** What describes everything may have been meant to describe something. */
function requireFilter(filter: MemoryServiceFilter | undefined): asserts filter is MemoryServiceFilter {
  if (filter === undefined || Object.keys(filter).length === 0)
    throw new Error('Give a filter that is not empty')
}
