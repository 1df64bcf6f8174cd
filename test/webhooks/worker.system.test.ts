import { startWorker } from '@memory/worker/worker'
import { expect, it } from 'vitest'
import { newUser } from '../support/accounts.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { Receiver, verified } from './receiver.ts'
import { loopback } from './support.ts'

it('the worker tells a receiver within seconds, and again 5 s after it failed', async () => {
  const server = await startServer({ WEBHOOK_ALLOW_CIDRS: loopback })
  const receiver = await Receiver.start()
  const worker = await startWorker({ ...server.context, secrets: server.context.accounts.secrets })
  try {
    const ada = await newUser(server)
    const { secret } = (await ada.post('/v1/webhooks', { url: receiver.url })).body
    receiver.answerWith(500)
    const began = performance.now()
    await ada.post('/v1/memory/regime/inject-anomaly', { magnitude: 100 })
    const first = await until(() => receiver.received[0], 'the first attempt')
    expect(performance.now() - began).toBeLessThan(4_000)
    expect(verified(secret, first)).toMatchObject({ type: 'memory.regime_changed', environment: 'live' })
    receiver.answerWith(200)
    const second = await until(() => receiver.received[1], 'the second attempt')
    expect(performance.now() - began).toBeGreaterThan(4_400)
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
  } finally {
    await worker.stop()
    await receiver.stop()
    await server.close()
  }
})
