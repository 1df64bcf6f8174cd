import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { inspectRedis, redisBackend, requireRedis } from '@memory/shared/platform/queue/redis-backend'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../scripts/free-port.ts'
import { until } from '../../support/until.ts'

const canStart = spawnSync('redis-server', ['--version']).status === 0

describe.runIf(canStart)('a Redis that forgets what it is told when its memory is full', () => {
  let redis: ChildProcess
  let url: string

  beforeAll(async () => {
    const port = await freePort()
    url = `redis://127.0.0.1:${port}`
    const args = ['--port', String(port), '--save', '', '--maxmemory-policy', 'allkeys-lru']
    redis = spawn('redis-server', args, { stdio: 'ignore' })
    await until(
      () =>
        inspectRedis(url).then(
          () => true,
          () => false,
        ),
      'Redis',
    )
  })

  afterAll(() => {
    redis.kill('SIGKILL')
  })

  it('is warned of once at a start', async () => {
    expect(await requireRedis(url)).toEqual([
      'Redis forgets jobs when its memory is full (allkeys-lru): set maxmemory-policy noeviction in its configuration.',
    ])
  })

  it('is not told of by the library too, in text of its own', async () => {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const backend = redisBackend(url, undefined, { onError: () => {}, onReady: () => {} })
    try {
      const queue = backend.queue('spaces', {})
      await queue.waitUntilReady()
      const done = Promise.withResolvers<void>()
      const worker = backend.worker('spaces', async () => done.resolve(), {})
      await queue.add('a job', {})
      await done.promise
      await worker.close()
      await queue.close()
      expect(said).not.toHaveBeenCalled()
    } finally {
      said.mockRestore()
      await backend.close()
    }
  })
})
