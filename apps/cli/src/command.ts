/** What every command shares: how it writes, how it fails and its exit code. */

/** An expected failure; the message is for the person at the terminal. Exit code 1. */
export class Failure extends Error {
  override name = 'Failure'
}

/** The command was called wrongly. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export interface Output {
  write(line: string): void
  /** A terminal that can show a moving bar; without one, progress comes as plain lines. */
  terminal?: NodeJS.WriteStream | undefined
}

export const consoleOutput: Output = {
  write: (line) => console.log(line),
  terminal: process.stderr.isTTY ? process.stderr : undefined,
}

/** Runs a command and sets the exit code: 0 done, 1 failed, 2 called wrongly, 130 interrupted. */
export async function runCommand(command: (args: string[]) => Promise<void>, help: string): Promise<void> {
  process.once('SIGINT', () => {
    console.error('\nInterrupted.')
    process.exit(130)
  })
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help)
    return
  }
  try {
    await command(args)
  } catch (error) {
    process.exitCode = report(error)
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
