import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Scheduler, smallNumbers } from '@memory/api/pool/scheduler'
import { openEncoder } from '@memory/engine/encoder/encoder'
import { relaxFar } from '@memory/engine/energy'
import { kernels } from '@memory/engine/kernels/kernels'
import { searchShard } from '@memory/memory/index/search-shard'
import type { Shard } from '@memory/memory/index/shard'
import { newShard } from '@memory/memory/index/shards'
import { ApiError } from '@memory/shared/catalogue/errors'
import { ConfigError, readConfig } from '@memory/shared/platform/config'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../engine/naive.ts'

const { encoderDir } = readConfig({})
const dimensions = 384
const options = { encoderDir, dimensions, threads: 1, cacheBytes: 1_000_000 }

const ada = { organizationId: 'Ada' }
const ben = { organizationId: 'Ben' }

const observed = { encoded: 0, hits: 0, misses: 0 }
const observer = {
  encoded: () => void observed.encoded++,
  cacheLookup: (hit: boolean) => void (hit ? observed.hits++ : observed.misses++),
}

let pool: Scheduler

beforeAll(async () => {
  pool = await Scheduler.start(options, observer)
})

beforeEach(() => {
  Object.assign(observed, { encoded: 0, hits: 0, misses: 0 })
})

afterAll(() => pool.close())

let texts = 0
const newText = () => `A text that no other test has, number ${texts++}.`

/** A shard with that many rows. */
function newFilledShard(rows: number): Shard {
  const random = randomFrom(rows)
  const shard = newShard(dimensions, null)
  shard.put(
    Array.from({ length: rows }, (_, idx) => ({
      idx,
      key: randomVector(random, dimensions, false),
      isText: true,
      tier: 'hot' as const,
    })),
  )
  return shard
}

const search = { k: 10, minScore: -1, textOnly: false }

