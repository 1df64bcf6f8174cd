import { randomUUID } from 'node:crypto'
import { type Dispatch, startDispatch } from '@memory/identity/webhooks/dispatch'
import { fanOut, type WebhookEvent } from '@memory/identity/webhooks/fan-out'
import { ReceiverSpeeds } from '@memory/identity/webhooks/receiver-speeds'
import { limits } from '@memory/shared/catalogue/limits'
import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { Receiver } from './receiver.ts'
import { attemptContext, loopback } from './support.ts'

let server: TestServer
let hanging: Receiver
let good: Receiver
let dispatch: Dispatch | undefined
const owners: User[] = []

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOW_CIDRS: loopback })
})

beforeEach(async () => {
  hanging = await Receiver.start()
  hanging.answer = () => {}
  good = await Receiver.start()
})

afterEach(async () => {
  await dispatch?.stop()
  await hanging.stop()
  await good.stop()
  for (const owner of owners.splice(0)) await owner.delete('/v1/users/me')
})

afterAll(() => server.close())

/** Attempts deliveries, and waits for answers for ever: whatever hangs does so until the test ends. */
async function begin(): Promise<void> {
  dispatch = await startDispatch(
    { ...attemptContext(server), timeoutMs: 2 ** 31 - 1 },
    server.context.database,
  )
}

async function newOwner(webhooks: number, to: Receiver): Promise<User> {
  const owner = await newUser(server)
  owners.push(owner)
  await addWebhooks(owner, webhooks, to)
  return owner
}

/** So many of them, a few at once: registrations wait for each other's passwords. */
async function newOwners(count: number, webhooks: number, to: Receiver): Promise<User[]> {
  const made: User[] = []
  while (made.length < count) {
    const next = Math.min(5, count - made.length)
    made.push(...(await Promise.all(Array.from({ length: next }, () => newOwner(webhooks, to)))))
  }
  return made
}

/** Webhooks as if they had been made by requests, but in one statement. */
async function addWebhooks({ organizationId }: User, count: number, to: Receiver): Promise<void> {
  const url = `${to.url}/${organizationId}`
  await asTenant(server.context.database.queries, { organizationId }, (trx) =>
    sql`insert into app.webhooks (organization_id, url)
      select ${organizationId}::uuid, ${url} from generate_series(1, ${count}::integer)`.execute(trx),
  )
}

/** Has so many events happen of which each webhook of each organization is told. */
async function happen(owners: readonly User[], events: number): Promise<void> {
  const told = owners.flatMap(({ organizationId }) =>
    Array.from({ length: events }, (): WebhookEvent => {
      const event = { eventId: randomUUID(), organizationId, createdAt: server.clock.now() }
      return { type: 'billing.payment_failed', payload: { webhookId: 'msg_1' }, event }
    }),
  )
  await fanOut(server.context.accounts, told)
}

const hangingOf = ({ organizationId }: User) =>
  hanging.received.filter(({ path }) => path.endsWith(organizationId)).length

/** An organization that comes now; waits until its receiver, which answers, has what happened. */
async function newcomerIsTold(): Promise<void> {
  const before = good.received.length
  await happen([await newOwner(1, good)], 1)
  await until(() => good.received.length === before + 1, 'the delivery of another organization')
}

/** As many connections as may be open, in all and of one organization (of the 80 that its webhooks could have). */
const inHandMax = 768
const perOrganizationMax = 32 + 40
/** Receivers that hang have about as many of them, when eight organizations or more have such. */
const crowd = 280

