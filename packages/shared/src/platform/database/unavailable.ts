/** What no connection could be made for: of these, whatever PostgreSQL says is no fault of what was asked. */
const connectFailures = new WeakSet<Error>()

/**
 * Waits for a connection to PostgreSQL. It refuses one with codes that it has for statements too: a role that may not log in, a
 * password or a name of a database that was changed, a right that was taken away.
 */
export async function connecting<T>(connection: Promise<T>): Promise<T> {
  try {
    return await connection
  } catch (error) {
    if (error instanceof Error) connectFailures.add(error)
    throw error
  }
}

/** The database can't be reached or does not answer in time: the request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (connectFailures.has(cause)) return true
    const code = String((cause as { code?: unknown }).code ?? '')
    if (unavailableCodes.has(code) || code.startsWith('08') || code.startsWith('53')) return true
    if (unavailableMessages.some((message) => cause instanceof Error && cause.message.includes(message)))
      return true
    if (cause instanceof AggregateError && cause.errors.some(isDatabaseUnavailable)) return true
  }
  return false
}

/** Node's network errors, and PostgreSQL's shutdown, start-up, read-only, time-out and deadlock states. */
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '25006',
  '57014',
  '55P03',
  '40P01',
  '40001',
])

/** Conditions that have a message and no code of their own. */
const unavailableMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout exceeded when waiting for a turn',
  'Client has encountered a connection error',
  'Query read timeout',
  'Cannot use a pool after calling end',
  // PostgreSQL's words for a prepared statement that a migration has outdated, where a transaction fails with it.
  'cached plan must not change result type',
]
