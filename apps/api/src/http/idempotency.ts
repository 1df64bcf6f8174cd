import { createHash } from 'node:crypto'
import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import type { Trx } from '@memory/shared/platform/database/database'
import type { Context } from '../context.ts'

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  spaceId: string
  route: string
  key: string
  /** Path parameters and query as one text; empty when there are none. */
  chosen: string
  body: Buffer | undefined
}

interface Answer {
  status: number
  json: string
  replayed: boolean
}

/**
 * The work of an operation. A handler that changes something calls `record` in the transaction of the change, which stores
 * the answer for repetitions of the request.
 */
export type Work = (record: ((trx: Trx, answer: unknown) => Promise<void>) | undefined) => Promise<unknown>

/**
 * Does the work of a request once per idempotency key, and answers repetitions with the first answer. A repetition must have
 * the same path, query and body.
 * @throws ApiError idempotent_twin_running while the first request is running; ValidationError for another request with
 *   the same key
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
      log.warn({ err: failure }, 'idempotency claim not released yet')
    })
    throw error
  }
}
