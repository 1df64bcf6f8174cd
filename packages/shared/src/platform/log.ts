import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * The structured log: one JSON line an event on standard output. Texts, keys and tokens never go in; request
 * logs carry the route, not the body.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }
  return destination === undefined ? pino(options) : pino(options, destination)
}
