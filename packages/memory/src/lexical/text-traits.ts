/** The length, language and kind (question or not) of each text, in four bytes. */
export class TextTraits {
  /** By idx: length in UTF-16 units, 65,535 at most; 0 if there is no text. */
  #lengths = new Uint16Array(0)
  /** By idx: 1 + position in `#languages`, or 0 while unknown; the highest bit is set if the text asks something. */
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

  /** Length of a text in UTF-16 units, 65,535 at most; 0 if there is none. */
  lengthOf(idx: number): number {
    return this.#lengths[idx] ?? 0
  }

  /** Whether a text asks something. */
  asks(idx: number): boolean {
    return ((this.#kinds[idx] ?? 0) & asking) !== 0
  }

  /** The languages that a text may be in, as returned by `languagesOf`; undefined: unknown, or not yet determined. */
  languagesOf(idx: number): string | undefined {
    return this.#languages[((this.#kinds[idx] ?? 0) & ~asking) - 1]
  }

  /** Adds or replaces a text, whose language is unknown then. */
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
    // If there are more combinations of languages than fit into 15 bits, further ones stay unknown.
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
