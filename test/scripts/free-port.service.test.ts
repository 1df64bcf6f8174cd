import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'

/** None of these ports is given: they are all drawn, and then one more. */
async function expectPassedOver(...ports: number[]): Promise<void> {
  const draw = () => {
    const port = ports.shift()
    if (port === undefined) throw new Error('No port is left.')
    return port
  }
  await expect(freePort(draw)).rejects.toThrow('No port is left.')
}

test('a port that was given is not given again, though nobody listens on it yet', async () => {
  const given = await freePort()
  await expectPassedOver(given)
  const listener = createServer().listen(given, '127.0.0.1')
  await once(listener, 'listening')
  listener.close()
  await once(listener, 'close')
  await expectPassedOver(given)
})

test('a port that somebody listens on is not given', async () => {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  await expectPassedOver((listener.address() as AddressInfo).port)
  listener.close()
})
