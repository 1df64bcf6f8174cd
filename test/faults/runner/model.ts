/** What is stored under a name: a version of it, or nothing. */
export type State = number | 'absent'

/** A stored pattern, as the service lists it. */
export interface Row {
  id: string
  /** Who stored it. */
  tenant: string
  name: string
  version: number
}

/** What a comparison found; nothing of it may be above 0. */
export interface Differences {
  /** Names whose acknowledged state is not there: a store, a change or a deletion. */
  lost: number
  /** Patterns of a name beyond the first. */
  duplicated: number
  /** Patterns that another tenant stored, or nobody. */
  foreign: number
  /** Unanswered batches of which a part is there. */
  halves: number
  /** One sentence each. */
  details: string[]
}

/** What one tenant's memory must hold by what the service acknowledged. */
export class TenantModel {
  readonly tenant: string
  /** Of each name, every state that it may be in: more than one after a write that was not answered. */
  readonly #possible = new Map<string, Set<State>>()
  readonly #ids = new Map<string, string>()
  #batches: string[][] = []

  constructor(tenant: string) {
    this.tenant = tenant
  }

  /** A write was acknowledged. @param id of the pattern, where the answer has it */
  acknowledge(name: string, state: State, id?: string): void {
    this.#possible.set(name, new Set([state]))
    if (id !== undefined) this.#ids.set(name, id)
  }

  /** A write was not answered: it is done or not. */
  doubt(name: string, state: State): void {
    const before: Iterable<State> = this.#possible.get(name) ?? ['absent']
    this.#possible.set(name, new Set([...before, state]))
  }

  /** A store of several was not answered: all of them are there, or none. */
  doubtBatch(names: readonly string[]): void {
    for (const name of names) this.doubt(name, 0)
    this.#batches.push([...names])
  }

  mayBe(name: string, state: State): boolean {
    return this.#possible.get(name)?.has(state) ?? state === 'absent'
  }

  /** Compares with all that the tenant's memory holds, and takes over what doubtful writes turned out to be. */
  compare(rows: readonly Row[]): Differences {
    const found: Differences = { lost: 0, duplicated: 0, foreign: 0, halves: 0, details: [] }
    const seen = new Map<string, Row>()
    for (const row of rows) {
      if (row.tenant !== this.tenant || !this.#possible.has(row.name)) {
        found.foreign++
        found.details.push(`${this.tenant} holds ${row.name} of ${row.tenant}`)
      } else if (seen.has(row.name)) {
        found.duplicated++
        found.details.push(`${this.tenant} holds ${row.name} twice`)
      } else {
        seen.set(row.name, row)
      }
    }
    for (const [name, possible] of this.#possible) {
      const row = seen.get(name)
      const state = row?.version ?? 'absent'
      const id = this.#ids.get(name)
      if (!possible.has(state)) {
        found.lost++
        found.details.push(`${this.tenant} has ${name} at ${state}, not ${[...possible].join(' or ')}`)
      } else if (row !== undefined && id !== undefined && row.id !== id) {
        found.lost++
        found.details.push(`${this.tenant} has ${name} as ${row.id}, not ${id}`)
      }
      this.acknowledge(name, state, row?.id)
    }
    for (const names of this.#batches) {
      const there = names.filter((name) => seen.has(name)).length
      if (there === 0 || there === names.length) continue
      found.halves++
      found.details.push(`${this.tenant} holds ${there} of the ${names.length} of ${names[0]}'s batch`)
    }
    this.#batches = []
    return found
  }
}
