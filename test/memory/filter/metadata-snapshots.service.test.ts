import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accel } from '@memory/accel'
import { MetadataCache } from '@memory/memory/filter/metadata-cache'
import { MetadataSnapshots, type SavedMetadata } from '@memory/memory/filter/metadata-snapshots'
import { getVersion } from '@memory/memory/store'
import { createLog } from '@memory/shared/platform/log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { getSpace } from '../space.ts'
import { batchStore } from '../vectors/vector-client.ts'
import { filterOf } from './filters.ts'

let server: TestServer
let ada: ConformingClient
let spaceId: string
const dataDir = mkdtempSync(join(tmpdir(), 'metadata-'))
const folder = join(dataDir, 'index', 'metadata')

beforeAll(async () => {
  server = await startServer()
  ada = await newConformingClient(server)
  await batchStore(
    ada,
    Array.from({ length: 4_000 }, (_, n) => ({
      key: [1, n],
      value: [n],
      metadata: { n, user: `u${n % 10}`, note: `${'long '.repeat(40)}${n}` },
    })),
  )
  spaceId = (await getSpace(server, ada)).id
})

afterAll(async () => {
  rmSync(dataDir, { recursive: true })
  await server.close()
})

/** What a process has, which begins with what is in the folder. */
const begin = (snapshots = new MetadataSnapshots(dataDir)) =>
  new MetadataCache({
    queries: server.context.database.queries,
    budgetBytes: 2 ** 30,
    snapshots,
    log: createLog('silent'),
  })

/** How many patterns there are of a user. */
async function count(cache: MetadataCache, user: string): Promise<number> {
  const version = await getVersion(server.context.database.queries, spaceId)
  const found = await (await cache.get(spaceId, version)).find(filterOf({ user }), Date.now(), false)
  return found.count
}

describe.runIf(accel === null)('a process without native kernels', () => {
  it('removes what others have saved, since it can’t keep out of it what is erased', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${randomUUID()}.metadata`), 'Ada')
    const other = await startServer({ MEMORY_DATA_DIR: dataDir })
    await other.close()
    expect(existsSync(join(dataDir, 'index'))).toBe(false)
  })
})

describe.skipIf(accel === null)('saved metadata', () => {
  it('are what the next process begins with, and what changed since is read', async () => {
    const first = begin()
    expect(await count(first, 'u3')).toBe(400)
    await first.save()
    expect(readdirSync(folder)).toEqual([`${spaceId}.metadata`])
    await batchStore(ada, [{ key: [2, 0], value: [0], metadata: { user: 'u3' } }])
    const next = begin()
    await next.loadSaved(new Date(), () => false)
    expect(next.peek(spaceId)).toBeDefined()
    expect(await count(next, 'u3')).toBe(401)
  })

  it('are read from the database instead where the file is damaged, whatever of it', async () => {
    const first = begin()
    await count(first, 'u4')
    await first.save()
    const file = join(folder, `${spaceId}.metadata`)
    const whole = readFileSync(file)
    for (const at of [0, 9, 60, Math.floor(whole.length / 2), whole.length - 1]) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] as number) ^ 0x10
      writeFileSync(file, damaged)
      expect(await count(begin(), 'u4')).toBe(400)
      expect(readdirSync(folder)).toEqual([])
    }
    writeFileSync(file, whole.subarray(0, whole.length / 2))
    expect(await count(begin(), 'u4')).toBe(400)
    writeFileSync(file, '')
    expect(await count(begin(), 'u4')).toBe(400)
  })

  it('of another space are none of this one', async () => {
    const first = begin()
    await count(first, 'u4')
    await first.save()
    const ben = await newConformingClient(server)
    await batchStore(ben, [{ key: [1], value: [1], metadata: { user: 'u4' } }])
    const { id } = await getSpace(server, ben)
    writeFileSync(join(folder, `${id}.metadata`), readFileSync(join(folder, `${spaceId}.metadata`)))
    const next = begin()
    const version = await getVersion(server.context.database.queries, id)
    expect(
      (await (await next.get(id, version)).find(filterOf({ user: 'u4' }), Date.now(), false)).count,
    ).toBe(1)
    rmSync(join(folder, `${id}.metadata`), { force: true })
  })

  it('go when something of the space is forgotten, here or while no process ran', async () => {
    const first = begin()
    await count(first, 'u5')
    await first.save()
    const file = join(folder, `${spaceId}.metadata`)
    expect(readFileSync(file, 'latin1')).toContain(`${'long '.repeat(40)}15`)
    first.removed(spaceId, [15])
    await expect.poll(() => readdirSync(folder)).toEqual([])
    await count(first, 'u5')
    await first.save()
    await ada.post('/v1/memory/patterns/delete', { filter: { n: 15 } })
    const next = begin()
    await next.loadSaved(new Date(), () => false)
    expect(readdirSync(folder)).toEqual([])
    expect(await count(next, 'u5')).toBe(399)
  })

  it.each([
    ['saved', async (first: MetadataCache) => first],
    ['found', async () => begin()],
  ])(
    'go while the process that %s them runs, when another one forgets something of the space',
    async (how, run) => {
      const first = begin()
      await count(first, 'u6')
      await first.save()
      const running = await run(first)
      await running.checkSnapshots()
      expect(readdirSync(folder)).toEqual([`${spaceId}.metadata`])
      await ada.post('/v1/memory/patterns/delete', { filter: { n: how === 'saved' ? 16 : 26 } })
      await running.checkSnapshots()
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('are looked at, at a start and later, also where that fails for those before them', async () => {
    const first = begin()
    await count(first, 'u6')
    const saved = first.peek(spaceId)?.saved as SavedMetadata
    // The database refuses what is no id.
    const [refused, gone] = ['refused', randomUUID()]
    const snapshots = new MetadataSnapshots(dataDir)
    snapshots.list = async () => [refused, gone]
    for (const check of [
      (next: MetadataCache) => next.loadSaved(new Date(), () => false),
      (next: MetadataCache) => next.checkSnapshots(),
    ]) {
      for (const name of [refused, gone]) await snapshots.save(name, saved)
      await check(begin(snapshots))
      expect(readdirSync(folder)).toEqual([`${refused}.metadata`])
    }
    await snapshots.discard(refused)
  })

  it('leave nothing that saves which were killed had written: of what is forgotten at once, else at a start', async () => {
    const left = (name: string, ageMs: number) => {
      const file = join(folder, name)
      writeFileSync(file, 'u5')
      utimesSync(file, new Date(Date.now() - ageMs), new Date(Date.now() - ageMs))
    }
    const first = begin()
    await count(first, 'u5')
    await first.save()
    left(`${spaceId}.metadata.1.0.new`, 0)
    first.removed(spaceId, [25])
    await expect.poll(() => readdirSync(folder)).toEqual([])
    left(`${randomUUID()}.metadata.1.0.new`, 3_600_001)
    // Another process may be writing it.
    const writing = `${randomUUID()}.metadata.2.0.new`
    left(writing, 60_000)
    await begin().loadSaved(new Date(), () => false)
    expect(readdirSync(folder)).toEqual([writing])
    rmSync(join(folder, writing))
  })
})
