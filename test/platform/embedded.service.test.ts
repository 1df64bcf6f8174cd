import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultSeedFolder, makeSeed, openEmbedded } from '@memory/shared/platform/database/embedded'
import { expect, it, vi } from 'vitest'

// What a handle refers to is asked of the system.
it.runIf(process.platform === 'linux')(
  'brings every file and folder of a new embedded database to the disk before it appears, then its name',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-embedded-'))
    const directory = join(folder, 'database')
    const seed = defaultSeedFolder()
    await makeSeed()
    const handle = await open(folder)
    const prototype = Object.getPrototypeOf(handle) as FileHandle
    await handle.close()
    const sync = prototype.sync
    const synced: string[] = []
    const spy = vi.spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
      synced.push(readlinkSync(`/proc/self/fd/${this.fd}`))
      return sync.call(this)
    })
    try {
      await (await openEmbedded(directory, seed)).close()
    } finally {
      spy.mockRestore()
      rmSync(folder, { recursive: true, force: true })
    }
    const draft = `${directory}.new`
    const names = readdirSync(seed, { recursive: true, encoding: 'utf8' })
    const wanted = [draft, ...names.map((name) => join(draft, name))]
    expect(synced.length).toBeGreaterThan(500)
    expect(synced.slice(0, -1).sort()).toEqual(wanted.sort())
    expect(synced.at(-1)).toBe(folder)
  },
)

it.skipIf(process.platform === 'win32')(
  'lets no other user into the seed that new databases are copied from',
  async () => {
    await makeSeed()
    expect(statSync(defaultSeedFolder()).mode & 0o777).toBe(0o700)
  },
)
