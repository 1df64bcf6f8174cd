import type { EventPayload } from '@memory/shared/catalogue/events'
import {
  asTask,
  asTenant,
  type Database,
  type Queries,
  type Trx,
} from '@memory/shared/platform/database/database'
import {
  append,
  type Deliver,
  lease,
  type OutboxEvent,
  readOutboxBacklog,
} from '@memory/shared/platform/outbox/outbox'
import { startRelay } from '@memory/shared/platform/outbox/relay'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { relayOnce } from '../support/relay-once.ts'
import { until } from '../support/until.ts'
import {
  asOwner,
  type NewOrganization,
  newOrganization,
  openTestDatabase,
  silent,
  withFailures,
} from './open-database.ts'

let database: Database
let queries: Queries
let ada: NewOrganization

beforeAll(async () => {
  database = await openTestDatabase()
  queries = database.queries
  ada = await newOrganization(queries)
})

beforeEach(() => asTask(queries, 'relay-outbox', (trx) => sql`delete from app.outbox`.execute(trx)))

afterEach(() => {
  vi.useRealTimers()
})

afterAll(() => database.close())

const type = 'memory.pattern_limit_warning'
const payload = (used: number): EventPayload<typeof type> => ({ spaceId: ada.spaceId, used, limit: 100 })

const appendEvents = (numbers: number[]): Promise<void> =>
  asTenant(queries, ada, async (trx) => {
    for (const used of numbers) await append(trx, ada.organizationId, type, payload(used))
  })

const numberOf = ({ payload }: OutboxEvent) => (payload as { used: number }).used

interface Kept {
  used: number
  attempts: number
  /** Seconds until it is due. */
  due: number
}

const keptEvents = (): Promise<Kept[]> =>
  asTask(queries, 'relay-outbox', async (trx) => {
    const { rows } = await sql<Kept>`select (payload ->> 'used')::int as used, attempts,
      extract(epoch from available_at - now())::float8 as due from app.outbox order by id`.execute(trx)
    return rows
  })

/** Moves every event's time, as if that many seconds had passed. */
const pass = (seconds: number): Promise<unknown> =>
  asTask(queries, 'relay-outbox', (trx: Trx) =>
    sql`update app.outbox set available_at = available_at - make_interval(secs => ${seconds})`.execute(trx),
  )

/** A receiver that notes what it gets. */
function newReceiver(fails: (number: number) => boolean = () => false) {
  const received: number[] = []
  const errors: unknown[] = []
  const deliver: Deliver = async (event) => {
    received.push(numberOf(event))
    if (fails(numberOf(event))) throw new Error(`No taker for ${numberOf(event)}`)
  }
  return {
    received,
    errors,
    deliver,
    relay: () => relayOnce(queries, deliver, (error) => errors.push(error)),
  }
}

