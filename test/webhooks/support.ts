import { AddressGate, type Resolve } from '@memory/identity/webhooks/address-gate'
import type { AttemptContext } from '@memory/identity/webhooks/attempt'
import { Dispatcher } from '@memory/identity/webhooks/dispatcher'
import type { TestServer } from '../support/server.ts'

export const loopback = '127.0.0.0/8'

/** What deliveries are attempted with; delays have no jitter. */
export function attemptContext({ context, clock }: TestServer, resolve?: Resolve): AttemptContext {
  const { queries, secrets } = context.accounts
  const gate = new AddressGate(context.config.webhookAllowCidrs, resolve)
  return { queries, secrets, clock, gate, log: context.log, random: () => 0.5 }
}

/** Does what a worker does with deliveries. */
export const newDispatcher = (
  server: TestServer,
  resolve?: Resolve,
  context: AttemptContext = attemptContext(server, resolve),
): Dispatcher => new Dispatcher(context)

/** Attempts everything that is due by now, and waits for it. */
export async function deliverDue(server: TestServer, dispatcher: Dispatcher): Promise<void> {
  await server.mails()
  await dispatcher.run()
  await dispatcher.idle()
}
