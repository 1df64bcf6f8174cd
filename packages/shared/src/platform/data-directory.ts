import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, uptime } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from './config.ts'

/** A data directory that is locked by this process. */
export interface DataDirectory {
  path: string
  release(): void
}

/** Another living process holds the data directory. */
export class DataDirectoryTaken extends ConfigError {
  readonly path: string
  readonly pid: number
  /** The host name of another machine or container; undefined for this one. */
  readonly host: string | undefined

  constructor(path: string, pid: number, host?: string) {
    super(
      host === undefined
        ? `The data directory ${path} is in use by process ${pid}: stop it first, or set MEMORY_DATA_DIR to another folder.`
        : `The data directory ${path} is in use by process ${pid} on ${host}, another machine or container: stop it first and wait ${abandonedAfterMs / 1_000} seconds, or set MEMORY_DATA_DIR to another folder.`,
    )
    this.path = path
    this.pid = pid
    this.host = host
  }
}

const touchEveryMs = 5_000
/** A lock of another machine or container, whose processes can't be seen from here, is stale when untouched for this long. */
const abandonedAfterMs = 30_000
/** Removing a stale lock takes a moment. A process whose mark (see `removeStale`) is this old was killed while doing it. */
const markAbandonedAfterMs = 10_000

/**
 * Locks a data directory for this process, creating it when needed. Two processes would corrupt an embedded database, which
 * itself does not refuse the second one. So a lock file names its holder by process id and start time; a lock whose holder
 * is gone is taken over. Since a process id means nothing in another container or machine, the holder also touches the lock
 * every few seconds.
 * @param onLost called when the lock was removed or taken over: this process must not use the directory any more
 * @throws DataDirectoryTaken when another process holds it, ConfigError when the folder can't be used.
 */
export function takeDataDirectory(directory: string, onLost: OnLost = endProcess): DataDirectory {
  const path = resolve(directory)
  const lock = join(path, 'memory.lock')
  const holder: Holder = {
    id: randomUUID(),
    pid: process.pid,
    startedAt: startTimeOf(process.pid),
    host: hostname(),
    place: placeOfThisProcess(),
  }
  const mine = JSON.stringify(holder)
  usable(path, () => {
    makeFolder(path)
    claim(lock, path, mine)
  })
  const stopTouching = keepTouching(lock, mine, (isGone) => onLost(path, isGone))
  return {
    path,
    release: () => {
      stopTouching()
      if (readText(lock) === mine) rmSync(lock, { force: true })
    },
  }
}

/**
 * Checks that a data directory can be written to. For processes with a database server, which do not lock the directory: they
 * write mails, snapshots and the ledger of erasures to it, but only much later, when nobody would notice a failure.
 * @throws ConfigError when the folder can't be used
 */
export function requireDataDirectory(directory: string): void {
  const path = resolve(directory)
  const probe = join(path, `memory.probe.${randomUUID()}`)
  usable(path, () => {
    makeFolder(path)
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    rmSync(probe)
  })
}

/** Runs `work` on the folder. @throws ConfigError, with a message for operators, for any file system error in it */
function usable(path: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new ConfigError(
        `The disk of the data directory ${path} is full: free some space, or set MEMORY_DATA_DIR to a folder on another disk.`,
      )
    }
    throw new ConfigError(
      `The data directory ${path} can't be used (${code ?? error}): set MEMORY_DATA_DIR to a folder that this user may write to.`,
    )
  }
}

/** @param isGone true: the lock file is gone; false: it names another holder, or can't be read */
type OnLost = (path: string, isGone: boolean) => void

function endProcess(path: string, isGone: boolean): void {
  const why = isGone
    ? `The lock of the data directory ${path} is gone (was the folder moved or removed?)`
    : `The data directory ${path} was taken over by another process`
  process.stderr.write(`${why}, so this process ends at once to keep the database whole.\n`)
  process.exit(1)
}

/** Creates the folder durably: its entry in the parent folder is synced, so that a power failure can't lose it. */
function makeFolder(path: string): void {
  const first = makeFolders(path, 0o700)
  // Each new folder is an entry of its parent, so the parents are synced. Windows does that itself and can't open folders.
  if (first === undefined || process.platform === 'win32') return
  for (let folder = path; folder !== dirname(first); ) {
    folder = dirname(folder)
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }
}

/**
 * Creates a folder and its parents. Node's own recursive mkdir loops for ever where folders can't be created, such as in /proc.
 * @returns the outermost folder that was made, if any
 */
export function makeFolders(path: string, mode?: number): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const above = dirname(path)
  const first = above === path ? undefined : makeFolders(above, mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    // Another process may have created it just now.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
  return first ?? path
}

interface Holder {
  /** Identifies this lock, also among several of the same process. */
  id: string
  pid: number
  startedAt: string
  host: string
  /** Process ids can be compared only between holders with the same place. */
  place: string
}

