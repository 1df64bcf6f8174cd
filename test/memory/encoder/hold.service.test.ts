import { EmbeddingAnew } from '@memory/memory/texts/embed-anew'
import { takeToEmbed } from '@memory/memory/texts/embed-anew-store'
import { leaseSeconds } from '@memory/shared/platform/lease'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { asOwner } from '../../platform/open-database.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { getSpace } from '../space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterEach(() => void vi.useRealTimers())

afterAll(() => server.close())

const modelId = 'an encoder of later'
const other = { modelId, name: 'another process' }

describe('a space that is embedded anew', () => {
  it('stays with the process that lives, however long a text takes, and is soon free when it died', async () => {
    const client = await server.newClient()
    await client.store(['Ada lives in Lisbon.'])
    const { id } = await getSpace(server, client)
    const { database, memory, lowPriority } = server.context
    const { queries } = database
    const embedding = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const embed = async () => {
      embedding.resolve()
      await released.promise
      return new Float32Array(384).fill(0.05)
    }
    const compute = { ...memory.compute, modelId, embed } as typeof memory.compute
    const left = async () => {
      const { rows } = await asOwner(queries, (trx) =>
        sql<{
          seconds: number
        }>`select extract(epoch from embedder_until - clock_timestamp())::float8 as seconds
          from app.spaces where id = ${id}`.execute(trx),
      )
      return rows[0]?.seconds ?? NaN
    }
    const lapse = () =>
      asOwner(queries, (trx) =>
        sql`update app.spaces set embedder_until = now() - interval '1 second' where id = ${id}`.execute(trx),
      )
    const take = () => takeToEmbed(queries, id, other, { seconds: leaseSeconds, close: true })

    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const anew = await EmbeddingAnew.begin({ ...memory, compute, lowPriority }, 'this process')
    const running = anew.run(
      () => false,
      () => false,
    )
    await embedding.promise
    expect(await left()).toBeLessThanOrEqual(leaseSeconds)
    expect(await take()).toBeUndefined()
    await lapse()
    vi.advanceTimersByTime(1_000)
    await until(async () => (await left()) > 0, 'the hold to be renewed')
    expect(await left()).toBeLessThanOrEqual(leaseSeconds)
    expect(await take()).toBeUndefined()

    // As if it were killed: nobody renews.
    await lapse()
    expect(await take()).toMatchObject({ closed: true })
    vi.advanceTimersByTime(1_000)
    released.resolve()
    await running
    // What it had in hand is the other's now, and so is left alone.
    const { rows } = await asOwner(queries, (trx) =>
      sql`select s.embedder, s.text_model, p.model = ${modelId} as embedded from app.spaces s
        join app.patterns p on p.space_id = s.id where s.id = ${id}`.execute(trx),
    )
    expect(rows).toEqual([{ embedder: other.name, text_model: '', embedded: false }])
  })
})
