/** What recall knows of each text beside its words, in a few bytes. */
export class TextTraits {
  /** By idx: UTF-16 units, 65,535 for all that are longer; 0 where no text is. */
  #lengths = new Uint16Array(0)
  /** By idx: the number of the text's languages, 0 while they are unknown; the highest bit says that it asks something. */
  #kinds = new Uint16Array(0)
  readonly #languages: string[] = []
  readonly #numbers = new Map<string, number>()

  get bytes(): number {
    return this.#lengths.byteLength + this.#kinds.byteLength
  }

  /** Whether a pattern is a text. */
  has(idx: number): boolean {
    return (this.#lengths[idx] ?? 0) > 0
  }

  /** UTF-16 units of a text, 65,535 at most; 0 where none is. */
  lengthOf(idx: number): number {
    return this.#lengths[idx] ?? 0
  }

  asks(idx: number): boolean {
    return ((this.#kinds[idx] ?? 0) & asking) !== 0
  }

  /** The languages that a text may be in, as `languagesOf` tells; undefined: not known, or not yet. */
  languagesOf(idx: number): string | undefined {
    return this.#languages[((this.#kinds[idx] ?? 0) & ~asking) - 1]
  }

  /** Adds a text, or replaces the one there; its language is unknown then. */
  put(idx: number, { length, asks }: { length: number; asks: boolean }): void {
    if (idx >= this.#lengths.length) this.#grow(idx + 1)
    this.#lengths[idx] = Math.min(Math.max(length, 1), longest)
    this.#kinds[idx] = asks ? asking : 0
  }

  setLanguages(idx: number, languages: string): void {
    if (!this.has(idx)) return
    let number = this.#numbers.get(languages) ?? 0
    if (number === 0) {
      number = this.#languages.push(languages)
      this.#numbers.set(languages, number)
    }
    // More than fit into the bits stay unknown.
    if (number < asking) this.#kinds[idx] = ((this.#kinds[idx] as number) & asking) | number
  }

  delete(idx: number): void {
    if (!this.has(idx)) return
    this.#lengths[idx] = 0
    this.#kinds[idx] = 0
  }

  #grow(least: number): void {
    const capacity = Math.max(least, 2 * this.#lengths.length, 64)
    const lengths = new Uint16Array(capacity)
    const kinds = new Uint16Array(capacity)
    lengths.set(this.#lengths)
    kinds.set(this.#kinds)
    this.#lengths = lengths
    this.#kinds = kinds
  }
}

const asking = 0x8000
const longest = 0xffff
