import { exploreSpace } from '@memory/memory/exploration/explore-space'
import { recordingRun } from '@memory/memory/runs/record-run'
import { openSpaceWork } from '@memory/memory/schedule/open-work'
import { recordUses } from '@memory/memory/schedule/schedule'
import type { SpaceWork } from '@memory/memory/schedule/scheduled-run'
import { sleep as askToSleep } from '@memory/memory/sleep/sleep'
import { sleepSpace } from '@memory/memory/sleep/sleep-space'
import { limits } from '@memory/shared/catalogue/limits'
import type { Caller } from '@memory/shared/catalogue/operation'
import { asTenant } from '@memory/shared/platform/database/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withFailures } from '../../platform/open-database.ts'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { getSpace } from '../space.ts'
import { explore, plantedPairs, readStrengths, run, sleep, storeKeys } from './space.ts'

let server: TestServer
let work: SpaceWork

beforeAll(async () => {
  server = await startServer()
  const { database, clock, log } = server.context
  work = openSpaceWork({
    queries: database.queries,
    ...{ clock, log, versionsKept: 20, budgetBytes: 64 * 2 ** 20 },
  })
})

afterAll(() => server.close())

const path = '/v1/memory/runs'
const listed = async (client: ConformingClient, query = '') => (await run(client, `${path}${query}`)).runs

/** Writes down what was used, and lets time pass until the space counts as idle. */
async function rest(): Promise<void> {
  await server.context.usage.log.flush()
  server.clock.advance(20 * 60_000)
  await recordUses(work)
}

