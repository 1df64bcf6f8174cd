import type { Scope } from '../catalogue/scopes.ts'
import { asAsker, laneNow } from '../platform/asker.ts'
import type { Queries } from '../platform/database/database.ts'
import type { KnownCallers } from '../security/known-callers.ts'
import * as store from './store.ts'

/** Requests with one key for one scope that wait for one statement. */
interface Group {
  keyHash: string
  scope: Scope | null
  /** Of the first of them, whose turn at the database it is. */
  lane: string
  waiting: {
    count: number
    resolve(row: store.Authentication): void
    reject(error: unknown): void
  }[]
}

export type KnownKeys = KnownCallers<store.Authentication>

/**
 * Authenticates the requests that arrive at a moment and present the same key for the same scope with one statement:
 * under load that saves most of authentication's time, here and in the database. Each answer is still younger than its
 * request, and requests of different keys never share a statement, so that one can't hold up another. What is known of a
 * key takes none.
 */
export class SharedAuthentication {
  readonly #queries: Queries
  readonly #known: KnownKeys | undefined
  #groups = new Map<string, Group>()

  /** @param known undefined where the database must be asked each time */
  constructor(queries: Queries, known?: KnownKeys) {
    this.#queries = queries
    this.#known = known
  }

  /** @param keyHash hex @param count queries to count against the plan's day */
  authenticate(keyHash: string, scope: Scope | null, count: number): Promise<store.Authentication> {
    const known = this.#known?.get(nameOf(keyHash, scope, count))
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve, reject) => {
      // What has been read from the sockets in this turn of the event loop goes together.
      if (this.#groups.size === 0) setImmediate(() => this.#send())
      const name = `${scope} ${keyHash}`
      let group = this.#groups.get(name)
      if (group === undefined) {
        group = { keyHash, scope, lane: laneNow(), waiting: [] }
        this.#groups.set(name, group)
      }
      group.waiting.push({ count, resolve, reject })
    })
  }

  #send(): void {
    const groups = this.#groups
    this.#groups = new Map()
    for (const group of groups.values()) void asAsker({ lane: group.lane }, () => this.#authenticate(group))
  }

  async #authenticate({ keyHash, scope, lane, waiting }: Group): Promise<void> {
    const total = waiting.reduce((sum, { count }) => sum + count, 0)
    const changes = this.#known?.changes ?? 0
    try {
      const row = await store.authenticate(this.#queries, keyHash, scope, total)
      if (row.outcome === 'queries_exhausted' && waiting.length > 1) {
        await this.#oneByOne({ keyHash, scope, lane, waiting })
        return
      }
      this.#known?.keep(nameOf(keyHash, scope, total), row, changes)
      for (const { count, resolve } of waiting) {
        resolve(row.queries_counted === 0 ? row : { ...row, queries_counted: count })
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  /** Where the day's room is less than all want: in order of arrival, and without asking for what can't fit. */
  async #oneByOne({ keyHash, scope, waiting }: Group): Promise<void> {
    let refused: { count: number; row: store.Authentication } | undefined
    for (const { count, resolve } of waiting) {
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
