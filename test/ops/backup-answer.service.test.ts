import { once } from 'node:events'
import type { Server } from 'node:http'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createOpsServer } from '@memory/api/ops/listener'
import { BackupError } from '@memory/shared/platform/backup/backup-error'
import type { Database } from '@memory/shared/platform/database/database'
import { addressOf, listen } from '@memory/shared/platform/http-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

type CopyTo = NonNullable<Database['copyTo']>

let server: TestServer
let ops: Server | undefined
/** Timers of a listener that nobody waits for. */
let timersAtRest: number

beforeAll(async () => {
  server = await startServer()
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(async () => {
  vi.useRealTimers()
  ops?.closeAllConnections()
  await new Promise((done) => ops?.close(done))
})
afterAll(() => server.close())

/** Asks for a backup a service whose copies are made so. */
async function ask(copyTo: CopyTo | undefined, signal?: AbortSignal) {
  const { copyTo: _, ...database } = server.context.database
  const copying = copyTo === undefined ? {} : { copyTo }
  ops = createOpsServer({ ...server.context, database: { ...database, ...copying } }, 'token')
  await listen(ops, 0, '127.0.0.1', 'OPS_PORT')
  timersAtRest = vi.getTimerCount()
  const response = await fetch(`http://127.0.0.1:${addressOf(ops).port}/ops/backup`, {
    method: 'POST',
    headers: { Authorization: 'Bearer token' },
    body: JSON.stringify({ target: '/nowhere/backup.partial/database' }),
    ...(signal && { signal }),
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  const lines = createInterface({ input: Readable.fromWeb(response.body as never) })[Symbol.asyncIterator]()
  return async () => {
    const { value, done } = await lines.next()
    return done ? 'end' : JSON.parse(value)
  }
}

/** A copy that goes on and ends when it is told to. */
function slowCopy() {
  const copy = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<Parameters<CopyTo>>()
  const copyTo: CopyTo = (...args) => {
    begun.resolve(args)
    return copy.promise
  }
  return { copyTo, begun: begun.promise, ...copy }
}

describe('POST /ops/backup', () => {
  it('tells every other second how far a copy is, however long it takes, and at last that it is done', async () => {
    const { copyTo, begun, resolve } = slowCopy()
    const next = await ask(copyTo)
    const [target, { onProgress }] = await begun
    expect(target).toBe('/nowhere/backup.partial/database')
    expect(await next()).toEqual({ copied_bytes: 0, total_bytes: 0 })
    onProgress?.(10, 100)
    onProgress?.(20, 100)
    const anHour = 3_600_000
    for (let ms = 0; ms < anHour; ms += 2_000) {
      vi.advanceTimersByTime(2_000)
      expect(await next()).toEqual({ copied_bytes: 20, total_bytes: 100 })
    }
    onProgress?.(100, 100)
    resolve()
    expect([await next(), await next()]).toEqual([{ done: true }, 'end'])
    expect(vi.getTimerCount()).toBe(timersAtRest)
  })

  it.each([
    ['what an operator can put right', new BackupError('Another backup is being made.'), 'Another backup is'],
    ['a full disk', Object.assign(new Error('write'), { code: 'ENOSPC' }), 'The disk of /nowhere is full'],
    ['anything else', new Error('secret'), 'the copy failed, and its log says why.'],
  ])('that fails in the middle by %s says so in its last line', async (_, error, detail) => {
    const { copyTo, begun, reject } = slowCopy()
    const next = await ask(copyTo)
    await begun
    await next()
    vi.advanceTimersByTime(2_000)
    expect(await next()).toHaveProperty('copied_bytes')
    reject(error)
    expect([await next(), await next()]).toEqual([
      { detail: expect.stringMatching(new RegExp(`^${detail}`)) },
      'end',
    ])
  })

  it('of a PostgreSQL is refused', async () => {
    const next = await ask(undefined)
    await next()
    expect(await next()).toEqual({ detail: expect.stringMatching(/^it works on a PostgreSQL/) })
  })

  it('is ended when whoever asked hangs up', async () => {
    const { copyTo, begun, reject } = slowCopy()
    const left = new AbortController()
    const next = await ask(copyTo, left.signal)
    const [, { signal }] = await begun
    await next()
    expect(signal.aborted).toBe(false)
    left.abort()
    if (!signal.aborted) await once(signal, 'abort')
    reject(signal.reason)
    await until(() => vi.getTimerCount() === timersAtRest, 'nothing more to be told')
  })
})
