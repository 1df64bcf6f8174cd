import type { Filter, TimeField } from '@memory/shared/catalogue/filter'

/** What filters look at of a pattern, its text apart, as the database gives it. */
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
  /** Until when it is valid; null without end. */
  valid_to: number | null
  /** From when on it is valid, where that is yet to come. */
  enters_at: number | null
}

/** What an index knows of a filter: which patterns are what it says, and of which it can't know. No others are. */
export interface MetadataFound {
  /** Bit idx % 8 of byte idx / 8. */
  sure: Uint8Array
  /** How many bits are set. */
  count: number
  /** In ascending order. */
  unsure: Int32Array
}

/** A part of patterns in the order of one of their times; those of one moment in store order. */
export interface TimePage {
  field: TimeField
  /** The latest first, and of one moment the last stored. */
  isDescending: boolean
  count: number
  /** Where the page before ended. */
  after: PlaceInTime | undefined
}

/** Where a pattern stands in such an order. */
export interface PlaceInTime {
  idx: number
  /** In ms since 1970. */
  at?: number | undefined
}

/** Finds the patterns of one space that are what a filter says; see `matches`. */
export interface MetadataIndex {
  /** Memory held, in bytes. */
  readonly bytes: number
  /** Whether all patterns are there for ever, so that what is found does not depend on when. */
  readonly isTimeless: boolean
  /** Adds patterns, and replaces those that are there. */
  put(rows: readonly DocumentRow[]): void
  /** Removes patterns, with all that is left of them; those that are not there are ignored. */
  remove(indexes: readonly number[]): void
  /**
   * The unexpired patterns that are what a filter says.
   * @param now in ms since 1970 @param all those too that are not valid then
   */
  find(filter: Filter, now: number, all: boolean): MetadataFound | Promise<MetadataFound>
  /** The next of some patterns in the order of a time. @param among bit idx % 8 of byte idx / 8 */
  page(among: Uint8Array, page: TimePage): { idx: number; at: number }[]
}
