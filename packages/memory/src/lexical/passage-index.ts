import { emptyBits, hasBit, setBit } from '../index/bits.ts'
import type { LexicalDocument, LexicalIndex } from '../index/lexical-index.ts'
import { newLexical } from '../index/lexical-indexes.ts'
import type { Shard } from '../index/shard.ts'
import { newShard } from '../index/shards.ts'
import type { StoredPassage, TextPassages } from './passage-store.ts'

/** The text that a passage is of (its idx), and where in it: code points from `start` up to `end`. */
export interface PassagePlace {
  idx: number
  start: number
  end: number
}

/** A text with its passages; none for a text that is not long. */
export interface PassagesOfText extends TextPassages {
  text: string
}

/** About the bytes that a passage takes beside its key and words: two map entries and an object. */
const placeBytes = 160

/**
 * The passages of a space's long texts, by key and by words. Their keys are held as int8 codes: float32 would take four times as
 * much, and recall finds the same texts first.
 */
export class PassageIndex {
  /** The passages as texts, by label. */
  readonly words: LexicalIndex
  #shard: Shard | undefined
  /** By label. Labels are never reused, so that a search under way can't take one passage for another. */
  readonly #places = new Map<number, PassagePlace>()
  readonly #labelsOf = new Map<number, number[]>()
  #nextLabel = 0
  /** What `allow` has given since the last change: a recall asks for the same several times. */
  #allowed = new WeakMap<Uint8Array, Uint8Array>()

  /** @param texts the index of the whole texts, by whose terms and lengths the passages' words are weighted */
  constructor(texts: LexicalIndex) {
    this.words = newLexical(texts)
  }

  /** The keys, by label; undefined as long as there was no passage. */
  get shard(): Shard | undefined {
    return this.#shard
  }

  get bytes(): number {
    return (this.#shard?.bytes ?? 0) + this.words.bytes + this.#places.size * placeBytes
  }

  /** Whether a text has passages. */
  has(idx: number): boolean {
    return this.#labelsOf.has(idx)
  }

  /** Sets the passages of texts, replacing those that they have. Resolves when they are found by their words too. */
  async put(texts: readonly PassagesOfText[]): Promise<void> {
    this.remove(texts.map(({ idx }) => idx))
    this.#allowed = new WeakMap()
    const documents: LexicalDocument[] = []
    const rows = texts.flatMap(({ idx, passages, text }) => {
      if (passages.length === 0) return []
      const labels = passages.map((passage) => this.#place(idx, passage))
      this.#labelsOf.set(idx, labels)
      const parts = cutAt(text, passages)
      documents.push(...labels.map((label, i) => ({ idx: label, text: parts[i] as string })))
      return passages.map(({ key }, i) => ({
        idx: labels[i] as number,
        key,
        isText: true,
        tier: 'warm' as const,
      }))
    })
    const [first] = rows
    if (first === undefined) return
    this.#shard ??= newShard(first.key.length, null)
    this.#shard.put(rows)
    await this.words.put(documents)
  }

  remove(indexes: readonly number[]): void {
    const gone = indexes.flatMap((idx) => this.#labelsOf.get(idx) ?? [])
    if (gone.length === 0) return
    this.#allowed = new WeakMap()
    this.#shard?.remove(gone)
    this.words.remove(gone)
    for (const label of gone) this.#places.delete(label)
    for (const idx of indexes) this.#labelsOf.delete(idx)
  }

  /** The passage with a label that a search has found; undefined if it is gone. */
  placeOf(label: number): PassagePlace | undefined {
    return this.#places.get(label)
  }

  /** A bit set of the labels of all passages of some texts. @param among bit set of the texts, by idx, which stays as it is */
  allow(among: Uint8Array): Uint8Array {
    const known = this.#allowed.get(among)
    if (known !== undefined) return known
    const allowed = emptyBits(this.#nextLabel)
    for (const [idx, labels] of this.#labelsOf) {
      if (hasBit(among, idx)) for (const label of labels) setBit(allowed, label)
    }
    this.#allowed.set(among, allowed)
    return allowed
  }

  #place(idx: number, { start, end }: StoredPassage): number {
    const label = this.#nextLabel++
    this.#places.set(label, { idx, start, end })
    return label
  }
}

/** The parts of a text that are given in code points. */
function cutAt(text: string, parts: readonly Pick<StoredPassage, 'start' | 'end'>[]): string[] {
  if (!/[\ud800-\udfff]/.test(text)) return parts.map(({ start, end }) => text.slice(start, end))
  const points = [...text]
  return parts.map(({ start, end }) => points.slice(start, end).join(''))
}