describe('the runs of a space', () => {
  it('are what was asked for, newest first, with what the answers counted', async () => {
    const ada = await newConformingClient(server)
    expect(await run(ada, path)).toEqual({ runs: [], next_cursor: null })
    await storeKeys(ada, plantedPairs(2, 10))
    await ada.store(['I pay 450 euros of rent a month', 'I pay 540 euros of rent a month'])
    const slept = await sleep(ada)
    expect(slept.conflicts).toBe(1)
    server.clock.advance(1_000)
    const explored = await explore(ada)
    const valid = explored.explorations.filter(
      ({ composition_valid }: { composition_valid: boolean }) => composition_valid,
    )
    expect(valid.length).toBeGreaterThan(0)
    const runs = await listed(ada)
    for (const { began_at, ended_at } of runs) expect(ended_at >= began_at).toBe(true)
    expect(runs).toEqual([
      {
        run_id: expect.stringMatching(/^run_[0-9a-z]{26}$/),
        kind: 'exploration',
        cause: 'asked',
        began_at: expect.any(String),
        ended_at: expect.any(String),
        sleep: null,
        exploration: { total_explored: explored.total_explored, compositions_valid: valid.length },
        error: null,
      },
      expect.objectContaining({
        kind: 'sleep',
        cause: 'asked',
        sleep: slept,
        exploration: null,
        error: null,
      }),
    ])
    expect(await listed(ada, '?kind=sleep')).toMatchObject([{ kind: 'sleep' }])
    expect(await listed(ada, '?kind=exploration')).toMatchObject([{ kind: 'exploration' }])
  })

  it('have pages, that filters keep to, and refuse a cursor that none gave', async () => {
    const ada = await newConformingClient(server)
    for (let n = 0; n < 5; n++) {
      await explore(ada, 1)
      await sleep(ada)
    }
    const whole = await listed(ada, '?kind=sleep')
    expect(whole).toHaveLength(5)
    const first = await run(ada, `${path}?kind=sleep&limit=3`)
    const second = await run(ada, `${path}?kind=sleep&limit=3&cursor=${first.next_cursor}`)
    expect([...first.runs, ...second.runs]).toEqual(whole)
    expect(second.next_cursor).toBeNull()
    expect((await ada.get(`${path}?cursor=nothing`)).status).toBe(422)
    expect((await ada.get(`${path}?kind=nap`)).status).toBe(422)
  })

  it('are nothing of other organizations, of the test space, or to keys of an end user', async () => {
    const [ada, ben] = [await newConformingClient(server), await newConformingClient(server)]
    await sleep(ada)
    expect(await listed(ada)).toHaveLength(1)
    expect(await listed(ben)).toEqual([])
    const { body } = await ada.post('/v1/memory/subject-tokens', { subject: 'ada' })
    const answer = await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${body.token}` } })
    expect(answer.status).toBe(403)
  })

  it('are those too that came by themselves', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, plantedPairs(2, 10))
    await rest()
    const { id } = await getSpace(server, ada)
    expect(await sleepSpace(work, id)).toBe('done')
    expect(await exploreSpace(work, id)).toBe('done')
    const [exploration, asleep, ...more] = await listed(ada)
    expect(more).toEqual([])
    expect(exploration).toMatchObject({ kind: 'exploration', cause: 'scheduled', error: null })
    expect(exploration.exploration.total_explored).toBeGreaterThan(0)
    expect(asleep).toMatchObject({ kind: 'sleep', cause: 'scheduled', error: null })
    expect(asleep.sleep.patterns_strengthened).toBeGreaterThan(0)
    // Once more is not due, and is no run.
    expect(await sleepSpace(work, id)).toBe('not_due')
    expect(await listed(ada)).toHaveLength(2)
  })

  it('are none where the regime bypasses sleep, or somebody else consolidates the space', async () => {
    const ada = await newConformingClient(server)
    await run(ada, '/v1/memory/regime/inject-anomaly', { magnitude: 100 })
    expect(await sleep(ada)).toMatchObject({ bypassed: true })
    expect(await listed(ada)).toEqual([])
  })

  it('that failed say in what, and count what they had done by then', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, plantedPairs(2, 10))
    await rest()
    const { id } = await getSpace(server, ada)
    const failing = withFailures(work.queries)
    const cutOff = openSpaceWork({ ...work, queries: failing.queries, budgetBytes: 2 ** 26 })
    failing.failing = 'app.notifications'
    await expect(sleepSpace(cutOff, id)).rejects.toThrow('Connection terminated')
    const [failed, ...more] = await listed(ada)
    expect(more).toEqual([])
    expect(failed).toMatchObject({ kind: 'sleep', cause: 'scheduled', error: 'internal' })
    // Those grew stronger in transactions of their own, before the last one failed.
    const { size: stronger } = await readStrengths(server, ada)
    expect(failed.sleep).toMatchObject({ patterns_strengthened: stronger })
    expect(stronger).toBeGreaterThan(0)
    expect(failed.ended_at).not.toBeNull()
    server.clock.advance(20 * 60_000)
    expect(await sleepSpace(work, id)).toBe('done')
    expect(await listed(ada)).toMatchObject([{ error: null }, { error: 'internal' }])
  })

  it.each([
    ['can’t be written down', 'app.space_runs', 'sleep not recorded'],
    ['does not let go of the space', 'held_until = null', 'consolidated space not let go of'],
  ])('that did their work are answered with it, where one %s', async (_what, failing, logged) => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, plantedPairs(2, 10))
    const { id: spaceId } = await getSpace(server, ada)
    const { memory } = server.context
    const broken = withFailures(memory.queries)
    broken.failing = failing
    const caller = {
      organizationId: ada.organizationId,
      spaceId,
      spaceVersion: 0,
      engineVersion: 0,
    } as Caller
    const slept = await askToSleep({ ...memory, queries: broken.queries }, caller, { batch_size: 20 })
    expect(slept.patterns_strengthened).toBeGreaterThan(0)
    expect(broken.count).toBe(1)
    expect(server.logLines.some((line) => line.includes(logged) && line.includes(spaceId))).toBe(true)
    expect(await listed(ada)).toHaveLength(failing === 'app.space_runs' ? 0 : 1)
  })

  it('that take several parts are one, with the sum of what the parts did', async () => {
    const ada = await newConformingClient(server)
    const { id: spaceId } = await getSpace(server, ada)
    const part = (goesOn: boolean, conflicts: number, isWhole: boolean) =>
      recordingRun(work, spaceId, { kind: 'sleep', cause: 'scheduled', goesOn }, (record) =>
        asTenant(work.queries, { spaceId }, (trx) => record(trx, { conflicts }, { isWhole })),
      )
    await part(false, 2, false)
    expect(await listed(ada)).toMatchObject([{ ended_at: null, sleep: { conflicts: 2 } }])
    await sleep(ada)
    await part(true, 3, true)
    const [asked, scheduled, ...more] = await listed(ada)
    expect(more).toEqual([])
    expect(asked).toMatchObject({ cause: 'asked', sleep: { conflicts: 0 } })
    expect(scheduled).toMatchObject({ cause: 'scheduled', sleep: { conflicts: 5 } })
    expect(scheduled.ended_at).not.toBeNull()
    // The next sleep is another.
    await part(false, 1, true)
    expect(await listed(ada)).toHaveLength(3)
  })

  it(`are the last ${limits.runRecords}`, async () => {
    const ada = await newConformingClient(server)
    const { id: spaceId } = await getSpace(server, ada)
    for (let n = 0; n < limits.runRecords + 3; n++) {
      await recordingRun(work, spaceId, { kind: 'exploration', cause: 'asked' }, (record) =>
        asTenant(work.queries, { spaceId }, (trx) => record(trx, { total_explored: n })),
      )
    }
    const kept = await listed(ada, `?limit=${limits.listMax}`)
    expect(
      kept.map(({ exploration }: { exploration: { total_explored: number } }) => exploration.total_explored),
    ).toEqual(Array.from({ length: limits.runRecords }, (_, n) => limits.runRecords + 2 - n))
  })
})
