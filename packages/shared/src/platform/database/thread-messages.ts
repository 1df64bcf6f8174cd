export interface ThreadData {
  /** Folder of the database. */
  directory: string
}

/** A message to the thread of an embedded database. */
export type Order = { messages: Uint8Array; putsOff: boolean } | 'close'

/**
 * A message from the thread: first `open`, or why the database can't be opened (`unreadable`); then one answer per order, in
 * the same order (`bytes` or `failed`); and `durable`: n, when the n-th (from 0) of the answers with `isDurable` false is on the
 * disk.
 */
export type Report =
  | 'open'
  | { unreadable: string }
  | { bytes: Uint8Array; isDurable: boolean }
  | { failed: string }
  | { durable: number }

/** Copying fewer bytes than this to the other thread is faster than transferring them. */
const transferLeast = 16_384

/** The transfer list for a message with these bytes, which must be the only use of their buffer. */
export function transferOf({ buffer, length }: Uint8Array): ArrayBuffer[] {
  return length >= transferLeast ? [buffer as ArrayBuffer] : []
}
