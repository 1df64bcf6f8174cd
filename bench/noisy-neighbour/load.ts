/**
 * One organization's load on a service, in a process of its own, each connection asking again as soon as it is answered,
 * until the parent says that it is over. It yields the processor to the service: its clients would have their own.
 */
import { Agent, request } from 'node:http'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type LoadRequest, loads } from './loads.ts'

export interface LoadOrder {
  name: string
  port: number
  key: string
}

/** What was answered, by status. */
export type LoadAnswers = Record<number, number>

/** Who is refused or told to wait asks again after this. */
const patienceMs = 50

setPriority(10)
const answers: LoadAnswers = {}
let over = false
process.on('message', (message: LoadOrder | 'stop') => {
  if (message === 'stop') over = true
  else void run(message)
})

async function run({ name, port, key }: LoadOrder): Promise<void> {
  const load = loads[name]
  if (load === undefined) throw new Error(`There is no load ${name}.`)
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections })
  const next = load.requests()
  let at = 0
  process.send?.('ready')
  const askAgain = async () => {
    while (!over) {
      const status = await send(next(at++), { port, key, agent })
      answers[status] = (answers[status] ?? 0) + 1
      if (status >= 400) await delay(patienceMs)
    }
  }
  await Promise.race([Promise.all(Array.from({ length: load.connections }, askAgain)), untilOver()])
  process.send?.(answers, () => process.exit(0))
}

/** Who stops hangs up: what takes long is not waited for. */
async function untilOver(): Promise<void> {
  while (!over) await delay(50)
}

/** The status of the answer, which is read and thrown away; 0 for none. */
function send(
  { method, path, body }: LoadRequest,
  { port, key, agent }: { port: number; key: string; agent: Agent },
): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      answer.resume()
      answer.once('close', () => resolve(answer.statusCode ?? 0))
    })
    sent.once('error', () => resolve(0))
    sent.end(body)
  })
}
