import type { Calls } from '../calls.ts'

/** Keys and values of your own, found by cosine. */
export const vectorsOf = ({ plain, body, batch }: Calls) => ({
  /** Stores a key with its value. */
  store: body('POST /v1/memory/store'),
  /** Stores keys: up to 5,000 in one transaction, more in several, in their order (see `MemoryError.partial`). */
  batchStore: batch('POST /v1/memory/batch/store'),
  /** Values of the nearest keys. */
  query: body('POST /v1/memory/query'),
  /** Values of the nearest keys, for each of several queries. */
  batchRetrieve: batch('POST /v1/memory/batch/retrieve'),
  /** Metadata and scores of the nearest keys, texts among them. */
  retrieve: body('POST /v1/memory/retrieve'),
  /** @deprecated `retrieve` replaces it. */
  querySemantic: body('POST /v1/memory/query/semantic'),
  /** The mean direction of 2 to 10 keys or texts. */
  compose: body('POST /v1/memory/compose'),
  /** A point on the way from one key, text or pattern to another. */
  composeFractional: body('POST /v1/memory/compose/fractional'),
  /** Gives the newest pattern with a key another value. */
  update: body('PUT /v1/memory/pattern'),
  /** Removes every pattern with a key. */
  delete: body('DELETE /v1/memory/pattern'),
  /** A pattern by its number in the space (`pattern_idx`). */
  get: plain('GET /v1/memory/pattern/{pattern_idx}'),
})
