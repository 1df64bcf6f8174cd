export interface ThreadData {
  /** Folder of the database. */
  directory: string
}

/** What the thread of an embedded database is told. */
export type Order = { messages: Uint8Array; putsOff: boolean } | 'close'

/**
 * What the thread says: that the database is open or why it can't be; then an answer to each order, in their order;
 * and that the n-th of the answers that were not durable (from 0) is.
 */
export type Report =
  | 'open'
  | { unreadable: string }
  | { bytes: Uint8Array; isDurable: boolean }
  | { failed: string }
  | { durable: number }

/** Copying fewer bytes takes less time than handing them over. */
const transferLeast = 16_384

/** What of bytes that nobody else has changes hands instead of being copied. */
export function transferOf({ buffer, length }: Uint8Array): ArrayBuffer[] {
  return length >= transferLeast ? [buffer as ArrayBuffer] : []
}
