import { randomUUID } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { purgeTombstones } from '@memory/memory/housekeeping'
import type { Shard } from '@memory/memory/index/shard'
import { newShard, shardsPersist } from '@memory/memory/index/shards'
import { Snapshots } from '@memory/memory/index/snapshots'
import { SpaceIndex } from '@memory/memory/index/space-index'
import * as store from '@memory/memory/store'
import { asTenant, type Database } from '@memory/shared/platform/database/database'
import fc from 'fast-check'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { randomFrom, randomVector } from '../../engine/naive.ts'
import { openTestDatabase } from '../../platform/open-database.ts'
import { searchAll } from './brute-force.ts'
import { endsOf } from './ends-of.ts'
import { dimensions, KeptSpace, keysFrom, many } from './kept-space.ts'

const ignore = () => {}

/** What an index finds for vectors of these lengths, and when its patterns expire. */
function contentOf(index: SpaceIndex): unknown {
  const { version, limit } = index.contents()
  const found = [2, 5, 70].map((length) =>
    index.shardsFor(length).map((shard) => {
      const query = randomVector(randomFrom(length), shard.dimensions, false)
      return [
        shard.sourceDim,
        shard.size,
        searchAll(shard.target, query),
        searchAll(shard.target, query, { textOnly: true }),
      ]
    }),
  )
  return { version, limit, expiries: endsOf(index), found }
}