function claim(lock: string, path: string, contents: string): void {
  const mine = `${lock}.${randomUUID()}`
  try {
    writeFileSync(mine, contents, { flag: 'wx', mode: 0o600 })
    for (let attempt = 0; attempt < 10; attempt++) {
      // Making a hard link is atomic: the lock appears with its full contents, and only for one process.
      if (tryLink(mine, lock)) return
      const found = readText(lock)
      if (found === undefined) continue
      refuseIfHeld(lock, path, found)
      removeStale(lock, path, found)
    }
  } finally {
    rmSync(mine, { force: true })
  }
  throw new ConfigError(`The lock of the data directory ${path} changes hands again and again; try again.`)
}

/** @throws DataDirectoryTaken */
function refuseIfHeld(lock: string, path: string, contents: string): void {
  const holder = parseHolder(contents)
  if (holder === undefined) return
  if (holder.place === placeOfThisProcess()) {
    if (isAlive(holder, lock)) throw new DataDirectoryTaken(path, holder.pid)
  } else if (ageOf(lock) < abandonedAfterMs) throw new DataDirectoryTaken(path, holder.pid, holder.host)
}

/** Touches the lock every few seconds. @returns a function that stops it */
function keepTouching(lock: string, mine: string, onLost: (isGone: boolean) => void): () => void {
  let touched = Date.now()
  const timer = setInterval(() => {
    let isGone = false
    try {
      if (readFileSync(lock, 'utf8') === mine) {
        const now = new Date()
        utimesSync(lock, now, now)
        touched = now.getTime()
        return
      }
    } catch (error) {
      // A lock that can't be read for a moment is not lost, unless others may soon consider it abandoned.
      isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isGone && Date.now() - touched < abandonedAfterMs - 2 * touchEveryMs) return
    }
    clearInterval(timer)
    onLost(isGone)
  }, touchEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Milliseconds since a file was last touched; infinite when it does not exist. */
function ageOf(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? Number.POSITIVE_INFINITY : Date.now() - stat.mtimeMs
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

/**
 * Removes a stale lock. Several processes may try at once, so a process must first create a mark file for exactly this lock;
 * only one succeeds. When that one was killed, the next process adds a further mark rather than removing the old one: by the
 * time of removing it, it could already be a third process's.
 */
function removeStale(lock: string, path: string, contents: string): void {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16)
  const marks: string[] = []
  let isMine = false
  while (!isMine) {
    const mark = `${lock}.stale-${hash}-${marks.length}`
    isMine = tryMark(mark)
    if (!isMine && ageOf(mark) < markAbandonedAfterMs) return
    marks.push(mark)
  }
  try {
    if (readText(lock) === contents) {
      // Its holder may have touched it in the meantime.
      refuseIfHeld(lock, path, contents)
      rmSync(lock, { force: true })
    }
  } finally {
    for (const mark of marks) rmSync(mark, { force: true })
  }
}

function tryMark(mark: string): boolean {
  try {
    writeFileSync(mark, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { id, pid, startedAt, host, place } = JSON.parse(text) as Partial<Holder>
    if (typeof pid !== 'number') return undefined
    return { id: String(id), pid, startedAt: String(startedAt), host: String(host), place: String(place) }
  } catch {
    return undefined
  }
}

/** The machine since its last start, and the process id namespace (each container has its own). */
function placeOfThisProcess(): string {
  const bootId = readText('/proc/sys/kernel/random/boot_id')?.trim()
  let namespace = ''
  try {
    namespace = readlinkSync('/proc/self/ns/pid')
  } catch {
    // This system has no process id namespaces.
  }
  return [hostname(), bootId ?? '', namespace].join(' ')
}

/** A name of this process for files: none of another machine or container has it, nor a later one with the same id. */
export function nameOfThisProcess(): string {
  return [placeInNames(), process.pid, startTimeOf(process.pid)].join('-')
}

/**
 * Whether the process has ended whose name this is, or begins with and a hyphen. One of another machine or container can't be seen,
 * and may be at work.
 * @param file what it wrote, see `isAlive`
 */
export function hasEnded(name: string, file: string): boolean {
  const [place, pid, startedAt = ''] = name.split('-')
  return place === placeInNames() && !isAlive({ pid: Number(pid), startedAt }, file)
}

const placeInNames = () => createHash('sha256').update(placeOfThisProcess()).digest('hex').slice(0, 12)

/**
 * Whether a process of this machine is still the one that started then, see `startTimeOf`.
 * @param file what it wrote, as it does while it lives: where start times are not given, that of another process when it is older
 * than the machine's start
 */
export function isAlive({ pid, startedAt }: Pick<Holder, 'pid' | 'startedAt'>, file: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  if (startTimeOf(pid) !== startedAt) return false
  return startedAt !== '' || ageOf(file) < uptime() * 1_000
}

/**
 * The start time of a process, which tells it from a later one with the same id; empty where the system does not give it. A
 * zombie (state Z: ended, but not yet reaped by its parent) counts as ended.
 */
export function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '')
  } catch {
    return ''
  }
}