describe('the outbox', () => {
  it('F1 hands over what a committed transaction appended, whole and once, oldest first', async () => {
    await appendEvents([1, 2, 3])
    const events: OutboxEvent[] = []
    const deliver: Deliver = async (event) => void events.push(event)
    expect(await relayOnce(queries, deliver, () => {})).toBe(3)
    expect(events.map(numberOf)).toEqual([1, 2, 3])
    expect(events[0]).toEqual({
      id: expect.any(Number),
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.any(Date),
      organizationId: ada.organizationId,
      type,
      payload: payload(1),
      attempts: 0,
    })
    expect(await relayOnce(queries, deliver, () => {})).toBe(0)
    expect(await keptEvents()).toEqual([])
  })

  it('F1 keeps nothing of a transaction that was rolled back', async () => {
    const work = asTenant(queries, ada, async (trx) => {
      await append(trx, ada.organizationId, type, payload(1))
      throw new Error('the change failed')
    })
    await expect(work).rejects.toThrow('the change failed')
    const { received, relay } = newReceiver()
    expect(await relay()).toBe(0)
    expect(received).toEqual([])
  })

  it('refuses a payload that is not the event’s, and with it the change', async () => {
    const work = asTenant(queries, ada, (trx) =>
      append(trx, ada.organizationId, type, { spaceId: 'here', used: 1.5, limit: 1 }),
    )
    await expect(work).rejects.toThrow()
    expect(await keptEvents()).toEqual([])
  })

  it('F1 an event that fails is due again later and holds up no other', async () => {
    await appendEvents([1, 2, 3])
    const { received, errors, relay } = newReceiver((number) => number === 2)
    await relay()
    expect(received).toEqual([1, 2, 3])
    expect(errors).toEqual([new Error('No taker for 2')])
    expect(await keptEvents()).toEqual([{ used: 2, attempts: 1, due: expect.closeTo(1, 0) }])
    expect(await relay()).toBe(0)
    await pass(1)
    expect(await relay()).toBe(1)
    expect(received).toEqual([1, 2, 3, 2])
  })

  it('F1 an event that keeps failing is tried ever more rarely, at least every five minutes, and never dropped', async () => {
    await appendEvents([1])
    const { relay } = newReceiver(() => true)
    const delays: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) {
      expect(await relay()).toBe(1)
      const [event] = await keptEvents()
      expect(event?.attempts).toBe(attempt + 1)
      delays.push(Math.round(event?.due as number))
      await pass(400)
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
  })

  it('F1 an event in the hands of a relay that died is handed over again after its lease', async () => {
    await appendEvents([1])
    const dead = Promise.withResolvers<void>()
    void relayOnce(
      queries,
      () => dead.promise.then(() => new Promise(() => {})),
      () => {},
    )
    const { received, relay } = newReceiver()
    await until(async () => ((await keptEvents())[0]?.due ?? 0) > 30, 'the lease')
    expect(await relay()).toBe(0)
    await pass(60)
    expect(await relay()).toBe(1)
    expect(received).toEqual([1])
  })

  it('F1 an event stays in hand for as long as its delivery takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    await appendEvents([1])
    const slow = Promise.withResolvers<void>()
    const relayed = relayOnce(
      queries,
      () => slow.promise,
      () => {},
    )
    await until(async () => ((await keptEvents())[0]?.due ?? 0) > 30, 'the lease')
    await pass(50)
    await vi.advanceTimersByTimeAsync(20_000)
    await until(async () => ((await keptEvents())[0]?.due ?? 0) > 30, 'the renewed lease')
    slow.resolve()
    await relayed
    expect(await keptEvents()).toEqual([])
  })

  it('F1 an event is handed over again when the note of its delivery was lost', async () => {
    await appendEvents([1])
    const failing = withFailures(queries)
    const { received, deliver, relay } = newReceiver()
    const relayed = relayOnce(
      failing.queries,
      async (event) => {
        await deliver(event)
        failing.failing = 'DeleteQueryNode'
      },
      () => {},
    )
    await expect(relayed).rejects.toThrow('Connection terminated')
    expect(received).toEqual([1])
    await pass(60)
    await relay()
    expect(received).toEqual([1, 1])
    expect(await keptEvents()).toEqual([])
  })

  it('takes no more in hand than there is room for, though the table was thought to be empty', async () => {
    await asOwner(queries, (trx) => sql`analyze app.outbox`.execute(trx))
    await appendEvents([1, 2, 3, 4, 5, 6])
    await asTenant(queries, ada, async (trx) => {
      for (let used = 7; used <= 12; used++)
        await append(trx, ada.organizationId, 'memory.pattern_limit_reached', payload(used))
    })
    const together = { count: 3, types: ['memory.pattern_limit_reached'] }
    const events = await lease(queries, { count: 2, full: [], types: undefined, together })
    expect(events.map(numberOf)).toEqual([1, 2, 7, 8, 9])
  })

  it('has no backlog of what a later release has left, which waits for it', async () => {
    await appendEvents([1, 2])
    await pass(3_600)
    await asTask(queries, 'relay-outbox', (trx) =>
      sql`update app.outbox set type = 'of.later' where (payload ->> 'used')::int = 1`.execute(trx),
    )
    expect(await readOutboxBacklog(queries)).toMatchObject({ due: 1, later: 0 })
    await newReceiver().relay()
    await asTask(queries, 'relay-outbox', (trx) => sql`update app.outbox set type = 'of.later'`.execute(trx))
    expect(await readOutboxBacklog(queries)).toEqual({ due: 0, later: 0, lagSeconds: 0 })
  })

  it('F1 two relays at once hand over every event, none twice', async () => {
    const numbers = Array.from({ length: 250 }, (_, n) => n)
    await appendEvents(numbers)
    const [one, other] = [newReceiver(), newReceiver()]
    const drain = async (relay: () => Promise<number>) => {
      while ((await relay()) > 0) {
        // Until nothing is due.
      }
    }
    await Promise.all([drain(one.relay), drain(other.relay)])
    expect([...one.received, ...other.received].sort((a, b) => a - b)).toEqual(numbers)
    expect(one.received.length).toBeGreaterThan(0)
    expect(other.received.length).toBeGreaterThan(0)
    expect(await keptEvents()).toEqual([])
  })
})

