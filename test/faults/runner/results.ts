/** What a run measured, and which requirements it found broken. */
export class Results {
  readonly broken: string[] = []
  readonly #samples = new Map<string, number[]>()

  require(holds: boolean, otherwise: string): void {
    if (!holds) this.broken.push(otherwise)
  }

  /** Keeps a time in milliseconds. */
  add(what: string, ms: number): void {
    this.#samples.set(what, [...(this.#samples.get(what) ?? []), ms])
  }

  /** Median and maximum in milliseconds of everything that was timed. */
  times(): { what: string; count: number; p50: number; max: number }[] {
    return [...this.#samples].map(([what, samples]) => {
      const sorted = samples.toSorted((a, b) => a - b)
      const p50 = sorted[Math.floor((sorted.length - 1) / 2)] as number
      return { what, count: sorted.length, p50, max: sorted.at(-1) as number }
    })
  }
}
