import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migratePostgres } from '@memory/shared/platform/database/postgres'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CommandProcess } from '../../process/service-process.ts'
import { newDatabase, type TestDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import { hasRedis, redisUrl } from './backends.ts'

describe('F2 a job whose worker is killed five times', () => {
  let folder: string
  let server: TestDatabase | undefined
  let worker: CommandProcess | undefined
  let settings: Record<string, string>

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memory-test-'))
    server = await newDatabase()
    if (server !== undefined) await migratePostgres(server.url)
    settings = server === undefined ? { MEMORY_DATA_DIR: folder } : { DATABASE_URL: server.url }
  })

  afterEach(async () => {
    await worker?.stop('SIGKILL')
    await server?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = (more: Record<string, string>) => {
    worker = new CommandProcess('test/platform/queue/work-until-killed.ts', [], { ...settings, ...more })
    return worker
  }

  const began = (process: CommandProcess, kill: number) =>
    until(() => process.stdout.includes('began spaces_1'), `attempt ${kill}: ${process.stderr}`, 20_000)

  const killFiveTimes = async () => {
    for (let kill = 1; kill <= 5; kill++) {
      const process = start({ HANG: '1', ...(kill === 1 ? { ADD: 'spaces_1' } : {}) })
      await began(process, kill)
      await process.stop('SIGKILL')
    }
    const last = start({})
    await began(last, 6)
    const { code, stdout } = await last.stop('SIGTERM')
    expect(code).toBe(0)
    expect(stdout.match(/began/g)).toHaveLength(1)
    expect(stdout).toContain('completed 1, failed 0')
  }

  it('completes once: in the database', killFiveTimes, 120_000)

  it.runIf(hasRedis)(
    'completes once: in Redis',
    async () => {
      const prefix = `test-${randomUUID()}`
      const DATABASE_URL = server?.url ?? 'postgres://nobody@127.0.0.1:1/none'
      settings = { DATABASE_URL, REDIS_URL: redisUrl, PREFIX: prefix }
      try {
        await killFiveTimes()
      } finally {
        const redis = new Redis(redisUrl)
        await redis.del(await redis.keys(`${prefix}:*`))
        redis.disconnect()
      }
    },
    120_000,
  )
})
