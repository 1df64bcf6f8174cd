import type { Use } from '@memory/engine/learning/learning-update'
import { Learning } from '@memory/memory/learning/learning'
import { actorOf } from '@memory/memory/learning/record-use'
import type { Queries } from '@memory/shared/platform/database/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { inject, readRegimes } from '../regime/space.ts'
import { getSpace, inSpace } from '../space.ts'
import { flush, readLearned } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** A space with four patterns, and what learns of it alone; `fail` makes the database fail until it is called again. */
async function newLearning() {
  const ada = await newConformingClient(server)
  await ada.store(['One.', 'Two.', 'Three.', 'Four.'])
  await flush(server)
  const { id } = await getSpace(server, ada)
  let failing = false
  const { queries } = server.context.database
  const unsteady = new Proxy(queries, {
    get(target, name: keyof Queries) {
      if (failing && name === 'transaction') throw new Error('The database is away.')
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const versions: number[] = []
  const learning = new Learning({
    queries: unsteady,
    clock: server.clock,
    learned: {
      takeOver: async (spaceId, version) => {
        expect(spaceId).toBe(id)
        versions.push(version)
      },
      peek: () => undefined,
    },
  })
  const use = (idx: number, actor = 'one'): Use => ({
    kind: 'answer',
    at: server.clock.now().getTime(),
    surprise: 0.4,
    actor: actorOf(id, actor),
    query: `${Math.random()}`,
    pathway: 'exact',
    patterns: [{ idx, cosine: 0.5 }],
  })
  const observed = () =>
    inSpace(server, ada, async (trx) => {
      const history = trx.withSchema('app').selectFrom('signal_history').where('space_id', '=', id)
      const rows = await history.select('records').execute()
      return rows
        .flatMap(({ records }) => records as { surprise: number }[])
        .filter(({ surprise }) => surprise === 0.4).length
    })
  const fail = (on: boolean) => {
    failing = on
  }
  return { ada, id, learning, use, fail, versions, observed }
}

describe('Learning', () => {
  it('tries again what could not be written, before what came later', async () => {
    const { ada, id, learning, use, fail } = await newLearning()
    learning.record(id, use(0))
    fail(true)
    await expect(learning.flush()).rejects.toThrow('away')
    learning.record(id, use(1))
    await expect(learning.flush()).rejects.toThrow('away')
    fail(false)
    learning.record(id, use(2))
    await learning.flush()
    expect((await readLearned(server, ada)).transitions).toEqual(
      new Map([
        ['0>1', 1],
        ['1>2', 1],
      ]),
    )
    await learning.flush()
    expect((await readLearned(server, ada)).transitions.get('0>1')).toBe(1)
  })

  it('does not try again what its caller is told has failed', async () => {
    const { ada, id, learning, use, fail } = await newLearning()
    const told = (idx: number) => ({
      kind: 'feedback' as const,
      at: server.clock.now().getTime(),
      actor: actorOf(id, 'one'),
      idx,
      useful: true,
    })
    learning.record(id, use(0))
    fail(true)
    // Both wait when the first of them is written.
    const failed = await Promise.allSettled([learning.learnNow(id, told(2)), learning.learnNow(id, told(3))])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fail(false)
    await learning.flush()
    expect([...(await readLearned(server, ada)).accesses.keys()]).toEqual([0])
    await learning.learnNow(id, told(2))
    await learning.flush()
    expect((await readLearned(server, ada)).accesses.get(2)?.strength).toBeCloseTo(0.75, 12)
  })

  it('learns in the order in which things were noted, also while it writes', async () => {
    const { ada, id, learning, use } = await newLearning()
    const flushes: Promise<void>[] = []
    for (const idx of [0, 1, 2, 3]) {
      learning.record(id, use(idx))
      flushes.push(learning.flush())
    }
    await Promise.all(flushes)
    expect([...(await readLearned(server, ada)).transitions.keys()]).toEqual(['0>1', '1>2', '2>3'])
  })

  it('tells of every version that it has made, each one above the last', async () => {
    const { id, learning, use, versions } = await newLearning()
    for (const idx of [0, 1, 2]) {
      learning.record(id, use(idx))
      await learning.flush()
    }
    await learning.flush()
    expect(versions).toHaveLength(3)
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
  })

  it('ends no anomaly by what it writes late', async () => {
    const { ada, id, learning, use } = await newLearning()
    const late = use(0)
    server.clock.advance(100_000)
    await inject(ada, { magnitude: 100 })
    const { steppedAt } = (await learning.read(id)).modulation
    learning.record(id, late)
    await learning.flush()
    expect((await readRegimes(ada)).history.at(-1)).toBe('anomaly')
    expect((await learning.read(id)).modulation).toMatchObject({ regime: 'anomaly', steppedAt })
  })

  it('keeps nothing of a search that the space has forgotten since', async () => {
    const { ada, id, learning, use } = await newLearning()
    await ada.store([{ text: 'Zed likes pears.', subject: 'zed' }])
    const asking = { ...use(0), asked: Float32Array.of(1, 0) }
    await ada.delete('/v1/memory/subjects/zed')
    const { forgotten = 0 } = await learning.read(id)
    learning.record(id, { ...asking, engineVersion: forgotten - 1 })
    await learning.flush()
    expect(await learning.read(id)).toMatchObject({ lastTop: null, asked: { count: 0 } })
    learning.record(id, { ...asking, engineVersion: forgotten })
    await learning.flush()
    expect(await learning.read(id)).toMatchObject({ lastTop: 0, asked: { count: 1 } })
  })

  it('learns from 50 uses a second, and observes the surprise of all', async () => {
    const { ada, id, learning, use, observed } = await newLearning()
    for (let n = 0; n < 130; n++) learning.record(id, use(n % 2, 'one'))
    await learning.flush()
    const { transitions } = await readLearned(server, ada)
    expect([...transitions.values()].reduce((sum, count) => sum + count)).toBe(49)
    expect(await observed()).toBe(130)
  })

  it('waits for what is still being found out before it tells a state', async () => {
    const { id, learning } = await newLearning()
    const before = (await learning.read(id)).modulation.signal
    const surprising = { kind: 'store' as const, at: server.clock.now().getTime(), surprise: 1 }
    let found = (_: typeof surprising) => {}
    learning.recordWhenKnown(
      id,
      new Promise((resolve) => {
        found = resolve
      }),
    )
    learning.recordWhenKnown(id, Promise.reject(new Error('not found out')))
    const reading = learning.read(id)
    await learning.flush()
    found(surprising)
    expect((await reading).modulation.signal).toBeGreaterThan(before)
  })

  it('drops what was noted of a space that is gone', async () => {
    const { learning, use } = await newLearning()
    learning.record('00000000-0000-4000-8000-000000000000', use(0))
    await learning.flush()
    await expect(
      learning.change('00000000-0000-4000-8000-000000000000', (state) => ({ state, result: 1 })),
    ).rejects.toThrow('not there')
  })

  it('keeps at most 5,000 that cannot be written, the newest', async () => {
    const { ada, id, learning, use, fail, observed } = await newLearning()
    fail(true)
    for (let n = 0; n < 5_100; n++) learning.record(id, n < 100 ? { ...use(3), surprise: 0.9 } : use(n % 2))
    await expect(learning.flush()).rejects.toThrow('away')
    fail(false)
    await learning.flush()
    // The history holds a thousand.
    expect(await observed()).toBe(1_000)
    expect((await readLearned(server, ada)).accesses.has(3)).toBe(false)
  })
})
