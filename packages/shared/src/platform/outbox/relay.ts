import type { Database } from '../database/database.ts'
import { FailureLog } from '../failure-log.ts'
import type { Log } from '../log.ts'
import {
  type Deliver,
  type DeliverBatch,
  deliverBatch,
  deliverOne,
  handBack,
  lease,
  type OutboxEvent,
  type Room,
} from './outbox.ts'

const pollMs = 1_000
/** Events in hand at once. */
const inHandMax = 8
/** Of one type: a receiver that takes its time leaves room for the events of others. */
const ofOneTypeMax = 4

/** Of those that are handed over together: what one transaction does while requests wait for the embedded database. */
const togetherMax = 32

/** Types of events that one receiver takes many of at once. */
export interface BatchReceiver {
  types: readonly string[]
  deliver: DeliverBatch
}

/** A relay that runs until it is stopped: woken by each append, and polling for what a lost wake-up left. */
export interface Relay {
  stop(): Promise<void>
}

/**
 * Starts relaying. Stopping waits for the events in hand.
 * @param types of events that have a receiver; others stay in the outbox, untouched. Undefined: all
 * @param together of them, those that need not be handed over one by one
 */
export async function startRelay(
  database: Database,
  deliver: Deliver,
  log: Log,
  types?: readonly string[],
  together?: BatchReceiver,
): Promise<Relay> {
  const { queries } = database
  const inHand = new Map<OutboxEvent, Promise<void>>()
  let group: Promise<void> | undefined
  let taking: Promise<void> | undefined
  let again = false
  let stopped = false
  const taken = new FailureLog(log, 'taking events from the outbox')
  const handedOver = new FailureLog(log, 'handing over events of the outbox')
  const telling = tellingOfDeliveries(log)

  const begin = (event: OutboxEvent) => {
    const { give, onError } = telling(event.type, deliver)
    const work = handedOver.watch(deliverOne(queries, event, give, onError)).finally(() => {
      inHand.delete(event)
      wake()
    })
    inHand.set(event, work)
  }
  /** One group at a time: what comes meanwhile is the next one. */
  const beginBatch = (events: readonly OutboxEvent[], receiver: BatchReceiver) => {
    const { give, onError } = telling(receiver.types.join(', '), receiver.deliver)
    group = handedOver.watch(deliverBatch(queries, events, give, onError)).finally(() => {
      group = undefined
      wake()
    })
  }
  const roomNow = (): Room => ({
    ...roomBeside([...inHand.keys()]),
    types,
    together: { count: together && !group ? togetherMax : 0, types: together?.types ?? [] },
  })
  /** Takes what is due, until that is nothing or there is no more room. */
  const take = async () => {
    do {
      again = false
      for (;;) {
        const room = roomNow()
        if (stopped || room.count + room.together.count === 0) break
        const events = await lease(queries, room)
        if (stopped) {
          await handBack(queries, events)
          break
        }
        const [many, others] = divide(events, room.together.types)
        for (const event of others) begin(event)
        if (many.length > 0 && together !== undefined) beginBatch(many, together)
        if (isAll(others, room.count) && isAll(many, room.together.count)) break
      }
    } while (again && !stopped)
  }
  const wake = () => {
    again = true
    if (stopped) return
    taking ??= taken.watch(take()).finally(() => {
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
      await Promise.all([...inHand.values(), group])
    },
  }
}

/** Tells the log of deliveries that fail, by what is delivered: while a mail server is away each mail fails again and again. */
function tellingOfDeliveries(log: Log) {
  const failures = new Map<string, FailureLog>()
  return <Given>(name: string, deliver: (given: Given) => Promise<void>) => {
    const told = failures.get(name) ?? new FailureLog(log, `delivering ${name}`)
    failures.set(name, told)
    const give = async (given: Given) => {
      await deliver(given)
      told.worked()
    }
    return { give, onError: (error: unknown) => told.failed(error) }
  }
}

/** Whether nothing can be left for which there was room. */
const isAll = (taken: readonly OutboxEvent[], room: number) => room === 0 || taken.length < room

function divide(events: readonly OutboxEvent[], types: readonly string[]): [OutboxEvent[], OutboxEvent[]] {
  const isOf = ({ type }: OutboxEvent) => types.includes(type)
  return [events.filter(isOf), events.filter((event) => !isOf(event))]
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
