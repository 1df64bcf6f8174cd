import { randomUUID } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { isAlive, startTimeOf } from '@memory/shared/platform/data-directory'
import { Failure } from './command.ts'
import { jsonText, parseProgress, readIfThere, replaceFile } from './json-file.ts'
import { writing } from './writing.ts'

/** The run of a command that is working on a file, stored in its progress file. Two at once would handle every line twice. */
export interface Holder {
  /** Identifies this run, also among several of the same process. */
  id: string
  pid: number
  /** The start time of the process, which tells it from a later one with the same id. */
  started_at: string
}

/** The ids of this process's runs that have not ended. */
const own = new Set<string>()

function newHolder(): Holder {
  const holder = { id: randomUUID(), pid: process.pid, started_at: startTimeOf(process.pid) }
  own.add(holder.id)
  return holder
}

export function letGo(holder: Holder): void {
  own.delete(holder.id)
}

/** Whether the run that a progress file names is still working, and not ended or killed. */
const isRunning = ({ id, pid, started_at: startedAt }: Holder, path: string): boolean =>
  pid === process.pid ? own.has(id) : isAlive({ pid, startedAt }, path)

/** The file that a run works on, and what it does with it, for messages. */
interface Held {
  file: string
  doing: 'imported' | 'exported to'
}

/** The text of a progress file, and what it means; both undefined when there was no file. */
interface Found<Progress> {
  text: string | undefined
  /** Also undefined for a damaged file whose contents do not matter. */
  progress: Progress | undefined
}

/**
 * Reads a progress file, and checks that no run is working on it.
 * @param restart whether to start over, so that its contents do not matter
 * @throws Failure while another run is working; for a damaged file
 */
export async function readFree<Progress extends { holder?: Holder }>(
  { file, doing }: Held,
  path: string,
  restart: boolean,
): Promise<Found<Progress>> {
  const text = await readIfThere(path)
  const progress = text === undefined ? undefined : parseProgress<Progress>(path, text, restart)
  const holder = progress?.holder
  if (holder !== undefined && isRunning(holder, path))
    throw new Failure(
      `${file} is being ${doing} by process ${holder.pid}: wait until it has ended, or stop it.`,
    )
  return { text, progress }
}

/** A process that is killed while it takes a file over leaves its mark behind, which is ignored when it is this old. */
const markAbandonedAfterMs = 10_000

/**
 * Begins a run: writes its progress file whole, in the place of one that no run holds. Of several runs started at the same time, only
 * one succeeds.
 * @param found the text of the file when it was found free; undefined when there was no file
 * @param start the new contents
 * @throws Failure when another run was first
 */
export async function hold<Progress extends object>(
  held: Held,
  path: string,
  found: string | undefined,
  start: Progress,
): Promise<Progress & { holder: Holder }> {
  const progress = { ...start, holder: newHolder() }
  try {
    await takeProgress(held, path, found, jsonText(progress))
  } catch (error) {
    letGo(progress.holder)
    throw error
  }
  return progress
}

async function takeProgress(
  { file, doing }: Held,
  path: string,
  found: string | undefined,
  contents: string,
): Promise<void> {
  const taken = new Failure(`${file} is being ${doing} by another process that has just begun.`)
  const mark = `${path}.taking`
  if (await isAbandoned(mark)) await rm(mark, { force: true })
  if (!(await writing(path, () => tryMark(mark)))) throw taken
  try {
    // Between reading the file and making the mark, another run may have taken it and removed its own mark again.
    if ((await readIfThere(path)) !== found) throw taken
    await replaceFile(path, contents)
  } finally {
    await rm(mark, { force: true })
  }
}

async function isAbandoned(mark: string): Promise<boolean> {
  const found = await stat(mark).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > markAbandonedAfterMs
}

/** Creates an empty file. @returns false when it exists already */
async function tryMark(mark: string): Promise<boolean> {
  try {
    await (await open(mark, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
