import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { explained } from '@memory/shared/platform/backup/backup-error'
import { readCopiedFacts } from '@memory/shared/platform/backup/copied-facts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { canMount, mountDisk, type SmallDisk } from '../faults/full-disk.ts'
import { type Exit, run } from '../process/service-process.ts'
import { type Ground, makeGround } from '../process/wrong-starts.ts'
import { newBench } from './support.ts'

let ground: Ground
const disks: SmallDisk[] = []

beforeAll(async () => {
  ground = await makeGround()
})

afterEach(() => {
  for (const disk of disks.splice(0)) disk.remove()
})

afterAll(() => rmSync(ground.folder, { recursive: true, force: true }))

function newDisk(sizeMiB: number): SmallDisk {
  const disk = mountDisk(sizeMiB)
  disks.push(disk)
  return disk
}

const command = (
  name: string,
  args: string[],
  settings: Record<string, string> = { MEMORY_DATA_DIR: ground.dataDir },
): Promise<Exit> => run(`apps/cli/src/${name}.ts`, args, settings)

describe('a place that nothing can be written to is told in one sentence', () => {
  it.each([
    ['below a file', () => join(ground.folder, 'file', 'backup'), 'ENOTDIR'],
    ['far below a file', () => join(ground.folder, 'file', 'far', 'backup'), 'ENOTDIR'],
    ['in /proc', () => '/proc/backup', 'ENOENT'],
    ['far within /proc', () => '/proc/far/backup', 'ENOENT'],
  ])('of a backup %s', async (_, place, code) => {
    writeFileSync(join(ground.folder, 'file'), 'mine')
    const { code: exit, stderr } = await command('backup', [place()])
    expect(stderr).toMatch(
      new RegExp(`^No folder can be made in \\S+ \\(${code}\\): name another one\\.\\n$`),
    )
    expect(exit).toBe(1)
  })

  it.runIf(canMount)(
    'of a restore onto a full disk',
    async () => {
      const backup = join(ground.folder, 'backup')
      expect((await command('backup', [backup])).code).toBe(0)
      const { folder } = newDisk(16)
      const key = readFileSync(join(ground.dataDir, 'master-key'), 'utf8').trim()
      const settings = { MEMORY_DATA_DIR: folder, MASTER_KEY: key }
      const { code, stderr } = await command('restore', [backup], settings)
      expect(stderr).toBe(
        `The disk of ${folder} is full, so nothing was restored: free some space, or set MEMORY_DATA_DIR to a folder on another disk.\n`,
      )
      expect(code).toBe(1)
      expect(readdirSync(folder)).toEqual([])
    },
    60_000,
  )

  it.runIf(canMount)(
    'by the doctor, of a database that can only be read',
    async () => {
      const disk = newDisk(384)
      const data = join(disk.folder, 'data')
      cpSync(ground.dataDir, data, { recursive: true })
      disk.fill(64)
      const { code, stdout } = await command('doctor', ['--json'], {
        ...{ MEMORY_DATA_DIR: data, PORT: '0', OPS_PORT: '0' },
      })
      const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; text: string }[] }
      const found = (name: string) => checks.find((check) => check.name === name)
      expect(found('database')).toMatchObject({
        state: 'fail',
        text: 'The database answers, and can only be read.',
      })
      expect(found('key')).toMatchObject({ state: 'ok' })
      expect(code).toBe(1)
    },
    60_000,
  )

  it.runIf(canMount)(
    'of a copy that fits onto the disk, but can not be opened there',
    async () => {
      const disk = newDisk(96)
      const copy = join(disk.folder, 'copy')
      cpSync(ground.databaseDir, copy, { recursive: true })
      disk.fill(0)
      const error = await readCopiedFacts(copy).catch((error) => error)
      expect((explained(error, copy) as Error).message).toBe(
        `The disk of ${disk.folder} is full, so there is no backup: free some space, or name a folder on another disk.`,
      )
    },
    60_000,
  )

  it.runIf(canMount)(
    'of an export onto a full disk, which goes on when there is room',
    async () => {
      await using bench = await newBench()
      const facts = Array.from({ length: 100 }, (_, n) => ({ text: `${n} ${'long '.repeat(400)}` }))
      const source = await bench.file('in.ndjson', facts)
      const settings = { MEMORY_SERVICE_URL: bench.service.url, MEMORY_SERVICE_API_KEY: bench.service.key }
      expect((await run('apps/cli/src/import.ts', [source], settings)).code).toBe(0)
      const disk = newDisk(2)
      disk.fill(0.1)
      const file = join(disk.folder, 'out.ndjson')
      const exported = () => run('apps/cli/src/export.ts', [file], settings)
      const { code, stderr } = await exported()
      expect(stderr).toBe(
        `The disk of ${file}.partial is full: free some space.\nRun the same command again to go on.\n`,
      )
      expect(code).toBe(1)
      disk.empty()
      expect((await exported()).code).toBe(0)
    },
    60_000,
  )

  it.runIf(canMount)(
    'of an import from a full disk, which begins when there is room',
    async () => {
      await using bench = await newBench()
      const settings = { MEMORY_SERVICE_URL: bench.service.url, MEMORY_SERVICE_API_KEY: bench.service.key }
      const disk = newDisk(1)
      const file = join(disk.folder, 'in.ndjson')
      writeFileSync(file, '{"text":"A fact."}\n')
      disk.fill(0)
      const imported = () => run('apps/cli/src/import.ts', [file], settings)
      expect(await imported()).toMatchObject({
        code: 1,
        stderr: `The disk of ${file}.progress.json is full: free some space.\n`,
      })
      expect(readdirSync(disk.folder)).toEqual(['filler', 'in.ndjson'])
      disk.empty()
      expect((await imported()).code).toBe(0)
    },
    60_000,
  )
})

it('an export to a folder, or to standard output, is refused before anything is read', async () => {
  const folder = join(ground.folder, 'exports')
  mkdirSync(folder)
  const settings = { MEMORY_SERVICE_URL: 'http://127.0.0.1:9', MEMORY_SERVICE_API_KEY: 'k' }
  expect(await run('apps/cli/src/export.ts', [folder, '--force'], settings)).toMatchObject({
    code: 1,
    stderr: `${folder} is a folder: name a file.\n`,
  })
  expect(existsSync(`${folder}.partial`)).toBe(false)
  expect(await run('apps/cli/src/export.ts', ['-'], settings)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Name a file to write: an export does not go to standard output\./),
  })
})
