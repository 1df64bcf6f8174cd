/** Errors of connecting, as opposed to errors of a statement: they always count as unavailable, whatever their code. */
const connectFailures = new WeakSet<Error>()

/**
 * Waits for a connection to PostgreSQL and remembers its error as one of connecting. The code alone would not tell: PostgreSQL
 * refuses connections (for a changed password or database name, or a revoked right) with codes that statements have too.
 */
export async function connecting<T>(connection: Promise<T>): Promise<T> {
  try {
    return await connection
  } catch (error) {
    if (error instanceof Error) connectFailures.add(error)
    throw error
  }
}

/** Whether an error means that the database can't be reached or does not answer in time, so that a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (connectFailures.has(cause)) return true
    const code = codeOf(cause)
    if (unavailableCodes.has(code) || code.startsWith('08') || code.startsWith('53')) return true
    if (unavailableMessages.some((message) => cause instanceof Error && cause.message.includes(message)))
      return true
    if (cause instanceof AggregateError && cause.errors.some(isDatabaseUnavailable)) return true
  }
  return false
}

/**
 * Whether an error says that the database can't be reached, so that all else would fail too. A statement that took too long, or
 * waited too long for rows that another transaction has locked, says nothing of others.
 */
export function isDatabaseAway(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !statementCodes.has(codeOf(error))
}

/** Whether an error says that the database only reads, or that its disk has no room for a write: reads go on. */
export function isReadOnly(error: unknown): boolean {
  return readOnlyCodes.has(codeOf(error))
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

/** PostgreSQL's states of a database that only reads, and of a full disk. */
const readOnlyCodes = new Set(['25006', '53100'])

/** PostgreSQL's states of a statement that took or waited too long, met a deadlock or could not be serialized. */
const statementCodes = new Set(['57014', '55P03', '40P01', '40001'])

/** Node's network errors, and PostgreSQL's shutdown, start-up and read-only states, besides those of a statement. */
const unavailableCodes = new Set([
  ...statementCodes,
  ...readOnlyCodes,
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
])

/** Parts of messages of errors without a code. */
const unavailableMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout exceeded when waiting for a turn',
  'Client has encountered a connection error',
  'Query read timeout',
  'Cannot use a pool after calling end',
  // From PostgreSQL, when a migration has outdated a prepared statement within a transaction.
  'cached plan must not change result type',
]
