import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { EmbeddedStatements } from '../database/embedded-statements.ts'
import type { OwnerQuery } from './facts.ts'

/** How the caller of a copy follows and aborts it. */
export interface CopyWatch {
  /** Aborts the copy, once the files under way are copied. */
  signal: AbortSignal
  /** Called after each file, in bytes. @param total of all files but those of the log */
  onProgress?: ((copied: number, total: number) => void) | undefined
}

interface EmbeddedCopy {
  /** The statements of the one session of the database. */
  statements: EmbeddedStatements
  /** Its folder. */
  directory: string
  /** Where the copy goes, which is not there yet. */
  target: string
  watch: CopyWatch
}

/** How the name of a backup's folder ends until it is complete; that of an interrupted backup stays so. */
export const unfinished = '.partial'

/** Folders of which PostgreSQL needs none of the files that it left there, as in a backup of its own programs. */
const emptied = [
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]
const leftOut = /^(?:postmaster\.(?:pid|opts)|backup_label.*|pg_internal\.init.*|pgsql_tmp.*)$/
const control = 'global/pg_control'
const filesAtOnce = 4

/**
 * Copies the embedded database while it works, as PostgreSQL's own base backups do: between `pg_backup_start` and
 * `pg_backup_stop` files are read while statements change them, and the log of that time, which goes along, puts right
 * what was read in between when the copy is opened. Statements wait only at the end, for the rest of the log. No
 * checkpoint may be made meanwhile, because it would throw log away. A copy that fails, or is ended, is removed.
 */
export async function copyEmbedded(copy: EmbeddedCopy): Promise<void> {
  const { target } = copy
  await mkdir(target, { mode: 0o700 })
  try {
    await copyWithLog(copy)
  } catch (error) {
    await rm(target, { recursive: true, force: true })
    // The command that makes the backup may have ended, and have left the folder that it made for the copy.
    if (dirname(target).endsWith(unfinished)) await rmdir(dirname(target)).catch(() => {})
    throw error
  }
}

async function copyWithLog({ statements, directory, target, watch }: EmbeddedCopy): Promise<void> {
  const { signal } = watch
  const [started] = await asOwner(statements, (query) =>
    query<{ first: string }>(
      "select pg_walfile_name(pg_backup_start('memory-service', fast => true)) as first",
    ),
  )
  const log = new LogCopy(directory, target, started?.first as string)
  let isRunning = true
  const stop = async (query: OwnerQuery) => {
    isRunning = false
    const [row] = await query<{ label: string; last: string }>(
      'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)',
    )
    return row as { label: string; last: string }
  }
  try {
    await copyFiles(directory, target, watch)
    await log.copyBefore(await currentSegment(statements), signal)
    await asOwner(statements, async (query) => {
      const { label, last } = await stop(query)
      // Nobody writes to the log now, so that the copy ends where the backup does.
      await log.copyUpTo(last, signal)
      await copyFile(join(directory, control), join(target, control))
      await writeFile(join(target, 'backup_label'), label, { mode: 0o600 })
    })
  } finally {
    // Fails when the database has been closed meanwhile, which ends the backup too.
    if (isRunning) await asOwner(statements, stop).catch(() => {})
  }
}

/** Copies an embedded database that nobody has open, also one whose process was killed. */
export async function copyClosed(directory: string, target: string, watch: CopyWatch): Promise<void> {
  await mkdir(target, { mode: 0o700 })
  await copyFiles(directory, target, watch)
  // All of the log: the names of its files are hexadecimal digits, which sort between these two.
  await new LogCopy(directory, target, '').copyUpTo('g', watch.signal)
  await copyFile(join(directory, control), join(target, control))
}

/** Runs `work` in a transaction as the owner of all tables, whom row level security does not hold for. */
async function asOwner<T>(
  statements: EmbeddedStatements,
  work: (query: OwnerQuery) => Promise<T>,
): Promise<T> {
  const query: OwnerQuery = async <Row>(text: string) => (await statements.run<Row>(text, [], true)).rows
  const leave = await statements.enter()
  const end = statements.begin()
  try {
    await query('set local role none')
    const result = await work(query)
    await end('commit')
    return result
  } catch (error) {
    await end('rollback')
    throw error
  } finally {
    leave()
  }
}

async function currentSegment(statements: EmbeddedStatements): Promise<string> {
  const { rows } = await statements.run<{ name: string }>(
    'select pg_walfile_name(pg_current_wal_lsn()) as name',
    [],
    false,
  )
  return rows[0]?.name as string
}

/** Copies all but the log and what changes until the very end. */
async function copyFiles(directory: string, target: string, watch: CopyWatch): Promise<void> {
  const files = await makeFolders(directory, target)
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let copied = 0
  const workers = Array.from({ length: filesAtOnce }, async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      watch.signal.throwIfAborted()
      // A table dropped since it was listed is dropped again by the log. Any other missing file shows when the copy is opened.
      await copyIfThere(join(directory, file.name), join(target, file.name))
      copied += file.bytes
      watch.onProgress?.(copied, total)
    }
  })
  try {
    await Promise.all(workers)
  } catch (error) {
    // Nobody may still write to the copy when the caller removes it.
    files.length = 0
    await Promise.allSettled(workers)
    throw error
  }
}

/** Makes the folders of a copy. @returns the files that go into them, with their sizes */
async function makeFolders(directory: string, target: string): Promise<{ name: string; bytes: number }[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const nameOf = (path: string) => relative(directory, path).replaceAll(sep, '/')
  const isEmptied = (name: string) => emptied.some((folder) => name.startsWith(`${folder}/`))
  const names: string[] = []
  for (const entry of entries) {
    const name = nameOf(join(entry.parentPath, entry.name))
    if (isEmptied(name)) continue
    if (entry.isDirectory()) await mkdir(join(target, name), { mode: 0o700 })
    else if (name !== control && !leftOut.test(basename(name))) names.push(name)
  }
  return Promise.all(
    names.map(async (name) => {
      const found = await stat(join(directory, name)).catch(() => undefined)
      return { name, bytes: found?.size ?? 0 }
    }),
  )
}

/** Copies a file, if there is one. */
export async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** The files of the log that a copy needs. */
class LogCopy {
  readonly #from: string
  readonly #to: string
  readonly #first: string
  readonly #copied = new Set<string>()

  /** @param first segment that is needed */
  constructor(directory: string, target: string, first: string) {
    this.#from = join(directory, 'pg_wal')
    this.#to = join(target, 'pg_wal')
    this.#first = first
  }

  /** Copies the segments before one that is still written to: they stay as they are. */
  async copyBefore(current: string, signal: AbortSignal): Promise<void> {
    await this.#copy((name) => name < current, signal)
  }

  /** Copies the segments that are left, while nobody writes to them. */
  async copyUpTo(last: string, signal: AbortSignal): Promise<void> {
    await this.#copy((name) => name <= last, signal)
  }

  async #copy(isWanted: (name: string) => boolean, signal: AbortSignal): Promise<void> {
    const names = (await readdir(this.#from)).filter((name) => /^[0-9A-F]{24}$/.test(name))
    for (const name of names) {
      if (name < this.#first || !isWanted(name) || this.#copied.has(name)) continue
      signal.throwIfAborted()
      await copyFile(join(this.#from, name), join(this.#to, name), constants.COPYFILE_FICLONE)
      this.#copied.add(name)
    }
  }
}
