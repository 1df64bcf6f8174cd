import { ConfigError } from './config.ts'
import { MigrationError } from './database/migrations.ts'
import type { Log } from './log.ts'

export function isHelpAsked(arguments_ = process.argv.slice(2)): boolean {
  return arguments_.includes('--help') || arguments_.includes('-h')
}

/**
 * For programs that take no arguments: refuses any, rather than silently ignoring it.
 * @throws ConfigError when there is one
 */
export function refuseArguments(arguments_ = process.argv.slice(2)): void {
  const [first] = arguments_
  if (first === undefined) return
  throw new ConfigError(
    `${first} is not known: settings are environment variables, such as PORT=8010 (--help lists them).`,
  )
}

/** Ends a process that could not start. Prints one sentence for errors that an operator can fix, else the stack trace. */
export function failStart(error: unknown): never {
  const text = isForOperator(error) ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** Orchestrators kill after 30 s; a process that ends itself a little earlier still leaves in order. */
const stopDeadlineMs = 28_000

/**
 * With `npm start`, one Ctrl-C sends two SIGINTs: the terminal sends one to the process, and npm forwards its own. Those within
 * this time count as one.
 */
const onePressMs = 1_000

/**
 * Runs `stop` once at SIGTERM, SIGINT or SIGHUP (a closed terminal), then exits: with 0 when `stop` succeeded, else with 1. A
 * further SIGINT comes from somebody at the keyboard who no longer wants to wait: then the process exits immediately.
 */
export function onStopSignal(log: Log, stop: (signal: NodeJS.Signals) => Promise<void>): void {
  let toldAtMs: number | undefined
  const end = (signal: NodeJS.Signals) => {
    if (toldAtMs !== undefined) {
      if (signal === 'SIGINT' && performance.now() - toldAtMs >= onePressMs) endAtOnce(log)
      return
    }
    toldAtMs = performance.now()
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
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)
}

/** Exits with the code that shells use for a process ended by SIGINT. */
function endAtOnce(log: Log): never {
  log.warn('ended at once, with what was in hand')
  process.exit(130)
}

/** Errors whose message is one sentence that says what to do. */
function isForOperator(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof MigrationError
}