describe('a running relay', () => {
  it('is woken by an append, without waiting for its next look', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const { received, deliver } = newReceiver()
    const relay = await startRelay(database, deliver, silent)
    await appendEvents([1])
    await until(() => received.length === 1, 'the first event')
    await appendEvents([2, 3])
    await until(() => received.length === 3, 'events appended while it was idle')
    await relay.stop()
    expect(received).toEqual([1, 2, 3])
  })

  it('looks by itself for what a lost wake-up left', async () => {
    const deaf: Database = { ...database, listen: async () => async () => {} }
    const { received, deliver } = newReceiver()
    const relay = await startRelay(deaf, deliver, silent)
    await appendEvents([1])
    await until(() => received.length === 1, 'the event', 5_000)
    await relay.stop()
  })

  it('goes on after the database failed it', async () => {
    const failing = withFailures(queries)
    const { received, deliver } = newReceiver()
    const relay = await startRelay({ ...database, queries: failing.queries }, deliver, silent)
    failing.failing = 'app.outbox'
    await appendEvents([1])
    await until(() => failing.count > 0, 'a failure')
    failing.failing = undefined
    await appendEvents([2])
    await until(() => received.length === 2, 'both events')
    await relay.stop()
  })

  it('one slow receiver holds up no other, however many events it has', async () => {
    const finish = Promise.withResolvers<void>()
    const slow: number[] = []
    const others: number[] = []
    const deliver: Deliver = async (event) => {
      if (event.type === type) {
        slow.push(numberOf(event))
        await finish.promise
      } else others.push(numberOf(event))
    }
    await appendEvents([1, 2, 3, 4, 5, 6])
    const relay = await startRelay(database, deliver, silent)
    await until(() => slow.length === 4, 'as many as may be in hand')
    await asTenant(queries, ada, async (trx) => {
      for (const used of [7, 8, 9, 10, 11])
        await append(trx, ada.organizationId, 'memory.pattern_limit_reached', payload(used))
    })
    await until(() => others.length === 5, 'the events of the other receiver')
    expect(slow).toHaveLength(4)
    finish.resolve()
    await until(() => slow.length === 6, 'the rest')
    await relay.stop()
    expect([...slow].sort()).toEqual([1, 2, 3, 4, 5, 6])
    expect(await keptEvents()).toEqual([])
  })

  it('leaves events that have no receiver as they are, until there is one', async () => {
    const other = 'memory.pattern_limit_reached'
    await asTenant(queries, ada, (trx) => append(trx, ada.organizationId, other, payload(1)))
    await appendEvents([2])
    const { received, deliver } = newReceiver()
    const relay = await startRelay(database, deliver, silent, [type])
    await until(() => received.length === 1, 'the event that has a receiver')
    await relay.stop()
    expect(received).toEqual([2])
    expect(await keptEvents()).toEqual([{ used: 1, attempts: 0, due: expect.closeTo(0, -1) }])
    const later = await startRelay(database, deliver, silent, [type, other])
    await until(() => received.length === 2, 'the other, now that it has one')
    await later.stop()
  })

  it('F1 hands over together what may be, and each by itself when that fails', async () => {
    const other = 'memory.pattern_limit_reached'
    const groups: number[][] = []
    const singly: number[] = []
    const isBad = (used: number) => used === 40
    await appendEvents([1, 2])
    await asTenant(queries, ada, async (trx) => {
      for (let used = 3; used <= 80; used++) await append(trx, ada.organizationId, other, payload(used))
    })
    const relay = await startRelay(
      database,
      async (event) => void singly.push(numberOf(event)),
      silent,
      [type, other],
      {
        types: [other],
        deliver: async (events) => {
          const numbers = events.map(numberOf)
          if (numbers.some(isBad)) throw new Error('one of them')
          groups.push(numbers)
        },
      },
    )
    await until(async () => (await keptEvents()).length === 1, 'all but one')
    await relay.stop()
    expect(singly.sort()).toEqual([1, 2])
    const wanted = Array.from({ length: 78 }, (_, i) => i + 3).filter((used) => !isBad(used))
    expect(groups.flat().sort((a, b) => a - b)).toEqual(wanted)
    expect(Math.max(...groups.map(({ length }) => length))).toBeGreaterThan(10)
    expect(await keptEvents()).toEqual([{ used: 40, attempts: expect.any(Number), due: expect.any(Number) }])
  })

  it('F7 finishes the events in hand together when it is stopped', async () => {
    const started = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    await appendEvents([1])
    const relay = await startRelay(database, async () => {}, silent, [type], {
      types: [type],
      deliver: async () => {
        started.resolve()
        await finish.promise
      },
    })
    await started.promise
    const stopping = relay.stop()
    await appendEvents([2])
    finish.resolve()
    await stopping
    expect((await keptEvents()).map(({ used }) => used)).toEqual([2])
  })

  it('F7 finishes the event in hand when it is stopped, and takes no other', async () => {
    const started = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const received: number[] = []
    await appendEvents([1])
    const relay = await startRelay(
      database,
      async (event) => {
        received.push(numberOf(event))
        started.resolve()
        await finish.promise
      },
      silent,
    )
    await started.promise
    let stopped = false
    const stopping = relay.stop().then(() => {
      stopped = true
    })
    await appendEvents([2])
    expect(stopped).toBe(false)
    finish.resolve()
    await stopping
    expect(received).toEqual([1])
    expect((await keptEvents()).map(({ used }) => used)).toEqual([2])
  })
})
