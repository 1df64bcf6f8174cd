import { monotonicFactory } from 'ulid'

const nextUlid = monotonicFactory()

/** A new pattern id: `pat_` and a lower-case ULID, so that ids sort by time. */
export function newPatternId(now: Date): string {
  return `pat_${nextUlid(now.getTime()).toLowerCase()}`
}