describe.runIf(shardsPersist)('Snapshots', () => {
  let folder: string
  let snapshots: Snapshots

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'memory-snapshots-'))
    snapshots = new Snapshots(join(folder, 'index'))
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const filesOf = (spaceId: string) =>
    readdirSync(join(folder, 'index')).filter((file) => file.startsWith(spaceId))

  it('gives back a space in the order that makes its searches fast, and saves it again once it has one', async () => {
    const spaceId = randomUUID()
    const random = randomFrom(3)
    const index = new SpaceIndex(1, ignore)
    const rows = Array.from({ length: 5_000 }, (_, idx) => ({
      ...{ idx, key: randomVector(random, 8, false), isText: false, sourceDim: null, expiresAt: null },
      tier: idx % 10 === 0 ? ('cold' as const) : ('hot' as const),
    }))
    index.put(rows)
    await snapshots.save(spaceId, index, new Date())
    await index.arrange()
    expect(index.listed).toBe(4_500)
    const unsorted = filesOf(spaceId)
    await snapshots.save(spaceId, index, new Date())
    expect(filesOf(spaceId)).not.toEqual(unsorted)
    const loaded = (await new Snapshots(join(folder, 'index')).load(spaceId, ignore)) as SpaceIndex
    expect(loaded.listed).toBe(4_500)
    expect(contentOf(loaded)).toEqual(contentOf(index))
    // It is not sorted anew, and what comes next is found beside it.
    const [shard] = loaded.shardsFor(8) as [Shard]
    const scanned = shard.scannedRows
    await loaded.arrange()
    expect(shard.scannedRows).toBe(scanned)
    const key = randomVector(random, 8, false)
    loaded.put([{ idx: 6_000, key, isText: false, sourceDim: null, expiresAt: null, tier: 'hot' }])
    const found = searchAll(shard.target, key).find(({ label }) => label === 6_000)
    expect(found?.score).toBeCloseTo(1, 5)
  })

  it('gives back what was saved: every length, projected keys, flags, tiers and expiries', async () => {
    const pattern = fc.record({
      idx: fc.nat({ max: 300 }),
      seed: fc.nat(),
      length: fc.constantFrom(2, 5),
      isText: fc.boolean(),
      sourceDim: fc.constantFrom(null, 70),
      expiresAt: fc.option(fc.date({ min: new Date(2_000_000_000_000), noInvalidDate: true })),
      tier: fc.constantFrom('hot' as const, 'warm' as const, 'cold' as const),
    })
    const limit = fc.constantFrom('hot' as const, 'warm' as const, 'cold' as const)
    await fc.assert(
      fc.asyncProperty(fc.array(pattern), limit, fc.nat({ max: 1e9 }), async (patterns, limit, version) => {
        const index = new SpaceIndex(version)
        for (const { seed, length, ...rest } of patterns) {
          index.put([{ ...rest, key: randomVector(randomFrom(seed), length, false) }])
        }
        index.limitTo(limit)
        const spaceId = randomUUID()
        await snapshots.save(spaceId, index, new Date())
        const loaded = (await new Snapshots(join(folder, 'index')).load(spaceId, ignore)) as SpaceIndex
        // Both move their patterns to the limit in the background.
        await vi.waitFor(() => expect(contentOf(loaded)).toEqual(contentOf(index)), 30_000)
        expect(loaded.limit).toBe(limit)
        expect(loaded.id).not.toBe(index.id)
      }),
      { numRuns: 40 },
    )
  })

  it('knows nothing of a space that was never saved', async () => {
    expect(await new Snapshots(join(folder, 'none')).load(randomUUID(), ignore)).toBeUndefined()
    expect(await new Snapshots(join(folder, 'none')).cleanUp(new Date())).toEqual([])
    await new Snapshots(join(folder, 'none')).discard(randomUUID())
  })

  it('saves and discards in turn, each save as a whole, and keeps the files of the last only', async () => {
    const spaceId = randomUUID()
    const index = new SpaceIndex(0)
    const counted = { now: 0, most: 0 }
    const shard = index.shard.bind(index)
    index.put([patternOf(0)])
    const own = shard(2) as Shard
    const save = own.save?.bind(own) as NonNullable<Shard['save']>
    own.save = async (path, mark) => {
      counted.most = Math.max(counted.most, ++counted.now)
      await save(path, mark)
      counted.now--
    }
    const saves = Array.from({ length: 5 }, (_, n) => {
      index.put([patternOf(n)])
      index.version = n
      return snapshots.save(spaceId, index, new Date())
    })
    await Promise.all(saves)
    expect(counted.most).toBe(1)
    expect(filesOf(spaceId)).toHaveLength(2)
    expect((await snapshots.load(spaceId, ignore))?.size).toBe(5)
    index.version = 9
    await Promise.all([snapshots.save(spaceId, index, new Date()), snapshots.discard(spaceId)])
    expect(filesOf(spaceId)).toEqual([])
    expect(await snapshots.load(spaceId, ignore)).toBeUndefined()
  })

  it('holds a pattern once whose key changed its length between the saves of two shards', async () => {
    const spaceId = randomUUID()
    const index = new SpaceIndex(7)
    index.put([patternOf(1), patternOf(2), { ...patternOf(3), key: Float32Array.of(1, 2, 3, 4, 5) }])
    const second = index.shard(5) as Shard
    const save = second.save?.bind(second) as NonNullable<Shard['save']>
    second.save = (path, mark) => {
      index.put([{ ...patternOf(1), key: Float32Array.of(5, 4, 3, 2, 1) }])
      return save(path, mark)
    }
    await snapshots.save(spaceId, index, new Date())
    const loaded = (await snapshots.load(spaceId, ignore)) as SpaceIndex
    expect(loaded.size).toBe(3)
    loaded.remove([1])
    expect(loaded.size).toBe(2)
    expect(Array.from(loaded.shard(2)?.labels() ?? [])).toEqual([2])
  })

  it('does not take the files of one space for those of another', async () => {
    const [own, other] = [randomUUID(), randomUUID()]
    const index = new SpaceIndex(1)
    index.put([patternOf(1)])
    await snapshots.save(own, index, new Date())
    await snapshots.save(other, index, new Date())
    copyFileSync(join(folder, 'index', `${other}.json`), join(folder, 'index', `${own}.json`))
    await expect(snapshots.load(own, ignore)).rejects.toThrow(other)
  })

  it('leaves the last snapshot as it was, and nothing else, when a save fails', async () => {
    const spaceId = randomUUID()
    const index = new SpaceIndex(1)
    index.put([patternOf(1)])
    await snapshots.save(spaceId, index, new Date())
    const before = filesOf(spaceId)
    index.put([{ ...patternOf(2), key: Float32Array.of(1, 2, 3, 4, 5) }])
    index.version = 2
    const second = index.shard(5) as Shard
    second.save = () => Promise.reject(new Error('no space left on device'))
    await expect(snapshots.save(spaceId, index, new Date())).rejects.toThrow('no space left')
    expect(filesOf(spaceId)).toEqual(before)
    expect((await snapshots.load(spaceId, ignore))?.version).toBe(1)
  })

  it('removes what cut off saves left behind, and only that', async () => {
    const [kept, gone] = [randomUUID(), randomUUID()]
    const index = new SpaceIndex(4)
    index.put([patternOf(1)])
    await snapshots.save(kept, index, new Date())
    const own = filesOf(kept)
    const left = [`${kept}.12.0`, `${kept}.12.0.77.0.new`, `${kept}.12.new`, `${gone}.13.0`, `${gone}.json`]
    const young = `${gone}.14.0`
    const others = ['readme.txt']
    for (const file of [...left, young, ...others]) writeFileSync(join(folder, 'index', file), 'x')
    const hourAgo = new Date(Date.now() - 3_600_000)
    for (const file of [...left, ...own, ...others]) utimesSync(join(folder, 'index', file), hourAgo, hourAgo)
    expect(await snapshots.cleanUp(new Date())).toContainEqual(
      expect.objectContaining({ spaceId: kept, version: 4, savedAt: hourAgo.getTime() }),
    )
    expect(filesOf(kept)).toEqual(own)
    expect(filesOf(gone)).toEqual([young])
    expect(existsSync(join(folder, 'index', 'readme.txt'))).toBe(true)
  })
})

