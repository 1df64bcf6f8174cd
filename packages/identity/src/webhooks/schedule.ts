/** Seconds before each attempt, as Standard Webhooks recommend: at once, 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h. */
const delaysS = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** Share by which a delay varies, so that what failed together does not come back together. */
const jitter = 0.1
const retryAfterMaxS = 86_400

/**
 * Seconds until the next attempt; undefined when there is none.
 * @param attempts that failed
 * @param random in [0, 1)
 * @param retryAfterS what the receiver asked for; no attempt comes earlier, but for more than a day nobody waits
 */
export function secondsToNext(
  attempts: number,
  random: number,
  retryAfterS: number | undefined,
): number | undefined {
  const delay = delaysS[attempts]
  if (delay === undefined) return undefined
  return Math.max(delay * (1 + jitter * (2 * random - 1)), Math.min(retryAfterS ?? 0, retryAfterMaxS))
}

/** Reads `Retry-After` (RFC 9110): seconds or a date. @returns seconds from `now`; undefined for anything else */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = /[A-Za-z]/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1_000)
}
