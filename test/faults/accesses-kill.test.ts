import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '@memory/shared/platform/database/embedded'
import { openPostgres } from '@memory/shared/platform/database/postgres'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, silent } from '../platform/open-database.ts'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import { newDatabase, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const patterns = 600
const found = 100
const kills = 2
/** Accesses are written down each second; the second more is for the writing itself, on a machine with other work. */
const writtenMs = 2_000
/** Answers so long ago, before the kill. */
const writtenMin = 20

let dataDir: string
let server: TestDatabase | undefined
let settings: Record<string, string>
let service: ServiceProcess | undefined

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'memory-accesses-kill-'))
  server = await newDatabase()
  settings = server === undefined ? {} : { DATABASE_URL: server.url, MEMORY_BOOTSTRAP: 'on' }
})

afterAll(async () => {
  await service?.stop('SIGKILL')
  await server?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const onCircle = (part: number) => [Math.cos(2 * Math.PI * part), Math.sin(2 * Math.PI * part)]

/** Finds all patterns again and again, until the process is killed. @returns answers that were begun, and that are written */
async function searchUntilKilled(running: ServiceProcess) {
  const client = running.client()
  const answeredAt: number[] = []
  let begun = 0
  const searching = (async () => {
    while (!running.ended) {
      begun++
      try {
        const embedding = onCircle((begun * found) / patterns)
        const { status, body } = await client.post('/v1/memory/query', { embedding, top_k: found })
        expect([status, body.results?.length]).toEqual([200, found])
      } catch (error) {
        if (error instanceof TypeError) return
        throw error
      }
      answeredAt.push(Date.now())
    }
  })()
  const writtenAt = (now: number) => answeredAt.filter((at) => at < now - writtenMs).length
  await until(() => writtenAt(Date.now()) >= writtenMin, 'searches whose accesses are written', 30_000)
  const killedAt = Date.now()
  await running.stop('SIGKILL')
  await searching
  return { begun, written: writtenAt(killedAt) }
}

/** Accesses in the database, by its owner: those that are counted, and those that are kept. */
async function accesses(): Promise<{ counted: number; kept: number }> {
  const database =
    server === undefined ? await openEmbedded(join(dataDir, 'database')) : openPostgres(server.url, 1, silent)
  try {
    return await asOwner(database.queries, async (trx) => {
      const { rows } = await sql<{ counted: number; kept: number }>`
        select (select coalesce(sum(access_count), 0)::int from app.pattern_accesses) as counted,
          (select coalesce(sum(n), 0)::int from app.uncounted_accesses, unnest(counts) as n) as kept`.execute(
        trx,
      )
      return rows[0] as { counted: number; kept: number }
    })
  } finally {
    await database.close()
  }
}

/** As the service tells it. */
async function toldBy(running: ServiceProcess): Promise<number> {
  const client = running.client()
  let [sum, cursor] = [0, '']
  do {
    const { status, body } = await client.get(`/v1/memory/patterns?limit=200${cursor}`)
    expect(status).toBe(200)
    for (const { access_count } of body.patterns) sum += access_count
    cursor = body.next_cursor ? `&cursor=${encodeURIComponent(body.next_cursor)}` : ''
  } while (cursor !== '')
  return sum
}

describe('kill -9 of the service while it keeps accesses to be counted later', () => {
  it('loses the last second of them at most, and counts the others once', async () => {
    service = await startService(dataDir, settings)
    const stored = await service.client().post('/v1/memory/batch/store', {
      patterns: Array.from({ length: patterns }, (_, i) => ({ key: onCircle(i / patterns), value: [i] })),
    })
    expect(stored.status).toBe(200)
    let before = 0
    for (let round = 0; round < kills; round++) {
      const { begun, written } = await searchUntilKilled(service)
      const { counted, kept } = await accesses()
      expect(kept).toBeGreaterThan(0)
      expect(counted + kept).toBeGreaterThanOrEqual(before + written * found)
      expect(counted + kept).toBeLessThanOrEqual(before + begun * found)
      before = counted + kept
      service = await startService(dataDir, settings)
      const next = service
      await until(async () => (await toldBy(next)) >= before, 'what the process before has kept', 30_000)
      expect(await toldBy(next)).toBe(before)
    }
    expect((await service.stop('SIGTERM')).code).toBe(0)
    expect(await accesses()).toEqual({ counted: before, kept: 0 })
  }, 120_000)
})
