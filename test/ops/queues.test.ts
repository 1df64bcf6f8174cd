import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { addressOf, listen } from '@memory/api/http/server'
import { createOpsServer } from '@memory/api/ops/listener'
import type { QueueWorkers } from '@memory/shared/platform/queue/workers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

let server: TestServer
let ops: Awaited<ReturnType<typeof listen>>
let port: number
let workers: QueueWorkers
let isBroken = true

beforeAll(async () => {
  server = await startServer()
  ops = await listen(createOpsServer(server.context, 'token'), 0, '127.0.0.1', 'OPS_PORT')
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

interface Asked {
  status: number
  body: string
}

const ask = (method: string, path: string, headers: Record<string, string> = {}): Promise<Asked> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers }, (res) => {
      let body = ''
      res.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body }))
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
    expect((await ask(method, path, headers)).status).toBe(403)
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
