/** Runs work of the same key one after the other, in order of arrival; work of different keys runs concurrently. */
export class KeyedQueue<Key> {
  readonly #last = new Map<Key, Promise<unknown>>()

  /** Runs `work` after all earlier work of the same key, whether that succeeded or failed. @throws what `work` throws */
  run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work).finally(() => {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    })
    this.#last.set(key, mine)
    return mine
  }

  /** Waits for all work that has been queued so far. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#last.values())
  }
}
