import { SpaceCache } from '@memory/memory/index/space-cache'
import type { SpaceIndex } from '@memory/memory/index/space-index'
import { PatternCache } from '@memory/memory/patterns/pattern-cache'
import * as store from '@memory/memory/store'
import { systemClock } from '@memory/shared/platform/clock'
import type { Database, Queries } from '@memory/shared/platform/database/database'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOrganization, openTestDatabase, silent } from '../../platform/open-database.ts'
import { newPattern } from '../../support/pattern.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

/** Queries whose results are held back while the gate is closed. */
function gated(queries: Queries) {
  let open = Promise.resolve()
  let openGate = () => {}
  let arrived = () => {}
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      arrived()
      await open
      return result
    },
  }
  return {
    queries: queries.withPlugin(plugin),
    /** @returns resolves when the next result is there, and held back */
    close(): Promise<void> {
      open = new Promise((resolve) => {
        openGate = resolve
      })
      return new Promise((resolve) => {
        arrived = resolve
      })
    },
    open: () => openGate(),
  }
}

/** A process with a space of three texts, and the cache beside its index. */
async function newProcess({ budgetBytes = 1e6 } = {}) {
  const { spaceId } = await newOrganization(database.queries)
  const gate = gated(database.queries)
  const events = { evicted: 0, warmed: 0, warmedUsed: 0, hits: 0, misses: 0 }
  const payloads = new PatternCache({
    queries: gate.queries,
    budgetBytes,
    events: {
      evicted: () => void events.evicted++,
      warmed: (count) => {
        events.warmed += count
      },
      warmedUsed: (count) => {
        events.warmedUsed += count
      },
      lookedUp: (hits, misses) => {
        events.hits += hits
        events.misses += misses
      },
    },
  })
  const spaces = new SpaceCache({
    queries: database.queries,
    budgetBytes: 1e9,
    clock: systemClock,
    log: silent,
  })
  spaces.changes
    .on('patternChanged', (index, idx) => payloads.evict(index, idx))
    .on('released', (index) => payloads.release(index))
  const storeTexts = async (...texts: string[]) => {
    const patterns = texts.map((text, i) => newPattern({ text, key: Float32Array.of(1, i) }))
    return (await store.insertPatterns(database.queries, spaceId, -1, 'test', patterns)).version
  }
  const remove = async (idx: number) => {
    const removal = { indexes: [idx], textOnly: false, dryRun: false }
    return (await store.removePatterns(database.queries, spaceId, removal)).version as number
  }
  const version = await storeTexts('first', 'second', 'third')
  const index = await spaces.get(spaceId, version)
  return { spaceId, gate, payloads, spaces, index, storeTexts, remove, events }
}

type Process = Awaited<ReturnType<typeof newProcess>>

const text = { value: false }

describe('payloads that are being read', () => {
  const forgettings: [string, (process: Process) => Promise<unknown>][] = [
    [
      'forgotten here',
      async ({ spaces, spaceId, remove }) => spaces.committed(spaceId, await remove(0), { removed: [0] }),
    ],
    [
      'forgotten here after a change elsewhere',
      async ({ spaces, spaceId, remove, storeTexts }) => {
        await storeTexts('fourth')
        spaces.committed(spaceId, await remove(0), { removed: [0] })
      },
    ],
    ['forgotten elsewhere', async ({ spaces, spaceId, remove }) => spaces.get(spaceId, await remove(0))],
    [
      'emptied',
      async ({ spaces, spaceId }) => {
        await store.emptySpace(database.queries, spaceId)
        spaces.drop(spaceId)
      },
    ],
  ]
  const ways: [string, (process: Process) => Promise<unknown>][] = [
    ['warmed', ({ payloads, spaceId, index }) => payloads.warm(spaceId, index, [0, 1], text)],
    ['found', ({ payloads, spaceId, index }) => payloads.find(spaceId, index, [0, 1], text)],
  ]
  describe.each(ways)('when they are %s', (_way, read) => {
    it.each(forgettings)('are not kept of what is %s meanwhile', async (_name, forget) => {
      const process = await newProcess()
      const { gate, payloads, index, spaces, spaceId } = process
      const held = gate.close()
      const reading = read(process)
      await held
      await forget(process)
      gate.open()
      await reading
      expect(payloads.indexesOf(index)).not.toContain(0)
      expect(payloads.size.entries).toBe(payloads.indexesOf(index).length)
      const now = await spaces.get(spaceId, 0)
      expect((await payloads.find(spaceId, now, [0], text)).size).toBe(0)
    })
  })

  it('are not kept of an index that is in use no more', async () => {
    const { payloads, spaces, spaceId, index } = await newProcess()
    spaces.drop(spaceId)
    expect(await payloads.warm(spaceId, index, [0, 1], text)).toBe(0)
    expect((await payloads.find(spaceId, index, [0, 1], text)).size).toBe(2)
    expect(payloads.size.entries).toBe(0)
  })

  it('are kept where nothing changed', async () => {
    const { payloads, spaceId, index, events } = await newProcess()
    expect(await payloads.warm(spaceId, index, [0, 1, 7], text)).toBe(2)
    expect(await payloads.warm(spaceId, index, [0, 1], text)).toBe(0)
    const found = await payloads.find(spaceId, index, [0, 1, 2], text)
    expect([...found.values()].map((payload) => payload.text)).toEqual(['first', 'second', 'third'])
    await payloads.find(spaceId, index, [0], text)
    expect(events).toEqual({ evicted: 0, warmed: 2, warmedUsed: 2, hits: 3, misses: 1 })
  })

  it('count as warmed again with their values', async () => {
    const { payloads, spaceId, index } = await newProcess()
    await payloads.find(spaceId, index, [0], text)
    expect(payloads.hasValue(index, 0)).toBe(false)
    expect(await payloads.warm(spaceId, index, [0], { value: true })).toBe(1)
    expect(payloads.hasValue(index, 0)).toBe(true)
    expect(payloads.indexesOf(index)).toEqual([0])
  })
})

