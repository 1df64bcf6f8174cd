import { limits } from '@memory/shared/catalogue/limits'
import { type Dispatch, startDispatch } from '@memory/shared/webhooks/dispatch'
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
  for (const owner of owners.splice(0)) await owner.delete('/v1/users/me')
  await hanging.stop()
  await good.stop()
})

afterAll(() => server.close())

async function newWebhooks(owner: User, count: number, to: Receiver): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { status, body } = await owner.post('/v1/webhooks', { url: `${to.url}/${owner.organizationId}` })
    expect(status).toBe(201)
    ids.push(body.id)
  }
  return ids
}

/** An organization all of whose receivers hang, with more due than may be attempted at once. */
async function newHanging(): Promise<User> {
  const owner = await newUser(server)
  owners.push(owner)
  for (const id of await newWebhooks(owner, limits.webhooks, hanging)) {
    for (let i = 0; i < 5; i++) await owner.post(`/v1/webhooks/${id}/test`)
  }
  return owner
}

const hangingOf = ({ organizationId }: User) =>
  hanging.received.filter(({ path }) => path.endsWith(organizationId)).length

describe('organizations whose receivers all hang', () => {
  it('leave room for each other and for another, whose delivery goes out at once', async () => {
    const bad = await Promise.all(Array.from({ length: 5 }, newHanging))
    dispatch = await startDispatch(attemptContext(server), server.context.database)
    // Each has 80 that could be under way, and all of them 400; the process has 256.
    await until(() => bad.every((each) => hangingOf(each) >= 36), 'a share for each', 10_000)
    const ada = await newUser(server)
    const [id] = await newWebhooks(ada, 1, good)
    const began = performance.now()
    await ada.post(`/v1/webhooks/${id}/test`)
    await until(() => good.received.length === 1, 'the other delivery')
    // No attempt has ended by then.
    expect(performance.now() - began).toBeLessThan(10_000)
    for (const each of bad) expect(hangingOf(each)).toBeLessThan(45)
  }, 120_000)

  it('do not keep one whose receivers answer from getting all of its own, as room comes', async () => {
    await newHanging()
    const ada = await newUser(server)
    for (const id of await newWebhooks(ada, limits.webhooks, good)) {
      for (let i = 0; i < 8; i++) await ada.post(`/v1/webhooks/${id}/test`)
    }
    dispatch = await startDispatch(attemptContext(server), server.context.database)
    await until(() => good.received.length === limits.webhooks * 8, 'every delivery', 60_000)
  }, 120_000)
})
