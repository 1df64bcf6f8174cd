import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeBackup, openBackup } from '@memory/shared/platform/backup/backup-folder'
import { nameOfThisProcess } from '@memory/shared/platform/data-directory'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-backup-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Makes a backup of a database that is one text, written once `isDue`. */
function backup(text: string, isDue?: Promise<void>) {
  const request = {
    ...{ target: join(folder, 'backup'), database: 'postgres' as const },
    ...{ dataDir: folder, onStep: () => {} },
  }
  return makeBackup(request, async (place) => {
    await isDue
    writeFileSync(place, text)
    return { serverVersion: '18.1', migration: '0122-clients.sql', masterKeys: [], tables: {} }
  })
}

it('two backups of one name do not touch each other: the first to be done is whole, the other one fails', async () => {
  const isDue = Promise.withResolvers<void>()
  const second = backup('the second', isDue.promise)
  const first = await backup('the first')
  isDue.resolve()
  await expect(second).rejects.toThrow(/backup is there already: name another folder\.$/)
  expect(await openBackup(first.folder)).toEqual(first)
  expect(readdirSync(folder)).toEqual(['backup'])
})

it('a backup removes drafts of its name whose processes have ended, and no others', async () => {
  const mine = nameOfThisProcess()
  const ended = mine.replace(/\d*$/, '1')
  const elsewhere = ended.replace(/^[0-9a-f]+/, '0123456789ab')
  const left = [mine, elsewhere, `more.${ended}`].map((name) => `backup.${name}-0.partial`)
  const kept = [...left, `other.${ended}-0.partial`, `backup.${ended}-0`, 'backup.partial']
  for (const name of [...kept, `backup.${ended}-0.partial`]) mkdirSync(join(folder, name))
  await backup('whole')
  expect(readdirSync(folder).sort()).toEqual([...kept, 'backup'].sort())
})
