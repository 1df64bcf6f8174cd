import { learnFrom, type Use } from '@memory/engine/learning/learning-update'
import { initialState } from '@memory/engine/learning/state'
import { begin, saveState, saveUpdate } from '@memory/memory/learning/learning-store'
import { recordAccesses } from '@memory/memory/tiers/access-store'
import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../../support/database.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { getSpace } from '../space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** A space of two patterns, of which the first has been in an answer. */
async function newAccessed(): Promise<string> {
  const ada = await server.newClient()
  await ada.store(['Bread needs yeast.', 'Ada moved to Lisbon.'])
  const { id } = await getSpace(server, ada)
  await recordAccesses(server.context.database.queries, id, new Map([[0, 1]]), new Date())
  return id
}

/** Learns from one answer, as a process does. */
function learn(spaceId: string, indexes: readonly number[]): Promise<void> {
  const at = Date.now()
  const use: Use = {
    kind: 'answer',
    at,
    surprise: 0.5,
    actor: 'ab',
    query: 'q',
    pathway: 'exact',
    patterns: indexes.map((idx) => ({ idx, cosine: 0.5 })),
  }
  return asTenant(server.context.database.queries, { spaceId }, async (trx) => {
    const { traces } = (await begin(trx, spaceId, ['ab'], indexes)) ?? { traces: new Map() }
    const update = learnFrom(initialState(at), traces, [use], () => true)
    const version = await saveState(trx, spaceId, update.state, update.records)
    await saveUpdate(trx, spaceId, version, new Date(at), update)
  })
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

describe.runIf(onPostgres)('learning and counting accesses at once', () => {
  it('never wait for each other in a circle', async () => {
    const id = await newAccessed()
    const { queries } = server.context.database
    let release = () => {}
    const released = new Promise<void>((done) => {
      release = done
    })
    // Counting comes first to pattern 0; learning has begun with 1, of which there is no row, and then comes to 0.
    const holding = asTenant(queries, { spaceId: id }, async (trx) => {
      await sql`update app.pattern_accesses set access_score = access_score where space_id = ${id} and idx = 0`.execute(
        trx,
      )
      await released
    })
    await pause(700)
    const counting = recordAccesses(queries, id, new Map([0, 1].map((idx) => [idx, 1])), new Date())
    await pause(700)
    const learning = learn(id, [0, 1])
    await pause(700)
    release()
    const outcomes = await Promise.allSettled([holding, counting, learning])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  })
})
