import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * The structured log: one JSON line an event, on standard output unless said. Texts, keys and tokens never go in;
 * request logs carry the route, not the body. Lines are gathered for up to a second (writing each by itself costs a
 * request 0.1 ms); what is left is written when the process exits.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }
  return pino(
    options,
    destination ?? pino.destination({ sync: false, minLength: 16_000, periodicFlush: 1_000 }),
  )
}
