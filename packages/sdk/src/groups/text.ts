import type { Calls } from '../calls.ts'

/** Texts, found by meaning. */
export const textOf = ({ plain, body, tagged, batch }: Calls) => ({
  /** Stores a text. */
  store: body('POST /v1/memory/text/store'),
  /** Stores texts: up to 50 in one transaction, more in several, in their order (see `MemoryError.partial`). */
  batchStore: batch('POST /v1/memory/text/batch-store'),
  /** The texts nearest in meaning, by cosine. */
  retrieve: body('POST /v1/memory/text/retrieve'),
  /** The texts that answer best: by meaning, words, associations, what stands next to them, salience. */
  recall: body('POST /v1/memory/text/recall'),
  /** What an assistant should know now, within a budget of tokens: standing facts, and what recall finds for a query. */
  context: tagged('POST /v1/memory/context'),
  /** What will probably be asked for next. */
  predict: body('POST /v1/memory/text/predict'),
  /** What the memory says of a query, quoted. */
  explain: body('POST /v1/memory/text/explain'),
  /** Removes what is about something, of a category, or of one end user (`filter`); says so in a receipt. */
  forget: body('DELETE /v1/memory/text/forget'),
  /** How similar two texts are. */
  similarity: body('POST /v1/memory/text/similarity'),
  /** The embedding of a `text`, or of several `texts`. */
  embed: batch('POST /v1/memory/text/embed'),
  /** Embeddings in the form of OpenAI's API. */
  createEmbeddings: batch('POST /v1/embeddings'),
  /** Texts that state something personal, with their category, newest first. */
  important: plain('GET /v1/memory/text/important'),
  /** How much is stored. */
  stats: plain('GET /v1/memory/text/stats'),
})
