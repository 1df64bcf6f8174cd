import type { Access } from './accesses.ts'

/** How often an access was among what had been predicted. */
export class Hits {
  #all = { hits: 0, of: 0 }
  #foreseeable = { hits: 0, of: 0 }

  /** @param predicted facts, as many as count */
  note({ fact, isForeseeable }: Access, predicted: readonly number[]): void {
    for (const counted of isForeseeable ? [this.#all, this.#foreseeable] : [this.#all]) {
      counted.of++
      if (predicted.includes(fact)) counted.hits++
    }
  }

  /** Shares of all accesses, and of those that can be foreseen. */
  get shares(): { all: number; foreseeable: number } {
    return {
      all: this.#all.hits / this.#all.of,
      foreseeable: this.#foreseeable.hits / this.#foreseeable.of,
    }
  }
}
