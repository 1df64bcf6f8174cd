import { setImmediate as turnOfOthers } from 'node:timers/promises'
import type { Metadata, MetadataSearch } from '@memory/accel'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { DocumentRow, MetadataFound, MetadataIndex, TimePage } from './metadata-index.ts'

/** How long, in ms, a filter is evaluated before others have a turn: a step, of some milliseconds at most, is ended. */
const turnMsMax = 5

/** A metadata index in native memory: for each field its values in order, each with a bitmap of the patterns that have it. */
export class NativeMetadata implements MetadataIndex {
  readonly #addon: Metadata
  readonly #turnMs: number
  /** Those that others have a turn between. */
  readonly #searches = new Set<MetadataSearch>()

  /** @param addon owned by this object */
  constructor(addon: Metadata, turnMs = turnMsMax) {
    this.#addon = addon
    this.#turnMs = turnMs
  }

  get bytes(): number {
    return this.#addon.stats().bytes
  }

  get isTimeless(): boolean {
    return this.#addon.stats().passing === 0
  }

  put(rows: readonly DocumentRow[]): void {
    if (rows.length === 0) return
    const labels = Int32Array.from(rows, ({ idx }) => idx)
    for (const search of this.#searches) search.noteChanges(labels)
    this.#addon.put(
      labels,
      rows.map(({ metadata }) => metadata ?? ''),
      rows.flatMap(({ subject, external_id, category, tier }) => [subject, external_id, category, tier]),
      Float64Array.from(
        rows.flatMap(({ created_at, updated_at, occurred_at, expires_at, valid_to, enters_at }) => [
          created_at,
          updated_at,
          occurred_at,
          expires_at ?? Number.NaN,
          valid_to ?? Number.NaN,
          enters_at ?? Number.NaN,
        ]),
      ),
    )
  }

  /** Saves the index as a file. @param name the space's id, which loading checks */
  save(path: string, name: string, version: number): void {
    this.#addon.save(path, name, version)
  }

  remove(indexes: readonly number[]): void {
    const labels = Int32Array.from(indexes)
    for (const search of this.#searches) search.noteChanges(labels)
    this.#addon.remove(labels)
  }

  page(among: Uint8Array, { field, isDescending, count, after }: TimePage): { idx: number; at: number }[] {
    const { labels, times } = this.#addon.page(among, field, isDescending, count, after?.idx, after?.at)
    return Array.from(labels, (idx, i) => ({ idx, at: times[i] as number }))
  }

  find(filter: Filter, now: number, all: boolean): MetadataFound | Promise<MetadataFound> {
    const search = this.#addon.search(JSON.stringify(filter))
    return this.#addon.find(search, now, all, this.#turnMs) ?? this.#findOn(search, now, all)
  }

  async #findOn(search: MetadataSearch, now: number, all: boolean): Promise<MetadataFound> {
    this.#searches.add(search)
    try {
      for (;;) {
        await turnOfOthers()
        const found = this.#addon.find(search, now, all, this.#turnMs)
        if (found !== null) return found
      }
    } finally {
      this.#searches.delete(search)
    }
  }
}
