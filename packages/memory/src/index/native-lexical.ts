import type { Lexicon } from '@memory/accel'
import type { LexicalDocument, LexicalIndex, LexicalTarget } from './lexical-index.ts'

/** Texts of so many characters in all are taken apart in about 0.1 ms; more are in the background. */
const atOnceCharactersMax = 4_000

/** A lexical index in native memory, which all threads of the process search. */
export class NativeLexical implements LexicalIndex {
  readonly target: LexicalTarget
  readonly #addon: Lexicon
  #size = 0

  /** @param addon a lexicon that nobody else changes */
  constructor(addon: Lexicon) {
    this.#addon = addon
    this.target = { kind: 'native', id: addon.id }
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#addon.stats().bytes
  }

  async put(documents: readonly LexicalDocument[]): Promise<void> {
    const labels = Int32Array.from(documents, ({ idx }) => idx)
    const texts = documents.map(({ text }) => text)
    const characters = texts.reduce((sum, text) => sum + text.length, 0)
    if (characters <= atOnceCharactersMax) this.#addon.put(labels, texts)
    else await this.#addon.putMany(labels, texts)
    this.#size = this.#addon.stats().documents
  }

  remove(indexes: readonly number[]): void {
    this.#addon.remove(Int32Array.from(indexes))
    this.#size = this.#addon.stats().documents
  }
}
