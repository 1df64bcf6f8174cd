import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@memory/shared/platform/database/database'
import { openAsFound, openEmbedded } from '@memory/shared/platform/database/embedded'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plant } from '../support/plant.ts'

let folder: string
let database: Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memory-copy-'))
  plant(join(folder, 'database'))
  database = await openEmbedded(join(folder, 'database'))
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const copyTo = (...args: Parameters<NonNullable<Database['copyTo']>>) =>
  (database.copyTo as NonNullable<Database['copyTo']>)(...args)
const never = new AbortController().signal
const names = () => readdirSync(folder).sort()

describe('a copy of the embedded database', () => {
  it('tells how many bytes of how many are copied, up to all of them, and can be opened', async () => {
    const told: [copied: number, total: number][] = []
    const target = join(folder, 'copy')
    await copyTo(target, { signal: never, onProgress: (...progress) => told.push(progress) })
    const [first, last] = [told[0], told.at(-1)] as [[number, number], [number, number]]
    expect(first[0]).toBeLessThan(first[1])
    expect(last[0]).toBe(last[1])
    expect(last[1]).toBeGreaterThan(1_000_000)
    expect(told).toEqual(told.toSorted(([a], [b]) => a - b))
    await (await openAsFound(target)).close()
  })

  it('that is ended leaves nothing, neither of the backup that it was for, and the next one is made', async () => {
    const draft = join(folder, 'backup.partial')
    mkdirSync(draft)
    const left = new AbortController()
    const ended = copyTo(join(draft, 'database'), { signal: left.signal, onProgress: () => left.abort() })
    await expect(ended).rejects.toThrow('aborted')
    expect(names()).toEqual(['database'])
    await copyTo(join(folder, 'copy'), { signal: never })
    expect(names()).toEqual(['copy', 'database'])
  })

  it('is refused while another is made, and where something is already, which stays', async () => {
    const target = join(folder, 'copy')
    const making = copyTo(target, { signal: never })
    await expect(copyTo(target, { signal: never })).rejects.toThrow(/^Another backup is being made/)
    await making
    await expect(copyTo(target, { signal: never })).rejects.toThrow('EEXIST')
    expect(readdirSync(target)).toContain('PG_VERSION')
  })
})
