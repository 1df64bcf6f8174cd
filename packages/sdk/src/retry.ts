/** Pauses before the first, second and third retry; there is no fourth. */
const delaysMs = [1_000, 2_000, 4_000]

const retriedStatuses = new Set([429, 500, 502, 503])

/** A longer wait is for the caller to decide on. */
const retryAfterSecondsMax = 10

/**
 * The pause before the next attempt, in ms.
 * @param retry how many retries there were already
 * @param retryAfterS what the answer asks for
 * @returns undefined where another attempt is not due
 */
export function delayBefore(
  retry: number,
  status: number,
  retryAfterS: number | undefined,
): number | undefined {
  const delayMs = delaysMs[retry]
  if (delayMs === undefined || !retriedStatuses.has(status)) return undefined
  if (retryAfterS === undefined) return delayMs
  return retryAfterS > retryAfterSecondsMax ? undefined : Math.max(delayMs, retryAfterS * 1_000)
}

/**
 * Seconds of a Retry-After header (RFC 9110, section 10.2.3), which is a number or a date.
 * @param now the time in ms
 * @returns undefined without one that can be read
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1_000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** Waits; rejects with the signal's reason as soon as it fires. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
