import { TextCache } from '@memory/memory/lexical/text-cache'
import { getVersion } from '@memory/memory/store'
import type { Queries } from '@memory/shared/platform/database/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../support/client.ts'
import { startServer, TestClock, type TestServer } from '../../support/server.ts'
import { getSpace } from '../space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const residentTexts = (budgetBytes = 1e9, queries: Queries = server.context.database.queries) =>
  new TextCache({ queries, clock: server.context.clock, budgetBytes })

async function newSpace(texts: string[]) {
  const ada = await server.newClient()
  const ids = await ada.store(texts)
  const { id } = await getSpace(server, ada)
  return { ada, id, ids }
}

const versionOf = (spaceId: string) => getVersion(server.context.database.queries, spaceId)

/** Texts that a space’s index finds by a word, by idx. */
async function hits(texts: TextCache, spaceId: string, query: string, version?: number): Promise<number[]> {
  const { lexical } = await texts.get(spaceId, version ?? (await versionOf(spaceId)))
  const { compute } = server.context.memory
  const { labels } = await compute.searchLexical({ organizationId: 'test' }, lexical, query, 10)
  return [...labels].toSorted((a, b) => a - b)
}

const patch = (ada: Client, id: string | undefined, text: string) =>
  ada.patch(`/v1/memory/patterns/${id}`, { text })

