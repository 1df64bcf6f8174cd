/** Work of one key is done one after the other, in the order in which it came; that of others at the same time. */
export class KeyedQueue<Key> {
  readonly #last = new Map<Key, Promise<unknown>>()

  /** Does a piece of work after those of the same key, whatever became of them. @throws what `work` throws */
  run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work).finally(() => {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    })
    this.#last.set(key, mine)
    return mine
  }

  /** Waits for what has been asked for by now. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#last.values())
  }
}
