import type { Database } from '@memory/shared/platform/database/database'
import { LRUCache } from 'lru-cache'

/** As the triggers on what authentication reads name it. */
const channel = 'memory_callers'
/** More than are in use at a time. */
const callersMax = 10_000

/** What authentication found, as far as it matters how long that holds. */
export interface Finding {
  outcome: string
  organization_id: string
  queries_counted: number
  /** The caller is refused from then on; null for never. */
  valid_until: Date | null
}

interface Known<Row> {
  row: Row
  /** Another object, or none, stands for the organization once it has changed. */
  organization: object
}

/**
 * What authentication found of callers, for as long as it is sure to find the same again. The embedded database serves
 * one process and tells it of every change before whoever made the change hears that it is made, so no request that
 * begins afterwards sees what was found before. Processes that share a PostgreSQL have to ask it each time.
 */
export class AuthCache<Row extends Finding> {
  readonly #known = new LRUCache<string, Known<Row>>({ max: callersMax })
  readonly #organizations = new LRUCache<string, object>({ max: callersMax })
  #changes = 0

  /** @returns undefined for a database that must be asked each time */
  static async open<Row extends Finding>(database: Database): Promise<AuthCache<Row> | undefined> {
    if (database.kind !== 'embedded') return undefined
    const callers = new AuthCache<Row>()
    await database.listen(channel, (organizationId) => callers.forget(organizationId))
    return callers
  }

  /** @param name of the question, and of the caller who is meant */
  get(name: string): Row | undefined {
    const known = this.#known.get(name)
    if (known === undefined) return undefined
    const { row, organization } = known
    const holds =
      this.#organizations.get(row.organization_id) === organization &&
      (row.valid_until === null || row.valid_until.getTime() > Date.now())
    if (!holds) this.#known.delete(name)
    return holds ? row : undefined
  }

  /** To be taken before the database is asked, and handed over with what it answered. */
  get changes(): number {
    return this.#changes
  }

  /** Keeps an answer, unless it is a refusal, has counted queries, or something has changed since it was asked for. */
  keep(name: string, row: Row, changes: number): void {
    if (row.outcome !== 'ok' || row.queries_counted > 0 || changes !== this.#changes) return
    let organization = this.#organizations.get(row.organization_id)
    if (organization === undefined) {
      organization = {}
      this.#organizations.set(row.organization_id, organization)
    }
    this.#known.set(name, { row, organization })
  }

  /** @param organizationId whose callers may have changed; empty where any may have */
  forget(organizationId: string): void {
    this.#changes++
    if (organizationId === '') this.#organizations.clear()
    else this.#organizations.delete(organizationId)
  }
}
