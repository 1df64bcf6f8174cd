import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../platform/open-database.ts'
import type { ServiceProcess } from '../process/service-process.ts'
import { until } from '../support/until.ts'
import { type Killable, newKillable } from './killable.ts'
import { listPatterns } from './list-patterns.ts'

const patterns = 600
const found = 100
/** Searches under way: what is found within a second is kept where it is more than a statement counts. */
const atOnce = 4
/** Kills while accesses were kept. */
const kills = 2
/** Accesses are written down each second; the rest is for the writing itself, behind all else on a machine with much other work. */
const writtenMs = 20_000
/** Answers so long ago, before the kill. */
const writtenMin = 20

let killable: Killable

beforeAll(async () => {
  killable = await newKillable('accesses-kill')
})

afterAll(() => killable.remove())

const onCircle = (part: number) => [Math.cos(2 * Math.PI * part), Math.sin(2 * Math.PI * part)]

/** Finds all patterns again and again, until the process is killed. @returns answers that were begun, and that are written */
async function searchUntilKilled(running: ServiceProcess) {
  const client = running.client()
  const answeredAt: number[] = []
  let begun = 0
  const search = async () => {
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
  }
  const searching = Promise.all(Array.from({ length: atOnce }, search))
  const writtenAt = (now: number) => answeredAt.filter((at) => at < now - writtenMs).length
  await until(() => writtenAt(Date.now()) >= writtenMin, 'searches whose accesses are written')
  const killedAt = Date.now()
  await running.stop('SIGKILL')
  await searching
  return { begun, written: writtenAt(killedAt) }
}

/** Accesses in the database, by its owner: those that are counted, and those that are kept. */
function accesses(): Promise<{ counted: number; kept: number }> {
  return killable.look(({ queries }) =>
    asOwner(queries, async (trx) => {
      const { rows } = await sql<{ counted: number; kept: number }>`
        select (select coalesce(sum(access_count), 0)::int from app.pattern_accesses) as counted,
          (select coalesce(sum(n), 0)::int from app.uncounted_accesses, unnest(counts) as n) as kept`.execute(
        trx,
      )
      return rows[0] as { counted: number; kept: number }
    }),
  )
}

/** As the service tells it. */
async function toldBy(running: ServiceProcess): Promise<number> {
  const patterns = await listPatterns(running.client())
  return patterns.reduce((sum, { access_count }) => sum + access_count, 0)
}

describe('kill -9 of the service while it keeps accesses to be counted later', () => {
  it('loses the last second of them at most, and counts the others once', async () => {
    let service = await killable.start()
    const stored = await service.client().post('/v1/memory/batch/store', {
      patterns: Array.from({ length: patterns }, (_, i) => ({ key: onCircle(i / patterns), value: [i] })),
    })
    expect(stored.status).toBe(200)
    let before = 0
    for (let killed = 0; killed < kills; ) {
      const { begun, written } = await searchUntilKilled(service)
      const { counted, kept } = await accesses()
      // A busy machine may have found too little in any second, or have counted all that was kept just before.
      if (kept > 0) killed++
      expect(counted + kept).toBeGreaterThanOrEqual(before + written * found)
      expect(counted + kept).toBeLessThanOrEqual(before + begun * found)
      before = counted + kept
      service = await killable.start()
      const next = service
      await until(async () => (await toldBy(next)) >= before, 'what the process before has kept')
      expect(await toldBy(next)).toBe(before)
    }
    expect((await service.stop('SIGTERM')).code).toBe(0)
    expect(await accesses()).toEqual({ counted: before, kept: 0 })
  })
})
