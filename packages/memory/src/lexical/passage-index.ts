import { bitsOf, hasBit } from '../index/bits.ts'
import type { Shard } from '../index/shard.ts'
import { newShard } from '../index/shards.ts'
import type { StoredPassage, TextPassages } from './passage-store.ts'

/** Of which text a passage is, and where in it. */
export interface PassagePlace {
  idx: number
  start: number
  end: number
}

/** About what a passage takes beside its key, in bytes: two maps and an object. */
const placeBytes = 160

/**
 * The passages of a space's long texts. Their keys are held as bytes: as float32 they take four times as much, and recall
 * puts the same texts first.
 */
export class PassageIndex {
  #shard: Shard | undefined
  /** By label, which is given once: a search that is under way must not take a passage for another. */
  readonly #places = new Map<number, PassagePlace>()
  readonly #labelsOf = new Map<number, number[]>()
  #nextLabel = 0

  /** Their keys, by label; undefined where no text is long. */
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

  /** Gives texts these passages in place of those that they have. */
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

  /** What passage a search has found; undefined for one that is gone. */
  placeOf(label: number): PassagePlace | undefined {
    return this.#places.get(label)
  }

  /** Restricts a search to the passages of texts. @param among bit idx % 8 of byte idx / 8 lets a text in */
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
