import { eraseExpired } from '@memory/memory/housekeeping'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { beforeItComes, until } from '../support/until.ts'
import { facts, newSpace, type Recalled, recall, textsOf } from './recalled.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('texts that change', () => {
  it('are recalled by their new words and not by their old ones', async () => {
    const { ada, ids } = await newSpace(server)
    expect((await recall(ada, { query: 'toner' })).info.lexical_hits).toBe(1)
    await ada.patch(`/v1/memory/patterns/${ids[1]}`, { text: 'The kettle leaks.' })
    expect((await recall(ada, { query: 'toner' })).info.lexical_hits).toBe(0)
    const recalled = await recall(ada, { query: 'kettle', top_k: 1 })
    expect(recalled.results[0]).toMatchObject({ text: 'The kettle leaks.', pattern_id: ids[1] })
    expect(recalled.info.lexical_hits).toBe(1)
  })

  it('are seen against each other where as many come as go', async () => {
    const { ada, ids } = await newSpace(server)
    await recall(ada, { query: 'toner' })
    const next = [
      'Ben repairs old bicycles in his garage.',
      'The lecture on whales was moved to the large hall.',
      'Our cat is afraid of thunder.',
      'Sugar is cheaper at the market.',
      'The museum closes at five on Sundays.',
      'Clara learns to play the cello.',
    ]
    for (const [i, text] of next.entries()) {
      await ada.post('/v1/memory/text/store', { text })
      await ada.delete(`/v1/memory/patterns/${ids[i]}`)
    }
    const fresh = await newSpace(server, next)
    const query = 'Wer fährt und flickt Fahrräder?'
    const [turned, unturned] = await Promise.all(
      [ada, fresh.ada].map((client) => recall(client, { query, explain: true })),
    )
    expect(turned?.results[0]).toMatchObject({ text: next[0] })
    expect(turned?.results[0]?.scores?.semantic).toBeGreaterThan(0)
    expect(textsOf(turned as Recalled)).toEqual(textsOf(unturned as Recalled))
  })

  it('are seen as where they were from the start, however they came', async () => {
    const query = 'Wer fährt und flickt Fahrräder?'
    const scoresOf = async (client: ConformingClient) => {
      const { results } = await recall(client, { query, explain: true, top_k: 50 })
      return results.map(({ text, similarity, scores }) => ({ text, similarity, scores }))
    }
    const texts = [...facts, 'Ben repairs old bicycles in his garage.']
    const fresh = await scoresOf((await newSpace(server, texts)).ada)

    const { ada } = await newSpace(server)
    await scoresOf(ada)
    await ada.store([texts[6] as string])
    expect(await scoresOf(ada)).toEqual(fresh)

    const replaced = await server.newClient()
    const store = (all: readonly string[]) =>
      replaced.post('/v1/memory/text/batch-store', {
        items: all.map((text, i) => ({ text, external_id: `${i}` })),
        on_conflict: 'replace',
      })
    await store(texts.map((_, i) => `The weather on day ${i} was fine.`))
    await scoresOf(replaced)
    await store(texts)
    expect(await scoresOf(replaced)).toEqual(fresh)
  })

  it('are not recalled any more once deleted or forgotten', async () => {
    const { ada, ids } = await newSpace(server)
    await recall(ada, { query: 'toner' })
    await ada.delete(`/v1/memory/patterns/${ids[1]}`)
    await ada.delete('/v1/memory/text/forget', { query: facts[5] })
    for (const [query, text] of [
      ['toner', facts[1]],
      ['RX-2209', facts[5]],
    ] as const) {
      const recalled = await recall(ada, { query, top_k: 50 })
      expect(textsOf(recalled)).not.toContain(text)
      expect(recalled.results).toHaveLength(4)
      expect(recalled.info.lexical_hits).toBe(0)
    }
    await ada.delete('/v1/memory/patterns?confirm=all')
    expect((await recall(ada, { query: 'heating' })).results).toEqual([])
    await ada.store(['The heating works.'])
    expect(textsOf(await recall(ada, { query: 'heating' }))).toEqual(['The heating works.'])
  })

  it.each(['expires_at', 'valid_to'])('are not recalled once their %s has come', async (field) => {
    const { ada } = await newSpace(server)
    await beforeItComes(async (time) => {
      await ada.post('/v1/memory/text/store', { text: 'The zeppelin lands.', [field]: time })
      expect(textsOf(await recall(ada, { query: 'zeppelin', top_k: 1 }))).toEqual(['The zeppelin lands.'])
    })
    const found = async () => textsOf(await recall(ada, { query: 'zeppelin', top_k: 50 }))
    await until(async () => (await found()).length === 6, 'its time is over')
    // Nor have its words any part in what is told of others.
    expect((await recall(ada, { query: 'zeppelin' })).info.lexical_hits).toBe(0)
    await eraseExpired(server.context.database.queries)
    expect(await found()).toHaveLength(6)
  })

  it('are recalled for as long as a later change says', async () => {
    const { ada } = await newSpace(server)
    const stored = await ada.post('/v1/memory/text/store', { text: 'The zeppelin lands.' })
    await recall(ada, { query: 'zeppelin' })
    await beforeItComes(async (expires_at) => {
      await ada.patch(`/v1/memory/patterns/${stored.body.pattern_id}`, { expires_at })
      expect((await recall(ada, { query: 'zeppelin' })).info.lexical_hits).toBe(1)
    })
    const hits = async () => (await recall(ada, { query: 'zeppelin' })).info.lexical_hits
    await until(async () => (await hits()) === 0, 'it expires')
  })

  it('are recalled while others are stored', async () => {
    const { ada } = await newSpace(server)
    const storing = Array.from({ length: 10 }, (_, i) =>
      ada.store([`Parcel ${i} arrived.`, `Parcel ${i} was opened.`]),
    )
    const recalling = Array.from({ length: 20 }, () => recall(ada, { query: 'RX-2209', top_k: 1 }))
    for (const recalled of await Promise.all(recalling)) expect(textsOf(recalled)).toEqual([facts[5]])
    await Promise.all(storing)
    const { results, info } = await recall(ada, { query: 'parcel', top_k: 50 })
    expect(info.lexical_hits).toBe(20)
    expect(results).toHaveLength(26)
  })
})

