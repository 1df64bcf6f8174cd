import { ConfigError } from './config.ts'
import { MigrationError } from './database/migrations.ts'
import type { Log } from './log.ts'

export function isHelpAsked(arguments_ = process.argv.slice(2)): boolean {
  return arguments_.includes('--help') || arguments_.includes('-h')
}

/**
 * Refuses arguments: what was meant by one would silently not be done.
 * @throws ConfigError
 */
export function refuseArguments(arguments_ = process.argv.slice(2)): void {
  const [first] = arguments_
  if (first === undefined) return
  throw new ConfigError(
    `${first} is not known: settings are environment variables, such as PORT=8010 (--help lists them).`,
  )
}

/** Ends a process that could not start: one sentence where an operator can put it right, else the whole error. */
export function failStart(error: unknown): never {
  const text = isForOperator(error) ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** Orchestrators kill after 30 s; a process that ends itself a little earlier still leaves in order. */
const stopDeadlineMs = 28_000

/** Runs `stop` once at SIGTERM or SIGINT, then exits: 0 when it ended well. */
export function onStopSignal(log: Log, stop: (signal: NodeJS.Signals) => Promise<void>): void {
  let stopping = false
  const end = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.fatal('not stopped in time')
      process.exit(1)
    }, stopDeadlineMs).unref()
    stop(signal).then(
      () => {
        log.info('stopped')
        process.exit(0)
      },
      (error) => {
        log.fatal({ err: error }, 'stopped by an error')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Errors whose message is one sentence that says what to do. */
function isForOperator(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof MigrationError
}
