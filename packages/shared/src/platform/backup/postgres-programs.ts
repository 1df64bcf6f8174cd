import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { BackupError, explained } from './backup-error.ts'

/**
 * Parameters of a database URL that the service's driver knows and PostgreSQL's programs refuse, and the name of a session, which
 * is the program's own.
 */
const driversOwn = [
  'query_timeout',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'uselibpqcompat',
  'application_name',
]

type Variables = Record<string, string | undefined>

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

interface ProgramOptions {
  signal: AbortSignal
  /** Settings of its session, as in PGOPTIONS. */
  options?: string
  /**
   * A file that the program's output goes into, readable by this user alone. This process writes it, so that the program ends at
   * its next write when this process is killed, instead of going on unseen.
   */
  into?: string | undefined
}

/** Runs the programs `pg_dump` and `pg_restore`, found in PATH, on one database. */
export class PostgresPrograms {
  readonly #address: string
  readonly #variables: Variables
  readonly #theirOptions: string

  /**
   * @param url as in DATABASE_URL
   * @param variables the environment that they are found and run in
   */
  constructor(url: string, variables: Variables) {
    const address = new URL(url)
    const { searchParams } = address
    for (const name of driversOwn) searchParams.delete(name)
    // The driver's own name for what the programs call `require`.
    if (searchParams.get('sslmode') === 'no-verify') searchParams.set('sslmode', 'require')
    this.#theirOptions = searchParams.getAll('options').at(-1) ?? ''
    searchParams.delete('options')
    // Every user of the machine can see a program's arguments, so the password goes into its environment.
    const password = decodeURIComponent(address.password)
    this.#variables = { ...variables, ...(password === '' ? {} : { PGPASSWORD: password }) }
    address.password = ''
    this.#address = address.href
  }

  /**
   * Makes sure that a program is there and knows databases of the server's version.
   * @throws BackupError that says what to install
   */
  async require(name: 'pg_dump' | 'pg_restore', serverMajor: number): Promise<void> {
    const { signal } = new AbortController()
    const { stdout } = await run(name, ['--version'], this.#variables, { signal, serverMajor })
    const major = Number(/(\d+)(?:\.\d+|devel|beta|rc)/.exec(stdout)?.[1])
    if (major >= serverMajor) return
    throw new BackupError(
      `${name} in PATH is of PostgreSQL ${major}, and the database of ${serverMajor}: install the client programs of PostgreSQL ${serverMajor} (postgresql-client-${serverMajor}) and put their folder first in PATH.`,
    )
  }

  /** Runs a program on the database. @returns what it wrote @throws BackupError with what it says */
  async run(
    name: 'pg_dump' | 'pg_restore',
    args: string[],
    { signal, options = '', into }: ProgramOptions,
  ): Promise<string> {
    const variables = {
      ...this.#variables,
      PGOPTIONS: `${this.#theirOptions} ${options}`.trim(),
      // A restore finds by it the session of a program that another one left, whatever the environment calls sessions.
      PGAPPNAME: name,
    }
    const { code, stdout, stderr } = await run(
      name,
      [`--dbname=${this.#address}`, '--no-password', ...args],
      variables,
      { signal, into },
    )
    if (code === 0) return stdout
    throw new BackupError(`${name} failed: ${stderr.trim().split('\n').slice(0, 5).join('\n')}`)
  }

  /** What `pg_restore` lists of a dump, a line for each thing. */
  async list(dump: string, signal: AbortSignal): Promise<string[]> {
    const { code, stdout, stderr } = await run('pg_restore', ['--list', dump], this.#variables, { signal })
    if (code !== 0) throw new BackupError(`pg_restore can't read the dump: ${stderr.trim()}`)
    return stdout.split('\n')
  }
}

interface Running extends Pick<ProgramOptions, 'signal' | 'into'> {
  /** The version of the server, for who has to install the program. */
  serverMajor?: number | undefined
}

async function run(
  name: string,
  args: string[],
  variables: Variables,
  { signal, into, serverMajor }: Running,
): Promise<Ended> {
  const child = spawn(name, args, { env: variables, stdio: ['ignore', 'pipe', 'pipe'], signal })
  const kill = () => child.kill()
  process.once('exit', kill)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? missing(name, serverMajor) : error),
    )
  })
  const said = into === undefined ? text(child.stdout) : writeInto(into, child.stdout)
  try {
    // When the disk is full, `said` rejects with that, before the program complains of its closed pipe.
    const [stdout, stderr, code] = await Promise.all([said, text(child.stderr), ended])
    return { code, stdout, stderr }
  } finally {
    process.off('exit', kill)
  }
}

/** @returns an empty text, since all output is in the file @throws BackupError when the disk is full or can't be written to */
async function writeInto(file: string, said: Readable): Promise<string> {
  try {
    await pipeline(said, createWriteStream(file, { mode: 0o600 }))
    return ''
  } catch (error) {
    throw explained(error, dirname(file))
  }
}

function missing(name: string, major: number | undefined): BackupError {
  const which = major === undefined ? '' : ` of version ${major} or later (postgresql-client-${major})`
  return new BackupError(
    `There is no ${name} in PATH: install PostgreSQL's client programs${which}, then run this again.`,
  )
}
