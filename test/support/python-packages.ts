import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Where packages are kept: it outlives a run of the tests, whose temporary files may lie in memory. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/python', import.meta.url))

/**
 * A folder with the Python packages that a file lists; it is made once.
 * @param name the beginning of the folder's name
 * @param requirements a file as pip takes it
 * @param more adds what else belongs there; its `files` say what that is, so that a change of one makes a new folder
 * @throws Error with what pip said
 */
export async function pythonPackages(
  name: string,
  requirements: string,
  more: { files: string[]; add(folder: string): Promise<void> } = { files: [], add: async () => {} },
): Promise<string> {
  // Some packages are compiled for one version of Python.
  const hash = createHash('sha256').update(execFileSync('python3', ['--version']))
  for (const file of [requirements, ...more.files]) hash.update(readFileSync(file))
  mkdirSync(cache, { recursive: true })
  const target = join(cache, `${name}-${hash.digest('hex').slice(0, 12)}`)
  if (existsSync(target)) return target
  // Some packages take minutes to fetch, and longer where two processes fetch them at the same time.
  const letGo = await takeLock(`${target}.pid`)
  const folder = mkdtempSync(`${target}-`)
  try {
    if (existsSync(target)) return target
    await pip(['install', '--target', folder, '-r', requirements])
    await more.add(folder)
    // The folder appears whole. Two processes that found the same lock left behind may both be here.
    if (!existsSync(target)) renameSync(folder, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    letGo()
  }
  return target
}

/** Waits until no other process has the lock, and takes it. @returns a function that lets go of it */
async function takeLock(file: string): Promise<() => void> {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (isLeft(file)) rmSync(file, { force: true })
    await delay(200)
  }
}

/** Longer than packages take, in ms: a lock this old was left behind. */
const longestHeld = 20 * 60_000

/** Whether a lock was left behind by a process that has ended. */
export function isLeft(file: string): boolean {
  try {
    // Another process may have the number by now, and one that ended early may not have written its own.
    return Date.now() - statSync(file).mtimeMs > longestHeld || !lives(Number(readFileSync(file, 'utf8')))
  } catch {
    // The lock is gone.
    return false
  }
}

function lives(pid: number): boolean {
  try {
    // Process 0, for a lock that does not say whose it is, would be this one's group, which lives.
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user may not be signalled, but lives.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Runs pip. @param packages a folder of packages that builds may import @throws Error with what pip said */
export async function pip(args: string[], packages = ''): Promise<void> {
  const env = { ...process.env, PYTHONPATH: packages }
  await run('python3', ['-m', 'pip', '--quiet', '--disable-pip-version-check', ...args], { env })
}
