import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { type Deliver, handBack, handOver, lease, type OutboxEvent, type Room } from './outbox.ts'

const pollMs = 1_000
/** Events in hand at once. */
const inHandMax = 8
/** Of one type: a receiver that takes its time leaves room for the events of others. */
const ofOneTypeMax = 4

/** A relay that runs until it is stopped: woken by each append, and polling for what a lost wake-up left. */
export interface Relay {
  stop(): Promise<void>
}

/**
 * Starts relaying. Stopping waits for the events in hand.
 * @param types of events that have a receiver; others stay in the outbox, untouched. Undefined: all
 */
export async function startRelay(
  database: Database,
  deliver: Deliver,
  log: Log,
  types?: readonly string[],
): Promise<Relay> {
  const { queries } = database
  const inHand = new Map<OutboxEvent, Promise<void>>()
  let taking: Promise<void> | undefined
  let again = false
  let stopped = false
  const onError = (error: unknown) => log.error({ err: error }, 'outbox event not delivered')

  const begin = (event: OutboxEvent) => {
    const work = handOver(queries, event, deliver, onError)
      .catch((error) => log.warn({ err: error }, 'outbox relay interrupted'))
      .finally(() => {
        inHand.delete(event)
        wake()
      })
    inHand.set(event, work)
  }
  /** Takes what is due, until that is nothing or there is no more room. */
  const take = async () => {
    do {
      again = false
      for (;;) {
        const room = { ...roomBeside([...inHand.keys()]), types }
        if (stopped || room.count === 0) break
        const events = await lease(queries, room)
        if (stopped) {
          await handBack(queries, events)
          break
        }
        for (const event of events) begin(event)
        if (events.length < room.count) break
      }
    } while (again && !stopped)
  }
  const wake = () => {
    again = true
    if (stopped) return
    taking ??= take()
      .catch((error) => log.warn({ err: error }, 'outbox relay interrupted'))
      .finally(() => {
        taking = undefined
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
      await taking
      await Promise.all(inHand.values())
    },
  }
}

/** How many events may join these, whatever their types are, but for those of which there are enough. */
function roomBeside(inHand: readonly OutboxEvent[]): Pick<Room, 'count' | 'full'> {
  const counts = new Map<string, number>()
  for (const { type } of inHand) counts.set(type, (counts.get(type) ?? 0) + 1)
  const isFull = (count: number) => count >= ofOneTypeMax
  const most = Math.max(0, ...[...counts.values()].filter((count) => !isFull(count)))
  return {
    count: Math.min(inHandMax - inHand.length, ofOneTypeMax - most),
    full: [...counts].filter(([, count]) => isFull(count)).map(([type]) => type),
  }
}
