import { count } from '../lines.ts'

/** What of a file is not imported, by its name, and how often it is there. */
export class Leftovers {
  readonly #counts = new Map<string, number | undefined>()

  get size(): number {
    return this.#counts.size
  }

  add(what: string, times = 1): void {
    if (times > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + times)
  }

  /** Names a member of the root that is not taken: a list as often as it has items. */
  addMember(name: string, value: unknown): void {
    this.add(name, Array.isArray(value) ? value.length : 1)
  }

  /** Names something that the file does not have, so that its number is unknown. */
  addUncounted(what: string): void {
    this.#counts.set(what, undefined)
  }

  /** Names the fields of an object that are not taken, unless they are empty. @param of what such objects are called, in the plural */
  addFields(object: Record<string, unknown>, taken: readonly string[], of: string): void {
    for (const [name, value] of Object.entries(object)) {
      if (!taken.includes(name) && !isEmpty(value)) this.add(`${name} of ${of}`)
    }
  }

  /** One sentence; undefined where everything is imported. */
  describe(): string | undefined {
    if (this.size === 0) return undefined
    const named = [...this.#counts].map(([what, times]) =>
      times === undefined ? what : `${what} (${count(times)})`,
    )
    return `Not imported: ${named.join(', ')}.`
  }
}

/** Whether a value says nothing. (`false` and 0 do say something.) */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}
