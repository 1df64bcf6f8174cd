import { monotonicFactory } from 'ulid'

const nextUlid = monotonicFactory()
const form = /^cfl_[0-9a-z]{26}$/

/** A new id of a conflict: `cfl_` and a lower-case ULID, so that ids sort by time. */
export const newConflictId = (now: Date): string => `cfl_${nextUlid(now.getTime()).toLowerCase()}`

export const isConflictId = (text: string): boolean => form.test(text)

/** The end of a page of conflicts, by the id of its last, as an opaque text. */
export const encodeCursor = (id: string): string => Buffer.from(`after:${id}`).toString('base64url')

/** @returns undefined for a text that `encodeCursor` did not give */
export function decodeCursor(cursor: string): string | undefined {
  const id = /^after:(.*)$/s.exec(Buffer.from(cursor, 'base64url').toString())?.[1] ?? ''
  return isConflictId(id) && encodeCursor(id) === cursor ? id : undefined
}
