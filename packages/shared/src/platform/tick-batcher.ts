/** Gathers what arrives within one turn of the event loop and hands it on at its end. */
export class TickBatcher<T> {
  readonly #handOn: (all: T[]) => void
  #gathered: T[] = []

  /** @param handOn must not throw */
  constructor(handOn: (all: T[]) => void) {
    this.#handOn = handOn
  }

  add(one: T): void {
    // Immediates run as soon as the sockets that were readable have been read: what arrives alone is not held up.
    if (this.#gathered.push(one) === 1) setImmediate(() => this.flush())
  }

  /** Hands on at once what has arrived. */
  flush(): void {
    if (this.#gathered.length === 0) return
    const all = this.#gathered
    this.#gathered = []
    this.#handOn(all)
  }
}
