/** A turn of the event loop that has lasted so long should end: requests that have arrived are read in the next. */
const turnMs = 1

/**
 * Tells whether what runs in microtasks has kept the event loop for long: promises that settle one after the other never
 * let it read from a socket by themselves.
 */
export class LoopTurn {
  #beganAt: number | undefined

  get isLong(): boolean {
    const now = performance.now()
    if (this.#beganAt === undefined) {
      this.#beganAt = now
      setImmediate(() => {
        this.#beganAt = undefined
      })
      return false
    }
    return now - this.#beganAt > turnMs
  }
}
