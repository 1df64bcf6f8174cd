import { once } from 'node:events'
import { seededRandom } from '@memory/engine/random'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mixtureOf } from '../../engine/random-keys.ts'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { explore, plantedPairs, readConsolidation, readStrengths, run, sleep, storeKeys } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterEach(() => vi.restoreAllMocks())

afterAll(() => server.close())

/** Steps of some work of the service: each is done, and the one of a number is held before whoever asked for it goes on. */
class HeldStep {
  readonly done = Promise.withResolvers<void>()
  readonly goOn = Promise.withResolvers<void>()
  /** Steps that have begun. */
  count = 0
  readonly #at: number

  constructor(at: number) {
    this.#at = at
  }

  async do<T>(step: () => Promise<T>): Promise<T> {
    const isHeld = ++this.count === this.#at
    const result = await step()
    if (isHeld) {
      this.done.resolve()
      await this.goOn.promise
    }
    return result
  }
}

/** Asks, and hangs up when a step is done. The work goes on only after the service has heard of that. */
async function hangUp(client: ConformingClient, path: string, body: object | undefined, held: HeldStep) {
  const { pool } = server.context
  const signals: (AbortSignal | undefined)[] = []
  for (const name of ['searchMany', 'relax'] as const) {
    const known = pool[name].bind(pool) as (...asked: unknown[]) => Promise<never>
    vi.spyOn(pool, name).mockImplementation((...asked: unknown[]) => {
      const [requester] = asked as Parameters<typeof pool.relax>
      if (requester.organizationId === client.organizationId) signals.push(requester.signal)
      return known(...asked)
    })
  }
  const caller = new AbortController()
  const asking = fetch(server.url + path, {
    method: 'POST',
    headers: { 'X-API-Key': client.key, 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: caller.signal,
  })
  await held.done.promise
  const [signal] = signals
  if (signal === undefined) throw new Error('Nothing was searched for it.')
  const heard = once(signal, 'abort')
  caller.abort()
  await expect(asking).rejects.toThrow()
  await heard
  held.goOn.resolve()
}

const isFree = async (client: ConformingClient) =>
  (await run(client, '/v1/memory/brain')).consolidation_status === 'idle'
const runsOf = async (client: ConformingClient) => (await run(client, '/v1/memory/runs')).runs

describe('a client that hangs up', () => {
  it('ends a sleep after the step that is under way, which stays, and the next sleep goes on', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, plantedPairs(20, 60))
    const { learning } = server.context.memory
    const held = new HeldStep(1)
    const revise = learning.revise.bind(learning)
    vi.spyOn(learning, 'revise').mockImplementation((spaceId, work) => held.do(() => revise(spaceId, work)))
    await hangUp(ada, '/v1/memory/sleep', { batch_size: 20 }, held)
    await until(() => isFree(ada), 'the sleep to end')
    // It has gone no further.
    expect(held.count).toBe(1)
    const { size: stronger } = await readStrengths(server, ada)
    expect(stronger).toBeGreaterThan(0)
    expect(await runsOf(ada)).toMatchObject([
      {
        kind: 'sleep',
        cause: 'asked',
        ended_at: expect.any(String),
        sleep: { patterns_strengthened: stronger, patterns_weakened: 0, consolidated: 0 },
        error: 'abandoned',
      },
    ])
    const next = await sleep(ada, 20)
    expect(await runsOf(ada)).toMatchObject([{ sleep: next, error: null }, { error: 'abandoned' }])
  })

  it('ends an exploration, which then has written nothing', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, plantedPairs(20, 60))
    const { pool } = server.context
    const searchMany = pool.searchMany.bind(pool)
    // The first search is for pairs; the second is of the first trial.
    const held = new HeldStep(2)
    pool.searchMany = (...asked) => held.do(() => searchMany(...asked))
    try {
      await hangUp(ada, '/v1/memory/explore', { batch_size: 20 }, held)
      await until(() => isFree(ada), 'the exploration to end')
    } finally {
      pool.searchMany = searchMany
    }
    expect(held.count).toBe(2)
    expect((await readConsolidation(server, ada)).trials).toEqual([])
    const nothing = { total_explored: 0, compositions_valid: 0 }
    const stopped = { kind: 'exploration', exploration: nothing, error: 'abandoned' }
    expect(await runsOf(ada)).toMatchObject([stopped])
    const { total_explored } = await explore(ada)
    expect(total_explored).toBeGreaterThan(0)
    expect((await readConsolidation(server, ada)).trials).toHaveLength(total_explored)
    expect(await runsOf(ada)).toMatchObject([{ error: null }, stopped])
  })

  it('ends a search for spurious pairs, which leaves no trace', async () => {
    const ada = await newConformingClient(server)
    await storeKeys(ada, mixtureOf(16, 0.8, 64, seededRandom('hangs up')))
    const path = '/v1/memory/explore/detect-spurious'
    const whole = await run(ada, path, {})
    const { pool } = server.context
    const relax = pool.relax.bind(pool)
    const held = new HeldStep(1)
    pool.relax = (...asked) => held.do(() => relax(...asked))
    try {
      await hangUp(ada, path, undefined, held)
      const again = () => ada.post(path)
      const answer = await until(async () => {
        const answer = await again()
        return answer.status === 409 ? undefined : answer
      }, 'the search to end')
      expect(answer).toMatchObject({ status: 200, body: whole })
    } finally {
      pool.relax = relax
    }
    // Of the one that ended, the first slice; the other is whole.
    const slices = Math.ceil(whole.total_checked / 16)
    expect(slices).toBeGreaterThan(1)
    expect(held.count).toBe(1 + slices)
    expect(await runsOf(ada)).toEqual([])
  })
})
