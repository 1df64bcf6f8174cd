import { isDatabaseAway } from '@memory/shared/platform/database/unavailable'

/** What fails in work on several spaces, where a failure in one does not concern the others. */
export class Failures {
  readonly #errors: unknown[] = []

  /** @returns undefined if `work` fails @throws only if the database can't be reached: all else would fail too */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      this.#errors.push(error)
      return undefined
    }
  }

  /** @throws the first failure, if there was any */
  report(): void {
    if (this.#errors.length > 0) throw this.#errors[0]
  }
}
