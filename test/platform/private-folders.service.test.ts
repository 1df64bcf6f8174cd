import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap } from '@memory/identity/keys/bootstrap'
import { ConfigError } from '@memory/shared/platform/config'
import { openDataDirectory } from '@memory/shared/platform/database/embedded'
import { keepPrivate, type Rights } from '@memory/shared/platform/private-folders'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-rights-'))
  // As mkdir makes it, and as a volume is mounted.
  chmodSync(folder, 0o755)
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (...names: string[]) => join(folder, ...names)
const rightsOf = (...names: string[]) => (statSync(at(...names)).mode & 0o777).toString(8)

const folders = ['database', 'index', 'outbox']
const files = ['master-key', 'local-api-key', 'operator.json', 'erasures.ndjson', 'memory.lock']

describe.skipIf(process.platform === 'win32')('a data folder that others may look into', () => {
  it('has a database that they may not, from its first start on', async () => {
    for (let start = 0; start < 2; start++) {
      const database = await openDataDirectory(folder)
      await bootstrap(database.queries, folder)
      const open = readdirSync(folder).filter((name) => (statSync(at(name)).mode & 0o077) !== 0)
      expect(open).toEqual([])
      expect(readdirSync(folder)).toContain('database')
      await database.close()
      expect(rightsOf()).toBe('755')
      // As an earlier release left it.
      chmodSync(at('database'), 0o755)
      chmodSync(at('local-api-key'), 0o644)
    }
  })

  it('has what an earlier release left open closed, and nothing else', () => {
    for (const name of [...folders, 'theirs']) {
      mkdirSync(at(name))
      chmodSync(at(name), 0o775)
    }
    for (const name of [...files, 'their-file']) {
      writeFileSync(at(name), 'x')
      chmodSync(at(name), 0o664)
    }
    expect(keepPrivate(folder)).toEqual([])
    for (const name of folders) expect(rightsOf(name), name).toBe('700')
    for (const name of files) expect(rightsOf(name), name).toBe('600')
    expect([rightsOf('theirs'), rightsOf('their-file'), rightsOf()]).toEqual(['775', '664', '755'])
  })

  it('has a database closed that lies elsewhere, behind a link, and may have links that lead nowhere', () => {
    mkdirSync(at('disk', 'database'), { recursive: true })
    chmodSync(at('disk', 'database'), 0o755)
    symlinkSync(at('disk', 'database'), at('database'))
    symlinkSync(at('nowhere'), at('outbox'))
    symlinkSync(at('index'), at('index'))
    expect(keepPrivate(folder)).toEqual([])
    expect(rightsOf('disk', 'database')).toBe('700')
  })

  it('is told of where all may write to it', () => {
    chmodSync(folder, 0o777)
    expect(keepPrivate(folder)).toEqual([
      expect.stringMatching(/^.+ can be written to by all users.+chmod o-w on it\.$/),
    ])
    chmodSync(folder, 0o775)
    expect(keepPrivate(folder)).toEqual([])
  })

  it('may be missing', () => {
    expect(keepPrivate(at('none'))).toEqual([])
    writeFileSync(at('file'), '')
    expect(keepPrivate(at('file'))).toEqual([])
  })
})

describe('rights that do not change', () => {
  const rights = (differences: Partial<Rights>): Rights => ({
    userId: 1000,
    stat: (path) => (path.endsWith('database') ? ({ uid: 1000, mode: 0o40755 } as Stats) : undefined),
    chmod: () => {},
    ...differences,
  })
  const failing = (code: string) => () => {
    throw Object.assign(new Error(code), { code })
  }

  it.each<[string, Rights['chmod'], string]>([
    ['the file system keeps none', () => {}, 'its file system keeps no rights'],
    ['the system refuses', failing('EPERM'), 'EPERM'],
    ['it is mounted to be read only', failing('EROFS'), 'EROFS'],
  ])('end the start with one sentence where %s', (_what, chmod, reason) => {
    const start = () => keepPrivate('/data', rights({ chmod }))
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(`/data/database, and its rights can't be changed to 700 (${reason})`)
  })

  it('are told of, and left, where the folder is another user’s', () => {
    const changed: string[] = []
    const others = rights({ userId: 0, chmod: (path) => changed.push(path) })
    expect(keepPrivate('/data', others)).toEqual([
      '/data/database belongs to another user and is open to others: its owner should run chmod 700 on it.',
    ])
    expect(changed).toEqual([])
  })

  it('are not looked at where there are none', () => {
    expect(keepPrivate('/data', rights({ userId: undefined, chmod: failing('EPERM') }))).toEqual([])
  })
})
