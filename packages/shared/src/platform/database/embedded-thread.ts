/** The code of the thread in which an embedded database runs; `ThreadSession` starts it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGliteSession } from './embedded-session.ts'
import { type Order, type Report, type ThreadData, transferOf } from './thread-messages.ts'

const port = parentPort as MessagePort
const say = (report: Report, transfer: ArrayBuffer[] = []) => port.postMessage(report, transfer)
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Answers so far that were not durable yet: the next one's number (see `Report`). */
let pending = 0

async function answer(session: PGliteSession, messages: Uint8Array, putsOff: boolean): Promise<void> {
  const { bytes, durable } = await session.send(messages, putsOff)
  say({ bytes, isDurable: durable === undefined }, transferOf(bytes))
  if (durable === undefined) return
  const number = pending++
  void durable.then(() => say({ durable: number }))
}

async function close(session: PGliteSession): Promise<void> {
  await session.close()
  port.close()
}

try {
  const session = await PGliteSession.open((workerData as ThreadData).directory)
  // A statement runs to its end in the turn of the event loop that receives its order, so orders can't overlap.
  port.on('message', (order: Order) => {
    const done = order === 'close' ? close(session) : answer(session, order.messages, order.putsOff)
    done.catch((error: unknown) => say({ failed: messageOf(error) }))
  })
  say('open')
} catch (error) {
  say({ unreadable: messageOf(error) })
}
