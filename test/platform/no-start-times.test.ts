import fs, { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { readFree } from '@memory/cli/holder'
import { startTimeOf, takeDataDirectory } from '@memory/shared/platform/data-directory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'memory-no-start-times-'))
const lock = join(folder, 'memory.lock')
const progress = join(folder, 'in.ndjson.progress.json')
/** Another process that lives, which may have the id that one of before had. */
const pid = process.ppid

const { readFileSync: original } = fs

/** A machine without /proc. */
beforeAll(() => {
  fs.readFileSync = ((file: string, ...rest: []) => {
    if (String(file).startsWith('/proc/')) throw Object.assign(new Error(file), { code: 'ENOENT' })
    return original(file, ...rest)
  }) as typeof original
  syncBuiltinESMExports()
})

afterAll(() => {
  fs.readFileSync = original
  syncBuiltinESMExports()
  rmSync(folder, { recursive: true })
})

function touchedBefore(file: string, seconds: number): void {
  const then = new Date(Date.now() - seconds * 1_000)
  utimesSync(file, then, then)
}

describe('where the system does not give the start times of processes', () => {
  it('none is told', () => expect(startTimeOf(process.pid)).toBe(''))

  it('a lock is stale when it is older than the start of the machine', () => {
    const held = takeDataDirectory(folder)
    const contents = JSON.parse(readFileSync(lock, 'utf8'))
    held.release()
    writeFileSync(lock, JSON.stringify({ ...contents, pid }))
    touchedBefore(lock, Math.min(3_600, uptime() / 2))
    expect(() => takeDataDirectory(folder)).toThrow(`in use by process ${pid}`)
    touchedBefore(lock, uptime() + 5)
    takeDataDirectory(folder).release()
  })

  it('so is the progress file of an import', async () => {
    const held = { file: 'in.ndjson', doing: 'imported' } as const
    writeFileSync(progress, JSON.stringify({ holder: { id: 'before', pid, started_at: '' } }))
    await expect(readFree(held, progress, false)).rejects.toThrow(`being imported by process ${pid}`)
    touchedBefore(progress, uptime() + 5)
    expect(await readFree(held, progress, false)).toMatchObject({ progress: { holder: { pid } } })
  })
})
