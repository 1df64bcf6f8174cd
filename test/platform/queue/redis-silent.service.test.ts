import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { inspectRedis, requireRedis } from '@memory/shared/platform/queue/redis-backend'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

describe.each([
  ['as soon as it has taken a connection', 0],
  ['once it has said what it is', 1],
])('a Redis that stands still %s', (_when, answers) => {
  let server: Server
  let url: string
  let sockets: Socket[]
  let silent: Promise<void>

  beforeEach(async () => {
    sockets = []
    const fallsSilent = Promise.withResolvers<void>()
    silent = fallsSilent.promise
    server = createServer((socket) => {
      sockets.push(socket)
      let asked = 0
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        for (const [, command] of String(chunk).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
          asked += command === 'client' ? 0 : 1
          if (asked > answers) fallsSilent.resolve()
          else socket.write(command === 'info' ? '$19\r\nredis_version:7.2.0\r\n' : '+OK\r\n')
        }
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  afterEach(async () => {
    vi.useRealTimers()
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  })

  it.each([
    [
      'a start',
      requireRedis,
      5_000,
      /^Redis at REDIS_URL can't be used \(it did not answer within 5 s\): start/,
    ],
    ['a look', inspectRedis, 2_000, /^it did not answer within 2 s$/],
  ] as const)('is waited for by %s no longer than it has', async (_, ask, boundMs, message) => {
    const outcome = ask(url).then(
      () => 'answered',
      (error: Error) => error.message,
    )
    await silent
    await vi.advanceTimersByTimeAsync(boundMs)
    expect(await outcome).toMatch(message)
  })
})

it('a Redis that still reads its data is there, for a start and for a look', async () => {
  const loading = '-LOADING Redis is loading the dataset in memory\r\n'
  const info = 'redis_version:7.2.0\r\nloading:1\r\n'
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      for (const [, command] of String(chunk).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(
          command === 'info' ? `$${info.length}\r\n${info}\r\n` : command === 'ping' ? loading : '+OK\r\n',
        )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await requireRedis(url)).toEqual([])
  expect(await inspectRedis(url)).toMatchObject({ version: '7.2.0' })
  await new Promise((done) => server.close(done))
})
