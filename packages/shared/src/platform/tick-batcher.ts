/** Collects what arrives within one turn of the event loop and hands it on at the end of that turn. */
export class TickBatcher<T> {
  readonly #handOn: (all: T[]) => void
  #gathered: T[] = []

  /** @param handOn must not throw */
  constructor(handOn: (all: T[]) => void) {
    this.#handOn = handOn
  }

  add(one: T): void {
    // Immediates run as soon as all readable sockets have been read, so that a single arrival is not delayed.
    if (this.#gathered.push(one) === 1) setImmediate(() => this.flush())
  }

  /** Hands on immediately what has arrived so far. */
  flush(): void {
    if (this.#gathered.length === 0) return
    const all = this.#gathered
    this.#gathered = []
    this.#handOn(all)
  }
}
