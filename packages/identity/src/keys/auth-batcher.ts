import type { Scope } from '@memory/shared/catalogue/scopes'
import { asAsker, laneNow } from '@memory/shared/platform/asker'
import type { Queries } from '@memory/shared/platform/database/database'
import { TickBatcher } from '@memory/shared/platform/tick-batcher'
import type { AuthCache } from '../security/auth-cache.ts'
import * as store from './store.ts'

/** A request that waits for its authentication. */
interface Request {
  keyHash: string
  scope: Scope | null
  /** Queries to count against the plan's daily quota. */
  count: number
  lane: string
  resolve(row: store.Authentication): void
  reject(error: unknown): void
}

/** Requests with the same key for the same scope, which share one statement. */
type Group = [Request, ...Request[]]

export type KeyAuthCache = AuthCache<store.Authentication>

/**
 * Authenticates requests with API keys. Requests with the same key and scope that arrive in the same turn of the event loop
 * share one statement, which under load saves most of authentication's time. The statement always runs after its requests
 * have arrived, so revoked keys are refused at once. Requests with different keys never share one, so that they can't delay
 * each other. With the embedded database, a known key takes no statement at all.
 */
export class AuthBatcher {
  readonly #queries: Queries
  readonly #known: KeyAuthCache | undefined
  readonly #arriving = new TickBatcher<Request>((requests) => this.#send(requests))

  /** @param known recent authentications; undefined when the database must be asked each time */
  constructor(queries: Queries, known?: KeyAuthCache) {
    this.#queries = queries
    this.#known = known
  }

  /** @param keyHash in hex @param count queries to count against the plan's daily quota */
  authenticate(keyHash: string, scope: Scope | null, count: number): Promise<store.Authentication> {
    const known = this.#known?.get(nameOf(keyHash, scope, count))
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve, reject) => {
      this.#arriving.add({ keyHash, scope, count, lane: laneNow(), resolve, reject })
    })
  }

  #send(requests: readonly Request[]): void {
    const groups = Map.groupBy(requests, ({ keyHash, scope }) => `${scope} ${keyHash}`)
    // The statement takes its turn at the database in the lane of the group's first request.
    for (const group of groups.values() as Iterable<Group>)
      void asAsker({ lane: group[0].lane }, () => this.#authenticate(group))
  }

  async #authenticate(group: Group): Promise<void> {
    const [{ keyHash, scope }] = group
    const total = group.reduce((sum, { count }) => sum + count, 0)
    const changes = this.#known?.changes ?? 0
    try {
      const row = await store.authenticate(this.#queries, keyHash, scope, total)
      if (row.outcome === 'queries_exhausted' && group.length > 1) {
        await this.#oneByOne(group)
        return
      }
      this.#known?.keep(nameOf(keyHash, scope, total), row, changes)
      for (const { count, resolve } of group) {
        resolve(row.queries_counted === 0 ? row : { ...row, queries_counted: count })
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  /**
   * Authenticates a group's requests separately, in order of arrival, when the day's remaining queries do not suffice for all.
   * Once a request was refused, those with as many queries or more are refused without asking.
   */
  async #oneByOne(group: Group): Promise<void> {
    let refused: { count: number; row: store.Authentication } | undefined
    for (const { keyHash, scope, count, resolve } of group) {
      if (refused !== undefined && count >= refused.count) {
        resolve(refused.row)
        continue
      }
      const row = await store.authenticate(this.#queries, keyHash, scope, count)
      if (row.outcome === 'queries_exhausted') refused = { count, row }
      resolve(row)
    }
  }
}

/**
 * The cache key. It differs for requests with queries to count: where the plan limits queries, the result of a request without
 * any does not say whether queries are left.
 */
function nameOf(keyHash: string, scope: Scope | null, count: number): string {
  return `${keyHash} ${scope} ${count > 0 ? 'counted' : 'free'}`
}
