import type { Database, Queries } from '../database/database.ts'
import { FailureLog } from '../failure-log.ts'
import type { Log } from '../log.ts'
import { isOver } from '../within.ts'
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
/** The most events that are delivered at the same time. */
const inHandMax = 8
/** The most of one type among them: a slow receiver must leave room for the events of others. */
const ofOneTypeMax = 4

/** At a stop, events in hand have this long. A mail takes a second, but for one to a server that does not answer. */
const patienceMs = 5_000

/** The most events delivered together: they are one transaction, during which requests wait for the embedded database. */
const togetherMax = 32

/** A receiver that takes many events at once, of these types. */
export interface BatchReceiver {
  types: readonly string[]
  deliver: DeliverBatch
}

/** A relay that runs until it is stopped. It is woken by each new event, and also polls, in case a notification was lost. */
export interface Relay {
  stop(): Promise<void>
}

/**
 * Starts a relay. Stopping it waits for the events that are being delivered; single ones that take too long are
 * handed back, and are delivered once more by another process; those delivered together, which wait for nobody outside, are left to
 * their lease.
 * @param types the types of events that have a receiver; others stay in the outbox, untouched. Undefined: all
 * @param together a receiver for those of them that can be delivered together
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
    const delivered = deliverOne(queries, event, give, onError, () => inHand.has(event))
    const work = handedOver.watch(delivered).finally(() => {
      inHand.delete(event)
      wake()
    })
    inHand.set(event, work)
  }
  /** One batch at a time: events that arrive meanwhile are the next batch. */
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
  /** Takes due events until there are none left, or no more room. */
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
      const done = Promise.all([...inHand.values(), group])
      if (!(await isOver(done, patienceMs))) await handBackLate(queries, inHand, log)
    },
  }
}

/** Hands back what is in hand. It is in hand no more then: whoever goes on delivering it leaves its lease alone. */
async function handBackLate(
  queries: Queries,
  inHand: Map<OutboxEvent, Promise<void>>,
  log: Log,
): Promise<void> {
  const late = [...inHand.keys()]
  inHand.clear()
  log.warn({ types: late.map(({ type }) => type) }, 'events in hand handed back')
  await handBack(queries, late)
}

/** Logs failing deliveries once per type of event: while a mail server is down, for example, every mail keeps failing. */
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

/** Whether all due events were taken, because there was room for more. */
const isAll = (taken: readonly OutboxEvent[], room: number) => room === 0 || taken.length < room

function divide(events: readonly OutboxEvent[], types: readonly string[]): [OutboxEvent[], OutboxEvent[]] {
  const isOf = ({ type }: OutboxEvent) => types.includes(type)
  return [events.filter(isOf), events.filter((event) => !isOf(event))]
}

/**
 * How many further events may be taken: as many as fit even if all were of the type, among those not `full`, that has the most
 * already.
 */
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
