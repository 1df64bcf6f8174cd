import { rollUpUsage } from '@memory/identity/usage/keep-usage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultsOf, getSpace } from '../memory/space.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { advanceTo } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Counts requests of a space that took so long. */
async function took(client: ConformingClient, usage: 'store' | 'recall' | undefined, times: number[]) {
  const { id: spaceId } = await getSpace(server, client)
  const caller = { spaceId, actor: { kind: 'key', keyId: client.keyId } } as const
  for (const ms of times) server.context.usage.log.record({ caller, usage, queries: 0, ms })
}

const latency = async (client: ConformingClient, query = '') =>
  (await client.get(`/v1/usage/latency${query}`)).body

/** 1 to 1,000 ms, in an order of no meaning. */
const times = Array.from({ length: 1_000 }, (_, i) => ((i * 617) % 1_000) + 1)

describe('GET /v1/usage/latency', () => {
  it('is 0 without requests', async () => {
    const client = await newConformingClient(server)
    const none = { p50: 0, p95: 0, p99: 0 }
    expect(await latency(client)).toEqual({
      period: '24h',
      operation: null,
      percentiles: { p50: 0, p75: 0, p90: 0, p95: 0, p99: 0 },
      by_operation: { store: none, retrieve: none, recall: none, explain: none, consolidate: none },
      total_requests: 0,
    })
  })

  it('gives percentiles within 2 % of the exact ones, of all operations and of each', async () => {
    const client = await newConformingClient(server)
    // In two writes, which the database merges.
    await took(client, 'recall', times.slice(0, 300))
    await server.context.usage.log.flush()
    await took(client, 'recall', times.slice(300))
    await took(client, 'store', [5, 5, 5])
    await took(client, undefined, [90_000])
    const recalls = await latency(client, '?operation=recall')
    expect(recalls).toMatchObject({ operation: 'recall', total_requests: 1_000 })
    for (const p of [50, 75, 90, 95, 99]) {
      const error = Math.abs(recalls.percentiles[`p${p}`] / (10 * p) - 1)
      expect(error, `p${p}`).toBeLessThan(0.02)
    }
    expect(recalls.by_operation.recall).toEqual({
      p50: recalls.percentiles.p50,
      p95: recalls.percentiles.p95,
      p99: recalls.percentiles.p99,
    })
    expect(Math.abs(recalls.by_operation.store.p50 / 5 - 1)).toBeLessThan(0.02)
    const all = await latency(client)
    expect(all.total_requests).toBe(1_003)
    expect(all.by_operation).toEqual(recalls.by_operation)
    // Three short ones among a thousand move the middle by little.
    expect(Math.abs(all.percentiles.p50 / 498 - 1)).toBeLessThan(0.02)
  })

  it('measures real requests, of the operations that it names', async () => {
    const client = await newConformingClient(server)
    const started = performance.now()
    await client.store(['one'])
    await client.retrieve('q')
    await client.get('/v1/memory/text/stats')
    const withinMs = performance.now() - started
    const { percentiles, by_operation, total_requests } = await latency(client, '?period=1h')
    expect(total_requests).toBe(2)
    expect(percentiles.p50).toBeGreaterThan(0.1)
    expect(percentiles.p99).toBeLessThan(withinMs * 1.02)
    expect(by_operation.store.p50).toBeGreaterThan(0)
    expect(by_operation.retrieve.p50).toBeGreaterThan(0)
    expect(by_operation.recall.p50).toBe(0)
  })

  it('reaches back as far as the period, and no further', async () => {
    const client = await newConformingClient(server)
    advanceTo(server.clock, 10 * hourMs + minuteMs)
    const totals = async () => {
      const periods = ['1h', '6h', '24h', '7d']
      const answers = await Promise.all(periods.map((period) => latency(client, `?period=${period}`)))
      return answers.map(({ total_requests }) => total_requests)
    }
    await took(client, 'store', [1])
    expect(await totals()).toEqual([1, 1, 1, 1])
    server.clock.advance(50 * minuteMs)
    await took(client, 'store', [1])
    expect(await totals()).toEqual([2, 2, 2, 2])
    server.clock.advance(16 * minuteMs)
    expect(await totals()).toEqual([1, 2, 2, 2])
    server.clock.advance(5 * hourMs)
    expect(await totals()).toEqual([0, 1, 2, 2])
    server.clock.advance(20 * hourMs)
    expect(await totals()).toEqual([0, 0, 0, 2])
    server.clock.advance(8 * 24 * hourMs)
    expect(await totals()).toEqual([0, 0, 0, 0])
  })

  it('keeps its percentiles when minutes become hours, for eight days', async () => {
    const client = await newConformingClient(server)
    advanceTo(server.clock, 10 * hourMs)
    for (let part = 0; part < 10; part++) {
      await took(client, 'recall', times.slice(100 * part, 100 * part + 100))
      server.clock.advance(6 * minuteMs)
    }
    server.clock.advance(30 * hourMs)
    const before = await latency(client, '?period=7d')
    expect(before.total_requests).toBe(1_000)
    await rollUpUsage(server.context.usage)
    expect(await latency(client, '?period=7d')).toEqual(before)
    await rollUpUsage(server.context.usage)
    expect(await latency(client, '?period=7d')).toEqual(before)
  })

  it.each([
    ['period', '30d', "'1h', '6h', '24h' or '7d'"],
    ['operation', 'other', "'store', 'retrieve', 'recall', 'explain' or 'consolidate'"],
    ['operation', '', "'store', 'retrieve', 'recall', 'explain' or 'consolidate'"],
  ])('refuses the %s %j', async (name, value, expected) => {
    const client = await newConformingClient(server)
    const answer = await client.get(`/v1/usage/latency?${name}=${value}`)
    expect(faultsOf(answer)).toEqual([
      { type: 'enum', loc: ['query', name], msg: `Input should be ${expected}`, ctx: { expected } },
    ])
  })
})
