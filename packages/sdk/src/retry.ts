/** Pauses before the first, second and third retry; further ones are as long as the last. */
const delaysMs = [1_000, 2_000, 4_000]

export const maxRetriesDefault = delaysMs.length

/** What is answered so was not begun. */
export const refusedStatus = 429

const retriedStatuses = new Set([refusedStatus, 500, 502, 503, 504])

/** What a proxy answers where the service gave it no whole answer, and may still be at work. */
const lostStatuses = new Set([502, 504])

/** A longer wait is for the caller to decide on. */
const retryAfterSecondsMax = 10

/** What failed together should not come back together: each pause is longer by chance, by up to this share. */
const jitter = 0.25

/** Whether an answer of a status says that the same request may succeed later. */
export const isPassing = (status: number): boolean => retriedStatuses.has(status)

/** Whether an answer of a status leaves open what has become of the request. */
export const isLost = (status: number): boolean => lostStatuses.has(status)

/**
 * The pause before the next attempt, in ms.
 * @param retry how many retries there were already
 * @param retryAfterS what the answer asks for
 * @param chance 0 to 1
 * @returns undefined where the answer asks for a longer one than is waited for
 */
export function pauseBefore(retry: number, retryAfterS = 0, chance = Math.random()): number | undefined {
  if (retryAfterS > retryAfterSecondsMax) return undefined
  const delayMs = delaysMs[Math.min(retry, delaysMs.length - 1)] as number
  return Math.max(delayMs, retryAfterS * 1_000) * (1 + jitter * chance)
}

/** The same where there was no answer: usually a connection that had been idle for too long, which a new one makes up for. */
export function pauseWithoutAnswer(retry: number, chance = Math.random()): number {
  return (pauseBefore(retry, 0, chance) as number) / 4
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
