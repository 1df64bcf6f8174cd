import { ApiError } from '@memory/shared/catalogue/errors'

/** What is known of a space before its patterns are read. */
export interface SpaceHeader {
  version: number
  /** Deletes up to this version have left no trace. */
  historyFloor: number
  /** The encoder of all its embeddings of texts; '' while they are made anew, null while nobody knows. */
  textModel: string | null
}

/** Whether the embeddings of a space may be compared with those of an encoder. */
export const isOf = ({ textModel }: SpaceHeader, modelId: string): boolean =>
  textModel === null || textModel === modelId

const detail =
  'The texts of this space were embedded by another encoder and are being embedded anew: try again soon'

/** The embeddings of a space are of another encoder than this process has. */
export const otherEncoder = (cause?: unknown): ApiError =>
  new ApiError('unavailable', { detail, retryAfterS: 2, cause })

export const isOtherEncoder = (error: unknown): boolean =>
  error instanceof ApiError && error.detail === detail

/** What the database refuses a text with whose embedding is of another encoder than those of its space. */
export function orOtherEncoder(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message === 'other encoder') throw otherEncoder(error)
  }
  throw error
}
