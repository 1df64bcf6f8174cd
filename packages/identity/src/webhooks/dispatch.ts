import type { Database } from '@memory/shared/platform/database/database'
import { FailureLog } from '@memory/shared/platform/failure-log'
import { every } from '@memory/shared/platform/periodic'
import type { AttemptContext } from './attempt.ts'
import { deliveriesDue } from './delivery-store.ts'
import { Dispatcher } from './dispatcher.ts'

/** Polls for retries that become due, and in case a notification was lost. */
const pollMs = 1_000

/** The delivery of webhooks, until it is stopped. */
export interface Dispatch {
  /** Aborts running attempts; deliveries without an answer are due again at once. */
  stop(): Promise<void>
}

/** Starts attempting deliveries: new ones when they are committed, others when they become due or there is room. */
export async function startDispatch(
  context: AttemptContext,
  database: Pick<Database, 'listen'>,
): Promise<Dispatch> {
  const failures = new FailureLog(context.log, 'delivering webhooks')
  const wake = () => void failures.watch(dispatcher.run())
  const dispatcher = new Dispatcher(context, wake)
  const unlisten = await database.listen(deliveriesDue, wake)
  const polling = every(pollMs, 'delivering webhooks', () => dispatcher.run(), context.log)
  return {
    stop: async () => {
      await Promise.all([unlisten(), polling.stop(), dispatcher.stop()])
    },
  }
}
