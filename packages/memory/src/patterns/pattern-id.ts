import { monotonicFactory } from 'ulid'

const nextUlid = monotonicFactory()

const form = /^pat_[0-9a-z]{26}$/

export function isPatternId(text: string): boolean {
  return form.test(text)
}

/** A new pattern id: `pat_` and a lower-case ULID, so that ids sort by time. */
export function newPatternId(now: Date): string {
  return `pat_${nextUlid(now.getTime()).toLowerCase()}`
}
