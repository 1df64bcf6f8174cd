import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeBackup, openBackup } from '@memory/shared/platform/backup/backup-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let admin: User
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memory-backups-'))
  server = await startServer({ MEMORY_BACKUP_DIR: join(folder, 'backups') })
  admin = await newUser(server, { platformAdmin: true })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A backup of a database that is one file of so many bytes. */
async function backup(name: string, bytes: number): Promise<string> {
  const made = await makeBackup(
    {
      target: join(folder, 'backups', name),
      database: 'postgres',
      dataDir: server.context.config.dataDir,
      onStep: () => {},
    },
    async (place) => {
      writeFileSync(place, Buffer.alloc(bytes))
      const tables = { 'app.patterns': 3, 'app.users': 2 }
      return { serverVersion: '18.1', migration: '0122-clients.sql', masterKeys: [], tables }
    },
  )
  return made.folder
}

const list = async (query = '') => (await admin.get(`/v1/admin/backups${query}`)).body

describe('the backups on the disk', () => {
  it('are for platform admins to see, alone', async () => {
    const ada = await newUser(server)
    expect(await ada.get('/v1/admin/backups')).toMatchObject({
      status: 403,
      body: { detail: 'Platform admin required' },
    })
    expect((await new Anonymous(server.url).get('/v1/admin/backups')).status).toBe(401)
  })

  it('are none where the folder is not there', async () => {
    expect(await list()).toEqual({
      ...{ folder: join(folder, 'backups'), folder_state: 'missing' },
      ...{ backups: [], next_cursor: null },
    })
  })

  it.each([
    ['is none, but a file', 'not_a_folder', (place: string) => writeFileSync(place, '')],
    ['leads round in circles', 'failing', (place: string) => symlinkSync(place, place)],
  ])('are none where what is named as their folder %s, which is told', async (_what, state, make) => {
    const place = join(folder, 'backups')
    make(place)
    try {
      expect(await list()).toMatchObject({ folder_state: state, backups: [] })
    } finally {
      rmSync(place)
    }
  })

  it('are told of where one of them can’t be read', async () => {
    const place = join(folder, 'backups', 'closed')
    mkdirSync(place, { recursive: true })
    symlinkSync(join(place, 'manifest.json'), join(place, 'manifest.json'))
    const { backups } = await list()
    expect(backups).toMatchObject([{ name: 'closed', state: 'damaged', bytes: null }])
    expect(backups[0].problem).toMatch(/^The service can't read it \(ELOOP\)/)
    rmSync(join(folder, 'backups'), { recursive: true })
  })

  it('are not said to be damaged where a later release made them, nor to be there where they are not', async () => {
    const later = await backup('later', 10)
    const manifest = JSON.parse(readFileSync(join(later, 'manifest.json'), 'utf8'))
    writeFileSync(join(later, 'manifest.json'), JSON.stringify({ ...manifest, format: 2, version: '99.1.0' }))
    const reason =
      "The backup later was made by version 99.1.0, in a form that this one can't read. Nothing was restored: restore it with that version or a later one."
    await expect(openBackup(later)).rejects.toThrow(reason)
    expect((await list()).backups).toMatchObject([{ name: 'later', problem: reason }])
    rmSync(join(folder, 'backups'), { recursive: true })
    await expect(openBackup(later)).rejects.toThrow(`There is no ${later}`)
  })

  it.skipIf(process.getuid?.() === 0)(
    'are none where the folder is closed to the service, which is told',
    async () => {
      const place = join(folder, 'backups')
      mkdirSync(place, { mode: 0 })
      try {
        expect(await list()).toMatchObject({ folder_state: 'not_allowed', backups: [] })
      } finally {
        rmdirSync(place)
      }
    },
  )

  it('are listed with time and size, whole or not, newest first and page by page', async () => {
    await backup('memory-20260101T000000Z', 10)
    const cut = await backup('memory-20260102T000000Z', 20)
    const garbled = await backup('memory-20260103T000000Z', 30)
    await backup('memory-20260104T000000Z', 40)
    writeFileSync(join(cut, 'database.dump'), Buffer.alloc(19))
    writeFileSync(join(garbled, 'manifest.json'), '{')
    mkdirSync(join(folder, 'backups', 'memory-20260105T000000Z.partial'))
    mkdirSync(join(folder, 'backups', 'of something else'))
    writeFileSync(join(folder, 'backups', 'notes'), '')
    const { folder_state, backups, next_cursor } = await list()
    expect({ folder_state, next_cursor }).toEqual({ folder_state: 'readable', next_cursor: null })
    expect(backups).toMatchObject([
      { name: 'memory-20260105T000000Z.partial', state: 'unfinished', created_at: null, bytes: null },
      {
        ...{ name: 'memory-20260104T000000Z', state: 'complete', problem: null, bytes: 40, patterns: 3 },
        ...{ database: 'postgres', migration: '0122-clients.sql', version: expect.any(String) },
        created_at: expect.stringMatching(/Z$/),
      },
      { name: 'memory-20260103T000000Z', state: 'damaged', problem: expect.stringContaining('not JSON') },
      {
        ...{ name: 'memory-20260102T000000Z', state: 'damaged', bytes: 20 },
        problem: 'database.dump has 19 bytes instead of 20',
      },
      { name: 'memory-20260101T000000Z', state: 'complete' },
    ])
    const names: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(
        cursor === '' ? '?limit=1' : `?limit=1&cursor=${cursor}`,
      )
      names.push(...page.backups.map(({ name }: { name: string }) => name))
      cursor = page.next_cursor
    }
    expect(names).toEqual(backups.map(({ name }: { name: string }) => name))
    expect((await admin.get('/v1/admin/backups?cursor=x')).status).toBe(422)
  })
})
