import { randomUUID } from 'node:crypto'
import { localOrganizationId } from '@memory/identity/keys/bootstrap'
import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom } from '../engine/naive.ts'
import type { ServiceProcess } from '../process/service-process.ts'
import type { Client } from '../support/client.ts'
import { until } from '../support/until.ts'
import { type Killable, newKillable } from './killable.ts'
import { listPatterns } from './list-patterns.ts'

const kills = 3
const writers = 6

/** A store request, and what is known of it. */
interface Store {
  path: string
  body: { text: string } | { items: { text: string }[] }
  texts: string[]
  idempotencyKey: string | undefined
  /** The ids it was answered with; undefined while no answer came. */
  ids: string[] | undefined
}

let killable: Killable

beforeAll(async () => {
  killable = await newKillable('kill')
})

afterAll(() => killable.remove())

function newStore(random: () => number, name: string): Store {
  const batch = random() < 0.4
  const texts = Array.from({ length: batch ? 5 : 1 }, (_, n) => `Fact ${name} part ${n}.`)
  return {
    path: `/v1/memory/text/${batch ? 'batch-store' : 'store'}`,
    body: batch ? { items: texts.map((text) => ({ text })) } : { text: texts[0] as string },
    texts,
    idempotencyKey: random() < 0.5 ? randomUUID() : undefined,
    ids: undefined,
  }
}

/** Sends a store; its ids when it was acknowledged. */
async function send(client: Client, store: Store): Promise<{ status: number; ids: string[] }> {
  const headers: Record<string, string> =
    store.idempotencyKey === undefined ? {} : { 'Idempotency-Key': store.idempotencyKey }
  const { status, body } = await client.post(store.path, store.body, headers)
  return { status, ids: status === 200 ? (body.pattern_ids ?? [body.pattern_id]) : [] }
}

/** Stores from several clients at once until the process is killed, in the middle of them. */
async function storeUntilKilled(
  running: ServiceProcess,
  random: () => number,
  round: number,
): Promise<Store[]> {
  const stores: Store[] = []
  const client = running.client()
  const write = async (writer: number) => {
    for (let n = 0; !running.ended; n++) {
      const store = newStore(random, `${round}-${writer}-${n}`)
      stores.push(store)
      try {
        const { status, ids } = await send(client, store)
        expect(status).toBe(200)
        store.ids = ids
      } catch (error) {
        // The connection broke: nobody knows whether it was stored.
        if (!(error instanceof TypeError)) throw error
        return
      }
    }
  }
  const writing = Array.from({ length: writers }, (_, writer) => write(writer))
  const enough = 10 + Math.floor(random() * 25)
  await until(() => stores.filter(({ ids }) => ids !== undefined).length >= enough, 'acknowledged stores')
  await running.stop('SIGKILL')
  await Promise.all(writing)
  return stores
}

async function idsByText(client: Client): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>()
  for (const { text, pattern_id } of await listPatterns(client)) {
    ids.set(text, [...(ids.get(text) ?? []), pattern_id])
  }
  return ids
}

/** Works in the local organization's live space. */
function inSpace<T>(work: Parameters<typeof asTenant<T>>[2]): Promise<T> {
  return killable.look(async ({ queries }) => {
    const spaceId = await asTenant(queries, { organizationId: localOrganizationId }, async (trx) => {
      const space = await sql<{ id: string }>`select id from app.spaces where environment = 'live'`.execute(
        trx,
      )
      return space.rows[0]?.id as string
    })
    return asTenant(queries, { spaceId }, work)
  })
}

describe('kill -9 of the service in the middle of parallel stores', () => {
  it('F1 F3 loses nothing acknowledged, stores nothing half or twice, and keeps the counters right', async () => {
    const seed = Date.now() % 1_000_000
    const random = randomFrom(seed)
    const all: Store[] = []
    let ambiguous = 0
    let service = await killable.start()
    for (let round = 0; round < kills; round++) {
      const stores = await storeUntilKilled(service, random, round)
      all.push(...stores)
      service = await killable.start()
      const client = service.client()

      const unanswered = stores.filter(({ ids }) => ids === undefined)
      ambiguous += unanswered.length
      const before = await idsByText(client)
      for (const { texts } of unanswered) {
        const there = texts.filter((text) => before.has(text)).length
        expect([0, texts.length], `seed ${seed}: all or nothing of ${texts[0]}`).toContain(there)
      }
      // A repetition under the same key gives one effect, whether or not the first had it.
      for (const store of unanswered.filter(({ idempotencyKey }) => idempotencyKey !== undefined)) {
        // On PostgreSQL the claim of a killed request ends some seconds after it.
        const first = await until(async () => {
          const sent = await send(client, store)
          return sent.status === 409 ? undefined : sent
        }, `the claim of ${store.texts[0]} to end`)
        const second = await send(client, store)
        expect(first.status, `seed ${seed}`).toBe(200)
        expect(second).toEqual(first)
        store.ids = first.ids
      }
      for (const store of unanswered.filter(({ ids }) => ids === undefined)) {
        const stored = store.texts.flatMap((text) => before.get(text) ?? [])
        if (stored.length > 0) store.ids = stored
      }
      const expected = all.flatMap(({ texts, ids }) => texts.map((text, n) => [text, [ids?.[n]]] as const))
      const after = await idsByText(client)
      expect(after, `seed ${seed}`).toEqual(new Map(expected.filter(([, ids]) => ids[0] !== undefined)))
      const { body } = await client.get('/v1/memory/text/stats')
      expect(body.total_patterns).toBe(after.size)
    }
    expect(ambiguous).toBeGreaterThan(0)

    const stored = await idsByText(service.client())
    expect((await service.stop('SIGTERM')).code).toBe(0)
    const recount = await inSpace(async (trx) => {
      const { rows } = await sql`select
        s.patterns_used = count(p.idx) as used_right, s.storage_bytes = sum(p.bytes) as bytes_right,
        s.next_idx > max(p.idx) as idx_right, s.version >= max(p.version) as version_right,
        count(p.idx)::int as patterns,
        (select count(*)::int from app.idempotency_keys where status is null) as claims
        from app.spaces s join app.patterns p on p.space_id = s.id group by s.id`.execute(trx)
      return rows
    })
    expect(recount).toEqual([
      {
        used_right: true,
        bytes_right: true,
        idx_right: true,
        version_right: true,
        patterns: stored.size,
        claims: 0,
      },
    ])
  })
})
