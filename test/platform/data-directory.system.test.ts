import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '@memory/shared/platform/config'
import { DataDirectoryTaken, takeDataDirectory } from '@memory/shared/platform/data-directory'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { canMount, mountDisk } from '../faults/full-disk.ts'

let folder: string
const children: ChildProcessWithoutNullStreams[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-lock-'))
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Another process, which takes the directories it is told to. */
async function newProcess() {
  const script = fileURLToPath(new URL('./hold-directory.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'pipe'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => (await lines.next()).value as string
  expect(await answer()).toBe('ready')
  return {
    pid: child.pid as number,
    take: async (...directories: string[]): Promise<string[]> => {
      child.stdin.write(directories.map((directory) => `${directory}\n`).join(''))
      const answers: string[] = []
      while (answers.length < directories.length) answers.push(await answer())
      return answers
    },
    exit: async () => {
      let stderr = ''
      child.stderr.on('data', (chunk) => {
        stderr += chunk
      })
      const [code] = await once(child, 'close')
      return { code, stderr }
    },
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Process id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid
}

const lockOf = (directory: string) => join(directory, 'memory.lock')

/** The lock as this process would write it, but for the changes. */
function lockWith(changes: Record<string, unknown>): string {
  const other = mkdtempSync(join(tmpdir(), 'memory-lock-'))
  const held = takeDataDirectory(other)
  const lock = JSON.parse(readFileSync(lockOf(other), 'utf8')) as Record<string, unknown>
  held.release()
  rmSync(other, { recursive: true, force: true })
  return JSON.stringify({ ...lock, ...changes })
}

const elsewhere = { place: 'another-machine boot pid:[1]', host: 'another-machine' }

function age(file: string, seconds: number): void {
  const then = new Date(Date.now() - seconds * 1_000)
  utimesSync(file, then, then)
}

describe('takeDataDirectory', () => {
  it('creates the folder and the lock for this user alone, and leaves nothing of the lock when released', () => {
    const directory = join(folder, 'deep', 'data')
    const held = takeDataDirectory(directory)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync(lockOf(directory)).mode & 0o777).toBe(0o600)
    held.release()
    expect(readdirSync(directory)).toEqual([])
    takeDataDirectory(directory).release()
  })

  it('refuses a second process with the id of the first, until that has ended', async () => {
    const [first, second] = await Promise.all([newProcess(), newProcess()])
    expect(await first.take(folder)).toEqual(['held'])
    const [refused] = await second.take(folder)
    expect(refused).toContain(`in use by process ${first.pid}`)
    expect(refused).toContain('MEMORY_DATA_DIR')
    expect(() => takeDataDirectory(folder)).toThrow(DataDirectoryTaken)
    await first.kill()
    expect(await second.take(folder)).toEqual(['held'])
    expect(JSON.parse(readFileSync(lockOf(folder), 'utf8'))).toMatchObject({ pid: second.pid })
  })

  it('refuses the same process a second time', () => {
    const held = takeDataDirectory(folder)
    expect(() => takeDataDirectory(folder)).toThrow(`in use by process ${process.pid}`)
    held.release()
  })

  it.each([
    ['of a process that is gone', () => lockWith({ pid: deadPid(), startedAt: '1' })],
    ['of another process that had the same id', () => lockWith({ pid: process.ppid, startedAt: '1' })],
    ['that is empty, as after a full disk', () => ''],
    ['that was cut short', () => '{"pid":'],
    ['that names no process', () => '{"startedAt":"1"}'],
  ])('takes over a lock %s', (_, contents) => {
    writeFileSync(lockOf(folder), contents())
    const held = takeDataDirectory(folder)
    expect(JSON.parse(readFileSync(lockOf(folder), 'utf8'))).toMatchObject({ pid: process.pid })
    expect(readdirSync(folder)).toEqual(['memory.lock'])
    held.release()
  })

  it.each([
    ['a process id that is free here', () => deadPid()],
    ['the process id of a process here', () => process.ppid],
  ])('refuses a lock from another machine or container with %s, until nobody touches it', (_, pid) => {
    writeFileSync(lockOf(folder), lockWith({ ...elsewhere, pid: pid() }))
    expect(() => takeDataDirectory(folder)).toThrow(DataDirectoryTaken)
    expect(() => takeDataDirectory(folder)).toThrow(/process \d+ on another-machine/)
    age(lockOf(folder), 29)
    expect(() => takeDataDirectory(folder)).toThrow(DataDirectoryTaken)
    age(lockOf(folder), 31)
    takeDataDirectory(folder).release()
  })

  it('touches its lock, until it is released', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const held = takeDataDirectory(folder)
      age(lockOf(folder), 60)
      vi.advanceTimersByTime(5_000)
      expect(Date.now() - statSync(lockOf(folder)).mtimeMs).toBeLessThan(5_000)
      held.release()
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['taken by another', () => writeFileSync(lockOf(folder), lockWith(elsewhere))],
    ['removed', () => rmSync(lockOf(folder))],
  ])('says once when its lock was %s', (_, lose) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const onLost = vi.fn()
      takeDataDirectory(folder, onLost)
      vi.advanceTimersByTime(10_000)
      expect(onLost).not.toHaveBeenCalled()
      lose()
      vi.advanceTimersByTime(20_000)
      expect(onLost).toHaveBeenCalledExactlyOnceWith(folder, expect.any(Boolean))
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends the process with one sentence when its lock is lost', async () => {
    const { take, exit } = await newProcess()
    expect(await take(folder)).toEqual(['held'])
    writeFileSync(lockOf(folder), lockWith(elsewhere))
    const { code, stderr } = await exit()
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The data directory .* was taken over .*\.\n$/),
    })
  })

  it('says that its lock is gone where nobody else has it', async () => {
    const { take, exit } = await newProcess()
    expect(await take(folder)).toEqual(['held'])
    rmSync(lockOf(folder))
    expect((await exit()).stderr).toMatch(/^The lock of the data directory .* is gone .*\.\n$/)
  })

  it('takes over a stale lock although others were killed while they did, once that is sure', () => {
    const contents = lockWith({ pid: deadPid(), startedAt: '1' })
    writeFileSync(lockOf(folder), contents)
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16)
    const marks = [0, 1].map((n) => `${lockOf(folder)}.stale-${hash}-${n}`) as [string, string]
    for (const mark of marks) writeFileSync(mark, '')
    age(marks[0], 11)
    expect(() => takeDataDirectory(folder)).toThrow('try again')
    age(marks[1], 11)
    const held = takeDataDirectory(folder)
    expect(readdirSync(folder)).toEqual(['memory.lock'])
    held.release()
  })

  it('does not release a lock that another process has taken since', () => {
    const held = takeDataDirectory(folder)
    const others = JSON.stringify({ pid: process.ppid, startedAt: 'later' })
    writeFileSync(lockOf(folder), others)
    held.release()
    expect(readFileSync(lockOf(folder), 'utf8')).toBe(others)
  })

  it.each([
    ['with a stale lock', () => lockWith({ pid: deadPid(), startedAt: '1' })],
    ['that is new', () => undefined],
  ])('gives a directory %s to one of several processes that start at the same moment', async (_, lock) => {
    const contents = lock()
    const directories = Array.from({ length: 400 }, (_, n) => {
      const directory = join(folder, String(n))
      mkdirSync(directory)
      if (contents !== undefined) writeFileSync(lockOf(directory), contents)
      return directory
    })
    const processes = await Promise.all([newProcess(), newProcess(), newProcess()])
    const answers = await Promise.all(processes.map((one) => one.take(...directories)))
    const holders = directories.map((_, n) => answers.filter((each) => each[n] === 'held').length)
    expect({
      heldTwice: holders.filter((count) => count > 1).length,
      heldByNone: holders.filter((count) => count === 0).length,
    }).toEqual({ heldTwice: 0, heldByNone: 0 })
  })

  it('says in one sentence when the folder is a file, or lies in one', () => {
    const file = join(folder, 'file')
    writeFileSync(file, 'mine')
    for (const path of [file, join(file, 'data')]) {
      expect(() => takeDataDirectory(path)).toThrow(ConfigError)
      expect(() => takeDataDirectory(path)).toThrow(/^The data directory .* can't be used \(E[A-Z]+\): .+\.$/)
    }
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it.runIf(canMount)('says in one sentence when its disk is full', () => {
    const disk = mountDisk(1)
    try {
      disk.fill(0)
      expect(() => takeDataDirectory(disk.folder)).toThrow(ConfigError)
      expect(() => takeDataDirectory(disk.folder)).toThrow(
        `The disk of the data directory ${disk.folder} is full: free some space, or set MEMORY_DATA_DIR to a folder on another disk.`,
      )
      expect(readdirSync(disk.folder)).toEqual(['filler'])
    } finally {
      disk.remove()
    }
  })

  // Nothing stops the superuser from writing.
  it.skipIf(process.getuid?.() === 0)('says in one sentence when the folder can not be written to', () => {
    chmodSync(folder, 0o500)
    expect(() => takeDataDirectory(folder)).toThrow(/can't be used \(EACCES\)/)
    chmodSync(folder, 0o700)
    expect(existsSync(lockOf(folder))).toBe(false)
  })
})
