import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { type Deliver, relayOnce } from './outbox.ts'

const pollMs = 1_000

/** A relay that runs until it is stopped: woken by each append, and polling for what a lost wake-up left. */
export interface Relay {
  stop(): Promise<void>
}

/** Starts relaying. Stopping waits for the events in hand. */
export async function startRelay(database: Database, deliver: Deliver, log: Log): Promise<Relay> {
  let running: Promise<void> | undefined
  let again = false
  let stopped = false
  const onError = (error: unknown) => log.error({ err: error }, 'outbox event not delivered')

  const drain = async () => {
    do {
      again = false
      while (!stopped && (await relayOnce(database.queries, deliver, onError)) > 0) {
        // Until nothing is due.
      }
    } while (again && !stopped)
  }
  const wake = () => {
    again = true
    if (stopped) return
    running ??= drain()
      .catch((error) => log.warn({ err: error }, 'outbox relay interrupted'))
      .finally(() => {
        running = undefined
      })
  }
  const unlisten = await database.listen('memory_outbox', wake)
  const timer = setInterval(wake, pollMs)
  timer.unref()
  wake()
  return {
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await unlisten()
      await running
    },
  }
}
