import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../support/client.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { inSpace } from '../space.ts'
import { explore, readConsolidation, run, sleep } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const facts = [
  'Ada drinks coffee in the morning.',
  'Ada drinks tea in the evening.',
  'Ben drinks coffee at noon.',
  'The printer is out of toner.',
]

/** A space of four facts, each pair of which was tried, and composed where it was found valid or is made to be. */
async function newComposed() {
  const ada = await newConformingClient(server)
  const ids = await ada.store(facts.map((text, i) => ({ text, metadata: { user: `u${i}` } })))
  for (let i = 0; i < 3; i++) await explore(ada)
  await inSpace(server, ada, (trx) => sql`update app.pair_trials set valid = 9, invalid = 0`.execute(trx))
  expect((await sleep(ada)).compositions_discovered).toBe(6)
  expect(mentioned(await readConsolidation(server, ada))).toEqual([0, 1, 2, 3])
  return { ada, ids }
}

const mentioned = ({ trials, compositions }: Awaited<ReturnType<typeof readConsolidation>>): number[] =>
  [...new Set([...trials, ...compositions].flatMap(({ a, b }) => [a, b]))].toSorted((x, y) => x - y)

const ways: [string, number[], (ada: Client, ids: string[]) => Promise<unknown>][] = [
  ['deleting a pattern', [0, 2, 3], (ada, ids) => ada.delete(`/v1/memory/patterns/${ids[1]}`)],
  ['forgetting by query', [1, 2, 3], (ada) => ada.delete('/v1/memory/text/forget', { query: facts[0] })],
  [
    'forgetting by filter',
    [0, 1, 3],
    (ada) => ada.delete('/v1/memory/text/forget', { filter: { user: 'u2' } }),
  ],
  [
    'changing a text',
    [0, 1, 2],
    (ada, ids) => ada.patch(`/v1/memory/patterns/${ids[3]}`, { text: 'Other.' }),
  ],
  ['emptying the space', [], (ada) => ada.delete('/v1/memory/patterns?confirm=all')],
]

describe('what consolidation keeps', () => {
  it.each(ways)('of a pattern is gone after %s', async (_name, left, forget) => {
    const { ada, ids } = await newComposed()
    expect(await forget(ada, ids)).toMatchObject({ status: 200 })
    const kept = await readConsolidation(server, ada)
    expect(mentioned(kept)).toEqual(left)
    expect(kept.compositions).toHaveLength((left.length * (left.length - 1)) / 2)
  })

  it('stays when metadata change, and no text is in it', async () => {
    const { ada, ids } = await newComposed()
    const before = await readConsolidation(server, ada)
    await ada.patch(`/v1/memory/patterns/${ids[0]}`, { metadata: { user: 'other' } })
    expect(await readConsolidation(server, ada)).toEqual(before)
  })

  it('counts in no quota', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await ada.store(facts)
    const before = await run(ada, '/v1/memory/text/stats')
    for (let i = 0; i < 3; i++) await explore(ada)
    await inSpace(server, ada, (trx) => sql`update app.pair_trials set valid = 9, invalid = 0`.execute(trx))
    await sleep(ada)
    expect(await run(ada, '/v1/memory/text/stats')).toEqual(before)
    const used = await inSpace(server, ada, async (trx) => {
      const { rows } = await sql<{
        used: number
      }>`select coalesce(sum(used), 0)::int as used from app.query_counts`.execute(trx)
      return rows[0]?.used
    })
    expect(used).toBe(0)
  })
})
