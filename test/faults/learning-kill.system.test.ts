import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../platform/open-database.ts'
import type { ServiceProcess } from '../process/service-process.ts'
import { until } from '../support/until.ts'
import { type Killable, newKillable } from './killable.ts'

const kills = 2
/** What uses teach is written each second; the rest is for the writing itself, on a machine with much other work. */
const writtenMs = 5_000

let killable: Killable

beforeAll(async () => {
  killable = await newKillable('learning-kill')
})

afterAll(() => killable.remove())

const facts = ['Ada moved to Lisbon in May.', 'The printer is out of toner.']

/** Of the searches answered so long ago that they must be written, so many pairs come before the kill. */
const writtenMin = 20

/** Finds one fact after the other, each time as another actor, until the process is killed. */
async function stepUntilKilled(running: ServiceProcess, round: number) {
  const client = running.client()
  /** When each pair of searches was answered, and how many were begun. */
  const answeredAt: number[] = []
  let begun = 0
  const stepping = (async () => {
    while (!running.ended) {
      begun++
      const actor = { 'X-Memory-Actor': `${round} ${begun}` }
      try {
        for (const query of ['Who moved to Lisbon?', 'Is there toner?']) {
          const { status } = await client.post('/v1/memory/text/retrieve', { query, top_k: 1 }, actor)
          expect(status).toBe(200)
        }
      } catch (error) {
        if (error instanceof TypeError) return
        throw error
      }
      answeredAt.push(Date.now())
      // Of more than 100 uses a second, some would not be learned from.
      await sleep(40)
    }
  })()
  const writtenAt = (now: number) => answeredAt.filter((at) => at < now - writtenMs).length
  await until(() => writtenAt(Date.now()) >= writtenMin, 'searches whose learning is written')
  const killedAt = Date.now()
  await running.stop('SIGKILL')
  await stepping
  return { begun, written: writtenAt(killedAt) }
}

/** What is in the database, counted by its owner. */
function count() {
  return killable.look(({ queries }) =>
    asOwner(queries, async (trx) => {
      const { rows } = await sql<{ steps: number; accesses: number; patterns: number; traces: number }>`
        select (select coalesce(sum(count), 0) from app.transitions where source = 0 and target = 1) as steps,
          (select count(*)::int from app.transitions) as pairs,
          (select coalesce(min(access_count), 0)::int from app.pattern_accesses) as accesses,
          (select count(*)::int from app.patterns) as patterns,
          (select count(*)::int from app.actor_traces) as traces`.execute(trx)
      return rows[0]
    }),
  )
}

describe('kill -9 of the service while it learns from use', () => {
  it('loses of what it has learned the last second at most, and no pattern', async () => {
    let service = await killable.start()
    await service.client().store(facts)
    let [least, most] = [0, 0]
    for (let round = 0; round < kills; round++) {
      const { begun, written } = await stepUntilKilled(service, round)
      least += written
      most += begun
      const seen = await count()
      expect(seen).toMatchObject({ patterns: facts.length, pairs: 1 })
      // Steps have faded by a millionth since.
      expect(seen?.steps).toBeGreaterThan(least - 0.01)
      expect(seen?.steps).toBeLessThanOrEqual(most)
      expect(seen?.accesses).toBeGreaterThanOrEqual(least)
      expect(seen?.traces).toBeGreaterThanOrEqual(least)
      least = Math.floor((seen?.steps ?? 0) + 0.01)
      most = least
      service = await killable.start()
    }
    // It goes on from there.
    const client = service.client()
    const { body } = await client.post('/v1/memory/text/predict', { query: 'Who moved to Lisbon?' })
    expect(body.predictions[0]).toMatchObject({ text: facts[1] })
    expect(body.predictions[0].strength).toBeGreaterThan(0.4)
    expect((await service.stop('SIGTERM')).code).toBe(0)
  })
})