describe('Scheduler and ThreadPool', () => {
  it('embeds a text once, however often and however close together it is asked for', async () => {
    const text = newText()
    const first = await Promise.all([pool.embed(ada, text), pool.embed(ada, text), pool.embed(ada, text)])
    const later = await pool.embed(ada, text)
    expect(new Set([...first, later]).size).toBe(1)
    expect(observed).toEqual({ encoded: 1, hits: 3, misses: 1 })
    expect(Math.hypot(...later)).toBeCloseTo(1, 5)
    expect(later).toHaveLength(dimensions)
  })

  it('embeds once for a store and searches of the same text at the same time', async () => {
    const text = newText()
    const [one, ...others] = await Promise.all([
      pool.embed(ada, text, 'search'),
      pool.embed(ada, text),
      pool.embed(ada, text, 'search'),
    ])
    expect(observed).toEqual({ encoded: 1, hits: 2, misses: 1 })
    for (const other of others) expect(other).toBe(one)
  })

  it('embeds different texts differently, and tells texts apart that differ by one character', async () => {
    const text = newText()
    const [one, other] = await Promise.all([pool.embed(ada, text), pool.embed(ada, `${text} `)])
    expect(observed.encoded).toBe(2)
    expect(one).not.toBe(other)
  })

  it('I6 does not show by its speed that another tenant has embedded a text', async () => {
    const text = newText()
    const [one, other] = await Promise.all([pool.embed(ada, text), pool.embed(ben, text)])
    await pool.embed(ben, text)
    expect(observed).toEqual({ encoded: 2, hits: 1, misses: 2 })
    expect(other).toEqual(one)
  })

  it('gives the same bits in several turns as at once, whatever the length', async () => {
    const encoder = await openEncoder(encoderDir)
    try {
      for (const words of [1, 60, 150, 500, 900, 1_200]) {
        const text = `${newText()} ${'So it goes on. '.repeat(words / 4)}`
        expect(await pool.embed(ada, text), `${words} words`).toEqual(await encoder.encode(text))
      }
    } finally {
      await encoder.close()
    }
  })

  it('F9 answers others between the windows of a long text', async () => {
    const done: string[] = []
    const long = pool
      .embed(ada, `${newText()} ${'So it goes on. '.repeat(500)}`)
      .then(() => done.push('long'))
    const short = pool.embed(ben, newText(), 'search').then(() => done.push('short'))
    await Promise.all([long, short])
    expect(done).toEqual(['short', 'long'])
  })

  it('encodes no more of a text whose client hangs up, and goes on there when it is asked for again', async () => {
    const text = `${newText()} ${'So it goes on. '.repeat(250)}`
    const client = new AbortController()
    const abandoned = expect(pool.embed({ ...ada, signal: client.signal }, text)).rejects.toMatchObject({
      code: 'abandoned',
    })
    // Another organization's text has its turn after the first window.
    await pool.embed(ben, newText())
    await pool.embed(ben, newText())
    client.abort()
    await abandoned
    expect(pool.queued).toBe(0)
    expect(observed.encoded).toBe(2)
    const encoder = await openEncoder(encoderDir)
    expect(await pool.embed(ada, text)).toEqual(await encoder.encode(text))
    await encoder.close()
  })

  it('F9 relaxes iterations in slices, between which others are served, each where it ends alone', async () => {
    const random = randomFrom(7)
    const iterations = Array.from({ length: 40 }, () => {
      const values = Float32Array.from(
        Array.from({ length: 64 }, () => [...randomVector(random, dimensions, false)]).flat(),
      )
      const inverseNorms = Float64Array.from(kernels.norms(values, dimensions), (norm) => 1 / norm)
      const query = randomVector(random, dimensions, false)
      return { values, inverseNorms, query, options: { beta: 20, maxSteps: 50, tolerance: 1e-4 } }
    })
    const done: string[] = []
    const relaxing = pool.relax(ada, iterations).then((ends) => {
      done.push('relaxed')
      return ends
    })
    await pool.embed(ben, newText(), 'search').then(() => done.push('embedded'))
    const ends = await relaxing
    expect(done).toEqual(['embedded', 'relaxed'])
    for (const [i, { values, inverseNorms, query, options }] of iterations.entries()) {
      const { weights, cosines } = relaxFar(values, inverseNorms, query, options)
      expect(ends[i]).toEqual({ weights, cosines })
    }
    expect(await pool.relax(ada, [])).toEqual([])
  })

  it('finds for many queries what it finds for each', async () => {
    const shard = newFilledShard(300)
    const queries = await Promise.all([newText(), newText(), newText()].map((text) => pool.embed(ada, text)))
    expect(await pool.searchMany(ada, shard, queries, search)).toEqual(
      queries.map((query) => searchShard(shard.target, query, search)),
    )
  })

  it.skipIf(kernels.name !== 'native')('frees what native code made for its tasks', async () => {
    const rows = new Float32Array(8_192 * 2).fill(1)
    const components = {
      mean: new Float64Array(2),
      directions: new Float64Array(64 * 2).fill(1),
      variances: new Float64Array(64),
    }
    // Each makes 2 MB.
    const project = async (times: number) => {
      for (let n = 0; n < times; n++) await pool.mapStep(ada, { kind: 'project', rows, components })
      return process.memoryUsage.rss()
    }
    const before = await project(100)
    expect((await project(400)) - before).toBeLessThan(400e6)
  })

  it('keeps the cache within its budget', async () => {
    const small = await Scheduler.start({ ...options, cacheBytes: 4 * (4 * dimensions + 250) }, observer)
    try {
      const [first, ...others] = Array.from({ length: 6 }, newText) as [string, ...string[]]
      await small.embed(ada, first)
      for (const text of others) await small.embed(ada, text)
      expect(small.cachedEmbeddings.entries).toBe(4)
      expect(small.cachedEmbeddings.bytes).toBeLessThanOrEqual(4 * (4 * dimensions + 250))
      Object.assign(observed, { encoded: 0 })
      await small.embed(ada, first)
      expect(observed.encoded).toBe(1)
    } finally {
      await small.close()
    }
  })

  it('F9 answers 503 with a time to come back when too much waits, and works again afterwards', async () => {
    const query = await pool.embed(ada, newText())
    const shard = newFilledShard(smallNumbers / dimensions + 1)
    const answers = await Promise.allSettled(
      Array.from({ length: 600 }, () => pool.search(ada, shard, query, search)),
    )
    const refused = answers
      .filter((answer) => answer.status === 'rejected')
      .map(({ reason }) => reason as unknown)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(200)
    for (const error of refused) {
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ code: 'unavailable', status: 503, retryAfterS: 1 })
    }
    expect(pool.queued).toBe(0)
    expect((await pool.search(ada, shard, query, search)).labels).toHaveLength(10)
    expect(await pool.embed(ada, newText())).toHaveLength(dimensions)
  })

  it('finishes what it was given when it is closed, and takes nothing afterwards', async () => {
    const closing = await Scheduler.start(options, observer)
    const given = [closing.embed(ada, newText()), closing.embed(ada, newText())]
    await closing.close()
    for (const embedding of await Promise.all(given)) expect(embedding).toHaveLength(dimensions)
    await expect(closing.embed(ada, newText())).rejects.toThrow()
  })

  it('does not start without an encoder: one sentence names the folder', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'memory-no-encoder-'))
    const starting = Scheduler.start({ ...options, encoderDir: empty }, observer)
    await expect(starting).rejects.toThrow(ConfigError)
    await expect(starting).rejects.toThrow(empty)
    rmSync(empty, { recursive: true })
  })
})
