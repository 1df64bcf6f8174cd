import type { ServerResponse } from 'node:http'
import { type Dispatch, startDispatch } from '@memory/identity/webhooks/dispatch'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { Receiver } from './receiver.ts'
import { attemptContext, loopback } from './support.ts'

let server: TestServer
let receiver: Receiver
let ada: User
let webhookId: string
let dispatch: Dispatch

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOW_CIDRS: loopback })
})

beforeEach(async () => {
  receiver = await Receiver.start()
  ada = await newUser(server)
  webhookId = (await ada.post('/v1/webhooks', { url: receiver.url })).body.id
  // Nobody looks at intervals: what is delivered was told of.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  dispatch = await startDispatch(attemptContext(server), server.context.database)
  vi.useRealTimers()
})

afterEach(async () => {
  await dispatch.stop()
  await receiver.stop()
  await ada.delete('/v1/users/me')
})

afterAll(() => server.close())

const sendTest = async (): Promise<string> => {
  const answer = await ada.post(`/v1/webhooks/${webhookId}/test`)
  expect(answer.status).toBe(200)
  return answer.body.id
}

const arrived = (count: number) =>
  until(() => receiver.received.length === count, `${count} requests at the receiver`)

describe('a delivery', () => {
  it('is attempted when it is committed', async () => {
    await sendTest()
    await arrived(1)
  })

  it('of an event is attempted when the event has left the outbox', async () => {
    await ada.post('/v1/memory/regime/inject-anomaly', { magnitude: 100 })
    await server.mails()
    await arrived(1)
  })

  it('that is sent again is attempted at once', async () => {
    const id = await sendTest()
    await until(async () => {
      const { body } = await ada.get(`/v1/webhooks/${webhookId}/deliveries`)
      return body.deliveries[0].status === 'delivered'
    }, 'the first attempt to be noted')
    expect((await ada.post(`/v1/webhooks/${webhookId}/deliveries/${id}/redeliver`)).status).toBe(200)
    await arrived(2)
  })

  it('waits for no other one, up to four at once; the next ones follow as those are answered', async () => {
    const open: ServerResponse[] = []
    receiver.answer = (response) => open.push(response)
    for (let count = 1; count <= 4; count++) {
      await sendTest()
      await arrived(count)
    }
    for (let i = 0; i < 3; i++) await sendTest()
    const other = await Receiver.start()
    const { id } = (await ada.post('/v1/webhooks', { url: other.url })).body
    await ada.post(`/v1/webhooks/${id}/test`)
    await until(() => other.received.length === 1, 'the other webhook')
    expect(receiver.received).toHaveLength(4)
    receiver.answer = (response) => response.end('ok')
    open[0]?.end('ok')
    await arrived(7)
    for (const response of open) response.end('ok')
    await other.stop()
  })
})
