import { ApiError } from '@memory/shared/catalogue/errors'
import type { Request } from 'express'

/** What a request presents to say who sends it. */
export interface Credentials {
  apiKey: string
}

/** @throws ApiError not_authenticated when the request presents nothing. */
export function readCredentials(req: Request): Credentials {
  const apiKey = req.headers['x-api-key']
  if (typeof apiKey !== 'string' || apiKey === '') throw new ApiError('not_authenticated')
  return { apiKey }
}
