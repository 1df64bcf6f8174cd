import { AddressGate, type Resolve } from '@memory/shared/webhooks/address-gate'
import { Dispatcher } from '@memory/shared/webhooks/dispatcher'
import type { TestServer } from '../support/server.ts'

export const loopback = '127.0.0.0/8'

/** Does what a worker does with deliveries; delays have no jitter. */
export function newDispatcher(server: TestServer, resolve?: Resolve): Dispatcher {
  const { context } = server
  const { queries, secrets } = context.accounts
  const gate = new AddressGate(context.config.webhookAllowCidrs, resolve)
  return new Dispatcher({ queries, secrets, clock: server.clock, gate, log: context.log, random: () => 0.5 })
}

/** Attempts everything that is due by now, and waits for it. */
export async function deliverDue(server: TestServer, dispatcher: Dispatcher): Promise<void> {
  await server.mails()
  await dispatcher.run()
  await dispatcher.settled()
}
