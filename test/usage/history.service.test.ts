import { rollUpUsage, takeUsageSnapshot } from '@memory/identity/usage/keep-usage'
import { readUsageHistory } from '@memory/identity/usage/read-history'
import type { Caller } from '@memory/shared/catalogue/operation'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultsOf, getSpace } from '../memory/space.ts'
import { asOwner } from '../platform/open-database.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { advanceTo } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Point {
  date: string
  api_calls: number
  stores: number
  retrieves: number
  patterns_total: number
  storage_mb: number
}

async function history(client: ConformingClient, period?: string, granularity?: string): Promise<Point[]> {
  const query = new URLSearchParams({ ...(period && { period }), ...(granularity && { granularity }) })
  const { status, body } = await client.get(`/v1/usage/history?${query}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ period: period ?? '30d', granularity: granularity ?? 'daily' })
  return body.data_points
}

const sum = (points: Point[], name: 'api_calls' | 'stores' | 'retrieves') =>
  points.reduce((total, point) => total + point[name], 0)

/** How many rows a space has, of each age that is kept. */
function rowsOf(spaceId: string) {
  return asOwner(server.context.database.queries, async (trx) => {
    const { rows } = await sql<{ calls: number; snapshots: number }>`
      select (select count(*)::int from app.usage_calls where space_id = ${spaceId}) as calls,
             (select count(*)::int from app.usage_snapshots where space_id = ${spaceId}) as snapshots`.execute(
      trx,
    )
    return rows[0]
  })
}

describe('GET /v1/usage/history', () => {
  it('has its points where nothing ever happened', async () => {
    const client = await newConformingClient(server)
    const lengths = async (granularity: string) => {
      const all = await Promise.all(
        ['7d', '30d', '90d', '365d'].map((period) => history(client, period, granularity)),
      )
      const zero = { api_calls: 0, stores: 0, retrieves: 0, patterns_total: 0, storage_mb: 0 }
      for (const point of all.flat()) expect(point).toEqual({ date: point.date, ...zero })
      return all.map(({ length }) => length)
    }
    expect(await history(client)).toHaveLength(30)
    expect(await lengths('daily')).toEqual([7, 30, 90, 365])
    expect(await lengths('hourly')).toEqual([168, 720, 2_160, 8_760])
    const [one, ...more] = await lengths('weekly')
    expect([1, 2]).toContain(one)
    expect(more).toEqual([
      expect.toSatisfy((weeks) => weeks === 5 || weeks === 6),
      expect.toSatisfy((weeks) => weeks === 13 || weeks === 14),
      expect.toSatisfy((weeks) => weeks === 53 || weeks === 54),
    ])
  })

  it('is written in parts, so that a year of hours makes nobody wait for all of it', async () => {
    const client = await newConformingClient(server)
    const { id: spaceId } = await getSpace(server, client)
    const year = { period: '365d', granularity: 'hourly' } as const
    const { parts } = await readUsageHistory(server.context.usage, { spaceId } as Caller, year)
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(65_536)
    expect(JSON.parse(parts.join('')).data_points).toHaveLength(8_760)
  })

  it('counts what happened in the hour, day and week in which it did', async () => {
    const client = await newConformingClient(server)
    advanceTo(server.clock, 8.5 * hourMs)
    const today = server.clock.now().toISOString().slice(0, 10)
    await client.store(['one', 'two'])
    await client.retrieve('q')
    server.clock.advance(2 * hourMs)
    await client.get('/v1/memory/text/stats')
    const hours = (await history(client, '7d', 'hourly')).slice(-3)
    expect(hours).toMatchObject([
      { date: `${today}T08:00:00.000Z`, api_calls: 2, stores: 1, retrieves: 1 },
      { date: `${today}T09:00:00.000Z`, api_calls: 0 },
      { date: `${today}T10:00:00.000Z`, api_calls: 1, stores: 0, patterns_total: 2 },
    ])
    server.clock.advance(dayMs)
    await client.retrieve('q')
    const days = (await history(client, '7d')).slice(-2)
    expect(days).toMatchObject([
      { date: today, api_calls: 3, stores: 1, retrieves: 1 },
      { api_calls: 1, retrieves: 1 },
    ])
    for (const granularity of ['hourly', 'daily', 'weekly']) {
      const points = await history(client, '7d', granularity)
      expect([sum(points, 'api_calls'), sum(points, 'stores'), sum(points, 'retrieves')]).toEqual([4, 1, 2])
    }
    for (const { date } of await history(client, '30d', 'weekly')) expect(new Date(date).getUTCDay()).toBe(1)
  })

  it('shows what the space held when each point ended, and holds now', async () => {
    const client = await newConformingClient(server)
    const note = () => takeUsageSnapshot(server.context.usage)
    const held = async (period: string, granularity: string, last: number) =>
      (await history(client, period, granularity)).slice(-last).map(({ patterns_total }) => patterns_total)
    advanceTo(server.clock, 8.5 * hourMs)
    await note()
    expect(await rowsOf((await getSpace(server, client)).id)).toEqual({ calls: 0, snapshots: 0 })
    await client.store(['one'])
    await note()
    await client.store(['two', 'three'])
    await note()
    server.clock.advance(2 * hourMs)
    // Nothing has changed since: nothing is noted.
    await note()
    const { id, storage_bytes: bytes } = await getSpace(server, client)
    expect((await rowsOf(id))?.snapshots).toBe(1)
    expect(await held('7d', 'hourly', 4)).toEqual([0, 3, 3, 3])
    await client.delete('/v1/memory/patterns?confirm=all')
    expect(await held('7d', 'hourly', 4)).toEqual([0, 3, 3, 0])
    await note()
    server.clock.advance(3 * dayMs)
    await client.store(['four'])
    expect(await held('7d', 'daily', 5)).toEqual([0, 0, 0, 0, 1])
    expect((await history(client, '7d', 'hourly')).at(-3 * 24 - 2)).toMatchObject({
      patterns_total: 3,
      storage_mb: bytes / 1_000_000,
    })
  })

  it('keeps its sums when hours become days, and forgets after 400 days', async () => {
    const client = await newConformingClient(server)
    const other = await newConformingClient(server, { organizationId: client.organizationId })
    advanceTo(server.clock, 0.5 * hourMs)
    const { id } = await getSpace(server, client)
    for (const hour of [0, 5, 22]) {
      advanceTo(server.clock, (hour + 0.6) * hourMs)
      await client.store([`in hour ${hour}`])
      await client.retrieve('q')
      await other.retrieve('q')
      await takeUsageSnapshot(server.context.usage)
    }
    const daily = await history(client)
    expect(sum(daily, 'api_calls')).toBe(9)
    expect(daily.at(-1)).toMatchObject({ api_calls: 9, stores: 3, retrieves: 6, patterns_total: 3 })
    expect(await rowsOf(id)).toEqual({ calls: 6, snapshots: 3 })

    server.clock.advance(8 * dayMs)
    await rollUpUsage(server.context.usage)
    // Eight full days have to lie between.
    expect(await rowsOf(id)).toEqual({ calls: 6, snapshots: 3 })
    advanceTo(server.clock, 0.1 * hourMs)
    const before = await history(client)
    await rollUpUsage(server.context.usage)
    expect(await rowsOf(id)).toEqual({ calls: 2, snapshots: 1 })
    expect(await history(client)).toEqual(before)
    await Promise.all([rollUpUsage(server.context.usage), rollUpUsage(server.context.usage)])
    expect(await history(client)).toEqual(before)
    expect(before.at(-10)).toMatchObject({ api_calls: 9, stores: 3, retrieves: 6, patterns_total: 3 })
    const { body } = await client.get(`/v1/usage/history?period=30d&granularity=hourly`)
    expect(sum(body.data_points, 'api_calls')).toBe(9)

    server.clock.advance(391 * dayMs)
    await rollUpUsage(server.context.usage)
    // What the space holds has not changed since: that stays.
    expect(await rowsOf(id)).toEqual({ calls: 2, snapshots: 1 })
    server.clock.advance(2 * dayMs)
    await client.store(['after a year'])
    await takeUsageSnapshot(server.context.usage)
    await server.context.usage.log.flush()
    await rollUpUsage(server.context.usage)
    expect(await rowsOf(id)).toEqual({ calls: 1, snapshots: 2 })
    expect((await history(client, '365d')).slice(-2)).toMatchObject([
      { patterns_total: 3 },
      { patterns_total: 4 },
    ])
  })

  it.each([
    ['period', '1d', "'7d', '30d', '90d' or '365d'"],
    ['period', '', "'7d', '30d', '90d' or '365d'"],
    ['granularity', 'monthly', "'hourly', 'daily' or 'weekly'"],
  ])('refuses the %s %j', async (name, value, expected) => {
    const client = await newConformingClient(server)
    const answer = await client.get(`/v1/usage/history?${name}=${value}`)
    expect(faultsOf(answer)).toEqual([
      { type: 'enum', loc: ['query', name], msg: `Input should be ${expected}`, ctx: { expected } },
    ])
  })
})
