import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { isLeft } from '../support/python-packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'memory-lock-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function lock(holder: string, ageMinutes = 0): string {
  const file = join(folder, 'lock.pid')
  const time = Date.now() / 1_000 - ageMinutes * 60
  writeFileSync(file, holder)
  utimesSync(file, time, time)
  return file
}

it('a lock is held by the process that lives, and left by one that has ended', () => {
  expect(isLeft(lock(String(process.pid), 19))).toBe(false)
  expect(isLeft(lock(String(spawnSync('true').pid)))).toBe(true)
  expect(isLeft(join(folder, 'none.pid'))).toBe(false)
})

it('a process of another user, whom nobody else may signal, lives', () => {
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
  })
  try {
    expect(isLeft(lock('1'))).toBe(false)
  } finally {
    kill.mockRestore()
  }
})

it('a lock that does not say whose it is, or is older than any installation, does not stay for ever', () => {
  expect(isLeft(lock(''))).toBe(false)
  expect(isLeft(lock('', 21))).toBe(true)
  expect(isLeft(lock('no number', 21))).toBe(true)
  // Another process has the number of the one that had it.
  expect(isLeft(lock(String(process.pid), 21))).toBe(true)
})
