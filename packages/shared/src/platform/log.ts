import { writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * The structured log: one JSON line per event, by default on standard output. Never log texts, keys, tokens or bodies; requests
 * are logged by route. Lines are buffered for up to a second, since writing each one separately costs a request 0.1 ms. The
 * rest is written when the process exits.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino(
    { level, base: undefined, timestamp, serializers: { err: describeError } },
    destination ?? openOutput(),
  )
}

/**
 * What is logged of an error; its causes are in `message` and `stack`. Libraries put secrets and stored data into other
 * properties: ioredis the command that failed, with the password of a refused login; PostgreSQL the row that it refused.
 */
function describeError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error
  const { type, message, stack, code, aggregateErrors } = pino.stdSerializers.err(error as Error)
  const within = aggregateErrors?.map((each: { raw: unknown }) => describeError(each.raw))
  return { type, message, code, stack, aggregateErrors: within }
}

/** The most bytes of lines that are buffered while output fails, such as on a full disk; further lines are lost. */
const waitingMaxBytes = 16 * 2 ** 20

/**
 * Standard output. When it can't be written to any more, such as after its terminal was closed, the process goes on without a
 * log: by itself the library would throw, and at the end of the process retry for ever.
 */
function openOutput(): DestinationStream {
  const output = pino.destination({
    ...{ sync: false, minLength: 16_000, periodicFlush: 1_000, maxLength: waitingMaxBytes },
  })
  let isFailing = false
  output.on('error', () => {
    isFailing = true
  })
  output.on('write', () => {
    isFailing = false
  })
  const flushSync = output.flushSync.bind(output)
  output.flushSync = () => {
    if (!isFailing && takesOutput()) flushSync()
  }
  return output
}

/** Whether standard output can be written to: a closed terminal fails even an empty write. */
function takesOutput(): boolean {
  try {
    writeSync(1, '')
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN'
  }
}