describe('the budget', () => {
  it('is kept: what is unused for longest makes room, and what is too large is not taken', async () => {
    const process = await newProcess({ budgetBytes: 1_000 })
    const { payloads, spaces, spaceId, storeTexts, events } = process
    const index = await spaces.get(spaceId, await storeTexts('x'.repeat(2_000)))
    expect(await payloads.warm(spaceId, index, [3], text)).toBe(0)
    await payloads.warm(spaceId, index, [0, 1], text)
    await payloads.find(spaceId, index, [0], text)
    await payloads.warm(spaceId, index, [2], text)
    expect(payloads.indexesOf(index)).toEqual([0, 2])
    expect(payloads.size.bytes).toBeLessThanOrEqual(1_000)
    expect(payloads.size.entries).toBe(2)
    expect(events).toMatchObject({ evicted: 1, warmed: 3, warmedUsed: 1 })
  })

  it('is one for all spaces, each of which knows its own', async () => {
    const { payloads, spaces, spaceId, index } = await newProcess()
    const other = await newOrganization(database.queries)
    await store.insertPatterns(database.queries, other.spaceId, -1, 'test', [newPattern({ text: 'other' })])
    const otherIndex: SpaceIndex = await spaces.get(other.spaceId, 1)
    await payloads.warm(spaceId, index, [0, 1], text)
    await payloads.warm(other.spaceId, otherIndex, [0], text)
    expect(payloads.clear(index)).toBe(2)
    expect(payloads.clear(index)).toBe(0)
    expect(payloads.indexesOf(otherIndex)).toEqual([0])
    expect(payloads.size.entries).toBe(1)
  })
})

describe('payloads that were stored just now', () => {
  const stored = (idx: number, value: Float32Array | null = Float32Array.of(0.1, idx)) => ({
    idx,
    id: `pat_${idx}`,
    text: value === null ? 'a text' : null,
    metadata: null,
    value,
    dimensions: 2,
    source_dim: null,
    external_id: null,
    at: 1_700_000_000_000 + idx,
  })

  it('are found without a question to the database, values as the numbers that were stored', async () => {
    const { payloads, spaceId, index, events } = await newProcess()
    payloads.keep(index, [stored(7), stored(8, null)])
    const found = await payloads.find(spaceId, index, [7], { value: true })
    expect(found.get(7)).toEqual({ ...stored(7), value: '[0.1,7]' })
    expect((await payloads.find(spaceId, index, [8], text)).get(8)).toEqual(stored(8, null))
    expect(events).toMatchObject({ hits: 2, misses: 0, warmed: 0, warmedUsed: 0 })
    expect(payloads.hasValue(index, 7)).toBe(true)
    expect(payloads.hasValue(index, 8)).toBe(false)
  })

  it('do not hold the request that they came with', async () => {
    const { payloads, spaceId, index } = await newProcess()
    const request = new Float32Array(1_000).fill(1)
    payloads.keep(index, [stored(7, request.subarray(10, 12))])
    request.fill(2)
    expect((await payloads.find(spaceId, index, [7], { value: true })).get(7)?.value).toBe('[1,1]')
  })

  it('are forgotten as others are', async () => {
    const { payloads, spaceId, index } = await newProcess()
    payloads.keep(index, [stored(7), stored(8)])
    payloads.evict(index, 7)
    expect(payloads.indexesOf(index)).toEqual([8])
    expect((await payloads.find(spaceId, index, [7], { value: true })).size).toBe(0)
    payloads.release(index)
    expect(payloads.size.entries).toBe(0)
  })

  it('take the room that there is, and none of what was asked for', async () => {
    const { payloads, spaceId, index, events } = await newProcess({ budgetBytes: 5_000 })
    await payloads.find(spaceId, index, [0, 1, 2], text)
    payloads.keep(
      index,
      Array.from({ length: 100 }, (_, i) => stored(i + 10)),
    )
    expect(payloads.size.bytes).toBeLessThanOrEqual(5_000)
    expect(payloads.size.entries).toBeGreaterThan(8)
    expect(payloads.indexesOf(index)).toEqual(expect.arrayContaining([0, 1, 2, 10, 11]))
    expect(events.evicted).toBe(0)
  })

  it('are not made where there is no room', async () => {
    const { payloads, index } = await newProcess({ budgetBytes: 2_000 })
    let made = 0
    function* many() {
      for (; made < 100; made++) yield stored(made + 10)
    }
    payloads.keep(index, many())
    expect(made).toBe(payloads.size.entries)
    expect(made).toBeLessThan(5)
  })
})