describe('an anomaly', () => {
  it('makes recall exact: the order of cosines', async () => {
    const { ada } = await newSpace(server)
    const query = 'Who paid RX-2209, and where does Ada live?'
    await ada.post('/v1/memory/regime/inject-anomaly', { magnitude: 20 })
    const { results, info } = await recall(ada, { query, top_k: 6 })
    expect(info).toMatchObject({ pathway: 'exact', regime: 'anomaly', reranked: false, co_access_boosted: 0 })
    expect(results.map(({ text }) => text)).toEqual(await ada.retrieve(query, { top_k: 6 }))
    server.clock.advance(200_000)
    await ada.get('/v1/memory/regime')
    expect((await recall(ada, { query })).info).toMatchObject({ pathway: 'attention' })
  })
})

describe('use', () => {
  const asked = 'Where did Ada move?'
  const baking = 'Bread needs flour, water, salt and yeast.'

  /** Two facts that have nothing in common, found one after the other, each time by another actor, or by two. */
  async function newUsed(actors: 'one' | 'two') {
    const weather = Array.from({ length: 30 }, (_, i) => `Chapter ${i} describes the weather on day ${i}.`)
    const { ada, ids } = await newSpace(server, [...facts, ...weather, baking])
    for (let n = 0; n < 8; n++) {
      for (const [i, query] of [asked, 'What does bread need?'].entries()) {
        const headers = { 'X-Memory-Actor': actors === 'one' ? `${n}` : `${n} ${i}` }
        await ada.post('/v1/memory/text/retrieve', { query, top_k: 1 }, headers)
      }
    }
    await server.context.memory.accesses.flush()
    await server.context.memory.learning.flush()
    return { ada, ids, last: ids.at(-1) as string }
  }

  const rankOf = ({ results }: Recalled, id: string) =>
    results.findIndex(({ pattern_id }) => pattern_id === id)

  it('brings what was used together once that has proved useful, and says how many it has raised', async () => {
    const [together, apart] = [await newUsed('one'), await newUsed('two')]
    for (const { ada } of [together, apart]) {
      const { info } = await recall(ada, { query: asked, top_k: 37 })
      expect(info.head_weights.associative).toBe(0)
      expect(info.co_access_boosted).toBe(0)
    }
    for (const { ada, last } of [together, apart]) {
      for (let n = 0; n < 12; n++) {
        await ada.post('/v1/memory/feedback', { pattern_id: last, useful: true, query: asked })
      }
    }
    await server.context.memory.learning.flush()
    const after = await recall(together.ada, { query: asked, top_k: 37 })
    const without = await recall(apart.ada, { query: asked, top_k: 37 })
    expect(after.info.head_weights.associative).toBeGreaterThan(0.01)
    expect(after.info.co_access_boosted).toBe(1)
    expect(without.info).toMatchObject({ co_access_boosted: 0, head_weights: { associative: 0 } })
    // By how many places depends on the last digits of embeddings, which no two processors give alike.
    expect(rankOf(after, together.last)).toBeLessThanOrEqual(rankOf(without, apart.last))
    const explained = await recall(together.ada, { query: asked, top_k: 37, explain: true, read_only: true })
    const raised = explained.results.find(
      ({ pattern_id }: { pattern_id: string }) => pattern_id === together.last,
    )
    expect(raised?.scores?.associative).toBeGreaterThan(0)
  })

  it('is learned from: the brain predicts what comes next, and tells what it is made of', async () => {
    const { ada, ids, last } = await newUsed('one')
    await ada.post('/v1/memory/text/retrieve', { query: asked, top_k: 1 })
    const { status, body } = await ada.get('/v1/memory/brain')
    expect(status).toBe(200)
    const [first, ...others] = body.temporal_predictions
    expect(first.pattern_id).toBe(last)
    expect(first.strength).toBeGreaterThan(0.4)
    expect(others.length).toBeLessThanOrEqual(4)
    const total = [first, ...others].reduce(
      (sum: number, { strength }: { strength: number }) => sum + strength,
      0,
    )
    expect(total).toBeLessThanOrEqual(1)
    expect(body).toMatchObject({ regime: 'normal', patterns_total: ids.length, consolidation_status: 'idle' })
    const { info } = await recall(ada, { query: asked })
    expect(body.head_weights).toEqual(
      ['semantic', 'lexical', 'associative', 'contiguity', 'salience'].map((head) => info.head_weights[head]),
    )
    expect(body.surprise).toBeCloseTo(info.surprise, 9)
  })

  it('of a space that nobody has used is none', async () => {
    const ada = await newConformingClient(server)
    expect((await ada.get('/v1/memory/brain')).body).toEqual({
      regime: 'normal',
      surprise: 0,
      head_weights: expect.any(Array),
      temporal_predictions: [],
      patterns_total: 0,
      consolidation_status: 'idle',
    })
  })
})

describe('a larger space', () => {
  let ada: ConformingClient

  beforeAll(async () => {
    ada = await newConformingClient(server)
    const names = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ivo', 'Jo']
    for (let batch = 0; batch < 12; batch++) {
      await ada.store(
        Array.from({ length: 50 }, (_, i) => {
          const n = batch * 50 + i
          return `${names[n % 10]} keeps box ${n} on shelf ${n % 97}.`
        }),
      )
    }
    await ada.store(['The passphrase of the archive is quetzalcoatl.'])
  })

  it('finds a rare word among 600 texts', async () => {
    const { results, info } = await recall(ada, { query: 'quetzalcoatl', top_k: 1 })
    expect(results[0]?.text).toContain('quetzalcoatl')
    expect(info.lexical_hits).toBe(1)
    expect(info.candidates).toBeLessThan(601)
    expect(info.candidates).toBeGreaterThan(50)
  })

  it('finds what both words and meaning say', async () => {
    const recalled = await recall(ada, { query: 'Where is box 534?', top_k: 10 })
    expect(textsOf(recalled)).toContain('Eva keeps box 534 on shelf 49.')
  })
})
