import { randomUUID } from 'node:crypto'
import { exploreSpace } from '@memory/memory/exploration/explore-space'
import { withLease } from '@memory/memory/schedule/lease'
import { release, take } from '@memory/memory/schedule/lease-store'
import { openSpaceWork } from '@memory/memory/schedule/open-work'
import { listDueTasks, runTask } from '@memory/memory/schedule/run-due'
import { recordUses } from '@memory/memory/schedule/schedule'
import { find, listDue } from '@memory/memory/schedule/schedule-store'
import type { SpaceWork } from '@memory/memory/schedule/scheduled-run'
import { sleepSpace } from '@memory/memory/sleep/sleep-space'
import { migrateSpaceTiers } from '@memory/memory/tiers/migrate-space-tiers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { outboxOf } from '../../organizations/support.ts'
import { withFailures } from '../../platform/open-database.ts'
import type { Client } from '../../support/client.ts'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { flush } from '../learning/space.ts'
import { getSpace, inSpace } from '../space.ts'
import { plantedPairs, readConsolidation, readStrengths, run, storeKeys } from './space.ts'

const minute = 60_000
const day = 24 * 60 * minute

let server: TestServer
/** As a process of its own has it. */
let work: SpaceWork

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

beforeEach(() => {
  const { queries } = server.context.database
  const { clock, log } = server.context
  work = openSpaceWork({ queries, clock, log, versionsKept: 20, budgetBytes: 64 * 2 ** 20 })
})

const signal = new AbortController().signal

/** Writes down what was used, as the service does each second, and lets time pass until the space counts as idle. */
async function rest(ms = 20 * minute): Promise<void> {
  await server.context.usage.log.flush()
  server.clock.advance(ms)
}

/** A used space of pairs that belong together and others, which rests. */
async function newRested(pairs = 2, others = 10) {
  const ada = await newConformingClient(server)
  await storeKeys(ada, plantedPairs(pairs, others))
  await rest()
  await recordUses(work)
  return { ada, id: (await getSpace(server, ada)).id }
}

/** Finds some of its patterns: those are replayed. */
async function use(ada: Client): Promise<void> {
  await run(ada, '/v1/memory/retrieve', { embedding: [...(plantedPairs(2, 10)[0] as Float32Array)] })
  await flush(server)
  await rest()
  await recordUses(work)
}

const told = async (ada: Client) =>
  (await run(ada, '/v1/notifications')).data.filter(
    ({ type }: { type: string }) => type === 'consolidation_completed',
  )

async function runDue(): Promise<void> {
  for (const task of await listDueTasks(work)) await runTask(work, task, signal)
}

/** Lets so much time pass between any two looks at the time that a process takes for its work. */
function letTimePass(ms: number) {
  let now = performance.now()
  return vi.spyOn(performance, 'now').mockImplementation(() => {
    now += ms
    return now
  })
}

