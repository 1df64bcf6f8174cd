import type { Lexicon } from '@memory/accel'
import type { LexicalDocument, LexicalIndex, LexicalTarget } from './lexical-index.ts'

/** Up to this many characters, tokenising takes about 0.1 ms and is done at once; more is done in a background thread. */
const atOnceCharactersMax = 4_000

/** A BM25 index in native memory, which every thread of the process can search. */
export class NativeLexical implements LexicalIndex {
  readonly target: LexicalTarget
  readonly #addon: Lexicon
  #size = 0

  /**
   * @param addon an empty lexicon, owned by this object
   * @param among see `newLexical`
   */
  constructor(addon: Lexicon, among?: NativeLexical) {
    this.#addon = addon
    this.target = { kind: 'native', id: addon.id, among: among === undefined ? undefined : among.#addon.id }
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
