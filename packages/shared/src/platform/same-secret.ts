import { timingSafeEqual } from 'node:crypto'

/** Compares secrets in constant time, so that the time does not reveal how much of one was right. */
export function isSameSecret<Secret extends string | Uint8Array>(given: Secret, wanted: Secret): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
