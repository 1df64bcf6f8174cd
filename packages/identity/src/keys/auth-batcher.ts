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
  /** Queries to count against the plan's day. */
  count: number
  lane: string
  resolve(row: store.Authentication): void
  reject(error: unknown): void
}

/** Requests with one key for one scope, which wait for one statement. */
type Group = [Request, ...Request[]]

export type KeyAuthCache = AuthCache<store.Authentication>

/**
 * Authenticates the requests that arrive at a moment and present the same key for the same scope with one statement:
 * under load that saves most of authentication's time, here and in the database. Each answer is still younger than its
 * request, and requests of different keys never share a statement, so that one can't hold up another. What is known of a
 * key takes none.
 */
export class AuthBatcher {
  readonly #queries: Queries
  readonly #known: KeyAuthCache | undefined
  readonly #arriving = new TickBatcher<Request>((requests) => this.#send(requests))

  /** @param known undefined where the database must be asked each time */
  constructor(queries: Queries, known?: KeyAuthCache) {
    this.#queries = queries
    this.#known = known
  }

  /** @param keyHash hex @param count queries to count against the plan's day */
  authenticate(keyHash: string, scope: Scope | null, count: number): Promise<store.Authentication> {
    const known = this.#known?.get(nameOf(keyHash, scope, count))
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve, reject) => {
      this.#arriving.add({ keyHash, scope, count, lane: laneNow(), resolve, reject })
    })
  }

  #send(requests: readonly Request[]): void {
    const groups = Map.groupBy(requests, ({ keyHash, scope }) => `${scope} ${keyHash}`)
    // It is the turn of the first of them at the database.
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

  /** Where the day's room is less than all want: in order of arrival, and without asking for what can't fit. */
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

/** Where the plan limits queries, what is found without counting any says nothing of a request that has some. */
function nameOf(keyHash: string, scope: Scope | null, count: number): string {
  return `${keyHash} ${scope} ${count > 0 ? 'counted' : 'free'}`
}