describe('a scheduled sleep', () => {
  it('comes when a used space is idle, tells the organization once, and is told by webhooks', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, plantedPairs(2, 10))
    await server.context.usage.log.flush()
    await runDue()
    expect((await readStrengths(server, ada)).size).toBe(0)
    await rest()
    await runDue()
    const strengths = await readStrengths(server, ada)
    expect(strengths.size).toBeGreaterThan(2)
    for (const strength of strengths.values()) expect(strength).toBeCloseTo(0.6, 9)
    const { id } = await getSpace(server, ada)
    const [notification, ...more] = await told(ada)
    expect(more).toEqual([])
    expect(notification.message).toBe(
      'Scheduled consolidation of the live space has finished: 0 consolidated.',
    )
    const events = await outboxOf(server, ada, 'memory.consolidation_completed')
    expect(events.map(({ payload }) => payload)).toEqual([{ spaceId: id, consolidated: 0 }])
    await runDue()
    expect(await readStrengths(server, ada)).toEqual(strengths)
    expect(await told(ada)).toHaveLength(1)
  })

  it('comes once a day at most, and not to a space that nobody uses', async () => {
    const { ada, id } = await newRested()
    expect(await sleepSpace(work, id)).toBe('done')
    await rest(2 * day)
    await recordUses(work)
    expect(await sleepSpace(work, id)).toBe('not_due')
    await run(ada, '/v1/memory/query', { embedding: [...(plantedPairs(1, 0)[0] as Float32Array)] })
    await rest()
    await recordUses(work)
    expect(await sleepSpace(work, id)).toBe('done')
    await run(ada, '/v1/memory/query', { embedding: [...(plantedPairs(1, 0)[0] as Float32Array)] })
    await rest()
    await recordUses(work)
    expect(await sleepSpace(work, id)).toBe('not_due')
    expect(await told(ada)).toHaveLength(2)
  })

  it('shuts others out meanwhile, and waits where somebody else is at work', async () => {
    const { ada, id } = await newRested()
    await use(ada)
    const statuses: number[] = []
    await withLease(work, id, async () => {
      expect(await sleepSpace(work, id)).toBe('busy')
    })
    server.clock.advance(minute)
    // Within the run, a request finds the space taken.
    const asking: SpaceWork = {
      ...work,
      compute: {
        searchMany: async (...search) => {
          for (const path of ['sleep', 'explore'])
            statuses.push((await ada.post(`/v1/memory/${path}`)).status)
          return work.compute.searchMany(...search)
        },
      },
    }
    expect(await sleepSpace(asking, id)).toBe('done')
    expect(statuses.length).toBeGreaterThan(0)
    expect(new Set(statuses)).toEqual(new Set([409]))
    expect((await ada.post('/v1/memory/sleep')).status).toBe(200)
  })

  it('by several processes at once happens once', async () => {
    const { ada, id } = await newRested()
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => sleepSpace({ ...work }, id)))
    expect(outcomes).toContain('done')
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(await told(ada)).toHaveLength(1)
    server.clock.advance(minute)
    expect(await sleepSpace(work, id)).toBe('not_due')
  })

  it('is bypassed in an anomaly, and comes when it is over', async () => {
    const { ada, id } = await newRested()
    await run(ada, '/v1/memory/regime/inject-anomaly', { magnitude: 100 })
    expect(await sleepSpace(work, id)).toBe('bypassed')
    expect((await readStrengths(server, ada)).size).toBe(0)
    expect(await told(ada)).toEqual([])
    expect(await sleepSpace(work, id)).toBe('not_due')
    server.clock.advance(60 * minute)
    expect(await sleepSpace(work, id)).toBe('done')
    expect(await told(ada)).toHaveLength(1)
  })

  it('that is cut off is gone on with, replays once, and tells of all that it consolidated', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['The same.', 'The same.', 'Another.', 'The same.'])
    await rest()
    await recordUses(work)
    const { id } = await getSpace(server, ada)
    const failing = withFailures(work.queries)
    const cutOff = openSpaceWork({ ...work, queries: failing.queries, budgetBytes: 2 ** 26 })
    // Everything is consolidated by then, but that it is done is not written.
    failing.failing = 'app.notifications'
    await expect(sleepSpace(cutOff, id)).rejects.toThrow('Connection terminated')
    expect(await told(ada)).toEqual([])
    const strengths = await readStrengths(server, ada)
    expect(strengths.size).toBeGreaterThan(0)
    expect(await find(work.queries, id, 'sleep')).toMatchObject({ consolidated: 2 })
    server.clock.advance(20 * minute)
    expect(await sleepSpace(work, id)).toBe('done')
    expect(await readStrengths(server, ada)).toEqual(strengths)
    expect((await told(ada))[0].message).toContain('2 consolidated')
  })

  it('goes on from where another has stopped', async () => {
    const { ada, id } = await newRested()
    const holder = randomUUID()
    await take(work.queries, id, holder, 60)
    await release(work.queries, id, holder, { nextIdx: 12, explored: 3 })
    expect(await sleepSpace(work, id)).toBe('done')
    const { rows } = await inSpace(server, ada, (trx) =>
      sql`select next_idx, explored::int as explored from app.consolidations`.execute(trx),
    )
    expect(rows).toEqual([{ next_idx: 0, explored: 3 }])
  })

  it('that failed waits, however the space is used meanwhile', async () => {
    const { ada, id } = await newRested()
    const failing = withFailures(work.queries)
    failing.failing = 'app.notifications'
    await expect(sleepSpace({ ...work, queries: failing.queries }, id)).rejects.toThrow(
      'Connection terminated',
    )
    const failed = await find(work.queries, id, 'sleep')
    await run(ada, '/v1/memory/query', { embedding: [...(plantedPairs(1, 0)[0] as Float32Array)] })
    await rest(5 * minute)
    await recordUses(work)
    const used = await find(work.queries, id, 'sleep')
    expect(used?.activeAt).toBeGreaterThan(failed?.activeAt as number)
    expect(used?.dueAt).toBe(failed?.dueAt)
    expect(await sleepSpace(work, id)).toBe('not_due')
    await rest(10 * minute)
    expect(await sleepSpace(work, id)).toBe('done')
  })

  it('comes to every space, though the clock of one process was ahead', async () => {
    const early = await newConformingClient(server)
    server.clock.advance(day)
    await storeKeys(early, plantedPairs(1, 1))
    await server.context.usage.log.flush()
    server.clock.advance(-day)
    const earlyId = (await getSpace(server, early)).id
    await recordUses(work)
    expect(await find(work.queries, earlyId, 'sleep')).toBeUndefined()
    const { id } = await newRested()
    expect(await sleepSpace(work, id)).toBe('done')
    // Recorded by an earlier release, or where the clock of this process was ahead.
    await inSpace(server, early, (trx) =>
      sql`insert into app.space_schedules (space_id, task, active_at)
        values (${earlyId}, 'sleep', ${new Date(server.clock.now().getTime() + day)})`.execute(trx),
    )
    const next = await newRested()
    expect(await sleepSpace(work, next.id)).toBe('done')
  })

  it('comes to a space again that was used while the clock was ahead, once that is set back', async () => {
    const { ada, id } = await newRested()
    const before = server.clock.now().getTime()
    server.clock.advance(1_000 * day)
    await use(ada)
    expect(await sleepSpace(work, id)).toBe('done')
    server.clock.advance(before - server.clock.now().getTime())
    await recordUses(work)
    expect(await sleepSpace(work, id)).toBe('not_due')
    await use(ada)
    expect(await sleepSpace(work, id)).toBe('done')
    await use(ada)
    expect(await sleepSpace(work, id)).toBe('not_due')
  })

  it('hides nothing else that is due', async () => {
    await newRested()
    await newRested()
    server.clock.advance(2 * day)
    const listed = await listDue(work.queries, server.clock.now(), 1)
    expect(listed.map(({ task }) => task).sort()).toEqual(['explore', 'migrate_tiers', 'sleep'])
  })

  it('leaves spaces of a deleted organization alone', async () => {
    const { ada, id } = await newRested()
    const mark = (at: 'now()' | 'null') =>
      inSpace(server, ada, (trx) =>
        sql`update app.organizations set deleted_at = ${sql.raw(at)}`.execute(trx),
      )
    await mark('now()')
    expect(await sleepSpace(work, id)).toBe('not_due')
    await mark('null')
    expect((await readStrengths(server, ada)).size).toBe(0)
    expect(await told(ada)).toEqual([])
  })

  it('is seen by the processes that answer, which held the space all along', async () => {
    const ada = await newConformingClient(server)
    const ids = await ada.store(['The printer is out of toner.', 'The printer is out of toner.'])
    expect(await ada.retrieve('printer')).toHaveLength(2)
    await rest()
    await runDue()
    expect(await ada.retrieve('printer')).toHaveLength(1)
    const { patterns } = (await ada.get('/v1/memory/patterns')).body
    expect(patterns.map(({ pattern_id }: { pattern_id: string }) => pattern_id)).toEqual([ids[0]])
  })

  it('finds conflicts of what was stored since the last', async () => {
    const ada = await newConformingClient(server)
    const texts = ['I pay 450 euros of rent a month', 'I pay 540 euros of rent a month']
    await ada.store(texts)
    await rest()
    await runDue()
    const found = await run(ada, '/v1/memory/conflicts')
    expect(found.conflicts).toMatchObject([{ kind: 'possible_contradiction', reason: 'number' }])
    await ada.store(['I pay 560 euros of rent a month'])
    await rest(day + 20 * minute)
    await runDue()
    expect((await run(ada, '/v1/memory/conflicts')).conflicts).toHaveLength(3)
  })

  it('holds nothing in memory afterwards', async () => {
    const { ada, id } = await newRested()
    await use(ada)
    let held = 0
    const counting: SpaceWork = {
      ...work,
      compute: {
        searchMany: (...search) => {
          held = Math.max(held, work.spaces.count)
          return work.compute.searchMany(...search)
        },
      },
    }
    await runTask(counting, { spaceId: id, task: 'sleep' }, signal)
    expect(held).toBe(1)
    expect([work.spaces.count, work.spaces.size]).toEqual([0, 0])
  })

  it('of a large space gives way to others that wait, and goes on at its next turn', async () => {
    const { id } = await newRested(0, 100)
    const due = { spaceId: id, task: 'sleep' } as const
    const isDue = async () =>
      (await listDueTasks(work)).some(({ spaceId, task }) => spaceId === id && task === 'sleep')
    const passing = letTimePass(20_000)
    let looks = 0
    await runTask(work, due, signal, async () => ++looks === 1)
    expect(looks).toBe(1)
    expect(await isDue()).toBe(true)
    await runTask(work, due, signal, async () => false)
    passing.mockRestore()
    expect(await isDue()).toBe(false)
  })

  it('of a large space reads it once for all its runs', async () => {
    const { id } = await newRested(0, 100)
    const passing = letTimePass(20_000)
    const held: number[] = []
    const { get } = work.spaces
    vi.spyOn(work.spaces, 'get').mockImplementation(function (this: typeof work.spaces, ...space) {
      held.push(this.count)
      return get.apply(this, space)
    })
    await runTask(work, { spaceId: id, task: 'sleep' }, signal)
    passing.mockRestore()
    // Each run does one step of 40 patterns, since the time of a run has passed by then.
    const [first, ...others] = held
    expect(first).toBe(0)
    expect(others.length).toBeGreaterThan(3)
    expect(new Set(others)).toEqual(new Set([1]))
    expect(work.spaces.count).toBe(0)
  })

  it('has its time once the space is read, however long that takes', async () => {
    const { id } = await newRested(0, 100)
    const { get } = work.spaces
    let passing: { mockRestore(): void } | undefined
    vi.spyOn(work.spaces, 'get').mockImplementationOnce(async function (
      this: typeof work.spaces,
      ...space: Parameters<typeof get>
    ) {
      const index = await get.apply(this, space)
      const now = performance.now()
      passing = vi.spyOn(performance, 'now').mockReturnValue(now + 20_000)
      return index
    })
    expect(await sleepSpace(work, id)).toBe('done')
    passing?.mockRestore()
  })

  it('keeps in memory what another task of the space works on', async () => {
    const { id } = await newRested()
    let others = 0
    const meanwhile: SpaceWork = {
      ...work,
      compute: {
        searchMany: async (...search) => {
          for (const task of ['explore', 'migrate_tiers'] as const) {
            await runTask(work, { spaceId: id, task }, signal)
            expect(work.spaces.count).toBe(1)
            others++
          }
          return work.compute.searchMany(...search)
        },
      },
    }
    await runTask(meanwhile, { spaceId: id, task: 'explore' }, signal)
    expect(others).toBeGreaterThan(0)
    expect(work.spaces.count).toBe(0)
  })

  it('names no text in the log', async () => {
    const lines = server.logLines.filter((line) => line.includes('space consolidated'))
    expect(lines.length).toBeGreaterThan(3)
    expect(JSON.parse(lines[0] as string)).toMatchObject({ whole: true, consolidated: 0 })
    expect(lines.join('')).not.toContain('toner')
  })
})

