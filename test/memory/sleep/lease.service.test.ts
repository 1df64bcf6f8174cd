import { randomUUID } from 'node:crypto'
import { exploreOnce } from '@memory/memory/exploration/explore'
import { withLease } from '@memory/memory/schedule/lease'
import { read, release, take } from '@memory/memory/schedule/lease-store'
import { asTenant } from '@memory/shared/platform/database/database'
import { leaseSeconds } from '@memory/shared/platform/lease'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { getSpace, inSpace } from '../space.ts'
import { plantedPairs, run, storeKeys } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterEach(() => void vi.useRealTimers())

afterAll(() => server.close())

const paths = ['/v1/memory/sleep', '/v1/memory/explore']
const running = { status: 409, body: { detail: 'Consolidation already running' } }

async function newSpace() {
  const ada = await newConformingClient(server)
  await storeKeys(ada, plantedPairs(2, 10))
  const { id } = await getSpace(server, ada)
  return { ada, id, queries: server.context.database.queries }
}

const statusOf = async (ada: Parameters<typeof run>[0]) =>
  (await run(ada, '/v1/memory/brain')).consolidation_status

describe('the consolidation of a space', () => {
  it('runs once at a time: another request for it is refused meanwhile', async () => {
    const { ada, id } = await newSpace()
    expect(await statusOf(ada)).toBe('idle')
    await withLease(server.context.memory, id, async () => {
      for (const path of paths) expect(await ada.post(path)).toMatchObject(running)
      expect(await statusOf(ada)).toBe('consolidating')
      // What only reads goes on.
      await run(ada, '/v1/memory/explore/suggestions')
      await run(ada, '/v1/memory/explore/detect-spurious', {})
    })
    expect(await statusOf(ada)).toBe('idle')
    for (const path of paths) expect((await ada.post(path)).status).toBe(200)
  })

  it('is done by one of several that ask at the same moment', async () => {
    const { ada } = await newSpace()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => ada.post(paths[i % 2] as string, { batch_size: 20 })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses).toContain(409)
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(running)
    expect(await statusOf(ada)).toBe('idle')
  })

  it('holds up no other space', async () => {
    const [one, other] = [await newSpace(), await newSpace()]
    await withLease(server.context.memory, one.id, async () => {
      expect((await other.ada.post('/v1/memory/sleep')).status).toBe(200)
    })
  })

  it('is free again when the time of a holder that crashed is over', async () => {
    const { ada, id, queries } = await newSpace()
    await take(queries, id, randomUUID(), 60)
    expect(await ada.post('/v1/memory/sleep')).toMatchObject(running)
    await inSpace(server, ada, (trx) =>
      sql`update app.consolidations set held_until = now() - interval '1 second'`.execute(trx),
    )
    expect(await statusOf(ada)).toBe('idle')
    expect((await ada.post('/v1/memory/sleep')).status).toBe(200)
  })

  it('stays with a holder that lives, however long a step takes', async () => {
    const { ada, id, queries } = await newSpace()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await withLease(server.context.memory, id, async () => {
      await inSpace(server, ada, (trx) =>
        sql`update app.consolidations set held_until = now() - interval '1 second'`.execute(trx),
      )
      vi.advanceTimersByTime(1_000)
      await until(async () => (await read(queries, id)).running, 'the lease to be renewed')
      expect(await take(queries, id, randomUUID(), leaseSeconds)).toBeUndefined()
    })
    expect((await read(queries, id)).running).toBe(false)
  })

  it('has counted an exploration once its trials are written, also if the process is killed then', async () => {
    const { ada, id, queries } = await newSpace()
    const { memory } = server.context
    const space = { organizationId: ada.organizationId, spaceId: id, spaceVersion: 0, engineVersion: 0 }
    await withLease(memory, id, async (lease) => {
      expect(await exploreOnce(memory, space, lease, 3)).toHaveLength(3)
      expect(await read(queries, id)).toMatchObject({ explored: 1, running: true })
    })
    expect(await read(queries, id)).toMatchObject({ explored: 1, running: false })
  })

  it('is let go of when it fails', async () => {
    const { ada, id } = await newSpace()
    await expect(
      withLease(server.context.memory, id, () => Promise.reject(new Error('failed'))),
    ).rejects.toThrow('failed')
    expect((await ada.post('/v1/memory/sleep')).status).toBe(200)
  })

  it('ends for a holder whose space another has taken over, who keeps it', async () => {
    const { ada, id, queries } = await newSpace()
    const late = withLease(server.context.memory, id, async ({ renew }) => {
      await inSpace(server, ada, (trx) =>
        sql`update app.consolidations set held_until = now() - interval '1 second'`.execute(trx),
      )
      await take(queries, id, randomUUID(), 60)
      await asTenant(queries, { spaceId: id }, renew)
    })
    await expect(late).rejects.toMatchObject({ code: 'consolidation_running' })
    expect(await ada.post('/v1/memory/sleep')).toMatchObject(running)
  })

  it('can be let go of by its holder alone', async () => {
    const { ada, id, queries } = await newSpace()
    await take(queries, id, randomUUID(), 60)
    await release(queries, id, randomUUID(), { nextIdx: 9, explored: 9 })
    expect(await ada.post('/v1/memory/sleep')).toMatchObject(running)
  })
})

describe('scopes', () => {
  it('memory:write consolidates, memory:read reads about it', async () => {
    const reader = await newConformingClient(server, { scopes: ['memory:read'] })
    for (const path of [...paths, '/v1/memory/explore/detect-spurious']) {
      expect(await reader.post(path)).toMatchObject({
        status: 403,
        body: { detail: 'Insufficient scope: memory:write required' },
      })
    }
    await run(reader, '/v1/memory/explore/suggestions')
    await run(reader, '/v1/memory/explore/consolidation-candidates')
    const writer = await newConformingClient(server, { scopes: ['memory:write'] })
    for (const path of [...paths, '/v1/memory/explore/detect-spurious']) {
      expect((await writer.post(path)).status, path).toBe(200)
    }
    for (const path of ['suggestions', 'consolidation-candidates']) {
      expect((await writer.get(`/v1/memory/explore/${path}`)).status).toBe(403)
    }
  })
})
