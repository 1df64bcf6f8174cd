import type { Database } from '@memory/shared/platform/database/database'
import { LRUCache } from 'lru-cache'

/** The channel on which the database (`app.tell_callers`) names organizations whose callers have changed. */
const callersChannel = 'memory_callers'
/** The channel on which it gives the new versions of spaces. */
const versionsChannel = 'memory_versions'
/** The most callers cached: more than are in use at a time. */
const callersMax = 10_000

/** The current versions of a space. */
interface Versions {
  space_version: number
  engine_version: number
}

/** The result of an authentication: those fields that decide how long it may be cached. */
export interface Finding extends Versions {
  outcome: string
  organization_id: string
  space_id: string
  queries_counted: number
  /** When the caller stops being valid, such as when the key expires; null for never. */
  valid_until: Date | null
}

interface Known<Row> {
  row: Row
  /** Compared by identity with the organization's current object, which is replaced or removed when the organization changes. */
  organization: object
  /** The versions object of the row's space, updated in place. Also compared by identity, since it may have been evicted. */
  versions: Versions
}

/**
 * A cache of authentications, for the embedded database only. That serves a single process, and notifies it of each change before
 * the client that made the change gets its answer. So a request that begins after that answer never gets an outdated result.
 * Processes that share a PostgreSQL server have no such guarantee and must ask it each time.
 */
export class AuthCache<Row extends Finding> {
  readonly #known = new LRUCache<string, Known<Row>>({ max: callersMax })
  readonly #organizations = new LRUCache<string, object>({ max: callersMax })
  readonly #versions = new LRUCache<string, Versions>({
    max: callersMax,
    // After an eviction it is unknown whether an answer on its way has the latest versions, so it must not be cached.
    dispose: (_versions, _spaceId, reason) => {
      if (reason === 'evict') this.#changes++
    },
  })
  #changes = 0

  /** @returns undefined for a database server, which must be asked each time */
  static async open<Row extends Finding>(database: Database): Promise<AuthCache<Row> | undefined> {
    if (database.kind !== 'embedded') return undefined
    const callers = new AuthCache<Row>()
    await database.listen(callersChannel, (organizationId) => callers.forget(organizationId))
    await database.listen(versionsChannel, (told) => callers.#tell(told))
    return callers
  }

  /** The cached result, if it is still valid. @param name identifies the caller and what was asked */
  get(name: string): Row | undefined {
    const known = this.#known.get(name)
    if (known === undefined) return undefined
    const { row, organization, versions } = known
    const holds =
      this.#organizations.get(row.organization_id) === organization &&
      this.#versions.get(row.space_id) === versions &&
      (row.valid_until === null || row.valid_until.getTime() > Date.now())
    if (!holds) this.#known.delete(name)
    return holds ? { ...row, ...versions } : undefined
  }

  /** Counts changes. Read it before asking the database, and pass it to `keep` with the answer. */
  get changes(): number {
    return this.#changes
  }

  /** Caches an answer, unless it is a refusal, has counted queries, or something has changed since `changes` was read. */
  keep(name: string, row: Row, changes: number): void {
    if (row.outcome !== 'ok' || row.queries_counted > 0 || changes !== this.#changes) return
    let organization = this.#organizations.get(row.organization_id)
    if (organization === undefined) {
      organization = {}
      this.#organizations.set(row.organization_id, organization)
    }
    this.#known.set(name, { row, organization, versions: this.#raise(row.space_id, row) })
  }

  /** Drops the cached callers of an organization. @param organizationId empty: of all organizations */
  forget(organizationId: string): void {
    this.#changes++
    if (organizationId === '') this.#organizations.clear()
    else this.#organizations.delete(organizationId)
  }

  /** Handles a notification. @param told a space's id, its version and its engine's version, separated by spaces */
  #tell(told: string): void {
    const [spaceId = '', space, engine] = told.split(' ')
    this.#raise(spaceId, { space_version: Number(space), engine_version: Number(engine) })
  }

  /** Raises a space's versions. Takes the larger ones, since answers and notifications may arrive in any order. */
  #raise(spaceId: string, { space_version, engine_version }: Versions): Versions {
    let versions = this.#versions.get(spaceId)
    if (versions === undefined) {
      versions = { space_version, engine_version }
      this.#versions.set(spaceId, versions)
    } else {
      versions.space_version = Math.max(versions.space_version, space_version)
      versions.engine_version = Math.max(versions.engine_version, engine_version)
    }
    return versions
  }
}
