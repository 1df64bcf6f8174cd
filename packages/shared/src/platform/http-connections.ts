import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../catalogue/limits.ts'

interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  arrivedMs: number
}

interface Connection {
  /** The request that is being answered. */
  current: Exchange | undefined
  /** Requests that were read from the socket before it was their turn. */
  readonly waiting: Exchange[]
  /** Whether `holdBack` has added its listener. */
  isWatched: boolean
  /** Whether the connection ends after the last of these answers, because what the client sent next is no request. */
  isEnding: boolean
}

/** While this many requests of a connection wait, no more are read from it. */
const aheadMax = 4
/** The most waiting requests of all connections together. One more is a flood: its connection is closed. */
const aheadInAll = 20_000

const connections = new WeakMap<Socket, Connection>()
let aheadCount = 0

/**
 * Answers the requests of a connection one at a time: each begins only when the answer before it was sent. Without this, when
 * a client pipelines requests (sends several without waiting), Node starts all that it has read at once, and buffers their
 * answers in memory until the earlier ones are sent.
 */
export function inOrder(answer: RequestListener): RequestListener {
  const begin = (connection: Connection, exchange: Exchange) => {
    const { req, res } = exchange
    connection.current = exchange
    res.once('close', () => goOn(connection, req.socket))
    answer(req, res)
  }
  const goOn = (connection: Connection, socket: Socket) => {
    connection.current = undefined
    const { waiting } = connection
    if (waiting.length === 0) {
      if (connection.isEnding) socket.destroySoon()
      return
    }
    // The socket is closed, or closes after this answer: the waiting requests can't be answered.
    if (!socket.writable) {
      aheadCount -= waiting.length
      waiting.length = 0
      return
    }
    const next = waiting.shift()
    aheadCount--
    if (waiting.length < aheadMax) socket.resume()
    if (next !== undefined) begin(connection, next)
  }
  return (req, res) => {
    const { socket } = req
    let connection = connections.get(socket)
    if (connection === undefined) {
      connection = { current: undefined, waiting: [], isWatched: false, isEnding: false }
      connections.set(socket, connection)
    }
    const exchange = { req, res, arrivedMs: performance.now() }
    if (connection.current === undefined) {
      begin(connection, exchange)
      return
    }
    if (aheadCount >= aheadInAll) {
      socket.destroy()
      return
    }
    aheadCount++
    connection.waiting.push(exchange)
    if (connection.waiting.length >= aheadMax) holdBack(connection, socket)
  }
}

/** When a request was read from its connection (before it waited for its turn), on the scale of `performance.now()`. */
export function arrivedMsOf({ socket }: IncomingMessage): number {
  return connections.get(socket)?.current?.arrivedMs ?? performance.now()
}

/**
 * For a client whose latest bytes are no request: its earlier requests are still answered, then the connection ends.
 * @returns false when no earlier request is unanswered
 */
export function endAnswered(socket: Socket): boolean {
  const connection = connections.get(socket)
  const { current } = connection ?? {}
  if (connection === undefined || !current?.req.complete) return false
  if (connection.isEnding) return true
  connection.isEnding = true
  const { waiting } = connection
  // The body of this last request is what can't be parsed, so it has no answer either.
  if (waiting.at(-1)?.req.complete === false) {
    waiting.pop()
    aheadCount--
  }
  const { res } = waiting.at(-1) ?? current
  if (!res.headersSent) res.setHeader('Connection', 'close')
  return true
}

/** Tells the answer in progress that its client has taken what was written, on a socket on which Node no longer does. */
export function passDrain(socket: Socket): void {
  socket.on('drain', () => connections.get(socket)?.current?.res.emit('drain'))
}

/** Whether an answer can still be written directly to the socket: no other answer has been begun on it. */
export function canAnswerLast(socket: Socket): boolean {
  return !connections.get(socket)?.current?.res.headersSent
}

/** Whether a request of this connection is being worked on, with nothing of its answer written yet. */
export function isUnanswered(socket: Socket): boolean {
  const current = connections.get(socket)?.current
  return current !== undefined && !current.res.headersSent
}

/** Pauses reading, again and again: Node itself resumes a socket after each request that it has read or answered. */
function holdBack(connection: Connection, socket: Socket): void {
  socket.pause()
  if (connection.isWatched) return
  connection.isWatched = true
  socket.on('resume', () => {
    if (connection.waiting.length >= aheadMax) socket.pause()
  })
}

/**
 * Closes connections whose client stops reading its answer, or hardly reads, which would otherwise stay in memory without limit.
 * @param leastBytes that a client takes within `limits.unreadAnswerMs` while something is pending
 */
export function endUnread(server: Server, leastBytes: number = limits.leastTakenBytes): void {
  /**
   * Since when something is pending, or the client last had taken `leastBytes`, and how many bytes it had taken then; `sinceMs`
   * is 0 while nothing is pending.
   */
  const sockets = new Map<Socket, { taken: number; sinceMs: number }>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { taken: 0, sinceMs: 0 })
    socket.once('close', () => sockets.delete(socket))
  })
  const look = setInterval(() => {
    const now = performance.now()
    for (const [socket, last] of sockets) {
      const pending = socket.writableLength
      const taken = socket.bytesWritten - pending
      if (pending === 0 || taken - last.taken >= leastBytes || last.sinceMs === 0) {
        last.taken = taken
        last.sinceMs = pending === 0 ? 0 : now
      } else if (now - last.sinceMs >= limits.unreadAnswerMs) socket.destroy()
    }
  }, 1_000)
  look.unref()
  server.once('close', () => clearInterval(look))
}
