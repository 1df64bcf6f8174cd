import type { Metadata } from '@memory/accel'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { DocumentRow, MetadataFound, MetadataIndex, TimePage } from './metadata-index.ts'

/** A metadata index in native memory: for each field its values in order, each with a bitmap of the patterns that have it. */
export class NativeMetadata implements MetadataIndex {
  readonly #addon: Metadata

  /** @param addon owned by this object */
  constructor(addon: Metadata) {
    this.#addon = addon
  }

  get bytes(): number {
    return this.#addon.stats().bytes
  }

  get isTimeless(): boolean {
    return this.#addon.stats().passing === 0
  }

  put(rows: readonly DocumentRow[]): void {
    if (rows.length === 0) return
    this.#addon.put(
      Int32Array.from(rows, ({ idx }) => idx),
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
    this.#addon.remove(Int32Array.from(indexes))
  }

  page(among: Uint8Array, { field, isDescending, count, after }: TimePage): { idx: number; at: number }[] {
    const { labels, times } = this.#addon.page(among, field, isDescending, count, after?.idx, after?.at)
    return Array.from(labels, (idx, i) => ({ idx, at: times[i] as number }))
  }

  find(filter: Filter, now: number, all: boolean): MetadataFound {
    return this.#addon.find(JSON.stringify(filter), now, all)
  }
}
