import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { shardsPersist } from '@memory/memory/index/shards'
import { Snapshots } from '@memory/memory/index/snapshots'
import { SpaceIndex } from '@memory/memory/index/space-index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../engine/naive.ts'
import { searchAll } from '../memory/index/brute-force.ts'
import { CommandProcess, type ServiceProcess, startService } from '../process/service-process.ts'
import { until } from '../support/until.ts'
import { changeTo, describeIndex, dimensions, spaceId } from './saved-states.ts'

describe.runIf(shardsPersist)('kill -9 in the middle of saves of a large space', () => {
  let folder: string
  const random = randomFrom(Date.now() % 1_000_000)

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'memory-kill-'))
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('leaves the last snapshot whole, or the one before, and nothing that stays', async () => {
    const index = join(folder, 'index')
    const expected = new SpaceIndex(0)
    for (let round = 0; round < 6; round++) {
      const saver = new CommandProcess('test/faults/save-forever.ts', [index, 'saved'], {})
      const saved = () => Number(/saved (\d+)\n$/.exec(saver.stdout)?.[1] ?? 0)
      const enough = expected.version + 1 + Math.floor(3 * random())
      await until(() => saved() >= enough || saver.ended, 'saves')
      await delay(40 * random())
      const { signal, stderr } = await saver.stop('SIGKILL')
      expect([signal, stderr]).toEqual(['SIGKILL', ''])

      const loaded = (await new Snapshots(index).load(spaceId, () => {})) as SpaceIndex
      expect([saved(), saved() + 1]).toContain(loaded.version)
      for (let version = expected.version + 1; version <= loaded.version; version++)
        changeTo(expected, version)
      expect(describeIndex(loaded)).toEqual(describeIndex(expected))
      const query = randomVector(random, dimensions, false)
      for (const sourceDim of [null, 200]) {
        const [own, other] = [loaded, expected].map((each) => each.shard(dimensions, sourceDim)?.target)
        expect(own && searchAll(own, query)).toEqual(other && searchAll(other, query))
      }
    }
    const later = new Date(Date.now() + 3_600_000)
    await new Snapshots(index).cleanUp(later)
    expect(readdirSync(index)).toHaveLength(3)
  })

  it('costs the service nothing but time', async () => {
    const dataDir = join(folder, 'data')
    const count = 6_000
    const keys = Array.from({ length: count }, () => randomVector(random, 64, false))
    let service: ServiceProcess = await startService(dataDir)
    const isThere = Array.from(keys, () => true)
    const store = async (some: Float32Array[]) => {
      const patterns = some.map((key) => ({ key: Array.from(key), value: [1] }))
      const { status } = await service.client().post('/v1/memory/batch/store', { patterns })
      expect(status).toBe(200)
    }
    for (let at = 0; at < count; at += 1_000) await store(keys.slice(at, at + 1_000))
    try {
      for (let round = 0; round < 3; round++) {
        // A process that is told to end saves, and here it is not given the time.
        const ending = service.stop('SIGTERM')
        await delay(250 * random())
        service.child.kill('SIGKILL')
        await ending
        service = await startService(dataDir)
        for (let nth = 0; nth < 5; nth++) {
          const at = Math.floor(random() * count)
          const { status, body } = await service
            .client()
            .post('/v1/memory/query', { embedding: Array.from(keys[at] as Float32Array), top_k: 1 })
          expect(status).toBe(200)
          expect(body.results[0].confidence > 0.999999).toBe(isThere[at])
        }
        const doomed = Math.floor(random() * count)
        if (isThere[doomed]) {
          const embedding = Array.from(keys[doomed] as Float32Array)
          const { status } = await service.client().delete('/v1/memory/pattern', embedding)
          expect(status).toBe(200)
          isThere[doomed] = false
        }
      }
    } finally {
      await service.stop('SIGKILL')
    }
  })
})
