import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '@memory/shared/catalogue/limits'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Client } from '../support/client.ts'
import { RawConnection, rawRequest } from '../support/raw-http.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let server: TestServer
let connections: RawConnection[] = []

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
afterEach(async () => {
  vi.restoreAllMocks()
  for (const connection of connections) connection.close()
  connections = []
  const { answers, bodies } = server.context.admission
  await until(() => answers.total + bodies.total === 0, 'what was held to be given back')
})

function open(): RawConnection {
  const connection = new RawConnection(server.url)
  connections.push(connection)
  return connection
}

const keyOf = ({ key }: Client) => ({ 'X-API-Key': key })

/** A client of an organization with patterns of the longest values, which a query of one number finds. */
async function newClientWithLongValues(count: number): Promise<Client> {
  const client = await server.newClient()
  const value = Array.from({ length: limits.vectorDimensions }, (_, i) => Math.fround(Math.sin(i + 1)))
  const patterns = Array.from({ length: count }, (_, i) => ({ key: [1], value: [i, ...value.slice(1)] }))
  const { status } = await client.post('/v1/memory/batch/store', { patterns })
  expect(status).toBe(200)
  return client
}

/** A batch whose answer has so many results of about 90 KB. */
const batch = (client: Client, queries: number) =>
  rawRequest('POST', '/v1/memory/batch/retrieve', keyOf(client), {
    queries: Array.from({ length: queries }, () => ({ embedding: [1], top_k: 100 })),
  })

