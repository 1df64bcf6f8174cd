import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '@memory/shared/catalogue/limits'
import { endUnread, inOrder } from '@memory/shared/platform/http-connections'
import { refuseMalformed, wellFormed } from '@memory/shared/platform/http-malformed'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { RawConnection, rawRequest } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

function serve(
  listener: RequestListener,
  watch?: (server: Server) => void,
): { url: string; sockets: Socket[] } {
  const server = createServer(listener)
  watch?.(server)
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  server.listen(0)
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

function open(url: string): RawConnection {
  const connection = new RawConnection(url)
  closing.push(() => connection.close())
  return connection
}

const get = (path: string) => rawRequest('GET', path)

describe('requests that a client sends without waiting for answers', () => {
  it('are answered one after the other, in order, bodies included', async () => {
    let [inHand, most] = [0, 0]
    const { url } = serve(
      inOrder(async (req, res) => {
        most = Math.max(most, ++inHand)
        let body = ''
        for await (const chunk of req) body += chunk
        await nextTurn()
        inHand--
        res.end(`<${req.url}${body}>`)
      }),
    )
    const connection = open(url).read()
    const requests = Array.from({ length: 1_000 }, (_, i) =>
      i % 3 === 0 ? rawRequest('POST', `/${i}`, {}, { long: 'x'.repeat(500) }) : get(`/${i}`),
    )
    connection.send(...requests)
    await until(() => connection.statuses.length === 1_000, 'all answers')
    const paths = Array.from(connection.text.matchAll(/<\/(\d+)/g), ([, at]) => Number(at))
    expect(paths).toEqual(Array.from({ length: 1_000 }, (_, i) => i))
    expect(most).toBe(1)
  })

  it('are not read further ahead than a few, however many there are', async () => {
    const held: ServerResponse[] = []
    const { url, sockets } = serve(inOrder((_req, res) => void held.push(res)))
    const connection = open(url).read()
    const burst = Buffer.concat(Array.from({ length: 10_000 }, (_, i) => get(`/${i}`)))
    let isSent = false
    connection.socket.write(Buffer.concat(Array.from({ length: 40 }, () => burst)), () => {
      isSent = true
    })
    await until(() => held.length === 1, 'the first request')
    let answered = 0
    for (; answered < 20; answered++) {
      await until(() => held.length > answered, 'the next request')
      held[answered]?.end('ok')
      await nextTurn()
    }
    for (let i = 0; i < 200; i++) await nextTurn()
    // About as much as is read at once.
    expect(sockets[0]?.bytesRead).toBeLessThan(2 ** 18)
    expect(isSent).toBe(false)
    expect(held.length).toBe(answered + 1)
  })

  it('are not begun when the client has hung up, nor after an answer that ends the connection', async () => {
    const begun: string[] = []
    const held: ServerResponse[] = []
    const { url, sockets } = serve(
      inOrder((req, res) => {
        begun.push(req.url ?? '')
        if (req.url === '/last') {
          res.setHeader('Connection', 'close')
          res.end()
        } else held.push(res)
      }),
    )
    const gone = open(url).send(get('/first'), get('/second'), get('/third'))
    await until(() => held.length === 1, 'the first request')
    gone.close()
    await until(() => sockets[0]?.destroyed, 'the server to notice')
    const ended = open(url).read().send(get('/last'), get('/fourth'))
    await ended.closed
    for (let i = 0; i < 10; i++) await nextTurn()
    expect(begun).toEqual(['/first', '/last'])
  })
})

describe('a client that asks for a tunnel', () => {
  const tunnel = rawRequest('CONNECT', 'example.com:443')
  const refuse = (server: Server) => refuseMalformed(server, {})

  it('and breaks the connection, breaks nothing else', async () => {
    const { url, sockets } = serve(
      inOrder((_req, res) => void res.end()),
      refuse,
    )
    const broken = open(url).send(tunnel)
    await until(() => sockets[0]?.bytesWritten, 'the refusal')
    broken.socket.resetAndDestroy()
    await until(() => sockets[0]?.destroyed, 'the server to notice')
    const other = open(url).read().send(get('/'))
    await until(() => other.statuses.length === 1, 'an answer')
    expect(other.statuses).toEqual([200])
  })

  it('still gets all of the answers to what it asked before, however long', async () => {
    const piece = Buffer.alloc(2 ** 16, 'x')
    const { url } = serve(
      inOrder((_req, res) => {
        let left = 200
        const write = () => {
          for (; left > 0; left--) if (!res.write(piece)) break
          if (left-- > 0) res.once('drain', write)
          else res.end('<end>')
        }
        write()
      }),
      refuse,
    )
    const connection = open(url).read().send(get('/first'), get('/second'), tunnel)
    await connection.closed
    expect(connection.statuses).toEqual([200, 200])
    expect(connection.text.match(/<end>/g)).toHaveLength(2)
  })
})

it.each([
  ['a tunnel', rawRequest('CONNECT', 'example.com:443')],
  ['what can’t be parsed', Buffer.from('hello\r\n\r\n')],
  ['a request without Host', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
])('a client that was refused %s and keeps its side open is hung up on', async (_what, sent) => {
  const server = createServer(
    { requireHostHeader: false },
    inOrder(wellFormed((_req, res) => void res.end(), {})),
  )
  refuseMalformed(server, {})
  server.listen(0)
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  closing.push(() => socket.destroy())
  socket
    .on('error', () => {})
    .resume()
    .write(sent)
  await once(socket, 'end')
  const count = () => new Promise<number>((done) => server.getConnections((_error, open) => done(open)))
  expect(await count()).toBe(1)
  await until(async () => (await count()) === 0, 'the server to close the connection')
})

describe('a client that reads nothing of its answer', () => {
  /** A client that has stopped reading an endless answer, and the server's side of its connection. */
  async function stopReading(watch: typeof endUnread) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const piece = Buffer.alloc(2 ** 16)
    const { url, sockets } = serve((_req, res) => {
      const write = () => {
        while (res.write(piece));
      }
      res.on('drain', write)
      write()
    }, watch)
    const connection = open(url).send(get('/'))
    const socket = await until(() => sockets[0], 'the connection')
    const taken = () => socket.bytesWritten - socket.writableLength
    const isStuck = async () => {
      const before = taken()
      for (let i = 0; i < 50; i++) await nextTurn()
      return before > 0 && socket.writableLength > 0 && taken() === before
    }
    await until(isStuck, 'the buffers to be full')
    const take = async (bytes: number) => {
      const before = taken()
      connection.socket.resume()
      await until(() => taken() >= before + bytes, 'the client to take something')
      connection.socket.pause()
      await until(isStuck, 'the buffers to be full')
    }
    return { socket, take }
  }

  it('is hung up on after half a minute, and one that reads as much as it must is not', async () => {
    const { socket, take } = await stopReading(endUnread)
    for (let round = 0; round < 3; round++) {
      vi.advanceTimersByTime(29_000)
      expect(socket.destroyed).toBe(false)
      await take(limits.leastTakenBytes)
    }
    vi.advanceTimersByTime(32_000)
    expect(socket.destroyed).toBe(true)
  })

  it('is hung up on likewise where it reads a little now and then', async () => {
    // How little a client takes at once is up to the system's buffers.
    const { socket, take } = await stopReading((server) => endUnread(server, Number.MAX_SAFE_INTEGER))
    for (let round = 0; round < 2; round++) {
      vi.advanceTimersByTime(14_000)
      expect(socket.destroyed).toBe(false)
      await take(1)
    }
    vi.advanceTimersByTime(4_000)
    expect(socket.destroyed).toBe(true)
  })

  it('is left alone when nothing is to be read', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const held: ServerResponse[] = []
    const { url, sockets } = serve((_req, res) => void held.push(res), endUnread)
    const connection = open(url).send(get('/')).read()
    await until(() => held.length === 1, 'the request')
    vi.advanceTimersByTime(300_000)
    expect(sockets[0]?.destroyed).toBe(false)
    held[0]?.end('done')
    await until(() => connection.text.includes('done'), 'the answer')
  })
})
