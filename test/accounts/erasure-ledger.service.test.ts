import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Erasure, ErasureLedger } from '@memory/identity/accounts/erasure-ledger'
import { type Backup, bringLedger } from '@memory/shared/platform/backup/backup-folder'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

let dataDir: string
let file: string
const log = { warn: vi.fn() }

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'memory-ledger-'))
  file = join(dataDir, 'erasures.ndjson')
  log.warn.mockClear()
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const erasure = (): Erasure => ({ kind: 'user', id: randomUUID(), at: '2026-03-01T00:00:00.000Z' })
const lineOf = (each: Erasure) => JSON.stringify(each)

it('D4 lists what was added, in that order, and nothing where nothing was', async () => {
  const ledger = new ErasureLedger(dataDir)
  expect(await ledger.list(log)).toEqual([])
  const added = [erasure(), erasure()]
  for (const each of added) await ledger.add(each)
  expect(await ledger.list(log)).toEqual(added)
  expect(log.warn).not.toHaveBeenCalled()
})

it.each([
  ['a part of it', (line: string) => line.slice(0, 25)],
  ['its first character', () => '{'],
  ['zeros, as after a power failure', (line: string) => '\0'.repeat(line.length)],
])('D4 passes over a line of which there is only %s, and keeps those around it', async (_, cut) => {
  const ledger = new ErasureLedger(dataDir)
  const [before, after] = [erasure(), erasure()]
  await ledger.add(before)
  appendFileSync(file, cut(lineOf(erasure())))
  expect(await ledger.list(log)).toEqual([before])
  await ledger.add(after)
  expect(await ledger.list(log)).toEqual([before, after])
  expect(log.warn).toHaveBeenCalledTimes(1)
})

it('D4 finds what an earlier release added to a line that was cut short', async () => {
  const [first, second] = [erasure(), erasure()]
  writeFileSync(file, `${lineOf(first)}\n${lineOf(erasure()).slice(0, 25)}${lineOf(second)}\n`)
  expect(await new ErasureLedger(dataDir).list(log)).toEqual([first, second])
})

it('D4 has after a restore what the ledgers of the data folder and of the backup say, each once, oldest first', async () => {
  const folder = join(dataDir, 'backup')
  const [old, common, since] = ['01', '02', '03'].map(
    (month): Erasure => ({ ...erasure(), at: `2026-${month}-01T00:00:00.000Z` }),
  ) as [Erasure, Erasure, Erasure]
  const backup = new ErasureLedger(folder)
  for (const each of [old, common]) await backup.add(each)
  const restore = () => bringLedger({ folder } as Backup, dataDir)

  const ledger = new ErasureLedger(dataDir)
  for (const each of [common, since]) await ledger.add(each)
  appendFileSync(file, lineOf(erasure()).slice(0, 25))
  for (let n = 0; n < 2; n++) {
    await restore()
    expect(await ledger.list(log)).toEqual([old, common, since])
  }

  rmSync(file)
  await restore()
  expect(await ledger.list(log)).toEqual([old, common])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('D4 leaves no line out that is whole and says something else: that is of a later release', async () => {
  writeFileSync(file, '{"kind":"planet","id":"x","at":"then"}\n')
  await expect(new ErasureLedger(dataDir).list(log)).rejects.toThrow()
})
