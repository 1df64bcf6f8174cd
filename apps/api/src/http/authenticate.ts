import { ApiError } from '@memory/shared/catalogue/errors'
import { hashApiKey, isApiKey } from '@memory/shared/keys/api-key'
import type { Request } from 'express'

/** What a request presents to say who sends it. */
export interface Credentials {
  /** Hex. */
  keyHash: string
}

/** @throws ApiError not_authenticated when the request presents nothing, invalid_api_key for what can be no key. */
export function readCredentials(req: Request): Credentials {
  const apiKey = req.headers['x-api-key']
  if (typeof apiKey !== 'string' || apiKey === '') throw new ApiError('not_authenticated')
  if (!isApiKey(apiKey)) throw new ApiError('invalid_api_key')
  return { keyHash: hashApiKey(apiKey) }
}
