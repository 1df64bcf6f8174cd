import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../catalogue/limits.ts'

interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  arrivedMs: number
}

interface Connection {
  /** What is being answered. */
  current: Exchange | undefined
  /** Read from the socket before the answer to the one before was taken. */
  readonly waiting: Exchange[]
  isWatched: boolean
  /** Nothing that comes after these can be read: with the last answer the connection ends. */
  isEnding: boolean
}

/** Requests read ahead of one connection, beyond which no more is read from it until they are fewer. */
const aheadMax = 4
/** Read ahead of all connections: one more is a flood, and its connection ends. */
const aheadInAll = 20_000

const connections = new WeakMap<Socket, Connection>()
let aheadCount = 0

/**
 * Answers the requests of a connection one after the other, each when the client's system has taken the answer to the one
 * before. Node hands out all requests that a client sends without waiting (pipelining) at once, as many as fit into what
 * it reads, and keeps their answers until those before are sent.
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
    // It was closed, or ends with this answer.
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

/** When the request that is being answered on a connection was read from it, on the scale of `performance.now()`. */
export function arrivedMsOf({ socket }: IncomingMessage): number {
  return connections.get(socket)?.current?.arrivedMs ?? performance.now()
}

/**
 * Where what a client sent last can't be read: what it asked before is answered, and then the connection ends.
 * @returns false where nothing that it asked before is unanswered
 */
export function endAnswered(socket: Socket): boolean {
  const connection = connections.get(socket)
  const { current } = connection ?? {}
  if (connection === undefined || !current?.req.complete) return false
  if (connection.isEnding) return true
  connection.isEnding = true
  const { waiting } = connection
  // Its body is what can't be read.
  if (waiting.at(-1)?.req.complete === false) {
    waiting.pop()
    aheadCount--
  }
  const { res } = waiting.at(-1) ?? current
  if (!res.headersSent) res.setHeader('Connection', 'close')
  return true
}

/** Whether what is written to a socket now answers what the client sent last: no answer to it has begun. */
export function canAnswerLast(socket: Socket): boolean {
  return !connections.get(socket)?.current?.res.headersSent
}

/** Whether a request of this connection is being answered and nothing of the answer was written yet. */
export function isUnanswered(socket: Socket): boolean {
  const current = connections.get(socket)?.current
  return current !== undefined && !current.res.headersSent
}

/** Node itself makes a socket go on after each request that it has read or answered. */
function holdBack(connection: Connection, socket: Socket): void {
  socket.pause()
  if (connection.isWatched) return
  connection.isWatched = true
  socket.on('resume', () => {
    if (connection.waiting.length >= aheadMax) socket.pause()
  })
}

/**
 * Ends connections whose client takes nothing of an answer for a while, which else would keep it in memory for as long as
 * they like.
 */
export function endUnread(server: Server, unreadMs: number = limits.unreadAnswerMs): void {
  /** When more of an answer was last taken, and how many bytes of the connection had been by then. */
  const sockets = new Map<Socket, { taken: number; sinceMs: number }>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { taken: 0, sinceMs: 0 })
    socket.once('close', () => sockets.delete(socket))
  })
  const look = setInterval(
    () => {
      const now = performance.now()
      for (const [socket, last] of sockets) {
        const pending = socket.writableLength
        const taken = socket.bytesWritten - pending
        if (pending === 0 || taken !== last.taken || last.sinceMs === 0) {
          last.taken = taken
          last.sinceMs = pending === 0 ? 0 : now
        } else if (now - last.sinceMs >= unreadMs) socket.destroy()
      }
    },
    Math.min(1_000, unreadMs),
  )
  look.unref()
  server.once('close', () => clearInterval(look))
}
