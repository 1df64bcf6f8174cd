import type { Filter, TimeField } from '@memory/shared/catalogue/filter'

/** What filters look at of a pattern, except its text, as the database returns it. */
export interface DocumentRow {
  idx: number
  /** JSON text of an object; null for none. */
  metadata: string | null
  subject: string | null
  external_id: string | null
  category: string | null
  tier: string
  /** In ms since 1970, as all times are here. */
  created_at: number
  updated_at: number
  occurred_at: number
  expires_at: number | null
  /** Until when it is valid; null: without end. */
  valid_to: number | null
  /** From when on it is valid, if that is in the future; else null. */
  enters_at: number | null
}

/** What an index knows about a filter. Patterns in neither set do not match. */
export interface MetadataFound {
  /** The patterns that match: bit idx % 8 of byte idx / 8. */
  sure: Uint8Array
  /** How many bits of `sure` are set. */
  count: number
  /** The idx, ascending, of patterns that the index can't judge: they have to be read from the database. */
  unsure: Int32Array
}

/** A page of patterns ordered by one of their times, and by idx where times are equal. */
export interface TimePage {
  field: TimeField
  /** Latest first, and on equal times the greatest idx first. */
  isDescending: boolean
  count: number
  /** The last pattern of the previous page. */
  after: PlaceInTime | undefined
}

/** A pattern's place in such an order. */
export interface PlaceInTime {
  idx: number
  /** In ms since 1970. */
  at?: number | undefined
}

/** Finds the patterns of one space that match a filter; `matches` defines what that means. */
export interface MetadataIndex {
  /** Memory, in bytes. */
  readonly bytes: number
  /** Whether no pattern expires or becomes invalid, so that results do not depend on the time and can be kept. */
  readonly isTimeless: boolean
  /** Adds or replaces patterns. */
  put(rows: readonly DocumentRow[]): void
  /** Removes patterns, leaving no trace in memory; an unknown idx is ignored. */
  remove(indexes: readonly number[]): void
  /**
   * The unexpired patterns that match a filter.
   * @param now in ms since 1970
   * @param all includes patterns that are not valid now
   */
  find(filter: Filter, now: number, all: boolean): MetadataFound | Promise<MetadataFound>
  /** The next page of some patterns in the order of a time. @param among bit idx % 8 of byte idx / 8 */
  page(among: Uint8Array, page: TimePage): { idx: number; at: number }[]
}
