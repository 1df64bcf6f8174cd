import { randomFillSync } from 'node:crypto'
import { monotonicFactory } from 'ulid'

const drawn = new Uint32Array(1_024)
let left = 0

/** Random number in [0, 1). An id takes one for each random character, so they are drawn from the system in batches. */
function random(): number {
  if (left === 0) {
    randomFillSync(drawn)
    left = drawn.length
  }
  return (drawn[--left] as number) / 2 ** 32
}

/** Makes ids of one kind, a prefix and a lower-case ULID, which sort by creation time; and the cursors of lists in that order. */
export function sortedIds(prefix: string) {
  const nextUlid = monotonicFactory(random)
  const form = new RegExp(`^${prefix}_[0-9a-z]{26}$`)
  const isId = (text: string): boolean => form.test(text)
  /** Cursor for the page after the item with this id. Clients treat it as opaque. */
  const encodeCursor = (id: string): string => Buffer.from(`after:${id}`).toString('base64url')
  return {
    newId: (now: Date): string => `${prefix}_${nextUlid(now.getTime()).toLowerCase()}`,
    isId,
    encodeCursor,
    /** @returns the id; undefined for a text that `encodeCursor` did not make */
    decodeCursor(cursor: string): string | undefined {
      const id = /^after:(.*)$/s.exec(Buffer.from(cursor, 'base64url').toString())?.[1] ?? ''
      return isId(id) && encodeCursor(id) === cursor ? id : undefined
    },
  }
}
