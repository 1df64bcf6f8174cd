import { bitsOf, hasBit } from '../index/bits.ts'
import type { Shard } from '../index/shard.ts'
import { newShard } from '../index/shards.ts'
import type { StoredPassage, TextPassages } from './passage-store.ts'

/** The text that a passage is of (its idx), and where in it: code points from `start` up to `end`. */
export interface PassagePlace {
  idx: number
  start: number
  end: number
}

/** About the bytes that a passage takes beside its key: two map entries and an object. */
const placeBytes = 160

/**
 * The passages of a space's long texts. Their keys are held as int8 codes: float32 would take four times as much, and recall
 * finds the same texts first.
 */
export class PassageIndex {
  #shard: Shard | undefined
  /** By label. Labels are never reused, so that a search under way can't take one passage for another. */
  readonly #places = new Map<number, PassagePlace>()
  readonly #labelsOf = new Map<number, number[]>()
  #nextLabel = 0

  /** The keys, by label; undefined as long as there was no passage. */
  get shard(): Shard | undefined {
    return this.#shard
  }

  get bytes(): number {
    return (this.#shard?.bytes ?? 0) + this.#places.size * placeBytes
  }

  /** Whether a text has passages. */
  has(idx: number): boolean {
    return this.#labelsOf.has(idx)
  }

  /** Sets the passages of texts, replacing those that they have. */
  put(texts: readonly TextPassages[]): void {
    this.remove(texts.map(({ idx }) => idx))
    const rows = texts.flatMap(({ idx, passages }) => {
      if (passages.length === 0) return []
      const labels = passages.map((passage) => this.#place(idx, passage))
      this.#labelsOf.set(idx, labels)
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
  }

  remove(indexes: readonly number[]): void {
    const gone = indexes.flatMap((idx) => this.#labelsOf.get(idx) ?? [])
    if (gone.length === 0) return
    this.#shard?.remove(gone)
    for (const label of gone) this.#places.delete(label)
    for (const idx of indexes) this.#labelsOf.delete(idx)
  }

  /** The passage with a label that a search has found; undefined if it is gone. */
  placeOf(label: number): PassagePlace | undefined {
    return this.#places.get(label)
  }

  /** A bit set of the labels of all passages of some texts. @param among bit set of the texts, by idx */
  allow(among: Uint8Array): Uint8Array {
    const allowed: number[] = []
    for (const [idx, labels] of this.#labelsOf) if (hasBit(among, idx)) allowed.push(...labels)
    return bitsOf(allowed)
  }

  #place(idx: number, { start, end }: StoredPassage): number {
    const label = this.#nextLabel++
    this.#places.set(label, { idx, start, end })
    return label
  }
}
