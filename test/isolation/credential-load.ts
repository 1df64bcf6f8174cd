/**
 * A process that sends requests with the credentials it is given, on several connections without a pause, while its
 * parent ends them.
 */
import { Connection } from '../../bench/support/client.ts'

/** What the parent asks for; each is answered with `inUse` and, after `Ended`, with `Used`. */
export interface Use {
  headers: Record<string, string>
  path: string
  /** Ports of this machine, which take turns over the connections. */
  ports: readonly number[]
  connections: number
  /** Requests that have to be accepted before the parent is told that the credentials are in use. */
  acceptedFirst: number
  /** Requests to be answered that began after the end. */
  answeredAfter: number
}

/** That the credentials were ended, and when: by `sharedMs`. */
export interface Ended {
  endedMs: number
}

export const inUse = 'in use'

/** How many requests were answered with each status. */
export type Statuses = Record<number, number>

export interface Used {
  /** Of requests that began before the end was known, and after it. */
  before: Statuses
  after: Statuses
  sent: number
  /** From the first request to the last answer. */
  ms: number
}

/** A clock that all processes of a machine share. */
export const sharedMs = (): number => Number(process.hrtime.bigint()) / 1e6

interface Answered {
  beganMs: number
  status: number
}

/** @param tell is called once, when the credentials are in use */
async function send(use: Use, end: Promise<Ended>, tell: () => void): Promise<Used> {
  const { ports, path, headers, acceptedFirst, answeredAfter } = use
  const answered: Answered[] = []
  let endedMs: number | undefined
  let [accepted, after] = [0, 0]
  void end.then((ended) => {
    endedMs = ended.endedMs
  })
  const connections = await Promise.all(
    Array.from({ length: use.connections }, (_, i) =>
      Connection.open(ports[i % ports.length] as number, headers),
    ),
  )
  const startedMs = sharedMs()
  await Promise.all(
    connections.map(async (connection) => {
      while (after < answeredAfter) {
        const beganMs = sharedMs()
        const { status, text } = await connection.send('GET', path)
        answered.push({ beganMs, status })
        if (status === 200 && ++accepted === acceptedFirst) tell()
        if (status !== 200 && accepted < acceptedFirst) throw new Error(`Not accepted: ${status} ${text}`)
        if (endedMs !== undefined && beganMs > endedMs) after++
      }
    }),
  )
  const ms = sharedMs() - startedMs
  for (const connection of connections) connection.close()
  const [before, later] = [
    answered.filter(({ beganMs }) => beganMs <= (endedMs as number)),
    answered.filter(({ beganMs }) => beganMs > (endedMs as number)),
  ]
  return { before: count(before), after: count(later), sent: answered.length, ms }
}

function count(answered: readonly Answered[]): Statuses {
  const counts: Statuses = {}
  for (const { status } of answered) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

if (process.send !== undefined && import.meta.main) {
  const report = process.send.bind(process)
  let end: PromiseWithResolvers<Ended> | undefined
  process.on('message', async (message: Use | Ended) => {
    if ('endedMs' in message) {
      end?.resolve(message)
      return
    }
    end = Promise.withResolvers()
    report(await send(message, end.promise, () => report(inUse)))
  })
}
