import { createHash } from 'node:crypto'
import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import type { Trx } from '@memory/shared/platform/database/database'
import type { Context } from '../context.ts'

export interface KeyedRequest {
  spaceId: string
  route: string
  key: string
  /** What path and query chose; empty where the route says it all. */
  chosen: string
  body: Buffer | undefined
}

export interface Answer {
  status: number
  json: string
  replayed: boolean
}

/** What an operation does, whatever its types; `record` keeps its answer for a repeated request. */
export type Work = (record: ((trx: Trx, answer: unknown) => Promise<void>) | undefined) => Promise<unknown>

/**
 * Does the work of a request once per key, path, query and body, and answers repetitions with the first answer.
 * @throws ApiError idempotent_twin_running, ValidationError for another request under the same key
 */
export async function answerOnce(
  { idempotency, log }: Pick<Context, 'idempotency' | 'log'>,
  request: KeyedRequest,
  status: number,
  work: Work,
): Promise<Answer> {
  const bodyHash = createHash('sha256')
    .update(request.chosen)
    .update(request.body ?? '')
    .digest()
  const { spaceId, route, key } = request
  const claimed = await idempotency.claim({ spaceId, route, key, bodyHash })
  switch (claimed.outcome) {
    case 'replay':
      return { status: claimed.status, json: claimed.response, replayed: true }
    case 'running':
      throw new ApiError('idempotent_twin_running', { retryAfterS: 1 })
    case 'other_body':
      throw ValidationError.rule(
        ['header', 'idempotency-key'],
        `this Idempotency-Key was used with another ${request.chosen === '' ? 'body' : 'request'}`,
        request.key,
      )
    case 'claimed':
      break
  }
  const { held } = claimed
  try {
    let json: string | undefined
    const answer = await work(async (trx, value) => {
      json = JSON.stringify(value)
      await idempotency.record(trx, held, status, json)
    })
    idempotency.drop(held)
    return { status, json: json ?? JSON.stringify(answer), replayed: false }
  } catch (error) {
    await idempotency.release(held).catch((failure) => {
      log.warn({ err: failure }, 'idempotency claim not released; it ends by itself')
    })
    throw error
  }
}
