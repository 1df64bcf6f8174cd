import type { Dispatcher } from '@memory/identity/webhooks/dispatcher'
import { notify } from '@memory/shared/notifications/notify'
import { asTenant } from '@memory/shared/platform/database/database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { Receiver } from './receiver.ts'
import { loopback, newDispatcher } from './support.ts'

let server: TestServer
let receiver: Receiver
let dispatcher: Dispatcher
let ada: User

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOW_CIDRS: loopback })
  receiver = await Receiver.start()
  dispatcher = newDispatcher(server)
  ada = await newUser(server)
})

afterAll(async () => {
  await dispatcher.stop()
  await receiver.stop()
  await server.close()
})

const newWebhook = async (owner: User, body: object = {}): Promise<void> => {
  const answer = await owner.post('/v1/webhooks', { url: receiver.url, ...body })
  expect(answer.status).toBe(201)
}

/** Has something happen to the organization. */
const happen = ({ organizationId }: User) =>
  asTenant(server.context.database.queries, { organizationId }, (trx) =>
    notify(trx, organizationId, 'billing.payment_failed', { webhookId: 'msg_1' }),
  )

const deliveriesOf = ({ organizationId }: User) =>
  asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx.withSchema('app').selectFrom('webhook_deliveries').select(['status', 'attempts']).execute(),
  )

it('W5 an attempt that never ends takes 15 seconds, and delays no other webhook', async () => {
  const hanging = await Receiver.start()
  hanging.answer = () => {}
  await newWebhook(ada, { url: hanging.url })
  await newWebhook(ada)
  for (let i = 0; i < 3; i++) await happen(ada)
  await server.mails()
  const began = performance.now()
  await dispatcher.run()
  await until(() => receiver.received.length === 3, 'the other webhook')
  expect(performance.now() - began).toBeLessThan(5_000)
  await happen(ada)
  await server.mails()
  await until(async () => {
    await dispatcher.run()
    return receiver.received.length === 4
  }, 'the other webhook, while the first still hangs')
  await dispatcher.idle()
  expect(performance.now() - began).toBeGreaterThan(14_500)
  expect(performance.now() - began).toBeLessThan(18_000)
  const outcomes = (await deliveriesOf(ada)).map(({ status, attempts }) => `${status} ${attempts}`)
  expect(outcomes.filter((each) => each === 'delivered 1')).toHaveLength(4)
  expect(outcomes.filter((each) => each === 'pending 1')).toHaveLength(4)
  await hanging.stop()
}, 40_000)
