import { once } from 'node:events'
import { request, type Server } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { createOpsServer } from '@memory/api/ops/listener'
import { useEncoder } from '@memory/memory/texts/embed-anew-store'
import { createOpsListener, type Watched } from '@memory/shared/ops/listener'
import { registerReadiness } from '@memory/shared/ops/metrics'
import { addressOf, listen } from '@memory/shared/platform/http-server'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { loopback } from '../webhooks/support.ts'

let server: TestServer
const opened: Server[] = []

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOW_CIDRS: loopback })
})

afterEach(async () => {
  server.context.leaving = false
  vi.restoreAllMocks()
  for (const each of opened.splice(0)) {
    each.closeAllConnections()
    await new Promise((done) => each.close(done))
  }
})

afterAll(() => server.close())

/** Asks the listener of a process that differs from the service in these. */
async function watch(differences: Partial<Watched> = {}): Promise<(path: string) => Promise<Response>> {
  const ops = createOpsListener({ ...server.context, ...differences })
  opened.push(await listen(ops, 0, '127.0.0.1', 'OPS_PORT'))
  const { port } = addressOf(ops)
  return (path) => fetch(`http://127.0.0.1:${port}${path}`)
}

/** Until mocks are restored. */
function loseDatabase(): void {
  const lost = Object.assign(new Error('lost'), { code: 'ECONNREFUSED' })
  vi.spyOn(server.context.database.queries.getExecutor(), 'executeQuery').mockRejectedValue(lost)
}

const redis = (ping: () => Promise<void>) => ({ kind: 'redis' as const, ping })

describe('an operators’ listener', () => {
  it('says what the API says of health', async () => {
    const ask = await watch()
    for (const path of ['/healthz', '/readyz']) {
      const [own, ofApi] = await Promise.all([ask(path), fetch(server.url + path)])
      expect(own.status).toBe(200)
      expect(await own.json()).toEqual(await ofApi.json())
    }
    expect((await ask('/v1/memory')).status).toBe(404)
  })

  it('is degraded without the job queue, and ready with it', async () => {
    const without = await watch({ queue: redis(() => Promise.reject(new Error('away'))) })
    expect(await (await without('/readyz')).json()).toMatchObject({ status: 'degraded', queue: 'redis' })
    const beside = await watch({ queue: redis(() => Promise.resolve()) })
    expect(await (await beside('/readyz')).json()).toMatchObject({ status: 'ready', queue: 'redis' })
  })

  it('is alive and not ready while the process ends', async () => {
    const ask = await watch({ leaving: true })
    expect((await ask('/healthz')).status).toBe(200)
    expect((await ask('/readyz')).status).toBe(503)
  })

  it('says when to ask again as the API does', async () => {
    const again = async () => {
      const ask = await watch()
      const answers = await Promise.all([ask('/readyz'), fetch(`${server.url}/readyz`)])
      return answers.map(({ status, headers }) => `${status} ${headers.get('Retry-After')}`)
    }
    server.context.leaving = true
    expect(await again()).toEqual(['503 1', '503 1'])
    server.context.leaving = false
    loseDatabase()
    expect(await again()).toEqual(['503 2', '503 2'])
  })

  it.each<[string, Partial<Watched>, Record<string, string>, number]>([
    ['is ready', {}, { memory_ready: '1', memory_degraded: '0' }, 200],
    [
      ...(['misses the job queue', { queue: redis(() => Promise.reject(new Error('away'))) }] as const),
      ...([{ memory_ready: '1', memory_degraded: '1' }, 200] as const),
    ],
    ['ends', { leaving: true }, { memory_ready: '0', memory_degraded: '0' }, 503],
    ['misses the database', {}, { memory_ready: '0' }, 503],
  ])('has gauges for alerts of a process that %s', async (what, differences, gauges, status) => {
    const metrics = { registry: new Registry() }
    const watched = { ...server.context, ...differences, metrics }
    registerReadiness(metrics.registry, watched)
    const ask = await watch(watched)
    if (what === 'misses the database') loseDatabase()
    const text = await (await ask('/metrics')).text()
    expect(
      Object.fromEntries([...text.matchAll(/^(memory_\w+) (\S+)$/gm)].map(([, ...pair]) => pair)),
    ).toEqual(gauges)
    expect((await ask('/readyz')).status).toBe(status)
  })

  it('is not ready once another process was started with another encoder, and names both', async () => {
    const { database, pool } = server.context
    const ask = await watch()
    const ofWorker = await watch({ pool: undefined })
    const answers = async () => {
      const all = [await ask('/readyz'), await fetch(`${server.url}/readyz`)]
      return Promise.all(
        all.map(async (each) => [each.status, each.headers.get('retry-after'), (await each.json()).detail]),
      )
    }
    const ready = async () => /^memory_ready (\d)$/m.exec(await (await ask('/metrics')).text())?.[1]
    try {
      await useEncoder(database.queries, pool.modelId)
      expect(await answers()).toEqual([
        [200, null, undefined],
        [200, null, undefined],
      ])
      await useEncoder(database.queries, 'an encoder of later')
      const detail = expect.stringMatching(
        new RegExp(
          `has the encoder ${pool.modelId.replaceAll(/\W/g, '.')}, and the deployment an encoder of later,`,
        ),
      )
      expect(await answers()).toEqual([
        [503, '2', detail],
        [503, '2', detail],
      ])
      expect(await ready()).toBe('0')
      expect((await ask('/healthz')).status).toBe(200)
      expect((await ofWorker('/readyz')).status).toBe(200)
    } finally {
      await useEncoder(database.queries, pool.modelId)
    }
    expect(await ready()).toBe('1')
  })

  it('asks for those gauges no more than readiness does', async () => {
    const registry = new Registry()
    const ping = vi.fn(async () => {})
    registerReadiness(registry, { ...server.context, queue: redis(ping), leaving: false })
    await registry.metrics()
    expect(ping).toHaveBeenCalledTimes(1)
  })

  it('counts the API as not ready once that is told to end', async () => {
    const ask = await watch()
    const ready = async () => /^memory_ready (\d)$/m.exec(await (await ask('/metrics')).text())?.[1]
    expect(await ready()).toBe('1')
    server.context.leaving = true
    expect(await ready()).toBe('0')
  })

  it('measures what waits in the outbox, and for how long', async () => {
    await server.mails()
    const ask = await watch()
    const outbox = async () => {
      const text = await (await ask('/metrics')).text()
      const read = (pattern: RegExp) => Number(pattern.exec(text)?.[1])
      return {
        due: read(/^memory_outbox_events\{state="due"\} (\S+)$/m),
        lag: read(/^memory_outbox_lag_seconds (\S+)$/m),
      }
    }
    expect(await outbox()).toEqual({ due: 0, lag: 0 })
    // Nobody relays here.
    await newUser(server)
    const waiting = await outbox()
    expect(waiting.due).toBeGreaterThan(0)
    expect(waiting.lag).toBeGreaterThan(0)
    await server.mails()
    expect(await outbox()).toEqual({ due: 0, lag: 0 })
  })

  it('measures deliveries that are due to active webhooks', async () => {
    const ada = await newUser(server)
    const { id } = (await ada.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })).body
    await ada.post(`/v1/webhooks/${id}/test`)
    const ask = await watch()
    const due = async () =>
      Number(
        /^memory_webhook_deliveries\{state="due"\} (\d+)$/m.exec(await (await ask('/metrics')).text())?.[1],
      )
    expect(await due()).toBe(1)
    await ada.patch(`/v1/webhooks/${id}`, { status: 'disabled' })
    expect(await due()).toBe(0)
  })
})

