/** What all commands share: their output, errors and exit codes. */

import { resolve } from 'node:path'
import { ConfigError } from '@memory/shared/platform/config'
import { MigrationError } from '@memory/shared/platform/database/migrations'
import { mendJsonParse } from '@memory/shared/platform/json-parse'

/** An expected failure; the message is for the person at the terminal. Exit code 1. */
export class Failure extends Error {
  override name = 'Failure'
}

/** The command was called wrongly. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Refuses arguments that a command does not read, since one may have been meant to restrict it. @throws UsageError */
export function requireNoMore(unread: readonly string[]): void {
  if (unread.length > 0) throw new UsageError(`There is more than a command says: ${unread.join(' ')}.`)
}

/** Resolves a path relative to where the person is: npm runs scripts in the project's folder, and gives theirs in INIT_CWD. */
export const asNamed = (path: string, { INIT_CWD: there = '' }: NodeJS.ProcessEnv): string =>
  resolve(there, path)

export interface Output {
  write(line: string): void
  /** A terminal that can show a progress bar; without one, progress is written as plain lines. */
  terminal?: NodeJS.WriteStream | undefined
}

/** The output of a command with a result. With --json, standard output is one line of JSON and nothing else. */
export interface CommandOutput extends Output {
  /**
   * Outputs the result.
   * @param describe writes it for a person; omitted when everything was written already
   */
  result(value: object, describe?: () => void): void
}

export const jsonHelp = '--json: the result as one line of JSON on standard output.'

const terminal = process.stderr.isTTY ? process.stderr : undefined

const textOutput: CommandOutput = {
  write: (line) => console.log(line),
  terminal,
  result: (_, describe) => describe?.(),
}

const jsonOutput: CommandOutput = {
  write: (line) => console.error(line),
  terminal,
  result: (value) => console.log(JSON.stringify(snakeCased(value))),
}

/** Renames members to snake case, as in answers of the HTTP API. */
function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const renamed = (name: string) => name.replaceAll(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [renamed(name), snakeCased(each)]))
}

const exitCodes = `Exit codes: 0 done, 1 failed, 2 wrong usage; where it was stopped, 130 (SIGINT, as by Ctrl+C), 143 (SIGTERM),
129 (SIGHUP, as by closing the terminal).`

/** Runs a command and sets the exit code, which its help explains. */
export async function runCommand(
  command: (args: string[], output: CommandOutput) => Promise<void>,
  help: string,
): Promise<void> {
  mendJsonParse()
  process.once('SIGINT', () => {
    console.error('\nInterrupted.')
    stop(130)
  })
  process.once('SIGTERM', () => stop(143))
  process.once('SIGHUP', () => stop(129))
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`${help}\n\n${exitCodes}`)
    return
  }
  try {
    const rest = args.filter((arg) => arg !== '--json')
    await command(rest, rest.length < args.length ? jsonOutput : textOutput)
  } catch (error) {
    // The exit code of one that was told to stop says so.
    if (error !== stopping?.signal.reason) process.exitCode = report(error)
  }
}

let stopping: AbortController | undefined

/**
 * Lets a command end by itself when it is told to stop, since it has something to take back; told again, it ends at once.
 * @returns aborted then. The command throws its `reason` when it has done that.
 */
export function endsByItself(): AbortSignal {
  stopping ??= new AbortController()
  return stopping.signal
}

function stop(exitCode: number): void {
  // Makes the handlers of `exit` run, which remove incomplete files.
  if (stopping === undefined) process.exit(exitCode)
  process.exitCode = exitCode
  console.error('Taking back what was stored; told to stop again, it ends at once.')
  stopping.abort()
}

/** Runs an operator's work, and turns errors that they can fix (settings, states) into expected failures. */
export async function operatorWork<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof MigrationError)) throw error
    throw new Failure(error.message, { cause: error })
  }
}

function report(error: unknown): number {
  if (isUsageError(error)) {
    console.error(`${error.message} (--help shows how)`)
    return 2
  }
  console.error(error instanceof Failure ? error.message : error)
  return 1
}

function isUsageError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = (error as NodeJS.ErrnoException).code
  return error instanceof UsageError || (code?.startsWith('ERR_PARSE_ARGS') ?? false)
}
