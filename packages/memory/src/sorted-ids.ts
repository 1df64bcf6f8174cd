import { randomFillSync } from 'node:crypto'
import { monotonicFactory } from 'ulid'

const drawn = new Uint32Array(1_024)
let left = 0

/** Random from 0 to below 1. The system is asked for many at a time: each character of an id takes one. */
function random(): number {
  if (left === 0) {
    randomFillSync(drawn)
    left = drawn.length
  }
  return (drawn[--left] as number) / 2 ** 32
}

/** Ids of one kind: a prefix and a lower-case ULID, so that they sort by time; and cursors of lists that are in their order. */
export function sortedIds(prefix: string) {
  const nextUlid = monotonicFactory(random)
  const form = new RegExp(`^${prefix}_[0-9a-z]{26}$`)
  const isId = (text: string): boolean => form.test(text)
  /** The end of a page, by the id of its last, as an opaque text. */
  const encodeCursor = (id: string): string => Buffer.from(`after:${id}`).toString('base64url')
  return {
    newId: (now: Date): string => `${prefix}_${nextUlid(now.getTime()).toLowerCase()}`,
    isId,
    encodeCursor,
    /** @returns undefined for a text that `encodeCursor` did not give */
    decodeCursor(cursor: string): string | undefined {
      const id = /^after:(.*)$/s.exec(Buffer.from(cursor, 'base64url').toString())?.[1] ?? ''
      return isId(id) && encodeCursor(id) === cursor ? id : undefined
    },
  }
}
