import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { Failure } from './command.ts'
import { jsonText, parseProgress, readIfThere, replaceFile } from './json-file.ts'
import { writing } from './writing.ts'

/** The run that works on a file, as its progress file names it: two at once would store, or write, every line twice. */
export interface Holder {
  /** Of this very run, even among those of one process. */
  id: string
  pid: number
  /** Tells the process from a later one with the same id. */
  started_at: string
}

/** Runs of this process that have not ended. */
const own = new Set<string>()

function newHolder(): Holder {
  const holder = { id: randomUUID(), pid: process.pid, started_at: startOf(process.pid) }
  own.add(holder.id)
  return holder
}

export function letGo(holder: Holder): void {
  own.delete(holder.id)
}

/** Whether the run still works; one that was killed does not. */
function isRunning({ id, pid, started_at }: Holder): boolean {
  if (pid === process.pid) return own.has(id)
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return startOf(pid) === started_at
}

/** When a process was started, as the system counts; empty where it does not say, or where the process has ended. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '')
  } catch {
    return ''
  }
}

/** A file that a run is for, and what it does with it. */
export interface Held {
  file: string
  doing: 'imported' | 'exported to'
}

/** What a progress file said, and what that is; both undefined where there was none. */
export interface Found<Progress> {
  text: string | undefined
  /** Undefined also for one that is damaged where what it says does not matter. */
  progress: Progress | undefined
}

/**
 * Reads the progress file of a run that nobody works on.
 * @param restart whether what it says does not matter
 * @throws Failure while another run works, and for a file that is damaged
 */
export async function readFree<Progress extends { holder?: Holder }>(
  { file, doing }: Held,
  path: string,
  restart: boolean,
): Promise<Found<Progress>> {
  const text = await readIfThere(path)
  const progress = text === undefined ? undefined : parseProgress<Progress>(path, text, restart)
  const holder = progress?.holder
  if (holder !== undefined && isRunning(holder))
    throw new Failure(
      `${file} is being ${doing} by process ${holder.pid}: wait until it has ended, or stop it.`,
    )
  return { text, progress }
}

/** A process that was killed in the moment that taking over takes leaves its mark; after so long it counts no more. */
const markAbandonedAfterMs = 10_000

/**
 * Begins a run: writes its progress file anew, or in the place of one that nobody holds. Of several that are started at once
 * one can do so.
 * @param found the text of the file when it was free; undefined where there was none
 * @param start what it says now
 * @throws Failure where another was first
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
  if (found === undefined) {
    if (!(await writing(path, () => makeFile(path, contents)))) throw taken
    return
  }
  const mark = `${path}.taking`
  if (await isAbandoned(mark)) await rm(mark, { force: true })
  if (!(await writing(path, () => makeFile(mark, '')))) throw taken
  try {
    // Between the look at it and the mark another may have taken it, and removed its own mark.
    if ((await readFile(path, 'utf8').catch(() => undefined)) !== found) throw taken
    await replaceFile(path, contents)
  } finally {
    await rm(mark, { force: true })
  }
}

async function isAbandoned(mark: string): Promise<boolean> {
  const found = await stat(mark).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > markAbandonedAfterMs
}

/** @returns false where there is one of the name */
async function makeFile(path: string, contents: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(contents).finally(() => file.close())
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