describe('a scheduled exploration', () => {
  it('tries pairs, in an anomaly too, and comes every third day at most', async () => {
    const { ada, id } = await newRested()
    await run(ada, '/v1/memory/regime/inject-anomaly', { magnitude: 100 })
    expect(await exploreSpace(work, id)).toBe('done')
    const { trials } = await readConsolidation(server, ada)
    expect(trials.length).toBeGreaterThan(10)
    await rest(day)
    await recordUses(work)
    expect(await exploreSpace(work, id)).toBe('not_due')
    expect((await readConsolidation(server, ada)).trials).toEqual(trials)
  })
})

describe('a scheduled migration', () => {
  it('moves what grows old in a space that nobody uses, and what answers see follows', async () => {
    const { ada, id } = await newRested()
    const distribution = () => run(ada, '/v1/memory/tiered/distribution')
    expect(await migrateSpaceTiers(work, id)).toBe('not_due')
    server.clock.advance(8 * day)
    expect(await migrateSpaceTiers(work, id)).toBe('done')
    expect(await distribution()).toMatchObject({ hot: 0, warm: 14, cold: 0 })
    expect(await migrateSpaceTiers(work, id)).toBe('not_due')
    for (let days = 0; days < 40; days += 5) {
      server.clock.advance(5 * day)
      await migrateSpaceTiers(work, id)
    }
    expect(await distribution()).toMatchObject({ hot: 0, warm: 0, cold: 14 })
    expect(await told(ada)).toEqual([])
  })
})
