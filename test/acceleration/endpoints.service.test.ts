import { accel } from '@memory/accel'
import { Acceleration } from '@memory/memory/acceleration/service'
import { operations } from '@memory/memory/acceleration/workloads'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const status = '/v1/memory/acceleration/status'
const benchmark = '/v1/memory/acceleration/benchmark'

let server: TestServer
let ada: ConformingClient

beforeAll(async () => {
  server = await startServer()
  ada = await newConformingClient(server)
})

afterEach(() => vi.restoreAllMocks())

afterAll(() => server.close())

const isNative = accel !== null

/** What a result says, but for the numbers. */
const timing = isNative
  ? { rust_ms: expect.any(Number), python_ms: expect.any(Number), speedup: expect.any(Number) }
  : { rust_ms: null, python_ms: expect.any(Number), speedup: null }

describe('GET /v1/memory/acceleration/status', () => {
  it('says which kernels are in use, and holds no factor that was not measured', async () => {
    const fresh = new Acceleration(server.context.pool).status()
    expect(fresh).toEqual({
      rust_available: isNative,
      operations_accelerated: isNative ? operations : [],
      speedup_factors: {},
      fallback_to_python: !isNative,
    })
    expect(Object.keys((await ada.get(status)).body)).toEqual(Object.keys(fresh))
  })

  it('has a factor for every operation when the start’s measurement is over', async () => {
    await server.context.acceleration.measureAtStart()
    const { speedup_factors } = (await ada.get(status)).body
    expect(Object.keys(speedup_factors)).toEqual(isNative ? operations : [])
    for (const factor of Object.values(speedup_factors)) expect(factor).toBeGreaterThan(0)
  })

  it('needs memory:read', async () => {
    const reader = await newConformingClient(server, { scopes: ['memory:read'] })
    expect((await reader.get(status)).status).toBe(200)
    const runner = await newConformingClient(server, { scopes: ['ops:run'] })
    expect((await runner.get(status)).status).toBe(403)
  })
})

describe('POST /v1/memory/acceleration/benchmark', () => {
  it('runs cosine, einsum and hdc_bind a hundred times when nothing is said', async () => {
    const { status, body } = await ada.post(benchmark)
    expect(status).toBe(200)
    expect(body).toEqual({
      results: { cosine: timing, einsum: timing, hdc_bind: timing },
      n_iterations: 100,
      total_duration_ms: expect.any(Number),
    })
  })

  it('runs what is asked for as often as it is asked for', async () => {
    const { body } = await ada.post(benchmark, { operations, n_iterations: 3 })
    expect(Object.keys(body.results)).toEqual(operations)
    for (const operation of operations) expect(body.results[operation], operation).toEqual(timing)
    expect(body.n_iterations).toBe(3)
  })

  it('takes a repeated operation once', async () => {
    const { body } = await ada.post(benchmark, { operations: ['slerp', 'slerp'], n_iterations: 1 })
    expect(body).toMatchObject({ results: { slerp: timing }, n_iterations: 1 })
  })

  it.skipIf(!isNative)('puts the factor that it measured into the status', async () => {
    const { results } = (await ada.post(benchmark, { operations: ['cosine'], n_iterations: 50 })).body
    const { rust_ms, python_ms, speedup } = results.cosine
    expect(speedup).toBeCloseTo(python_ms / rust_ms, 9)
    expect((await ada.get(status)).body.speedup_factors.cosine).toBe(speedup)
  })

  it.each([
    [{ operations: ['cosine', 'fourier'] }, ['body', 'operations', 1], 'enum'],
    [{ operations: [] }, ['body', 'operations'], 'too_short'],
    [{ operations: 'cosine' }, ['body', 'operations'], 'list_type'],
    [{ n_iterations: 0 }, ['body', 'n_iterations'], 'greater_than_equal'],
    [{ n_iterations: 10_001 }, ['body', 'n_iterations'], 'less_than_equal'],
    [{ n_iterations: 1.5 }, ['body', 'n_iterations'], 'int_from_float'],
  ])('refuses %j', async (body, loc, type) => {
    const answer = await ada.post(benchmark, body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toEqual([expect.objectContaining({ loc, type })])
  })

  it('needs ops:run', async () => {
    const client = await newConformingClient(server, { scopes: ['memory:read', 'memory:write'] })
    const answer = await client.post(benchmark, {})
    expect(answer).toMatchObject({ status: 403, body: { detail: 'Insufficient scope: ops:run required' } })
  })

  it('lets other requests through while it runs, even those that need its only thread, and runs alone', async () => {
    const measure = vi.spyOn(server.context.pool, 'measure')
    const hangUp = new AbortController()
    let ended = false
    const long = fetch(server.url + benchmark, {
      method: 'POST',
      headers: { 'X-API-Key': ada.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ operations, n_iterations: 10_000 }),
      signal: hangUp.signal,
    }).finally(() => {
      ended = true
    })
    await until(() => measure.mock.calls.length > 0, 'the benchmark to begin')

    expect((await ada.get('/healthz')).status).toBe(200)
    expect((await ada.post('/v1/memory/text/embed', { text: 'Meanwhile.' })).status).toBe(200)
    const ben = await newConformingClient(server)
    const refused = await ben.post(benchmark, {})
    expect(refused).toMatchObject({ status: 409, body: { detail: 'Benchmark already running' } })
    expect(ended).toBe(false)

    hangUp.abort()
    await expect(long).rejects.toThrow()
    const next = () => ben.post(benchmark, { operations: ['slerp'], n_iterations: 1 })
    await until(async () => (await next()).status === 200, 'the abandoned benchmark to end')
  })

  it('waits for the start’s measurement', async () => {
    const measure = vi.spyOn(server.context.pool, 'measure')
    const starting = server.context.acceleration.measureAtStart()
    const { status } = await ada.post(benchmark, { operations: ['hopfield'], n_iterations: 1 })
    await starting
    expect(status).toBe(200)
    const organizations = measure.mock.calls.map(([requester]) => requester.organizationId)
    expect(organizations.slice(organizations.indexOf(ada.organizationId))).toEqual([
      ada.organizationId,
      ada.organizationId,
    ])
  })

  it('is free to run again after one that failed', async () => {
    vi.spyOn(server.context.pool, 'measure').mockRejectedValueOnce(new Error('they disagree'))
    const failed = await ada.post(benchmark, { n_iterations: 1 })
    expect(failed).toMatchObject({ status: 500, body: { detail: 'Internal server error' } })
    expect((await ada.post(benchmark, { n_iterations: 1 })).status).toBe(200)
  })
})
