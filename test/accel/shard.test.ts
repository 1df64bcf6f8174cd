import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { accel, type Shard } from '@memory/accel'
import { kernels } from '@memory/engine/kernels/kernels'
import { beforeEach, describe, expect, it } from 'vitest'

const dimensions = 8
const count = 50
const everyTier = 7

describe.skipIf(accel === null)('the native index', () => {
  const native = accel as NonNullable<typeof accel>
  const labels = Int32Array.from({ length: count }, (_, label) => label)
  const keys = Float32Array.from({ length: count * dimensions }, (_, i) => Math.sin(i * i))
  const key = (label: number) => keys.slice(label * dimensions, (label + 1) * dimensions)
  let shard: Shard
  const search = (query: Float32Array, k = 3, allowed?: Uint8Array, tiers = everyTier) =>
    native.searchShard(shard.id, query, k, undefined, -1, 1, allowed, tiers)

  beforeEach(() => {
    shard = new native.Shard(dimensions)
    shard.put(labels, keys, new Uint8Array(count).fill(1), 0)
  })

  it('finds what was put, with the scores of a scan', () => {
    const norm = (label: number) => Math.sqrt(key(label).reduce((sum, value) => sum + value * value, 0))
    const inverseNorms = Float64Array.from(labels, (label) => 1 / norm(label))
    const matrix = {
      dimensions,
      count,
      values: keys,
      inverseNorms,
      labels,
      flags: new Uint8Array(count).fill(1),
    }
    const found = search(key(7), 5)
    expect({ labels: found.labels, scores: found.scores }).toEqual(
      kernels.nearest(matrix, key(7), 5, -1, { requiredFlags: 1 }),
    )
    expect([...found.exact]).toEqual([1, 1, 1, 1, 1])
  })

  it('answers many queries as it does each', () => {
    const many = native.searchShardMany(shard.id, keys, 3, undefined, -1, 1)
    expect(many).toEqual(Array.from(labels, (label) => search(key(label))))
  })

  it('answers later what it answers now, whatever becomes of the arrays and the object meanwhile', async () => {
    const other = new native.Shard(dimensions)
    other.put(labels, keys, new Uint8Array(count).fill(1), 0)
    const [queries, allowed] = [keys.slice(), Uint8Array.of(0xff, 0b10)]
    const now = native.searchShardMany(other.id, queries, 3, 2, -1, 1, allowed)
    const later = native.searchShardLater(other.id, queries, 3, 2, -1, 1, allowed)
    queries.fill(0)
    allowed.fill(0)
    expect(await later).toEqual(now)
    await expect(native.searchShardLater(shard.id, keys.subarray(1), 3, undefined, -1, 1)).rejects.toThrow(
      'dimensions',
    )
  })

  it('looks at the labels and tiers it is asked for', () => {
    const allowed = Uint8Array.of(0, 0b10)
    expect([...search(key(7), 3, allowed).labels]).toEqual([9])
    const moved = Float32Array.of(...key(7), ...key(8))
    shard.put(Int32Array.of(7, 8), moved, Uint8Array.of(1, 1), 1)
    expect([...search(key(7), 3, undefined, 2).labels].sort()).toEqual([7, 8])
    expect([...search(key(7), 1).exact]).toEqual([0])
    expect([...shard.keysOf(Int32Array.of(7, 9)).held]).toEqual([0, 1])
    expect(shard.keysOf(Int32Array.of(9)).keys).toEqual(key(9))
  })

  it('forgets what is removed', () => {
    expect(shard.remove(Int32Array.of(7, 1000))).toBe(1)
    expect([...search(key(7), count).labels]).not.toContain(7)
    expect(shard.stats()).toMatchObject({ hot: count - 1, warm: 0, cold: 0 })
    expect(shard.stats().bytes).toBeGreaterThan(count * dimensions * 4)
  })

  it('is searched by other threads by its number', async () => {
    const program = `
      import { parentPort, workerData } from 'node:worker_threads'
      const { accel } = await import(workerData.module)
      const { id, query, tiers } = workerData
      parentPort.postMessage(accel.searchShard(id, query, 3, undefined, -1, 1))`
    const module = new URL('../../crates/accel/index.js', import.meta.url).href
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
      workerData: { module, id: shard.id, query: key(7), tiers: everyTier },
    })
    const found = await new Promise((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    )
    expect(found).toEqual(search(key(7)))
  })

  it('comes back from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shard-'))
    try {
      const file = join(folder, 'shard')
      await shard.save(file, 42)
      const loaded = await native.loadShard(file)
      expect([loaded.version, loaded.dimensions]).toEqual([42, dimensions])
      expect(native.searchShard(loaded.id, key(7), 3, undefined, -1, 1)).toEqual(search(key(7)))
      writeFileSync(file, 'something else')
      await expect(native.loadShard(file)).rejects.toThrow('not a snapshot')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('finds the same after its lists are built', async () => {
    const before = search(key(7))
    expect(await shard.buildLists()).toBe(true)
    expect(search(key(7))).toEqual(before)
  })

  it('ends building lists when it is told to, and builds none after that', async () => {
    const large = new native.Shard(128)
    const keys = Float32Array.from({ length: 100_000 * 128 }, (_, i) => Math.sin(i * i))
    large.put(
      Int32Array.from({ length: 100_000 }, (_, i) => i),
      keys,
      new Uint8Array(100_000).fill(1),
      0,
    )
    const building = large.buildLists()
    large.interruptLists()
    expect(await building).toBe(false)
    expect(await large.buildLists()).toBe(false)
    expect(large.stats()).toMatchObject({ hot: 100_000, listed: 0 })
    large.put(Int32Array.of(100_000), keys.subarray(0, 128), Uint8Array.of(1), 0)
    expect(large.stats()).toMatchObject({ hot: 100_001 })
  })

  it('is changed while its rows are moved in the background', async () => {
    const working = [shard.buildLists(), shard.demote(1)]
    shard.put(Int32Array.of(count), key(7), Uint8Array.of(1), 1)
    expect(shard.remove(Int32Array.of(7))).toBe(1)
    await Promise.all(working)
    expect([...search(key(7), 1).labels]).toEqual([count])
    expect(shard.stats()).toMatchObject({ hot: 0, warm: count, cold: 0 })
  })

  it('demotes all rows, and counts their memory as freed from the start', async () => {
    const { bytes } = shard.stats()
    const demoted = shard.demote(1)
    expect(shard.stats().bytes).toBeLessThan(bytes)
    await demoted
    expect(shard.stats()).toMatchObject({ hot: 0, warm: count, cold: 0 })
    expect([...search(key(7), 1).labels]).toEqual([7])
    await Promise.all([shard.demote(1), shard.demote(2)])
    expect(shard.stats()).toMatchObject({ hot: 0, warm: 0, cold: count })
    expect(() => shard.demote(3 as 0)).toThrow('tier is 3')
  })

  it('refuses what does not fit', () => {
    const one = Int32Array.of(1)
    expect(() => new native.Shard(0)).toThrow('1 to 8192 dimensions, not 0')
    expect(() => shard.put(one, new Float32Array(3), Uint8Array.of(1), 0)).toThrow('keys has 3 elements')
    expect(() => shard.put(one, new Float32Array(dimensions), Uint8Array.of(1), 0)).toThrow('all zero')
    expect(() => shard.put(one, key(1), Uint8Array.of(1), 3 as 0)).toThrow('tier is 3')
    expect(() => search(new Float32Array(3))).toThrow('the query has 3 values')
    const unknown = () => native.searchShard(0, key(7), 3, undefined, -1, 1)
    expect(unknown).toThrow('there is no shard 0')
  })
})
