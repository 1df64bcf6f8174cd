import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ApiError } from '../catalogue/errors.ts'
import { asTask, asTenant, type Queries, type Trx } from './database/database.ts'
import { leaseSeconds, renewing } from './lease.ts'
import type { Log } from './log.ts'
import type { Periodic } from './periodic.ts'

/** A request with an `Idempotency-Key`, which is unique within its space and route. */
export interface IdempotentRequest {
  spaceId: string
  route: string
  key: string
  bodyHash: Buffer
}

/** The claim of the request that does the work. */
export interface HeldClaim {
  request: IdempotentRequest
  /** Stored with the claim; at the end it shows whether another request has taken the claim over. */
  id: string
}

export type Claim =
  | { outcome: 'claimed'; held: HeldClaim }
  | { outcome: 'replay'; status: number; response: string }
  | { outcome: 'running' }
  | { outcome: 'other_body' }

/**
 * The claims of this process on idempotency keys. A claim is a lease that the process renews while it lives: so a slow request
 * keeps its claim, while that of a killed process soon expires. A request that loses its claim nevertheless can no longer
 * commit.
 */
export class IdempotencyClaims {
  readonly #queries: Queries
  readonly #log: Log
  readonly #held = new Map<string, HeldClaim>()
  /** Claims that the database may still have, because it did not answer when they were to be given up. */
  readonly #unreleased = new Map<string, HeldClaim>()
  #renewing: Periodic | undefined

  constructor(queries: Queries, log: Log) {
    this.#queries = queries
    this.#log = log
  }

  async claim(request: IdempotentRequest): Promise<Claim> {
    const own = this.#held.get(nameOf(request))
    // Known without asking the database, where the lease may have expired because it could not be renewed.
    if (own !== undefined) {
      return { outcome: own.request.bodyHash.equals(request.bodyHash) ? 'running' : 'other_body' }
    }
    await this.#releaseAgain(nameOf(request))
    const held = { request, id: randomUUID() }
    const { rows } = await sql<{ outcome: Claim['outcome']; status: number; response: string }>`
      select * from app.claim_idempotency_key(${request.spaceId}, ${request.route}, ${request.key},
        decode(${request.bodyHash.toString('hex')}, 'hex'), make_interval(secs => ${leaseSeconds}), ${held.id})`
      .execute(this.#queries)
      // The claim may have been made although its answer was lost.
      .catch((error) => this.#releaseLater(held, error))
    const [row] = rows
    if (row === undefined) throw new Error('The claim gave no row.')
    switch (row.outcome) {
      case 'claimed':
        this.#held.set(nameOf(request), held)
        this.#keepUp()
        return { outcome: 'claimed', held }
      case 'replay':
        return { outcome: 'replay', status: row.status, response: row.response }
      default:
        return { outcome: row.outcome }
    }
  }

  /**
   * Stores the answer, in the transaction of the change.
   * @throws ApiError idempotent_twin_running when another request has taken the claim over; this rolls the change back
   */
  async record(trx: Trx, { request, id }: HeldClaim, status: number, response: string): Promise<void> {
    const { numUpdatedRows } = await trx
      .withSchema('app')
      .updateTable('idempotency_keys')
      .set({ status, response })
      .where('space_id', '=', request.spaceId)
      .where('route', '=', request.route)
      .where('key', '=', request.key)
      .where('status', 'is', null)
      .where('claim', '=', id)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new ApiError('idempotent_twin_running', { retryAfterS: 1 })
  }

  /** Stops renewing a claim whose request has ended. */
  drop({ request, id }: HeldClaim): void {
    const name = nameOf(request)
    if (this.#held.get(name)?.id === id) this.#held.delete(name)
    this.#keepUp()
  }

  /**
   * Gives up the claim of a request that failed, so that a later one with the same key can do the work.
   * @throws where the database does not answer; then it is tried again, until the lease has ended anyway
   */
  async release(held: HeldClaim): Promise<void> {
    this.drop(held)
    await this.#delete(held).catch((error) => this.#releaseLater(held, error))
  }

  #releaseLater(held: HeldClaim, error: unknown): never {
    const name = nameOf(held.request)
    this.#unreleased.set(name, held)
    setTimeout(() => {
      if (this.#unreleased.get(name) === held) this.#unreleased.delete(name)
      this.#keepUp()
    }, 1_000 * leaseSeconds).unref()
    this.#keepUp()
    throw error
  }

  async #releaseAgain(name: string): Promise<void> {
    const held = this.#unreleased.get(name)
    if (held === undefined) return
    await this.#delete(held)
    if (this.#unreleased.get(name) === held) this.#unreleased.delete(name)
  }

  async #delete({ request, id }: HeldClaim): Promise<void> {
    await asTenant(this.#queries, { spaceId: request.spaceId }, (trx) =>
      trx
        .withSchema('app')
        .deleteFrom('idempotency_keys')
        .where('space_id', '=', request.spaceId)
        .where('route', '=', request.route)
        .where('key', '=', request.key)
        .where('status', 'is', null)
        .where('claim', '=', id)
        .execute(),
    )
  }

  /** Renews and releases regularly as long as there is something to. */
  #keepUp(): void {
    if (this.#held.size + this.#unreleased.size === 0) {
      void this.#renewing?.stop()
      this.#renewing = undefined
    } else {
      this.#renewing ??= renewing('renewing idempotency claims', () => this.renew(), this.#log)
    }
  }

  /**
   * Renews all claims, but skips those locked by a transaction that records an answer: waiting for it would delay the rest.
   * Releases those that could not be before.
   */
  async renew(): Promise<void> {
    await this.#renewHeld()
    for (const name of [...this.#unreleased.keys()]) await this.#releaseAgain(name)
    this.#keepUp()
  }

  async #renewHeld(): Promise<void> {
    const claims = [...this.#held.values()]
    if (claims.length === 0) return
    const column = (value: (claim: HeldClaim) => string) => claims.map(value)
    await asTask(this.#queries, 'renew-idempotency-claims', (trx) =>
      sql`
        with mine as (
          select i.space_id, i.route, i.key
            from unnest(${column(({ request }) => request.spaceId)}::uuid[], ${column(({ request }) => request.route)}::text[],
              ${column(({ request }) => request.key)}::text[], ${column(({ id }) => id)}::uuid[]) as held (space_id, route, key, claim)
            join app.idempotency_keys i using (space_id, route, key, claim)
            where i.status is null
            for update of i skip locked
        )
        update app.idempotency_keys i set claimed_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
          from mine where i.space_id = mine.space_id and i.route = mine.route and i.key = mine.key`.execute(
        trx,
      ),
    )
  }
}

/** A unique name for a claim. JSON, because routes and keys may contain any separator. */
const nameOf = ({ spaceId, route, key }: IdempotentRequest): string => JSON.stringify([spaceId, route, key])
