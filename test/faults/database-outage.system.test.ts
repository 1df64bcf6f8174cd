import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Operation } from '@memory/shared/catalogue/operation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { ServiceProcess, startService } from '../process/service-process.ts'
import { Anonymous, newEmail } from '../support/accounts.ts'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { bodyOf, operations, parametersOf, pathWith } from '../support/operations.ts'
import type { Answer } from '../support/requests.ts'
import { until } from '../support/until.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** What is answered all the same: from memory, or because it is not configured. */
const withoutDatabase = ['liveness', 'listSigningKeys', 'receiveBillingEvent']

// The embedded database can't be cut off from its process.
describe.runIf(onPostgres)('F4 while PostgreSQL is down', () => {
  let folder: string
  let database: TestDatabase
  let proxy: TcpProxy
  let settings: { DATABASE_URL: string }
  let service: ServiceProcess

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memory-outage-'))
    database = (await newDatabase()) as TestDatabase
    const url = new URL(database.url)
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
    url.host = `127.0.0.1:${proxy.port}`
    settings = { DATABASE_URL: url.href }
    service = await startService(folder, { ...settings, MEMORY_BOOTSTRAP: 'on' })
  })

  afterAll(async () => {
    await service.stop('SIGKILL')
    proxy.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const store = (text: string) => service.client().post('/v1/memory/text/store', { text })
  const retrieve = () => service.client().post('/v1/memory/text/retrieve', { query: 'Ada' })

  /** An answer and how many seconds it took. */
  async function timed(request: Promise<Answer>): Promise<{ answer: Answer; seconds: number }> {
    const started = performance.now()
    const answer = await request
    return { answer, seconds: (performance.now() - started) / 1_000 }
  }

  function expectUnavailable(
    { answer, seconds }: { answer: Answer; seconds: number },
    within = 2.2,
    what = '',
  ): void {
    expect([what, answer.status, answer.body]).toEqual([what, 503, { detail: 'Service unavailable' }])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThan(within)
  }

  async function expectServiceReturns(): Promise<void> {
    const mended = performance.now()
    await proxy.mend()
    await until(async () => (await store('Ada is back.')).status === 200, 'a store to succeed')
    expect((performance.now() - mended) / 1_000).toBeLessThan(5)
    expect((await retrieve()).status).toBe(200)
    expect((await service.client().get('/readyz')).status).toBe(200)
  }

  it('requests get 503 with Retry-After within 2 s, the process lives, and serves 5 s after the return', async () => {
    expect((await store('Ada moved to Lisbon.')).status).toBe(200)
    proxy.cut()
    for (let round = 0; round < 2; round++) {
      const requests = [...Array.from({ length: 15 }, (_, n) => store(`Lost ${round} ${n}.`)), retrieve()]
      for (const result of await Promise.all(requests.map(timed))) expectUnavailable(result)
    }
    expect((await service.client().get('/healthz')).status).toBe(200)
    expectUnavailable(await timed(service.client().get('/readyz')))
    expect(service.ended).toBe(false)
    await expectServiceReturns()
    const { body } = await service.client().get('/v1/memory/patterns')
    expect(body.patterns.map(({ text }: { text: string }) => text)).toEqual([
      'Ada moved to Lisbon.',
      'Ada is back.',
    ])
  })

  it('so do the requests of every operation, and tokens hold afterwards', async () => {
    const anyone = new Anonymous(service.url)
    const [email, password] = [newEmail(), 'correct horse battery staple']
    const { body } = await anyone.post('/v1/auth/register', { email, password })
    const asUser = { Authorization: `Bearer ${body.access_token}` }
    proxy.cut()
    const ask = (operation: Operation) => {
      const ids = Object.fromEntries(
        parametersOf(operation).map((name) => [name, name === 'pattern_idx' ? '7' : randomUUID()]),
      )
      const query = operation.id === 'emptySpace' ? '?confirm=all' : ''
      const headers = operation.access === 'anyone' ? {} : asUser
      const path = pathWith(operation, ids) + query
      return anyone.request(operation.method.toUpperCase(), path, bodyOf(operation), headers)
    }
    const needing = operations.filter(({ id }) => !withoutDatabase.includes(id))
    expect(needing.length).toBeGreaterThan(100)
    // As many at a time as there are connections to be had, twice.
    for (let at = 0; at < needing.length; at += 20) {
      const group = needing.slice(at, at + 20)
      const results = await Promise.all(group.map((operation) => timed(ask(operation))))
      for (const [n, result] of results.entries()) expectUnavailable(result, 2.2, group[n]?.id)
    }
    const login = { email: newEmail(), password }
    expectUnavailable(await timed(anyone.post('/v1/auth/login', login)))
    await expectServiceReturns()
    expect((await anyone.get('/v1/users/me', asUser)).body.email).toBe(email)
    expect((await anyone.post('/v1/auth/refresh', { refresh_token: body.refresh_token })).status).toBe(200)
  })

  it('a process that takes requests outlives a database that goes away just then', async () => {
    const PORT = String(await freePort())
    const other = new ServiceProcess(join(folder, 'other'), await freePort(), { ...settings, PORT })
    const anyone = new Anonymous(`http://127.0.0.1:${PORT}`)
    // What it would still ask of the database is under way when that goes.
    proxy.slow(100)
    try {
      await until(() => anyone.get('/healthz').catch(() => other.ended), 'it to listen')
      proxy.cut()
      expectUnavailable(await timed(anyone.get('/readyz')))
      await proxy.mend()
      await until(async () => (await anyone.get('/readyz')).status === 200, 'it to serve')
    } finally {
      await other.stop('SIGKILL')
      await expectServiceReturns()
    }
  })

  it('requests get 503 when connections hang instead of breaking, soon after the longest statement may last', async () => {
    expect((await store('Ada moved to Porto.')).status).toBe(200)
    proxy.freeze()
    try {
      expectUnavailable(await timed(store('Lost.')), 8)
      expect((await service.client().get('/healthz')).status).toBe(200)
    } finally {
      await proxy.mend()
    }
    await expectServiceReturns()
  })

  it('requests get 503 and the process lives when connections break in the middle of statements', async () => {
    for (let round = 0; round < 2; round++) {
      expect((await store(`Ada moved to Faro, ${round}.`)).status).toBe(200)
      const before = proxy.swallowed
      proxy.freeze()
      const inHand = ['a', 'b', 'c', 'd'].map((text) => store(text))
      await until(() => proxy.swallowed >= before + inHand.length, 'statements under way')
      proxy.cut()
      const answers = await Promise.all(
        inHand.map((request) =>
          request.then(
            ({ status, headers }) => [status, headers.get('retry-after')],
            (error: Error) => [error.message],
          ),
        ),
      )
      expect(answers, service.stderr).toEqual(
        Array(inHand.length).fill([503, expect.stringMatching(/^[1-9]\d*$/)]),
      )
      await expectServiceReturns()
    }
  })
})
