import { limits } from '@memory/shared/catalogue/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { beforeItComes, until } from '../support/until.ts'
import { faultsOf } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

interface SpaceMap {
  total: number
  dimensions: number
  lengths: { dimensions: number; patterns: number }[]
  pattern_ids: string[]
  x: number[]
  y: number[]
  cluster: number[]
  tier: number[]
  created_s: number[]
  clusters: { words: string[]; patterns: number; x: number; y: number }[]
  associations: { from: number[]; to: number[]; strength: number[] }
}

/** The map of a space, after a look at what holds of every map. */
async function mapOf(client: Pick<ConformingClient, 'get'>, query = ''): Promise<SpaceMap> {
  const { status, body } = await client.get(`/v1/memory/map${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  const map = body as SpaceMap
  const count = map.pattern_ids.length
  expect(new Set(map.pattern_ids).size).toBe(count)
  for (const list of [map.x, map.y, map.cluster, map.tier, map.created_s]) expect(list).toHaveLength(count)
  for (const place of [...map.x, ...map.y, ...map.clusters.flatMap(({ x, y }) => [x, y])]) {
    expect(place).toBeGreaterThanOrEqual(0)
    expect(place).toBeLessThanOrEqual(1)
  }
  expect(map.clusters.map((_, n) => map.cluster.filter((cluster) => cluster === n).length)).toEqual(
    map.clusters.map(({ patterns }) => patterns),
  )
  return map
}

const nothing = { pattern_ids: [], x: [], y: [], cluster: [], tier: [], created_s: [], clusters: [] }
const noLinks = { from: [], to: [], strength: [] }

/** Vectors of two kinds that have nothing to do with each other, `n` of each in turn. */
const twoKinds = (n: number) =>
  Array.from({ length: 2 * n }, (_, i) => ({
    key: [...(i % 2 === 0 ? [10, 0] : [0, 10]), Math.sin(i), Math.cos(3 * i)],
    value: [i],
  }))

const texts = [
  ...['Grapes', 'Apples', 'Pears', 'Plums', 'Cherries', 'Peaches', 'Lemons', 'Figs', 'Melons', 'Limes'].map(
    (name) => `${name} are a fruit that grows in an orchard.`,
  ),
  ...['Mars', 'Venus', 'Saturn', 'Jupiter', 'Neptune', 'Uranus', 'Mercury', 'Pluto', 'Ceres', 'Eris'].map(
    (name) => `${name} is a planet that telescopes show.`,
  ),
]

describe('GET /v1/memory/map', () => {
  it('of an empty space shows nothing', async () => {
    const ada = await newConformingClient(server)
    expect(await mapOf(ada)).toEqual({
      ...nothing,
      ...{ total: 0, dimensions: 0, lengths: [], associations: noLinks },
    })
  })

  it('shows one pattern in the middle', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['Ada moved to Lisbon in May.'])
    const map = await mapOf(ada)
    expect(map).toMatchObject({ total: 1, dimensions: 384, pattern_ids: [id], x: [0.5], y: [0.5] })
    expect(map.clusters).toEqual([{ words: expect.arrayContaining(['Lisbon']), patterns: 1, x: 0.5, y: 0.5 }])
    expect(Math.abs((map.created_s[0] as number) - Date.now() / 1_000)).toBeLessThan(600)
  })

  it('shows two, and the same text many times', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['The printer is out of toner.', 'Bread needs flour.'])
    expect((await mapOf(ada)).pattern_ids).toHaveLength(2)
    const same = await newConformingClient(server)
    await same.post('/v1/memory/batch/store', {
      patterns: Array.from({ length: 40 }, (_, n) => ({ key: [1, 2, 3], value: [n] })),
    })
    const map = await mapOf(same)
    expect(map.pattern_ids).toHaveLength(40)
    expect(map.clusters).toEqual([{ words: [], patterns: 40, x: 0.5, y: 0.5 }])
  })

  it('puts near each other what is alike, in clusters with their words, and is the same each time', async () => {
    const ada = await newConformingClient(server)
    await ada.store([...texts, ...texts.map((text) => `Some say: ${text}`)])
    const map = await mapOf(ada)
    expect(map.total).toBe(40)
    const kind = map.pattern_ids.map((_, n) => Math.floor(n / 10) % 2)
    const distance = (a: number, b: number) =>
      Math.hypot((map.x[a] as number) - (map.x[b] as number), (map.y[a] as number) - (map.y[b] as number))
    for (const a of kind.keys()) {
      const [nearest] = [...kind.keys()]
        .filter((b) => b !== a)
        .sort((b, c) => distance(a, b) - distance(a, c))
      expect(kind[nearest as number]).toBe(kind[a])
    }
    const again = await newConformingClient(server)
    await again.store([...texts, ...texts.map((text) => `Some say: ${text}`)])
    const { x, y, clusters } = await mapOf(again)
    expect({ x, y, clusters }).toEqual({ x: map.x, y: map.y, clusters: map.clusters })
  })

  it('names clusters by the words that tell them apart', async () => {
    const ada = await newConformingClient(server)
    const numbered = (text: string) => Array.from({ length: 30 }, (_, n) => `${text} It was note ${n}.`)
    await ada.store(numbered('The orchard bears ripe fruit and apples.'))
    await ada.store(numbered('The telescope shows a planet and its moons.'))
    const { clusters } = await mapOf(ada)
    expect(clusters).toHaveLength(2)
    const words = clusters.map((cluster) => cluster.words.join(' '))
    expect(words.some((each) => /orchard|fruit|apples/.test(each))).toBe(true)
    expect(words.some((each) => /telescope|planet|moons/.test(each))).toBe(true)
    for (const each of words) expect(each).not.toMatch(/note|and/)
  })

  it('shows keys of one length together, whatever length they were projected from', async () => {
    const ada = await newConformingClient(server)
    const patterns = [...twoKinds(5), ...twoKinds(3).map((each) => ({ ...each, source_dim: 16 }))]
    await ada.post('/v1/memory/batch/store', { patterns })
    await ada.post('/v1/memory/store', { key: Array.from({ length: 16 }, (_, i) => i + 1), value: [1] })
    const map = await mapOf(ada)
    expect(map).toMatchObject({
      dimensions: 4,
      lengths: [
        { dimensions: 4, patterns: 16 },
        { dimensions: 16, patterns: 1 },
      ],
    })
    expect(map.pattern_ids).toHaveLength(16)
    expect((await mapOf(ada, '?dimensions=16')).pattern_ids).toHaveLength(1)
  })

  it('shows as many as are asked for, evenly spread, and one length of vectors at a time', async () => {
    const ada = await newConformingClient(server)
    await ada.post('/v1/memory/batch/store', { patterns: twoKinds(50) })
    await ada.store(['A text beside the vectors.'])
    const all = await mapOf(ada)
    expect(all).toMatchObject({
      total: 101,
      dimensions: 4,
      lengths: [
        { dimensions: 4, patterns: 100 },
        { dimensions: 384, patterns: 1 },
      ],
    })
    expect(all.pattern_ids).toHaveLength(100)
    const some = await mapOf(ada, '?limit=10')
    expect(some.pattern_ids).toEqual(all.pattern_ids.filter((_, n) => n % 10 === 0))
    expect((await mapOf(ada, '?dimensions=384')).pattern_ids).toHaveLength(1)
    expect(await mapOf(ada, '?dimensions=7')).toMatchObject({ ...nothing, total: 101, dimensions: 7 })
    for (const query of [`limit=${limits.mapPoints + 1}`, 'limit=0', 'limit=x', 'dimensions=0', 'filter=x']) {
      expect(faultsOf(await ada.get(`/v1/memory/map?${query}`)), query).toHaveLength(1)
    }
  })

  it('follows what is stored, deleted and superseded, and what time ends', async () => {
    const ada = await newConformingClient(server)
    const [first, second] = await ada.store(['The office opens at nine.', 'Tea is in the kitchen.'])
    expect((await mapOf(ada)).pattern_ids).toEqual([first, second])
    const { body } = await ada.post('/v1/memory/text/store', {
      text: 'The office opens at ten.',
      supersedes: first,
    })
    expect((await mapOf(ada)).pattern_ids).toEqual([second, body.pattern_id])
    await ada.delete(`/v1/memory/patterns/${second}`)
    expect((await mapOf(ada)).pattern_ids).toEqual([body.pattern_id])
    await beforeItComes(async (moment) => {
      const item = { text: 'A thing of the moment.', expires_at: moment.toISOString() }
      const soon = await ada.post('/v1/memory/text/store', item)
      expect((await mapOf(ada)).pattern_ids).toContain(soon.body.pattern_id)
    }, server.clock)
    await until(async () => (await mapOf(ada)).pattern_ids.length === 1, 'the map without what has expired')
  })

  it('shows what use has associated', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['Ada moved to Lisbon.', 'Ada is allergic to peanuts.', 'Rates rose by half a percent.'])
    expect((await mapOf(ada)).associations).toEqual(noLinks)
    for (let n = 0; n < 3; n++) {
      await ada.post('/v1/memory/text/recall', { query: 'Ada', top_k: 2 })
      await server.context.memory.learning.flush()
    }
    const { from, to, strength } = (await mapOf(ada)).associations
    expect([from[0], to[0]]).toEqual([0, 1])
    expect(strength[0]).toBeGreaterThan(0)
    expect(strength).toEqual(strength.toSorted((a, b) => b - a))
    // As strong as they are now, though the map is the one of before.
    server.clock.advance(30 * 24 * 3_600_000)
    const later = (await mapOf(ada)).associations
    expect({ from: later.from, to: later.to }).toEqual({ from, to })
    expect(later.strength[0]).toBeLessThan(strength[0] as number)
    await ada.post('/v1/memory/text/recall', {
      query: 'Where did Ada move to, and what can’t she eat?',
      top_k: 2,
    })
    await server.context.memory.learning.flush()
    expect((await mapOf(ada)).associations.strength[0]).toBeGreaterThan(later.strength[0] as number)
  })

  it('shows nobody what is of others', async () => {
    const ada = await newConformingClient(server)
    const ids = await ada.store([
      { text: 'Ben hides the key under the mat.', subject: 'ben' },
      { text: 'Cleo hides the letter in the attic.', subject: 'cleo' },
      { text: 'The office opens at nine.', metadata: { kind: 'hours' } },
    ])
    const shown = async (subject: string, isShared: boolean, query = '') => {
      const client = await newConformingClient(server, {
        organizationId: ada.organizationId,
        subject: { name: subject, isShared },
      })
      return (await mapOf(client, query)).pattern_ids
    }
    // What the owner has seen is known by then.
    expect((await mapOf(ada)).pattern_ids).toEqual(ids)
    expect((await mapOf(ada, '?subject=ben')).pattern_ids).toEqual([ids[0]])
    expect((await mapOf(ada, `?filter=${encodeURIComponent('{"kind":"hours"}')}`)).pattern_ids).toEqual([
      ids[2],
    ])
    expect(await shown('ben', false)).toEqual([ids[0]])
    expect(await shown('cleo', false)).toEqual([ids[1]])
    expect(await shown('ben', true)).toEqual([ids[0], ids[2]])
    expect(await shown('nobody', false)).toEqual([])
    const ben = await newConformingClient(server, {
      organizationId: ada.organizationId,
      subject: { name: 'ben', isShared: false },
    })
    expect((await mapOf(ben)).clusters[0]?.words).not.toContain('attic')
    expect((await ben.get('/v1/memory/map?subject=cleo')).status).toBe(403)
    const stranger = await newConformingClient(server)
    expect(await mapOf(stranger)).toMatchObject(nothing)
  })

  it('draws once for all who ask at a time', async () => {
    const ada = await newConformingClient(server)
    await ada.post('/v1/memory/batch/store', { patterns: twoKinds(200) })
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => mapOf(ada)))
    for (const other of others) expect(other).toEqual(first)
  })
})
