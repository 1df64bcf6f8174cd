import { createHash, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError } from './config.ts'

/** A data directory that this process holds alone. */
export interface DataDirectory {
  path: string
  release(): void
}

/** Another living process holds the data directory. */
export class DataDirectoryTaken extends ConfigError {
  readonly pid: number

  constructor(path: string, pid: number) {
    super(
      `The data directory ${path} is in use by process ${pid}: stop it first, or set MEMORY_DATA_DIR to another folder.`,
    )
    this.pid = pid
  }
}

/**
 * Takes the exclusive use of a data directory, creating it when needed. Two processes on one embedded database
 * corrupt it and the database itself does not refuse the second, so a lock file names the holder by process id and
 * start time; one left by a process that is gone is taken over.
 * @throws DataDirectoryTaken when another process holds it, ConfigError when the folder can't be used.
 */
export function takeDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory)
  const lock = join(path, 'memory.lock')
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    claim(lock, path)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(
      `The data directory ${path} can't be used (${(error as NodeJS.ErrnoException).code ?? error}): check that it is a folder this user may write to.`,
    )
  }
  return { path, release: () => releaseIfMine(lock) }
}

/** Process id of the living holder of a data directory, or undefined. */
export function dataDirectoryHolder(directory: string): number | undefined {
  const holder = readHolder(join(resolve(directory), 'memory.lock'))
  return holder !== undefined && isAlive(holder) ? holder.pid : undefined
}

interface Holder {
  pid: number
  startedAt: string
}

function claim(lock: string, path: string): void {
  const mine = `${lock}.${randomUUID()}`
  const me = JSON.stringify({ pid: process.pid, startedAt: startTimeOf(process.pid) } satisfies Holder)
  writeFileSync(mine, me, { flag: 'wx', mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      // A link appears with its contents or not at all, and only one process can make it.
      if (tryLink(mine, lock)) return
      const found = readText(lock)
      if (found === undefined) continue
      const holder = parseHolder(found)
      if (holder !== undefined && isAlive(holder)) throw new DataDirectoryTaken(path, holder.pid)
      removeStale(lock, found)
    }
  } finally {
    rmSync(mine, { force: true })
  }
  throw new ConfigError(`The lock of the data directory ${path} changes hands again and again; try again.`)
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Only the process that makes the mark of this very lock removes it. */
function removeStale(lock: string, contents: string): void {
  const mark = `${lock}.stale-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}`
  try {
    writeFileSync(mark, '', { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return
  }
  try {
    if (readText(lock) === contents) rmSync(lock, { force: true })
  } finally {
    rmSync(mark, { force: true })
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function releaseIfMine(lock: string): void {
  const holder = readHolder(lock)
  if (holder?.pid === process.pid && holder.startedAt === startTimeOf(process.pid))
    rmSync(lock, { force: true })
}

function readHolder(lock: string): Holder | undefined {
  return parseHolder(readText(lock) ?? '')
}

function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder>
    return typeof holder.pid === 'number'
      ? { pid: holder.pid, startedAt: String(holder.startedAt) }
      : undefined
  } catch {
    return undefined
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return startTimeOf(holder.pid) === holder.startedAt
}

/**
 * Tells a process from a later one with the same id; empty where the system does not say. A killed process that its
 * parent has not taken note of yet (state Z) has ended.
 */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '')
  } catch {
    return ''
  }
}
