import { sql } from 'kysely'
import { ApiError } from '../catalogue/errors.ts'
import type { Queries, Trx } from './database/database.ts'

/** A request under an `Idempotency-Key`, in its space and route. */
export interface IdempotentRequest {
  spaceId: string
  route: string
  key: string
  bodyHash: Buffer
}

export type Claim =
  /** This request does the work; `token` proves at its end that no other took over. */
  | { outcome: 'claimed'; token: string }
  | { outcome: 'replay'; status: number; response: string }
  | { outcome: 'running' }
  | { outcome: 'other_body' }

/** How long a request may hold its claim: longer than any store takes, since a dead one blocks its twin. */
const claimMinutes = 2

export async function claim(queries: Queries, request: IdempotentRequest): Promise<Claim> {
  const { rows } = await sql<{ outcome: Claim['outcome']; status: number; response: string; claim: string }>`
    select * from app.claim_idempotency_key(${request.spaceId}, ${request.route}, ${request.key},
      decode(${request.bodyHash.toString('hex')}, 'hex'), make_interval(mins => ${claimMinutes}))`.execute(
    queries,
  )
  const [row] = rows
  if (row === undefined) throw new Error('The claim gave no row.')
  switch (row.outcome) {
    case 'claimed':
      return { outcome: 'claimed', token: row.claim }
    case 'replay':
      return { outcome: 'replay', status: row.status, response: row.response }
    default:
      return { outcome: row.outcome }
  }
}

/**
 * Keeps the answer, in the transaction of the effect.
 * @throws ApiError idempotent_twin_running when the claim has passed to another request, which rolls the effect back.
 */
export async function recordAnswer(
  trx: Trx,
  request: IdempotentRequest,
  token: string,
  status: number,
  response: string,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .withSchema('app')
    .updateTable('idempotency_keys')
    .set({ status, response })
    .where('space_id', '=', request.spaceId)
    .where('route', '=', request.route)
    .where('key', '=', request.key)
    .where('status', 'is', null)
    .where(sql`claimed_until::text`, '=', token)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ApiError('idempotent_twin_running', { retryAfterS: 1 })
}

/** Lets a later request with the same key do the work: this one failed. */
export async function releaseClaim(
  queries: Queries,
  request: IdempotentRequest,
  token: string,
): Promise<void> {
  await sql`select app.release_idempotency_key(
    ${request.spaceId}, ${request.route}, ${request.key}, ${token})`.execute(queries)
}