function patternOf(idx: number) {
  const key = Float32Array.of(1, idx)
  return { idx, key, isText: true, sourceDim: null, expiresAt: null, tier: 'hot' as const }
}

/** Changes one byte of a file, at this share of its length. */
function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  const nth = Math.floor(at * bytes.length)
  bytes[nth] = (bytes[nth] as number) ^ 0x41
  writeFileSync(file, bytes)
}

function changeManifest({ manifest }: KeptSpace, change: object): void {
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), ...change }))
}

describe.runIf(shardsPersist)('a space that is kept in files', () => {
  let database: Database
  let space: KeptSpace | undefined

  beforeAll(async () => {
    database = await openTestDatabase()
  })

  afterEach(() => {
    space?.close()
    space = undefined
  })

  afterAll(() => database.close())

  const create = async () => {
    space = await KeptSpace.create(database.queries)
    return space
  }

  /** Holds in a new process what the database holds. @returns warnings of that process. */
  async function expectSame(kept: KeptSpace): Promise<string[]> {
    await kept.snapshots.idle()
    kept.restart()
    kept.warnings.length = 0
    const { found, expected } = await kept.compare(await kept.index())
    expect(found).toEqual(expected)
    await kept.snapshots.idle()
    return [...kept.warnings]
  }

  /** Reads of all patterns from the database from now on. */
  function countReads(kept: KeptSpace): { pages: number } {
    const counted = { pages: 0 }
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('app.load_patterns')) counted.pages++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    Object.assign(kept, { queries: database.queries.withPlugin(plugin) })
    return counted
  }

  describe('whose files are damaged', () => {
    let kept: KeptSpace

    beforeAll(async () => {
      kept = await KeptSpace.create(database.queries)
    })

    afterAll(() => kept.close())

    it.each<[string, (kept: KeptSpace) => void | Promise<void>]>([
      ['a shard with a wrong byte', (kept) => flip(kept.shard, 0.5)],
      ['a shard with a wrong header', (kept) => flip(kept.shard, 0.00001)],
      ['a torn shard', (kept) => truncateSync(kept.shard, 20_000)],
      ['an empty shard', (kept) => truncateSync(kept.shard, 0)],
      ['a missing shard', (kept) => unlinkSync(kept.shard)],
      ['a torn manifest', (kept) => truncateSync(kept.manifest, 20)],
      ['an empty manifest', (kept) => truncateSync(kept.manifest, 0)],
      ['what expires cut off', (kept) => changeManifest(kept, { expiries: 'AAAAAAAAAAA=' })],
      [
        'what expires with no times',
        (kept) => changeManifest(kept, { expiries: 'AAAAAAAA+H8AAAAAAAD4fw==' }),
      ],
      ['a manifest of another format', (kept) => changeManifest(kept, { format: 2 })],
      ['a manifest of another space', (kept) => changeManifest(kept, { spaceId: randomUUID() })],
      [
        'a manifest with more shards',
        (kept) => changeManifest(kept, { shards: [{ sourceDim: null }, { sourceDim: null }] }),
      ],
      [
        'a shard of another snapshot',
        async (kept) => {
          const shard = newShard(dimensions, null)
          shard.put([{ idx: 0, key: keysFrom(3, 1)[0] as Float32Array, isText: true, tier: 'hot' }])
          await shard.save?.(kept.shard, 1)
        },
      ],
    ])('is read from the database, with one warning, because of %s', async (_, damage) => {
      await damage(kept)
      expect(await expectSame(kept)).toEqual(['snapshot not usable; reading the database instead'])
      await kept.spaces.save()
      expect(kept.files).toHaveLength(2)
      expect(await expectSame(kept)).toEqual([])
    })
  })

  it('comes from its files after a restart, without a read of its patterns', async () => {
    const kept = await create()
    expect(kept.files).toHaveLength(2)
    const reads = countReads(kept)
    expect(await expectSame(kept)).toEqual([])
    expect(reads.pages).toBe(0)
  })

  it('comes from files of a release that had what expires in lists', async () => {
    const kept = await create()
    const end = kept.clock.now().getTime() + 60_000
    changeManifest(kept, { expiries: [[7, end]] })
    const reads = countReads(kept)
    kept.restart()
    expect(endsOf(await kept.index())).toEqual([[7, end]])
    expect(reads.pages).toBe(0)
  })

  it('shows after a restart whatever was changed since it was saved, by whichever process', async () => {
    const kept = await create()
    const nth = fc.nat({ max: many + 200 })
    const seed = fc.nat({ max: 1e6 })
    const change = fc.oneof(
      fc.record({ kind: fc.constant('store' as const), seed, nth }),
      fc.record({ kind: fc.constant('store to expire' as const), seed, nth }),
      fc.record({ kind: fc.constant('update' as const), seed, nth }),
      fc.record({ kind: fc.constant('remove' as const), seed, nth }),
      fc.record({ kind: fc.constant('save' as const), seed, nth }),
      fc.record({ kind: fc.constant('read' as const), seed, nth }),
    )
    const steps = fc.array(fc.record({ change, heard: fc.boolean() }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        for (const { change, heard } of all) {
          const { kind, seed, nth } = change
          const heardBy = heard ? kept.spaces : undefined
          const told = heardBy === undefined ? {} : { heardBy }
          if (kind === 'store') await kept.store(keysFrom(seed, 1 + (nth % 3)), told)
          else if (kind === 'store to expire') {
            const expiresAt = new Date(kept.clock.now().getTime() + 60_000)
            await kept.store(keysFrom(seed, 1), { ...told, expiresAt })
            if (nth % 2 === 0) kept.clock.advance(60_001)
          } else if (kind === 'update') await kept.update(nth, keysFrom(seed, 1)[0] as Float32Array, heardBy)
          else if (kind === 'remove') await kept.remove([nth, nth + 1], heardBy)
          else if (kind === 'save') await kept.spaces.save()
          else await kept.index()
        }
        expect(await expectSame(kept)).toEqual([])
        await kept.spaces.save()
        expect(kept.files.length).toBeLessThanOrEqual(2)
      }),
      { numRuns: 6, endOnFailure: true },
    )
  })

  it('is right when it was emptied, and filled anew, while the process was not running', async () => {
    const kept = await create()
    kept.restart()
    await kept.empty()
    await kept.store(keysFrom(5, 3))
    expect(await expectSame(kept)).toEqual([])
    expect(kept.files).toEqual([])
  })

  it('is read anew when traces of deletes since the snapshot are gone', async () => {
    const kept = await create()
    kept.restart()
    await kept.remove([1, 2, 3])
    await kept.store(keysFrom(5, 3))
    await asTenant(database.queries, { spaceId: kept.id }, async (trx) => {
      await sql`with gone as (delete from app.pattern_tombstones returning space_id, version, idx)
        insert into app.pattern_tombstones (space_id, version, idx, deleted_at)
          select space_id, version, idx, now() - interval '2 hours' from gone`.execute(trx)
    })
    await purgeTombstones(database.queries)
    const reads = countReads(kept)
    expect(await expectSame(kept)).toEqual([])
    expect(reads.pages).toBeGreaterThan(0)
  })

  it('does not come from a snapshot that is newer than the database', async () => {
    const kept = await create()
    changeManifest(kept, { version: 1_000 })
    const reads = countReads(kept)
    expect(await expectSame(kept)).toEqual([])
    expect(reads.pages).toBeGreaterThan(0)
    await kept.spaces.save()
    expect(JSON.parse(readFileSync(kept.manifest, 'utf8')).version).toBe(1)
  })

  it('loses its snapshot by a removal, whether it is resident or not', async () => {
    const kept = await create()
    await kept.remove([7], kept.spaces)
    await kept.snapshots.idle()
    expect(kept.files).toEqual([])
    await kept.store(keysFrom(2, 1), { heardBy: kept.spaces })
    await kept.spaces.save()
    expect(kept.files).toHaveLength(2)
    kept.restart()
    await kept.remove([8], kept.spaces)
    await kept.snapshots.idle()
    expect(kept.files).toEqual([])
    expect(await expectSame(kept)).toEqual([])
  })

  it('has no snapshot after a removal while it is being saved, also one that the index has not heard of yet', async () => {
    const kept = await create()
    for (const first of [10, 20]) {
      await kept.store(keysFrom(first, 1), { heardBy: kept.spaces })
      const saving = kept.spaces.save()
      // The second time the index is behind, so it does not take the removal over.
      if (first === 20) await kept.store(keysFrom(3, 1))
      await kept.remove([first], kept.spaces)
      await saving
      await kept.snapshots.idle()
      await expectWithout(kept, first)
      await kept.index()
    }
    expect(await expectSame(kept)).toEqual([])
  })

  /** What lies in the files does not hold this pattern. */
  async function expectWithout(kept: KeptSpace, idx: number): Promise<void> {
    const index = await new Snapshots(kept.folder).load(kept.id, ignore)
    expect(Array.from(index?.shard(dimensions)?.labels() ?? [])).not.toContain(idx)
  }

  it('loses its snapshot by what was removed elsewhere, at the start and when others are saved', async () => {
    const kept = await create()
    await kept.remove([3])
    kept.restart()
    await kept.spaces.checkSnapshots()
    expect(kept.files).toEqual([])
    await kept.index()
    await kept.spaces.save()
    expect(kept.files).toHaveLength(2)
    await kept.remove([4])
    await kept.spaces.save()
    expect(kept.files).toHaveLength(2)
    await expectWithout(kept, 4)
    await kept.remove([5])
    await kept.index()
    await kept.snapshots.idle()
    expect(kept.files).toEqual([])
    kept.restart()
    await kept.empty()
    await kept.spaces.save()
    expect(kept.files).toEqual([])
  })

  it('keeps the snapshot of a space in which nothing was removed', async () => {
    const kept = await create()
    await kept.store(keysFrom(4, 2))
    kept.restart()
    const { files } = kept
    await kept.spaces.checkSnapshots()
    expect(kept.files).toEqual(files)
  })

  it('is not saved again when nothing has changed', async () => {
    const kept = await create()
    const { files } = kept
    await kept.spaces.save()
    expect(kept.files).toEqual(files)
    kept.restart()
    await kept.index()
    await kept.spaces.save()
    expect(kept.files).toEqual(files)
    await kept.store(keysFrom(4, 1), { heardBy: kept.spaces })
    await kept.spaces.save()
    expect(kept.files).toHaveLength(2)
    expect(kept.files).not.toEqual(files)
  })

  it('is not written again and again while a process runs that changes little of it, but what is removed leaves it', async () => {
    const kept = await create()
    const { files } = kept
    await kept.store(keysFrom(4, 1), { heardBy: kept.spaces })
    kept.clock.advance(3_500_000)
    await kept.spaces.saveDue()
    expect(kept.files).toEqual(files)
    // It is one of those that were in memory last.
    expect(statSync(kept.manifest).mtimeMs).toBeGreaterThan(Date.now() + 3_000_000)
    await kept.remove([4])
    await kept.spaces.saveDue()
    const [saved] = kept.files
    expect(files).not.toContain(saved)
    await expectWithout(kept, 4)
    await kept.update(5, keysFrom(6, 1)[0] as Float32Array)
    await kept.spaces.saveDue()
    expect(kept.files).toContain(saved)
    kept.clock.advance(3_600_000)
    await kept.spaces.saveDue()
    const [again] = kept.files
    expect(again).not.toBe(saved)
    // A clock that is set back says nothing of when it was saved.
    kept.clock.advance(-10_000)
    await kept.store(keysFrom(7, 1), { heardBy: kept.spaces })
    await kept.spaces.saveDue()
    expect(kept.files).not.toContain(again)
    expect(await expectSame(kept)).toEqual([])
  })

  it('comes from the database where the clock was ahead when it was saved: what had not expired is missing', async () => {
    const kept = await create()
    await kept.store(keysFrom(4, 1), { expiresAt: new Date(kept.clock.now().getTime() + 60_000) })
    kept.clock.advance(7_200_000)
    await kept.index()
    await kept.spaces.save()
    const reads = countReads(kept)
    expect(await expectSame(kept)).toEqual([])
    expect(reads.pages).toBe(0)
    kept.clock.advance(-7_200_000)
    expect(await expectSame(kept)).toEqual([])
    expect(reads.pages).toBeGreaterThan(0)
  })

  it('is saved ahead of time when it has grown by half, and many', async () => {
    const kept = await create()
    kept.restart()
    await kept.index()
    const { files } = kept
    await kept.store(keysFrom(4, 15_000), { heardBy: kept.spaces })
    await kept.spaces.saveGrown()
    expect(kept.files).toEqual(files)
    await kept.store(keysFrom(5, 6_000), { heardBy: kept.spaces })
    await kept.spaces.saveGrown()
    expect(kept.files).not.toEqual(files)
    const saved = kept.files
    await kept.spaces.saveGrown()
    expect(kept.files).toEqual(saved)
    const reads = countReads(kept)
    expect(await expectSame(kept)).toEqual([])
    expect(reads.pages).toBe(0)
  })

  describe('before anybody asks', () => {
    const hours = (before: number) => new Date(Date.now() - before * 3_600_000)

    /** A folder with the files of two spaces, the first of which was saved last. */
    async function createTwo(): Promise<[KeptSpace, KeptSpace]> {
      const [kept, other] = [await create(), await create()]
      for (const file of other.files) copyFileSync(other.file(file), kept.file(file))
      utimesSync(kept.manifest, hours(1), hours(1))
      utimesSync(kept.file(`${other.id}.json`), hours(2), hours(2))
      return [kept, other]
    }

    async function loadSaved(kept: KeptSpace, isEnding = () => false): Promise<(id: string) => boolean> {
      kept.restart()
      await kept.spaces.loadSaved(await kept.spaces.checkSnapshots(), isEnding)
      return (id) => kept.spaces.peek(id) !== undefined
    }

    it('is in memory after a restart, with what its next search must find', async () => {
      const [kept, other] = await createTwo()
      await kept.store(keysFrom(4, 3))
      const reads = countReads(kept)
      const isHeld = await loadSaved(kept)
      expect([isHeld(kept.id), isHeld(other.id)]).toEqual([true, true])
      const { found, expected } = await kept.compare(await kept.index())
      expect(found).toEqual(expected)
      expect(reads.pages).toBe(0)
    })

    it('is loaded if it was in memory last, where half of the budget is for one', async () => {
      const [kept, other] = await createTwo()
      kept.budgetBytes = 3 * (await kept.index()).bytes
      const isHeld = await loadSaved(kept)
      expect([isHeld(kept.id), isHeld(other.id)]).toEqual([true, false])
      // The other was used after it, without a change, until the process ended.
      await kept.spaces.get(other.id, 0)
      kept.spaces.release(kept.id)
      kept.clock.advance(1_000)
      await kept.spaces.save()
      const isHeldThen = await loadSaved(kept)
      expect([isHeldThen(kept.id), isHeldThen(other.id)]).toEqual([false, true])
    })

    it('makes room for others before those that were in memory later, or that somebody has asked for', async () => {
      const [kept, other] = await createTwo()
      const others = [await create(), await create(), await create()]
      kept.budgetBytes = 4.5 * (await kept.index()).bytes
      const isHeld = await loadSaved(kept)
      expect([isHeld(kept.id), isHeld(other.id)]).toEqual([true, true])
      for (const { id } of others) await kept.spaces.get(id, 0)
      expect([isHeld(kept.id), isHeld(other.id)]).toEqual([true, false])
      kept.restart()
      const asked = kept.spaces.get(other.id, 0)
      await kept.spaces.loadSaved(await kept.spaces.checkSnapshots(), () => false)
      await asked
      for (const { id } of others) await kept.spaces.get(id, 0)
      expect([isHeld(kept.id), isHeld(other.id)]).toEqual([false, true])
    })

    it('is left alone by a process that ends, and without room', async () => {
      const [kept, other] = await createTwo()
      const isHeld = await loadSaved(kept, () => true)
      expect([isHeld(kept.id), isHeld(other.id)]).toEqual([false, false])
      kept.budgetBytes = 1
      const isHeldWithout = await loadSaved(kept)
      expect([isHeldWithout(kept.id), isHeldWithout(other.id)]).toEqual([false, false])
    })
  })

  it('is right when two processes share the folder', async () => {
    const kept = await create()
    const [first, second] = [
      kept.newProcess(new Snapshots(kept.folder)),
      kept.newProcess(new Snapshots(kept.folder)),
    ]
    for (let round = 0; round < 3; round++) {
      await kept.store(keysFrom(round, 2), { heardBy: first })
      await Promise.all([kept.index(first), kept.index(second)])
      await Promise.all([first.save(), second.save()])
    }
    const { found, expected } = await kept.compare(await kept.index(second))
    expect(found).toEqual(expected)
    await expectSame(kept)
  })

  it('too small to be worth files has none', async () => {
    space = await KeptSpace.create(database.queries, 4_999)
    expect(space.files).toEqual([])
  })

  it('is searched as before when its files can not be written, with a warning', async () => {
    const kept = await create()
    rmSync(kept.folder, { recursive: true })
    writeFileSync(kept.folder, 'not a folder')
    await kept.store(keysFrom(4, 1), { heardBy: kept.spaces })
    const { found, expected } = await kept.compare(await kept.index())
    expect(found).toEqual(expected)
    await expect(kept.spaces.save()).rejects.toThrow('ENOTDIR')
    expect(kept.warnings).toEqual(['snapshot not saved'])
    expect(await store.getVersion(database.queries, kept.id)).toBe(2)
  })
})