describe('organizations whose receivers all hang', () => {
  it('leave room for each other and for another, whose delivery goes out at once', async () => {
    const bad = await newOwners(5, limits.webhooks, hanging)
    await happen(bad, 5)
    await begin()
    // Each has 80 that could be under way, and all of them 400.
    await until(() => bad.every((each) => hangingOf(each) >= 36), 'a share for each')
    await newcomerIsTold()
    for (const each of bad) expect(hangingOf(each)).toBeLessThanOrEqual(perOrganizationMax)
  })

  it('leave room when 20 of them come one after the other, each with more than it may have', async () => {
    await begin()
    const bad: User[] = []
    for (let i = 0; i < 20; i++) {
      const next = await newOwner(limits.webhooks, hanging)
      await happen([next], 5)
      await until(() => hangingOf(next) > 0, 'a first attempt')
      bad.push(next)
      if (i % 5 === 4) await newcomerIsTold()
    }
    // The first ones had the most.
    for (const each of bad) expect(hangingOf(each)).toBeLessThanOrEqual(perOrganizationMax)
    expect(hanging.received.length).toBeLessThanOrEqual(inHandMax)
  })

  it('leave room when 100 of them have a backlog as the process starts, and more of it than sockets', async () => {
    const bad = await newOwners(100, 5, hanging)
    await happen(bad, 4)
    await begin()
    await until(() => bad.every((each) => hangingOf(each) > 0), 'a first attempt of each')
    for (let i = 0; i < 3; i++) await newcomerIsTold()
    await until(() => hanging.received.length >= crowd, 'as many as there is room for')
    await newcomerIsTold()
    expect(hanging.received.length).toBeLessThanOrEqual(inHandMax)
  })

  it('do not slow down each other’s receivers that answer', async () => {
    const [ada, ben] = [await newOwner(1, good), await newOwner(1, good)]
    await begin()
    await happen([ada, ben], 1)
    await until(() => good.received.length === 2, 'receivers that answer')
    for (const owner of [ada, ben]) {
      await addWebhooks(owner, limits.webhooks - 1, hanging)
    }
    const bad = await newOwners(8, limits.webhooks, hanging)
    await happen([...bad, ada, ben], 5)
    await until(() => hanging.received.length >= crowd, 'as many slow ones as there is room for')
    await until(() => good.received.length === 12, 'the receivers that answer, beside those that hang')
  })

  it('do not keep one whose receivers answer from getting all of its own, as room comes', async () => {
    await happen([await newOwner(limits.webhooks, hanging)], 5)
    await happen([await newOwner(limits.webhooks, good)], 8)
    await begin()
    await until(() => good.received.length === limits.webhooks * 8, 'every delivery')
  })

  it('get their turn when others have ended', async () => {
    const bad = await newOwners(8, limits.webhooks, hanging)
    await happen(bad, 2)
    await begin()
    await until(() => hanging.received.length >= crowd, 'as many slow ones as there is room for')
    hanging.answer = (response) => response.end('ok')
    hanging.hangUp()
    await until(() => new Set(hanging.received.map(({ body }) => body)).size === 16, 'every event')
    await until(() => hanging.received.length >= limits.webhooks * 16, 'every delivery')
  })
})

describe('how quickly receivers answered', () => {
  const webhook = (organizationId: string, webhookId: string) => ({ organizationId, webhookId })

  it('is what others of the organization are expected to do, for ten minutes', () => {
    const paces = new ReceiverSpeeds()
    expect(paces.suspects(0)).toEqual({ organizationIds: [], quickWebhookIds: [] })
    paces.recordQuick(webhook('a', '1'))
    paces.recordQuick(webhook('b', '2'))
    expect(paces.suspects(0)).toEqual({ organizationIds: [], quickWebhookIds: [] })
    paces.recordSlow(webhook('a', '3'), 1_000)
    expect(paces.suspects(1_000)).toEqual({ organizationIds: ['a'], quickWebhookIds: ['1'] })
    paces.recordSlow(webhook('a', '1'), 2_000)
    paces.recordQuick(webhook('a', '3'))
    expect(paces.suspects(602_000)).toEqual({ organizationIds: ['a'], quickWebhookIds: ['3'] })
    expect(paces.suspects(602_001)).toEqual({ organizationIds: [], quickWebhookIds: [] })
  })

  it('is remembered of a bounded number of them', () => {
    const paces = new ReceiverSpeeds()
    for (let i = 0; i < 100; i++) paces.recordQuick(webhook('a', `${i}`))
    paces.recordSlow(webhook('a', 'x'), 0)
    expect(paces.suspects(0).quickWebhookIds).toEqual(Array.from({ length: 20 }, (_, i) => `${80 + i}`))
    for (let i = 0; i < 10_000; i++) paces.recordSlow(webhook(`o${i}`, 'x'), 0)
    const { organizationIds } = paces.suspects(0)
    expect(organizationIds).toHaveLength(10_000)
    expect(organizationIds).not.toContain('a')
  })
})
