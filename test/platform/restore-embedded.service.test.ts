import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Backup } from '@memory/shared/platform/backup/backup-folder'
import { putInPlace, restoreEmbedded } from '@memory/shared/platform/backup/restore-embedded'
import { refuseUnfinished } from '@memory/shared/platform/backup/restoring'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-restore-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const make = (name: string) => {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'PG_VERSION'), name)
}
const databaseIs = () => readFileSync(join(folder, 'database', 'PG_VERSION'), 'utf8')

/** A restore of a backup that can't be read. */
function failing(force: boolean): Promise<unknown> {
  const backup = { folder: join(folder, 'nowhere'), manifest: { folders: [] as string[] } } as Backup
  return restoreEmbedded({ backup, dataDir: folder, force, complete: async () => {} })
}

describe('what was there before a restore', () => {
  it('lies aside when the restored database is in its place', async () => {
    for (const name of ['database', 'database.restoring']) make(name)
    const aside = await putInPlace(folder, true)
    expect(databaseIs()).toBe('database.restoring')
    expect(aside).toMatch(/database_before_\d{8}t\d{6}$/)
    expect(
      readdirSync(folder)
        .sort()
        .map((name) => join(folder, name)),
    ).toEqual([join(folder, 'database'), aside])
  })

  it('is there again when the restored database can’t be put in its place', async () => {
    make('database')
    await expect(putInPlace(folder, true)).rejects.toThrow('ENOENT')
    expect(readdirSync(folder)).toEqual(['database'])
  })

  it.each([
    [true, 'ENOENT'],
    [false, 'holds a database already'],
  ])(
    'is there again after one that was killed in between, whatever comes of the next',
    async (force, why) => {
      for (const name of ['database.replaced', 'database.restoring']) make(name)
      expect(() => refuseUnfinished(folder)).toThrow(
        `, or rename ${join(folder, 'database.replaced')} to ${join(folder, 'database')} and then remove`,
      )
      await expect(failing(force)).rejects.toThrow(why)
      expect(databaseIs()).toBe('database.replaced')
      expect(readdirSync(folder)).toEqual(['database'])
      refuseUnfinished(folder)
    },
  )

  it('lies aside after the next, when one was killed that had put its database in place', async () => {
    for (const name of ['database', 'database.replaced']) make(name)
    refuseUnfinished(folder)
    await expect(failing(true)).rejects.toThrow('ENOENT')
    expect(databaseIs()).toBe('database')
    expect(readdirSync(folder).sort()).toEqual(['database', expect.stringMatching(/^database_before_/)])
  })

  it('is gone on with, or nothing, as whoever starts the service on an interrupted one is told', () => {
    make('database.restoring')
    expect(() => refuseUnfinished(folder)).toThrow(/database\.restoring to start on an empty database\.$/)
    make('database')
    expect(() => refuseUnfinished(folder)).toThrow(/restoring to go on with what was there before\.$/)
  })
})