describe('TextCache', () => {
  it('reads a space once, and then what has changed', async () => {
    const { ada, id, ids } = await newSpace(['red apple', 'green pear', 'Why red?'])
    const texts = residentTexts()
    expect(await hits(texts, id, 'red')).toEqual([0, 2])
    const held = await texts.get(id, await versionOf(id))
    await patch(ada, ids[0], 'blue plum')
    await ada.delete(`/v1/memory/patterns/${ids[2]}`)
    await ada.store(['red cherry'])
    expect(await hits(texts, id, 'red')).toEqual([3])
    expect(await hits(texts, id, 'plum')).toEqual([0])
    expect(await texts.get(id, await versionOf(id))).toBe(held)
    expect([0, 1, 2, 3, 4, -1, 2 ** 30].map((idx) => held.has(idx))).toEqual([
      true,
      true,
      false,
      true,
      false,
      false,
      false,
    ])
    expect(held.traits.asks(2)).toBe(false)
  })

  it('has the passages of long texts, at first and as they change, and counts their memory', async () => {
    const long = (fruit: string) => `The ${fruit} is ripe and hangs in the old tree. `.repeat(40)
    const { ada, id, ids } = await newSpace(['red apple', long('pear'), long('plum')])
    const texts = residentTexts()
    const passagesIn = async () => {
      const { passages } = await texts.get(id, await versionOf(id))
      return [0, 1, 2, 3].filter((idx) => passages.has(idx))
    }
    expect(await passagesIn()).toEqual([1, 2])
    const size = texts.size
    await patch(ada, ids[1], 'green pear')
    await patch(ada, ids[0], long('apple'))
    await ada.delete(`/v1/memory/patterns/${ids[2]}`)
    await ada.store([long('fig')])
    const held = texts.peek(id)
    expect(await passagesIn()).toEqual([0, 3])
    expect(texts.peek(id)).toBe(held)
    expect(size).toBeGreaterThan((held?.lexical.bytes ?? 0) + 4 * 384)
    const { passages } = await residentTexts().get(id, await versionOf(id))
    expect(held?.passages.shard?.size).toBe(passages.shard?.size)
  })

  it('takes over what is committed here, and reads what came between', async () => {
    const { ada, id } = await newSpace(['red apple'])
    const texts = residentTexts()
    await texts.get(id, await versionOf(id))
    await ada.store(['red cherry'])
    const version = await versionOf(id)
    texts.committed(id, {
      version,
      stored: [{ idx: 1, text: 'said to be a fig', subject: null }],
      expiries: [],
      removed: [],
    })
    // The version is known: nothing is read.
    expect(await hits(texts, id, 'fig', version)).toEqual([1])
    const later = { version: version + 2, stored: [{ idx: 5, text: 'a fig too' }], expiries: [], removed: [] }
    texts.committed(id, later)
    expect(await hits(texts, id, 'fig', version)).toEqual([1])
  })

  it('has the texts of each subject in their order, at first and as they change', async () => {
    const ada = await server.newClient()
    const { id } = await getSpace(server, ada)
    const store = async (text: string, subject?: string, external_id?: string) => {
      const { body } = await ada.post('/v1/memory/text/store', { text, subject, external_id })
      return body.pattern_id as string
    }
    const texts = residentTexts()
    /** Who comes before and after each of the first patterns. */
    const order = async (from = texts) => {
      const held = await from.get(id, await versionOf(id))
      return [0, 1, 2, 3, 4, 5].map((idx) => [held.order.before(idx), held.order.after(idx)])
    }
    const both = async () => {
      const changed = await order()
      expect(await order(residentTexts())).toEqual(changed)
      return changed
    }
    await store('a', 'ada', 'first')
    await store('b', 'ben')
    const third = await store('c', 'ada')
    await store('d')
    await store('e', 'ben')
    await store('f', 'ada')
    const none = [undefined, undefined]
    expect(await both()).toEqual([
      [undefined, 2],
      [undefined, 4],
      [0, 5],
      none,
      [1, undefined],
      [2, undefined],
    ])
    // What takes its place stays where it is, and whose it is where nothing is said of it.
    await store('another a', undefined, 'first')
    expect((await both())[0]).toEqual([undefined, 2])
    await ada.patch(`/v1/memory/patterns/${third}`, { subject: 'ben' })
    expect(await both()).toEqual([
      [undefined, 5],
      [undefined, 2],
      [1, 4],
      none,
      [2, undefined],
      [0, undefined],
    ])
    await ada.delete(`/v1/memory/patterns/${third}`)
    expect(await both()).toEqual([[undefined, 5], [undefined, 4], none, none, [1, undefined], [0, undefined]])
  })

  it('reads what was stored without saying whose it is, and takes nothing of it over before', async () => {
    const { ada, id } = await newSpace(['red apple'])
    const texts = residentTexts()
    await texts.get(id, await versionOf(id))
    await ada.store(['red cherry'])
    const version = await versionOf(id)
    const said = { version, stored: [{ idx: 1, text: 'said to be a fig' }], expiries: [], removed: [] }
    texts.committed(id, said)
    expect(await hits(texts, id, 'fig', version)).toEqual([])
    expect(await hits(texts, id, 'cherry', version)).toEqual([1])
  })

  it('reads what a change says of a text whose time was over, and so is known no more', async () => {
    const { ada, id } = await newSpace(['red apple'])
    const texts = residentTexts()
    await texts.get(id, await versionOf(id))
    await ada.store(['green pear'])
    const over = { stored: [], expiries: [{ idx: 0, expiresAt: new Date(1) }], removed: [] }
    texts.committed(id, { version: await versionOf(id), ...over })
    expect(await hits(texts, id, 'apple')).toEqual([])
    await ada.store(['red cherry'])
    const prolonged = { stored: [], expiries: [{ idx: 0, expiresAt: null }], removed: [] }
    texts.committed(id, { version: await versionOf(id), ...prolonged })
    // Had it been taken over, nothing would be read.
    expect(await hits(texts, id, 'cherry')).toEqual([2])
  })

  /** As of a process whose clock can be moved. */
  function textsByClock(): { texts: TextCache; clock: TestClock } {
    const clock = new TestClock()
    return {
      texts: new TextCache({ queries: server.context.database.queries, clock, budgetBytes: 1e9 }),
      clock,
    }
  }

  it('has again what a clock that was set ahead let expire, once that is set back', async () => {
    const { ada, id } = await newSpace(['red apple'])
    const expires_at = new Date(server.clock.now().getTime() + 3_600_000)
    await ada.post('/v1/memory/text/store', { text: 'green apple', expires_at })
    const { texts, clock } = textsByClock()
    expect(await hits(texts, id, 'apple')).toEqual([0, 1])
    clock.advance(7_200_000)
    expect(await hits(texts, id, 'apple')).toEqual([0])
    clock.advance(-7_200_000)
    expect(await hits(texts, id, 'apple')).toEqual([0, 1])
  })

  it('reads texts anew that were read, or of which one ended, while the clock was set ahead', async () => {
    const { ada, id, ids } = await newSpace(['red apple', 'green pear'])
    const { texts, clock } = textsByClock()
    clock.advance(3_600_000)
    const ahead = await texts.get(id, 0)
    clock.advance(-3_600_000)
    const back = await texts.get(id, 0)
    expect(back).not.toBe(ahead)
    clock.advance(3_600_000)
    await ada.store(['red cherry'])
    expect(await hits(texts, id, 'red')).toEqual([0, 2])
    clock.advance(-3_600_000)
    expect(await texts.get(id, 0)).toBe(back)
    clock.advance(3_600_000)
    await ada.patch(`/v1/memory/patterns/${ids[1]}`, { valid_from: '2001-01-01', valid_to: '2002-01-01' })
    expect(await hits(texts, id, 'pear')).toEqual([])
    clock.advance(-3_600_000)
    expect(await texts.get(id, 0)).not.toBe(back)
  })

  it('reads a space once for all that ask at the same time', async () => {
    const { id } = await newSpace(['red apple'])
    const texts = residentTexts()
    const version = await versionOf(id)
    const all = await Promise.all(Array.from({ length: 10 }, () => texts.get(id, version)))
    expect(new Set(all).size).toBe(1)
  })

  it('holds nothing of a space that is dropped, also while it is being read', async () => {
    const { id } = await newSpace(['red apple'])
    const texts = residentTexts()
    const version = await versionOf(id)
    await texts.get(id, version)
    expect(texts.size).toBeGreaterThan(0)
    texts.drop(id)
    expect(texts.size).toBe(0)
    const reading = texts.get(id, version)
    texts.drop(id)
    await reading
    expect(texts.size).toBe(0)
    expect(await hits(texts, id, 'red')).toEqual([0])
    expect(texts.size).toBeGreaterThan(0)
  })

  it('starts anew with a space that was emptied', async () => {
    const { ada, id } = await newSpace(['red apple'])
    const texts = residentTexts()
    expect(await hits(texts, id, 'red')).toEqual([0])
    await ada.delete('/v1/memory/patterns?confirm=all')
    await ada.store(['red cherry'])
    expect(await hits(texts, id, 'red')).toEqual([1])
  })

  it('tells of a failure, and reads again', async () => {
    const { id } = await newSpace(['red apple'])
    let failing = true
    const { queries } = server.context.database
    const unsteady = new Proxy(queries, {
      get(target, name) {
        if (failing) throw new Error('The database is away.')
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const texts = residentTexts(1e9, unsteady)
    await expect(texts.get(id, 1)).rejects.toThrow('away')
    failing = false
    expect(await hits(texts, id, 'red')).toEqual([0])
  })

  it('keeps within its budget what was used last, and one that alone is over it', async () => {
    const texts = residentTexts(1)
    const [one, two] = [await newSpace(['red apple']), await newSpace(['red pear', 'green pear'])]
    expect(await hits(texts, one.id, 'red')).toEqual([0])
    const alone = texts.size
    expect(alone).toBeGreaterThan(1)
    expect(await hits(texts, two.id, 'pear')).toEqual([0, 1])
    const fresh = residentTexts()
    await hits(fresh, two.id, 'pear')
    expect(texts.size).toBe(fresh.size)
  })

  it('makes room for a space that grows', async () => {
    const [one, two] = [await newSpace(['red apple']), await newSpace(['red pear'])]
    const measuring = residentTexts()
    await hits(measuring, one.id, 'red')
    const budget = 4 * measuring.size
    const texts = residentTexts(budget)
    await hits(texts, one.id, 'red')
    await hits(texts, two.id, 'red')
    expect(texts.size).toBeGreaterThan(1.8 * measuring.size)
    await two.ada.store(
      Array.from({ length: 50 }, (_, i) => `Parcel ${i} holds whatever number ${i * 7919} stands for.`),
    )
    await hits(texts, two.id, 'red')
    const alone = residentTexts()
    await hits(alone, two.id, 'red')
    expect(alone.size).toBeGreaterThan(3 * measuring.size)
    // The other one had to go.
    expect(texts.size).toBeLessThan(alone.size + measuring.size / 2)
  })
})
