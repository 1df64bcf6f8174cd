import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { createOpsServer } from '@memory/api/ops/listener'
import { addressOf, listen } from '@memory/shared/platform/http-server'
import type { QueueWorkers } from '@memory/shared/platform/queue/workers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let server: TestServer
let ops: Awaited<ReturnType<typeof listen>>
let port: number
let workers: QueueWorkers
let isBroken = true

beforeAll(async () => {
  server = await startServer({ MEMORY_PLATFORM_ADMINS: admin })
  ops = await listen(createOpsServer(server.context, token), 0, '127.0.0.1', 'OPS_PORT')
  port = addressOf(ops).port
  workers = await server.context.queue.work({
    types: [],
    handle: async () => {
      if (isBroken) throw new Error('broken')
    },
  })
})

afterAll(async () => {
  await workers.stop()
  ops.closeAllConnections()
  await new Promise((done) => ops.close(done))
  await server.close()
})

const token = 'the token of this start'
const admin = 'root@example.com'

interface Asked {
  status: number
  headers: IncomingHttpHeaders
  challenge: string | undefined
  body: string
}

const basic = (password: string, name = 'ops') => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

/** Asks as an operator, unless the headers say otherwise. */
const ask = (method: string, path: string, headers: Record<string, string> = basic(token)): Promise<Asked> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers }, (res) => {
      let body = ''
      res.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          challenge: res.headers['www-authenticate'],
          body,
        }),
      )
    })
      .on('error', reject)
      .end()
  })

const counts = async () => (await server.context.queue.counts()).tiers

describe('what operators see of the job queue', () => {
  it('is a page with the queues, their failed jobs and a way to do those again', async () => {
    const id = await server.context.queue.add('migrate-tiers', { spaceId: randomUUID() })
    await until(async () => (await counts()).failed === 1, 'the failed job')
    const page = await ask('GET', '/ops/queues')
    expect(page.status).toBe(200)
    expect(page.body).toContain('Memory Service')
    const { status, body } = await ask('GET', '/ops/queues/api/queues?activeQueue=tiers&status=failed&page=1')
    expect(status).toBe(200)
    const { queues } = JSON.parse(body) as {
      queues: { name: string; counts: Record<string, number>; jobs: { id: string; failedReason: string }[] }[]
    }
    expect(queues.map(({ name }) => name)).toEqual(['spaces', 'tiers', 'chores'])
    const tiers = queues.find(({ name }) => name === 'tiers')
    expect(tiers?.counts).toMatchObject({ failed: 1 })
    expect(tiers?.jobs).toMatchObject([{ id, failedReason: 'broken' }])
    isBroken = false
    expect((await ask('PUT', `/ops/queues/api/queues/tiers/${id}/retry`)).status).toBeLessThan(300)
    await until(async () => (await counts()).completed === 1, 'the job, done again')
  })

  it('loads its scripts and styles from here', async () => {
    const { body } = await ask('GET', '/ops/queues/')
    const assets = [...body.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path]) => path as string)
    expect(assets.length).toBeGreaterThan(0)
    for (const asset of assets) {
      const path = new URL(asset, 'http://x/ops/queues/').pathname
      expect((await ask('GET', path)).status, path).toBe(200)
    }
  })

  it.each([
    ['by a name that leads here', 'GET', { Host: 'evil.example' }],
    ['by a name that begins like ours', 'GET', { Host: 'localhost.evil.example' }],
    ['from another origin', 'PUT', { Origin: 'https://evil.example' }],
    ['from another port', 'PUT', { Origin: 'http://127.0.0.1:1' }],
    ['from nowhere', 'PUT', { Origin: 'null' }],
  ])('is not for pages that reach it %s', async (_, method, headers) => {
    const path = method === 'GET' ? '/ops/queues' : '/ops/queues/api/queues/tiers/pause'
    expect((await ask(method, path, { ...basic(token), ...headers })).status).toBe(403)
  })

  it('is shown within no other page', async () => {
    for (const path of ['/ops/queues', '/ops/queues/api/queues', '/metrics', '/nothing']) {
      const { headers } = await ask('GET', path)
      expect(headers, path).toMatchObject({
        'content-security-policy': "frame-ancestors 'none'",
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  const status = async (headers: Record<string, string>) => {
    const answer = await ask('GET', '/ops/queues/api/queues', headers)
    expect(answer.challenge).toBe(
      answer.status === 401 ? 'Basic realm="Memory Service", charset="UTF-8"' : undefined,
    )
    return answer.status
  }

  it('is for who holds the token of this start, whatever name is given', async () => {
    expect(await status(basic(token))).toBe(200)
    expect(await status(basic(token, ''))).toBe(200)
    for (const wrong of [{}, basic(''), basic(token.slice(1)), basic(`${token}.`), basic(`x:${token}`)]) {
      expect(await status(wrong)).toBe(401)
    }
    expect(await status({ Authorization: `Bearer ${token}` })).toBe(401)
    expect(await status({ Authorization: `Basic ${Buffer.from(token).toString('base64')}` })).toBe(401)
    expect((await ask('PUT', '/ops/queues/api/queues/tiers/pause', {})).status).toBe(401)
  })

  it('is for platform admins by their access token, as long as their session lasts, and for no other user', async () => {
    const [root, ada] = [await newUser(server, { email: admin }), await newUser(server)]
    expect(await status(basic(root.accessToken))).toBe(200)
    expect(await status(basic(ada.accessToken))).toBe(401)
    expect(await status(basic((await server.newClient()).key))).toBe(401)
    expect((await root.post('/v1/auth/logout')).status).toBe(200)
    expect(await status(basic(root.accessToken))).toBe(401)
  })

  it('is in the metrics', async () => {
    const { body } = await ask('GET', '/metrics')
    expect(body).toMatch(/^memory_queue_jobs\{queue="tiers",state="completed"\} 1$/m)
    expect(body).toMatch(/^memory_queue_jobs\{queue="spaces",state="waiting"\} 0$/m)
    expect(body).toMatch(/^memory_queue_jobs_total\{queue="tiers",outcome="completed"\} 1$/m)
    expect(body).toMatch(/^memory_queue_jobs_total\{queue="tiers",outcome="failed"\} 1$/m)
  })

  it('is not on the API’s own address', async () => {
    for (const path of ['/ops/queues', '/ops/queues/api/queues']) {
      expect((await fetch(`${server.url}${path}`)).status).toBe(404)
    }
  })
})
