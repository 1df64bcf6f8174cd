import { setImmediate } from 'node:timers/promises'

/** Lets those that may wait to a database that has one session one at a time, behind whoever has asked by then. */
export class PatientLane {
  #last: Promise<void> = Promise.resolve()

  /** Waits for the ones before. @returns what lets the next one in */
  async enter(): Promise<() => void> {
    const left = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = left.promise
    await before
    // The event loop reads from the network between two of these: requests that have come meanwhile ask first.
    await setImmediate()
    await setImmediate()
    return left.resolve
  }
}
