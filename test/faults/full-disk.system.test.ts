import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSeed } from '@memory/shared/platform/database/embedded'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run, type ServiceProcess, startService } from '../process/service-process.ts'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { canMount, mountDisk, type SmallDisk } from './full-disk.ts'

/** Takes the database, the reserve of its log, and some more. */
const diskMiB = 512
/** Takes a database without its log. */
const tablesMiB = 64

describe.runIf(canMount)('F10 a full disk', () => {
  describe.runIf(!onPostgres)('under the embedded database', () => {
    let disk: SmallDisk
    let service: ServiceProcess
    const stored: string[] = []

    beforeAll(() => {
      disk = mountDisk(diskMiB)
    })

    afterAll(async () => {
      await service?.stop('SIGKILL')
      disk.remove()
    })

    const store = (text: string) => service.client().post('/v1/memory/text/store', { text })

    async function storedNow(): Promise<string[]> {
      const { status, body } = await service.client().get('/v1/memory/patterns?limit=200')
      expect(status).toBe(200)
      return body.patterns.map(({ text }: { text: string }) => text)
    }

    /** Stores until it is refused. */
    async function storeUntilRefused() {
      for (let n = 0; n < 200; n++) {
        const text = `Fact ${stored.length}, ${n}.`
        const answer = await store(text)
        if (answer.status !== 200) return answer
        stored.push(text)
      }
      throw new Error('The disk never was too full')
    }

    it('writes are refused with 503 and reads answered; with room again it goes on, and no answer was false', async () => {
      service = await startService(join(disk.folder, 'data'))
      await storeUntilRefusedAfter(() => disk.fill(1))
      expect(service.ended).toBe(false)
      expect((await service.client().get('/readyz')).body.status).toBe('degraded')
      expect((await storedNow()).sort()).toEqual([...stored].sort())
      expect(await service.client().retrieve('Fact 0, 0.', { top_k: 1 })).toEqual(['Fact 0, 0.'])

      disk.empty()
      await expect.poll(async () => (await store('There is room.')).status, { timeout: 5_000 }).toBe(200)
      stored.push('There is room.')
      expect((await service.client().get('/readyz')).body.status).toBe('ready')
      expect((await service.stop('SIGTERM')).code).toBe(0)
    })

    async function storeUntilRefusedAfter(filling: () => void) {
      const first = await store('Fact 0, 0.')
      expect(first.status).toBe(200)
      stored.push('Fact 0, 0.')
      filling()
      const refused = await storeUntilRefused()
      expect([refused.status, refused.body]).toEqual([503, { detail: 'Service unavailable' }])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }

    it('a start says what to do; with room everything acknowledged is there', async () => {
      disk.fill(1)
      const settings = { MEMORY_DATA_DIR: join(disk.folder, 'data'), PORT: '0', OPS_PORT: '0' }
      const refused = await run('apps/api/src/main.ts', [], settings)
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/^The disk of .+ is nearly full: free at least \d+ MiB, .+\.\n$/),
      ])
      disk.empty()
      service = await startService(join(disk.folder, 'data'))
      expect((await storedNow()).sort()).toEqual([...stored].sort())
      expect((await service.stop('SIGTERM')).code).toBe(0)
    })

    it('a database without room for its log ends the process at once, and the next one has what was committed', async () => {
      await makeSeed()
      // A start may make the next segment of the log, 16 MiB, before that is needed.
      disk.fill(24)
      const data = join(disk.folder, 'data')
      const changes = (rounds: number) => run('test/faults/fill-log.ts', [data, String(rounds)], {})
      const full = await changes(30_000)
      expect(full.code).toBe(1)
      expect(full.stderr).toMatch(/^The embedded database in .+ gave up \(.+No space left on device\): /)
      const committed = full.stdout.trimEnd().split('\n').at(-1)?.split(' ')[1]
      expect(Number(committed)).toBeGreaterThan(10)
      disk.empty()
      const after = await changes(1)
      expect([after.code, after.stdout]).toEqual([
        0,
        `found ${committed}\ncommitted ${Number(committed) + 1}\n`,
      ])
    })
  })

  // The server's log is elsewhere: it ends without room for that, and what happens then is what an outage is.
  describe.runIf(onPostgres)('under the tables of PostgreSQL', () => {
    const tablespace = `memory_${randomUUID().replaceAll('-', '')}`
    let disk: SmallDisk
    let database: TestDatabase
    let service: ServiceProcess
    let folder: string

    const asOwner = async (...statements: string[]) => {
      const owner = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL })
      await owner.connect()
      for (const statement of statements) await owner.query(statement)
      await owner.end()
    }

    beforeAll(async () => {
      disk = mountDisk(tablesMiB)
      folder = mkdtempSync(join(tmpdir(), 'memory-tables-'))
      spawnSync('chown', ['postgres', disk.folder])
      database = (await newDatabase()) as TestDatabase
      const name = new URL(database.url).pathname.slice(1)
      await asOwner(
        `create tablespace ${tablespace} location '${disk.folder}'`,
        `alter database ${name} set tablespace ${tablespace}`,
      )
      service = await startService(folder, { DATABASE_URL: database.url, MEMORY_BOOTSTRAP: 'on' })
    })

    afterAll(async () => {
      await service?.stop('SIGKILL')
      await database?.drop()
      await asOwner(`drop tablespace if exists ${tablespace}`)
      disk.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    const store = (from: number) =>
      service.client().post('/v1/memory/batch/store', {
        patterns: Array.from({ length: 50 }, (_, n) => ({
          key: Array.from({ length: 384 }, (_, i) => Math.sin(from + n * i + i)),
          value: [from + n],
        })),
      })

    it('writes are refused with 503, reads answered, and with room again it goes on; no answer was false', async () => {
      let stored = 0
      const storeUntil = async (status: number, most: number) => {
        for (let n = 0; n < most; n++) {
          const answer = await store(stored)
          if (answer.status === 200) stored += 50
          if (answer.status === status) return answer
        }
        throw new Error(`No answer was ${status}`)
      }
      const storedNow = async () => {
        const { status, body } = await service.client().get('/v1/memory/tiered/distribution')
        expect(status).toBe(200)
        return body.total
      }
      await storeUntil(200, 1)
      disk.fill(1)
      const refused = await storeUntil(503, 200)
      expect(refused.body).toEqual({ detail: 'Service unavailable' })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(await storedNow()).toBe(stored)
      expect(service.ended).toBe(false)

      disk.empty()
      await storeUntil(200, 1)
      expect(await storedNow()).toBe(stored)
      expect((await service.stop('SIGTERM')).code).toBe(0)
    })
  })
})