const foreign = [
  ...[
    'evil.example',
    'evil.example:8001',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.localhost',
  ],
  ...[
    '127.0.0.1@evil.example',
    'localhost,evil.example',
    '192.168.1.5:8001',
    '[::2]',
    '0.0.0.0',
    '2130706433',
  ],
  ...[':8001', 'api:8001', 'xn--localhost-'],
]

describe.each(['a worker', 'the API'])(
  'what pages reach by a name that leads to the listener of %s',
  (whose) => {
    let ops: Server
    let port: number

    beforeAll(async () => {
      ops = whose === 'the API' ? createOpsServer(server.context, 'token') : createOpsListener(server.context)
      port = addressOf(await listen(ops, 0, '127.0.0.1', 'OPS_PORT')).port
    })
    afterAll(async () => {
      ops.closeAllConnections()
      await new Promise((done) => ops.close(done))
    })

    const ask = async (
      method: string,
      path: string,
      headers: Record<string, string>,
    ): Promise<[number, string]> => {
      const asked = request({ host: '127.0.0.1', port, method, path, headers }).end()
      const [response] = await once(asked, 'response')
      return [response.statusCode, await text(response)]
    }
    /** What a request answers whose head is written by hand. */
    const send = async (head: string): Promise<string> => {
      const socket = connect(port, '127.0.0.1')
      socket.end(head)
      return text(socket)
    }

    const paths = [
      ['GET', '/healthz'],
      ['GET', '/readyz'],
      ['GET', '/metrics'],
      ['GET', '/ops/queues'],
      ['POST', '/ops/keys'],
      ['POST', '/ops/accounts'],
      ['POST', '/ops/users'],
      ['GET', '/nothing'],
      ['OPTIONS', '/metrics'],
    ] as const

    it.each(paths)('is nothing: %s %s', async (method, path) => {
      for (const host of foreign) {
        expect(await ask(method, path, { Host: host }), host).toEqual([403, '{"detail":"Forbidden"}'])
      }
      for (const origin of ['https://evil.example', 'null', `http://localhost:${port + 1}`]) {
        const [status] = await ask(method, path, { Host: `localhost:${port}`, Origin: origin })
        expect(status, origin).toBe(403)
      }
    })

    it('is for this machine, by each of its names and without one', async () => {
      for (const host of ['localhost', `LOCALHOST:${port}`, '127.0.0.1', '[::1]', `[::1]:${port}`]) {
        for (const path of ['/healthz', '/readyz', '/metrics']) {
          expect((await ask('GET', path, { Host: host }))[0], host + path).toBe(200)
        }
      }
      expect(await send('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
      expect(await send('GET /metrics HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toMatch(
        /^HTTP\/1\.1 403 /,
      )
      expect(await send('GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
      const two = 'Host: localhost\r\nHost: evil.example\r\n'
      expect(await send(`GET /metrics HTTP/1.1\r\n${two}Connection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 40[03] /,
      )
    })
  },
)

describe('what is no request', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
    ['an expectation', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: banana\r\n\r\n'],
    [
      'a compressed body',
      'POST /ops/keys HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('gets an error with the headers of every answer: %s', async (_what, sent) => {
    const ops = await listen(createOpsListener(server.context), 0, '127.0.0.1', 'OPS_PORT')
    opened.push(ops)
    const socket = connect(addressOf(ops).port, '127.0.0.1')
    socket.end(sent)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 4\d\d /)
    for (const header of [
      "Content-Security-Policy: frame-ancestors 'none'",
      'X-Content-Type-Options: nosniff',
    ])
      expect(head).toContain(`\r\n${header}\r\n`)
    expect(JSON.parse(body)).toEqual({ detail: expect.any(String) })
  })
})

// Other systems have no second loopback address until somebody adds it.
describe.runIf(process.platform === 'linux')('a listener at a loopback address of its own', () => {
  it.each(['127.0.0.2', '::'])('answers to the address that it was reached at: %s', async (host) => {
    const ops = await listen(createOpsServer(server.context, 'token'), 0, host, 'OPS_PORT')
    opened.push(ops)
    const { port } = addressOf(ops)
    const ask = async (headers: Record<string, string>) => {
      const asked = request({ host: '127.0.0.2', port, method: 'POST', path: '/ops/users', headers }).end()
      const [response] = await once(asked, 'response')
      return response.statusCode
    }
    for (const own of ['127.0.0.2', `127.0.0.2:${port}`, `localhost:${port}`]) {
      expect(await ask({ Host: own }), own).toBe(401)
    }
    const origin = `http://127.0.0.2:${port + 1}`
    expect(await ask({ Host: `127.0.0.2:${port}`, Origin: origin })).toBe(403)
    for (const other of ['127.0.0.3', ...foreign]) expect(await ask({ Host: other }), other).toBe(403)
  })
})

/** An address of this machine in a network, where it has one. */
const networkAddress = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address

describe.runIf(networkAddress !== undefined)('a listener that OPS_HOST opens to a network', () => {
  let port: number
  const address = networkAddress as string

  beforeAll(async () => {
    const ops = await listen(createOpsServer(server.context, 'token'), 0, '0.0.0.0', 'OPS_PORT')
    port = addressOf(ops).port
    return async () => {
      ops.closeAllConnections()
      await new Promise((done) => ops.close(done))
    }
  })

  /** @param from the address that the request comes from */
  const ask = async (path: string, headers: Record<string, string>, from = address, method = 'GET') => {
    const asked = request({ host: address, port, method, path, headers, localAddress: from }).end()
    const [response] = await once(asked, 'response')
    return response.statusCode as number
  }

  it('answers health and metrics to who names an address or a name of the network', async () => {
    for (const host of ['api:8001', 'memory-api', `${address}:${port}`, '[fd00::2]:8001', 'localhost:8001']) {
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        expect(await ask(path, { Host: host }), host).toBe(200)
      }
    }
  })

  it('answers nothing to pages of sites whose name leads there, or of others', async () => {
    for (const host of ['evil.example', 'evil.example:8001', `${address}.evil.example`, 'api,evil.example']) {
      expect(await ask('/metrics', { Host: host }), host).toBe(403)
    }
    expect(await ask('/metrics', { Host: 'api:8001', Origin: 'https://evil.example' })).toBe(403)
  })

  it('keeps what asks for a credential to this machine', async () => {
    const credential = { Host: 'api:8001', Authorization: 'Bearer token' }
    expect(await ask('/ops/keys', credential, address, 'POST')).toBe(400)
    // From another address than that which it reaches, as a request from another machine is.
    for (const path of ['/ops/keys', '/ops/accounts', '/ops/users']) {
      expect(await ask(path, credential, '127.0.0.1', 'POST'), path).toBe(403)
    }
    expect(await ask('/ops/queues', credential, '127.0.0.1')).toBe(403)
    expect(await ask('/metrics', credential, '127.0.0.1')).toBe(200)
  })
})