describe('a long answer', () => {
  it('is made as it is sent, whole, and a short one says how long it is', async () => {
    const client = await newClientWithLongValues(20)
    const queries = (count: number) => Array.from({ length: count }, () => ({ embedding: [1], top_k: 20 }))
    const short = await client.post('/v1/memory/batch/retrieve', { queries: queries(1) })
    expect(short.headers.get('content-length')).not.toBeNull()
    const long = await client.post('/v1/memory/batch/retrieve', { queries: queries(10) })
    expect(long.status).toBe(200)
    expect(long.headers.get('content-length')).toBeNull()
    expect(long.headers.get('x-request-id')).not.toBeNull()
    const { results } = long.body
    expect(results).toHaveLength(10)
    for (const each of results) expect(each).toEqual(short.body.results[0])
    expect(results[0].map(({ value }: { value: number[] }) => value[0])).toHaveLength(20)
  })

  it('is broken off when it cannot be made to its end, which the client sees', async () => {
    const client = await newClientWithLongValues(100)
    const { payloads } = server.context.memory
    const find = payloads.find.bind(payloads)
    let reads = 0
    vi.spyOn(payloads, 'find').mockImplementation(async (...args) => {
      if (++reads > 8) throw new Error('broken')
      return find(...args)
    })
    const connection = open().read().send(batch(client, 5))
    await connection.closed
    expect(connection.statuses).toEqual([200])
    expect(connection.text.endsWith('0\r\n\r\n')).toBe(false)
    expect(server.logLines.some((line) => line.includes('answer broken off'))).toBe(true)
  })

  it('that is not read takes a few bytes, and nothing is read for it any more', async () => {
    const client = await newClientWithLongValues(100)
    const other = await server.newClient()
    const { answers } = server.context.admission
    const find = vi.spyOn(server.context.memory.payloads, 'find')
    const most = limits.answerBytesInHand / limits.streamBytes
    const unread = Array.from({ length: most }, () => open().send(batch(client, 25)))
    await until(() => answers.total === limits.answerBytesInHand, 'all of them to be under way')
    // They stop where the buffers between here and there are full.
    let [before, same] = [-1, 0]
    await until(() => {
      same = find.mock.calls.length === before ? same + 1 : 0
      before = find.mock.calls.length
      return same === 20
    }, 'them to wait for their clients')
    // Of 2,500 results each look reads a dozen.
    expect(before / most).toBeLessThan(120)

    const refused = open().read().send(batch(client, 25))
    await until(() => refused.statuses.length === 1, 'the answer to one too many')
    expect(refused.text).toMatch(
      /^HTTP\/1\.1 429 [\s\S]*\r\nRetry-After: 2\r\n[\s\S]*"Too many requests at once"/,
    )
    // What is short is answered, and so is everybody else.
    expect((await client.get('/v1/memory/text/stats')).status).toBe(200)
    expect((await other.get('/v1/memory/patterns')).status).toBe(200)
    const others = open().read().send(batch(other, 25))
    await until(() => others.statuses.length === 1, "another's batch")
    expect(others.statuses).toEqual([200])

    find.mockClear()
    for (const connection of unread) connection.close()
    await until(() => answers.total === 0, 'what was held to be given back')
    expect(find).not.toHaveBeenCalled()
  })

  it('that nobody reads is made a few at a time, and takes no more room than there is', async () => {
    const client = await newClientWithLongValues(100)
    const { answers } = server.context.admission
    const query = rawRequest('POST', '/v1/memory/query', keyOf(client), { embedding: [1], top_k: 100 })
    const { payloads } = server.context.memory
    const find = payloads.find.bind(payloads)
    let [reading, mostReading] = [0, 0]
    vi.spyOn(payloads, 'find').mockImplementation(async (...args) => {
      mostReading = Math.max(mostReading, ++reading)
      await nextTurn()
      reading--
      return find(...args)
    })
    const refusals = () => server.logLines.filter((line) => line.includes('"status":429')).length
    const before = refusals()
    const asked = 60
    const unread = Array.from({ length: asked }, () => open().send(query))
    // Of about 9 MB each.
    const roomFor = Math.floor(limits.answerBytesInHand / 8_500_000)
    await until(() => refusals() - before >= asked - roomFor, 'all others to be refused')
    expect(mostReading).toBeLessThanOrEqual(limits.longAnswersAtOnce)
    expect(answers.total).toBeGreaterThan(limits.answerBytesInHand / 2)
    expect(answers.total).toBeLessThanOrEqual(limits.answerBytesInHand)
    for (const connection of unread) connection.close()
    await until(() => answers.total === 0, 'what was held to be given back')
    expect((await client.post('/v1/memory/query', { embedding: [1], top_k: 100 })).status).toBe(200)
  })

  it('whose client hangs up while it is being made takes no room', async () => {
    const client = await newClientWithLongValues(20)
    const { payloads } = server.context.memory
    const { answers } = server.context.admission
    const find = payloads.find.bind(payloads)
    const [reading, hungUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    vi.spyOn(payloads, 'find').mockImplementation(async (...args) => {
      reading.resolve()
      await hungUp.promise
      return find(...args)
    })
    const query = rawRequest('POST', '/v1/memory/query', keyOf(client), { embedding: [1], top_k: 20 })
    const connection = open().send(query)
    await reading.promise
    expect(answers.total).toBe(limits.streamBytes)
    const ended = () =>
      server.logLines.some((line) => line.includes('"status":499') && line.includes(client.organizationId))
    connection.close()
    await until(ended, 'the service to notice')
    hungUp.resolve()
    await until(() => answers.total === 0, 'what was held to be given back')
  })

  it('made at once is counted while it is not taken: lists and searches', async () => {
    const client = await server.newClient()
    const note = 'x'.repeat(15_000)
    for (let at = 0; at < 200; at += 50) {
      await client.store(
        Array.from({ length: 50 }, (_, i) => ({ text: `Line ${at + i}.`, metadata: { note } })),
      )
    }
    const { answers } = server.context.admission
    const list = rawRequest('GET', '/v1/memory/patterns?limit=200', keyOf(client))
    // 3 MB each: more than the systems' buffers take.
    const unread = Array.from({ length: 30 }, () => open().send(...Array.from({ length: 8 }, () => list)))
    await until(
      () => answers.total > limits.answerBytesInHand - limits.streamBytes - 3_100_000,
      'all there is room for',
    )
    expect(answers.total).toBeLessThanOrEqual(limits.answerBytesInHand)
    for (const connection of unread) connection.close()
  })
})

describe('many requests', () => {
  it('pipelined on one connection delay another organization by few of them', async () => {
    const [flooding, other] = [await server.newClient(), await server.newClient()]
    await flooding.store(Array.from({ length: 50 }, (_, i) => `Line ${i}.`))
    await other.get('/v1/memory/patterns')
    const list = rawRequest('GET', '/v1/memory/patterns?limit=200', keyOf(flooding))
    const flood = open()
      .read()
      .send(...Array.from({ length: 300 }, () => list))
    await until(() => flood.statuses.length > 3, 'the flood')
    const before = flood.statuses.length
    for (let i = 0; i < 3; i++) expect((await other.get('/v1/memory/patterns')).status).toBe(200)
    expect(flood.statuses.length - before).toBeLessThan(100)
    await until(() => flood.statuses.length === 300, 'all answers')
    expect(new Set(flood.statuses)).toEqual(new Set([200]))
  })

  it.each([
    ['lists', (key: string) => rawRequest('GET', '/v1/memory/patterns', { 'X-API-Key': key })],
    [
      'refresh tokens that somebody made up',
      () => rawRequest('POST', '/v1/auth/refresh', {}, { refresh_token: 'x'.repeat(43) }),
    ],
  ])('from many sockets delay another organization by few of them: %s', async (_, request) => {
    const [flooding, other] = [await server.newClient(), await server.newClient()]
    await flooding.get('/v1/memory/patterns')
    await other.get('/v1/memory/patterns')
    const floods = Array.from({ length: 100 }, () => open().read())
    const answered = () => floods.reduce((sum, { statuses }) => sum + statuses.length, 0)
    for (const flood of floods) flood.send(...Array.from({ length: 20 }, () => request(flooding.key)))
    await until(() => answered() > 20, 'the flood')
    const before = answered()
    expect(before).toBeLessThan(1_500)
    expect((await other.get('/v1/memory/patterns')).status).toBe(200)
    expect(answered() - before).toBeLessThan(300)
  })

  it('of a client that hangs up are not begun', async () => {
    const client = await server.newClient()
    const list = rawRequest('GET', '/v1/memory/patterns', keyOf(client))
    const seen = () => server.logLines.filter((line) => line.includes(client.organizationId)).length
    await client.get('/v1/memory/patterns')
    await until(() => seen() === 1, 'the log')
    const flood = open()
      .read()
      .send(...Array.from({ length: 400 }, () => list))
    await until(() => flood.statuses.length > 0, 'the first answer')
    flood.close()
    await client.get('/v1/memory/patterns')
    const after = seen()
    expect(after).toBeLessThan(200)
    for (let i = 0; i < 20; i++) await nextTurn()
    await client.get('/v1/memory/patterns')
    expect(seen()).toBeLessThanOrEqual(after + 2)
  })

  it('of one organization wait for each other and are refused beyond that, and no others are', async () => {
    const [flooding, other] = [await server.newClient(), await server.newClient()]
    for (const client of [flooding, other]) await client.get('/v1/memory/text/stats')
    const { callers, admission } = server.context
    const { authentication } = callers
    const release = Promise.withResolvers<void>()
    const authenticate = authentication.authenticate.bind(authentication)
    vi.spyOn(authentication, 'authenticate').mockImplementation(async (keyHash, scope, count) => {
      const known = await authenticate(keyHash, scope, count)
      if (known.organization_id === flooding.organizationId) await release.promise
      return known
    })
    const beyond = 30
    const most = limits.requestsInHand + limits.requestsWaiting
    const stats = rawRequest('GET', '/v1/memory/text/stats', keyOf(flooding))
    const sent = Array.from({ length: most + beyond }, () => open().read().send(stats))
    const statuses = () => sent.flatMap((each) => each.statuses)
    await until(() => statuses().length === beyond, 'those beyond to be refused')
    expect(admission.waiting).toBe(limits.requestsWaiting)
    expect(new Set(statuses())).toEqual(new Set([429]))
    const [refused] = sent.filter(({ text }) => text !== '')
    expect(refused?.text).toMatch(/\r\nRetry-After: 1\r\n[\s\S]*{"detail":"Too many requests at once"}$/)
    expect((await other.get('/v1/memory/text/stats')).status).toBe(200)
    // As if all of them had come from this address, before it was known whose they are.
    const lane = admission.laneOf(undefined, '127.0.0.1')
    const ofAddress = Array.from({ length: most }, () => admission.admit({ lane }, () => release.promise))
    expect((await fetch(`${server.url}/readyz`)).status).toBe(429)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    release.resolve()
    await Promise.all(ofAddress)
    await until(() => statuses().length === most + beyond, 'all answers')
    expect(statuses().filter((status) => status === 200)).toHaveLength(most)
    expect(admission.waiting).toBe(0)
  })
})

describe('large bodies', () => {
  it('are bounded for an organization, and for others there is room', async () => {
    const [sending, other] = [await server.newClient(), await server.newClient()]
    const { bodies } = server.context.admission
    const begin = (client: Client) =>
      rawRequest('POST', '/v1/memory/batch/store', {
        ...keyOf(client),
        'Content-Type': 'application/json',
        'Content-Length': String(limits.batchBodyBytes),
      })
    const room = limits.bodyBytesInHand / limits.batchBodyBytes
    const senders = Array.from({ length: room }, () => open().read().send(begin(sending)))
    await until(() => bodies.total === limits.bodyBytesInHand, 'them to be let in')
    const refused = open().read().send(begin(sending))
    await until(() => refused.statuses.length === 1, 'one too many to be refused')
    expect(refused.statuses).toEqual([429])
    expect((await sending.store(['Short.'])).length).toBe(1)
    const others = open().read().send(begin(other))
    await until(() => bodies.total > limits.bodyBytesInHand, "another's to be let in")
    expect(others.statuses).toEqual([])
    for (const { statuses } of senders) expect(statuses).toEqual([])
  })
})
