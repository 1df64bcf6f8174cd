import { ApiError } from '@memory/shared/catalogue/errors'

/** A space's row in the database, read before its patterns are. */
export interface SpaceHeader {
  version: number
  /** The tombstones of deletes up to this version are gone: an older copy can't catch up and is loaded anew. */
  historyFloor: number
  /** The encoder of all its text embeddings; '' while they are being made anew, null while it has none. */
  textModel: string | null
}

/** Whether the text embeddings of a space can be compared with those of this encoder. */
export const isOf = ({ textModel }: SpaceHeader, modelId: string): boolean =>
  textModel === null || textModel === modelId

/** True of both: a space that waits, and a process with an encoder of before, which can't tell how far others are. */
const detail =
  'The texts of this space are not embedded by the encoder of this process: they are being embedded anew, or another process was started with another encoder, of which /readyz tells: try again soon'

/** The error of a request for a space whose text embeddings are of another encoder than this process's. */
export const otherEncoder = (cause?: unknown): ApiError =>
  new ApiError('unavailable', { detail, retryAfterS: 2, cause })

export const isOtherEncoder = (error: unknown): boolean =>
  error instanceof ApiError && error.detail === detail

/** Rethrows an error of the database, as `otherEncoder` if it refused to store an embedding of another encoder. */
export function orOtherEncoder(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message === 'other encoder') throw otherEncoder(error)
  }
  throw error
}
