import type { Database } from '@memory/shared/platform/database/database'
import { LRUCache } from 'lru-cache'

/** As `app.tell_callers` names them: of organizations whose callers have changed, and of spaces that have other versions. */
const callersChannel = 'memory_callers'
const versionsChannel = 'memory_versions'
/** More than are in use at a time. */
const callersMax = 10_000

/** What a space has now. */
interface Versions {
  space_version: number
  engine_version: number
}

/** What authentication found, as far as it matters how long that holds. */
export interface Finding extends Versions {
  outcome: string
  organization_id: string
  space_id: string
  queries_counted: number
  /** The caller is refused from then on; null for never. */
  valid_until: Date | null
}

interface Known<Row> {
  row: Row
  /** Another object, or none, stands for the organization once it has changed. */
  organization: object
  /** Of the row's space, as they are now, as long as this object is the one that is kept of it. */
  versions: Versions
}

/**
 * What authentication found of callers, for as long as it is sure to find the same again. The embedded database serves
 * one process and tells it of every change before whoever made the change hears that it is made, so no request that
 * begins afterwards sees what was found before. Processes that share a PostgreSQL have to ask it each time.
 */
export class AuthCache<Row extends Finding> {
  readonly #known = new LRUCache<string, Known<Row>>({ max: callersMax })
  readonly #organizations = new LRUCache<string, object>({ max: callersMax })
  readonly #versions = new LRUCache<string, Versions>({
    max: callersMax,
    // Of an answer that is on its way it would no longer be known what it lacks.
    dispose: (_versions, _spaceId, reason) => {
      if (reason === 'evict') this.#changes++
    },
  })
  #changes = 0

  /** @returns undefined for a database that must be asked each time */
  static async open<Row extends Finding>(database: Database): Promise<AuthCache<Row> | undefined> {
    if (database.kind !== 'embedded') return undefined
    const callers = new AuthCache<Row>()
    await database.listen(callersChannel, (organizationId) => callers.forget(organizationId))
    await database.listen(versionsChannel, (told) => callers.#tell(told))
    return callers
  }

  /** @param name of the question, and of the caller who is meant */
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

  /** To be taken before the database is asked, and handed over with what it answered. */
  get changes(): number {
    return this.#changes
  }

  /** Keeps an answer, unless it is a refusal, has counted queries, or callers have changed since it was asked for. */
  keep(name: string, row: Row, changes: number): void {
    if (row.outcome !== 'ok' || row.queries_counted > 0 || changes !== this.#changes) return
    let organization = this.#organizations.get(row.organization_id)
    if (organization === undefined) {
      organization = {}
      this.#organizations.set(row.organization_id, organization)
    }
    this.#known.set(name, { row, organization, versions: this.#raise(row.space_id, row) })
  }

  /** @param organizationId whose callers may have changed; empty where any may have */
  forget(organizationId: string): void {
    this.#changes++
    if (organizationId === '') this.#organizations.clear()
    else this.#organizations.delete(organizationId)
  }

  /** @param told a space and its versions */
  #tell(told: string): void {
    const [spaceId = '', space, engine] = told.split(' ')
    this.#raise(spaceId, { space_version: Number(space), engine_version: Number(engine) })
  }

  /** An answer that is on its way may bring older versions than have been told, or newer ones that were not. */
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
