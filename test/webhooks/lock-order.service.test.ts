import { finish, type Outcome } from '@memory/identity/webhooks/delivery-store'
import { notify } from '@memory/shared/notifications/notify'
import { asTask, asTenant, type Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Anonymous, mailedToken, newUser, type User } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { Receiver } from './receiver.ts'
import { deliverDue, loopback, newDispatcher } from './support.ts'

let server: TestServer
let queries: Queries
let receiver: Receiver
let ada: User
let webhook: string

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOW_CIDRS: loopback, PUBLIC_BASE_URL: 'http://memory.test' })
  queries = server.context.database.queries
})

beforeEach(async () => {
  receiver = await Receiver.start()
  ada = await newUser(server)
  webhook = (await ada.post('/v1/webhooks', { url: receiver.url })).body.id
})

afterEach(() => receiver.stop())

afterAll(() => server.close())

async function queue(count: number): Promise<string[]> {
  const { organizationId } = ada
  for (let n = 0; n < count; n++) {
    await asTenant(queries, { organizationId }, (trx) =>
      notify(trx, organizationId, 'billing.payment_failed', { webhookId: `msg_${n}` }),
    )
  }
  await server.mails()
  const { deliveries } = (await ada.get(`/v1/webhooks/${webhook}/deliveries`)).body
  expect(deliveries).toHaveLength(count)
  return deliveries.map(({ id }: { id: string }) => id).toSorted()
}

/** Locks a delivery. @returns what frees it */
async function hold(deliveryId: string): Promise<() => Promise<void>> {
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = asTenant(queries, ada, async (trx) => {
    await sql`select from app.webhook_deliveries where id = ${deliveryId} for update`.execute(trx)
    held.resolve()
    await free.promise
  })
  await Promise.race([held.promise, holding])
  return () => {
    free.resolve()
    return holding
  }
}

/** Waits until so many transactions of this database wait for a lock. */
const untilWaiting = (count: number) =>
  until(async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(distinct l.pid)::int as waiting from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`.execute(queries)
    return rows[0]?.waiting === count
  }, `${count} to wait`)

// The embedded database has one connection, on which nobody waits for another.
describe.runIf(onPostgres)('who meets an attempt that ends a webhook', () => {
  const disabled = async () => (await ada.patch(`/v1/webhooks/${webhook}`, { status: 'disabled' })).status
  const sentAgain = async (id: string) =>
    (await ada.post(`/v1/webhooks/${webhook}/deliveries/${id}/redeliver`)).status
  let token: string
  const takenOver = async () => {
    const password = { token, new_password: 'what only the owner knows' }
    return (await new Anonymous(server.url).post('/v1/auth/reset-password', password)).status
  }

  it.each<[string, (id: string) => Promise<number>, number]>([
    ['disables it', disabled, 200],
    ['sends its delivery again', sentAgain, 409],
    ['takes its account over', takenOver, 200],
  ])('and %s waits until it is over', async (_, change, status) => {
    const [id = ''] = await queue(1)
    await new Anonymous(server.url).post('/v1/auth/forgot-password', { email: ada.email })
    token = await mailedToken(server, ada.userId, 'reset-password')
    const held = Promise.withResolvers<() => Promise<void>>()
    receiver.answer = (response) => {
      held.resolve(hold(id))
      held.promise.then(() => response.writeHead(410).end())
    }
    const attempted = deliverDue(server, newDispatcher(server))
    const free = await held.promise
    await untilWaiting(1)
    const changed = change(id)
    await untilWaiting(2)
    await free()
    expect(await changed).toBe(status)
    await attempted
    const rows = await asTenant(queries, ada, (trx) =>
      trx.withSchema('app').selectFrom('webhook_deliveries').select(['status', 'response_status']).execute(),
    )
    expect(rows).toEqual([{ status: 'failed', response_status: 410 }])
  })
})

describe.runIf(onPostgres)('several deliveries that are noted at once', () => {
  const outcomeOf = (id: string): Outcome => ({
    organizationId: ada.organizationId,
    webhookId: webhook,
    id,
    attempts: 0,
    attemptedAt: server.clock.now(),
    durationMs: 1,
    responseStatus: 200,
    responseBody: '',
    failure: null,
    status: 'delivered',
    nextAttemptAt: null,
  })
  const at = () => `/v1/webhooks/${webhook}`

  it.each<[string, boolean, () => Promise<{ status: number }>]>([
    ['is disabled', false, () => ada.patch(at(), { status: 'disabled' })],
    ['is disabled', true, () => ada.patch(at(), { status: 'disabled' })],
    ['is deleted', false, () => ada.delete(at())],
    ['is deleted', true, () => ada.delete(at())],
  ])('are not met in a circle by a webhook that %s; the other way round: %s', async (_, isTurned, change) => {
    const ids = await queue(3)
    const free = await hold(ids[1] as string)
    const outcomes = (isTurned ? ids.toReversed() : ids).map(outcomeOf)
    const noted = asTask(queries, 'deliver-webhooks', (trx) => finish(trx, outcomes))
    await untilWaiting(1)
    const changed = change()
    await untilWaiting(2)
    await free()
    expect((await changed).status).toBe(200)
    expect((await noted).size).toBe(3)
  })
})
