import { spawn } from 'node:child_process'
import { BackupError } from './backup-error.ts'

/** Parameters of an address that the service's driver knows and PostgreSQL's programs refuse. */
const driversOwn = [
  'query_timeout',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'uselibpqcompat',
]

type Variables = Record<string, string | undefined>

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface ProgramOptions {
  signal: AbortSignal
  /** Settings of its session, as in PGOPTIONS. */
  options?: string
}

/** The programs `pg_dump` and `pg_restore` of the path, at work on one database. */
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
    // The driver's own word for what these call so.
    if (searchParams.get('sslmode') === 'no-verify') searchParams.set('sslmode', 'require')
    this.#theirOptions = searchParams.getAll('options').at(-1) ?? ''
    searchParams.delete('options')
    // Everybody on the machine sees the arguments of a program.
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
    const { stdout } = await run(
      name,
      ['--version'],
      this.#variables,
      new AbortController().signal,
      serverMajor,
    )
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
    { signal, options = '' }: ProgramOptions,
  ): Promise<string> {
    const variables = { ...this.#variables, PGOPTIONS: `${this.#theirOptions} ${options}`.trim() }
    const { code, stdout, stderr } = await run(
      name,
      [`--dbname=${this.#address}`, '--no-password', ...args],
      variables,
      signal,
    )
    if (code === 0) return stdout
    throw new BackupError(`${name} failed: ${stderr.trim().split('\n').slice(0, 5).join('\n')}`)
  }

  /** What `pg_restore` lists of a dump, a line for each thing. */
  async list(dump: string, signal: AbortSignal): Promise<string[]> {
    const { code, stdout, stderr } = await run('pg_restore', ['--list', dump], this.#variables, signal)
    if (code !== 0) throw new BackupError(`pg_restore can't read the dump: ${stderr.trim()}`)
    return stdout.split('\n')
  }
}

async function run(
  name: string,
  args: string[],
  variables: Variables,
  signal: AbortSignal,
  serverMajor?: number,
): Promise<Ended> {
  const child = spawn(name, args, {
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  const kill = () => child.kill()
  process.once('exit', kill)
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  try {
    return await new Promise((resolve, reject) => {
      child.once('close', (code) => resolve({ code, stdout, stderr }))
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ENOENT' ? missing(name, serverMajor) : error),
      )
    })
  } finally {
    process.off('exit', kill)
  }
}

function missing(name: string, major: number | undefined): BackupError {
  const which = major === undefined ? '' : ` of version ${major} or later (postgresql-client-${major})`
  return new BackupError(
    `There is no ${name} in PATH: install PostgreSQL's client programs${which}, then run this again.`,
  )
}
