import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import type { Database } from '@memory/shared/platform/database/database'
import { createLog } from '@memory/shared/platform/log'
import { JobQueue } from '@memory/shared/platform/queue/queue'
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

  it('is refused under the number of a database that it does not have', async () => {
    await expect(requireRedis(`${url}/16`)).rejects.toThrow(
      "Redis at REDIS_URL can't be used (ERR DB index is out of range): start it, mend the address",
    )
    await expect(inspectRedis(`${url}/16`)).rejects.toThrow('DB index is out of range')
    expect(await requireRedis(`${url}/15`)).toHaveLength(1)
  })

  it('that stands still is told of once, and once when it goes on', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) })
    const database = {} as Database
    const queue = new JobQueue({ redisUrl: url, database, log })
    try {
      await queue.ping()
      redis.kill('SIGSTOP')
      for (let i = 0; i < 3; i++) await expect(queue.ping()).rejects.toThrow('The job queue does not answer.')
      redis.kill('SIGCONT')
      for (let i = 0; i < 3; i++) await queue.ping()
      expect(lines).toEqual(['job queue does not answer', 'job queue answers again'])
    } finally {
      redis.kill('SIGCONT')
      await queue.close()
    }
  })

  it('that refuses the login is told of without the password', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    const redisUrl = url.replace('//', '//nobody:the%20password@')
    const queue = new JobQueue({ redisUrl, database: {} as Database, log })
    try {
      await expect(queue.ping()).rejects.toThrow()
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { msg: 'job queue does not answer', err: { message: expect.stringContaining('WRONGPASS') } },
      ])
      expect(lines.join('')).not.toContain('the password')
    } finally {
      await queue.close()
    }
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
