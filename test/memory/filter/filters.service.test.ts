import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { isReadKnown, rowsRead } from '../../support/rows-read.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { faultsOf } from '../space.ts'

let server: TestServer
let ada: ConformingClient

const people = ['ada', 'ben', 'cleo']
const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}T12:00:00.000Z`

beforeAll(async () => {
  server = await startServer()
  ada = await newConformingClient(server)
  const answer = await ada.post('/v1/memory/text/batch-store', {
    items: Array.from({ length: 12 }, (_, i) => ({
      text: `Letter ${i} from ${people[i % 3]} about ${i % 2 === 0 ? 'Straße' : 'tea'}.`,
      metadata: {
        user: people[i % 3],
        n: i,
        tags: [`t${i % 4}`, 'all'],
        place: { city: i < 6 ? 'Lyon' : 'Porto' },
      },
      occurred_at: day(20 - i),
    })),
  })
  expect(answer.status).toBe(200)
  await ada.post('/v1/memory/store', { key: [1, 0], value: [1], metadata: { user: 'ada', n: 100 } })
})

afterAll(() => server.close())

/** The numbers of the letters on a page. */
const numbersOf = (body: { patterns: { metadata: { n: number } }[] }) =>
  body.patterns.map(({ metadata }) => metadata.n)

describe('GET /v1/memory/patterns', () => {
  const list = (query: Record<string, string>) => ada.get(`/v1/memory/patterns?${new URLSearchParams(query)}`)

  it('lists what a filter describes, page by page, in store order', async () => {
    const filter = JSON.stringify({ user: ['ada', 'ben'], n: { $lt: 50 } })
    const first = await list({ filter, limit: '5' })
    expect(numbersOf(first.body)).toEqual([0, 1, 3, 4, 6])
    const second = await list({ filter, limit: '5', cursor: first.body.next_cursor })
    expect(numbersOf(second.body)).toEqual([7, 9, 10])
    expect(second.body.next_cursor).toBeNull()
  })

  it.each([
    ['occurred_at', [11, 10, 9, 8]],
    ['-occurred_at', [0, 1, 2, 3]],
    ['-created_at', [11, 10, 9, 8]],
    ['created_at', [0, 1, 2, 3]],
    ['-updated_at', [11, 10, 9, 8]],
  ])('lists in the order of %s, and goes on where a page ended', async (order, expected) => {
    const filter = JSON.stringify({ 'place.city': { $exists: true } })
    const first = await list({ order, filter, limit: '3' })
    const second = await list({ order, filter, limit: '1', cursor: first.body.next_cursor })
    expect([...numbersOf(first.body), ...numbersOf(second.body)]).toEqual(expected)
  })

  it('lists all in an order by time without a filter, the changed first', async () => {
    const { body } = await list({ limit: '3' })
    await ada.patch(`/v1/memory/patterns/${body.patterns[1].pattern_id}`, {
      metadata: { n: 1, user: 'ben', changed: true },
    })
    expect(numbersOf((await list({ order: '-updated_at', limit: '1' })).body)).toEqual([1])
    const filter = JSON.stringify({ changed: true })
    expect(numbersOf((await list({ filter })).body)).toEqual([1])
    await ada.patch(`/v1/memory/patterns/${body.patterns[1].pattern_id}`, {
      metadata: body.patterns[1].metadata,
    })
    expect(numbersOf((await list({ filter })).body)).toEqual([])
  })

  it('lists texts that contain words in whatever case', async () => {
    expect(numbersOf((await list({ q: 'STRASSE', filter: '{"user":"ada"}' })).body)).toEqual([0, 6])
  })

  it.each([
    ['no JSON', 'user=ada', ['query', 'filter'], 'filter must be a JSON object'],
    [
      'an unknown operator',
      '{"a":{"$regex":"x"}}',
      ['query', 'filter', 'a', '$regex'],
      'filter unknown operator',
    ],
  ])('refuses %s with 422', async (_name, filter, loc, message) => {
    expect(faultsOf(await list({ filter }))).toEqual([
      { type: 'value_error', loc, msg: expect.stringContaining(message), ctx: { error: {} } },
    ])
  })

  it('refuses the cursor of another order', async () => {
    const { body } = await list({ order: 'occurred_at', limit: '1' })
    expect((await list({ order: '-occurred_at', cursor: body.next_cursor })).status).toBe(422)
    expect((await list({ cursor: body.next_cursor })).status).toBe(422)
  })
})

describe('POST /v1/memory/patterns/search and /count', () => {
  it('lists and counts the same', async () => {
    const filter = { $or: [{ user: 'ada', n: { $gte: 6 } }, { tags: 't3' }], $not: { n: 11 } }
    const { body } = await ada.post('/v1/memory/patterns/search', { filter, order: '-created_at' })
    expect(numbersOf(body)).toEqual([100, 9, 7, 6, 3])
    expect((await ada.post('/v1/memory/patterns/count', { filter })).body).toEqual({ count: 5 })
    expect((await ada.post('/v1/memory/patterns/count', {})).body).toEqual({ count: 13 })
    expect((await ada.post('/v1/memory/patterns/count', { q: 'tea' })).body).toEqual({ count: 6 })
  })

  it('finds what was stored, changed and deleted a moment ago', async () => {
    const count = async () =>
      (await ada.post('/v1/memory/patterns/count', { filter: { fresh: true } })).body.count
    expect(await count()).toBe(0)
    const [id] = await ada.store([{ text: 'Fresh.', metadata: { fresh: true } }])
    expect(await count()).toBe(1)
    await ada.patch(`/v1/memory/patterns/${id}`, { metadata: { fresh: false } })
    expect(await count()).toBe(0)
    await ada.patch(`/v1/memory/patterns/${id}`, { metadata: { fresh: true } })
    expect(await count()).toBe(1)
    await ada.delete(`/v1/memory/patterns/${id}`)
    expect(await count()).toBe(0)
  })
})

describe('a filter', () => {
  const filter = { user: 'cleo', n: { $gt: 3 } }
  const isIt = /^Letter (5|8|11) from cleo/

  it.each<[string, object, (body: never) => string[]]>([
    [
      'text/retrieve',
      { query: 'letter' },
      ({ results }: { results: { text: string }[] }) => results.map(({ text }) => text),
    ],
    [
      'text/recall',
      { query: 'letter about tea' },
      ({ results }: { results: { text: string }[] }) => results.map(({ text }) => text),
    ],
    [
      'tiered/retrieve',
      { query: 'letter' },
      ({ results }: { results: { text: string }[] }) => results.map(({ text }) => text),
    ],
    [
      'text/predict',
      { query: 'Letter 7 from ben about tea.' },
      ({ predictions }: { predictions: { text: string }[] }) => predictions.map(({ text }) => text),
    ],
  ])('restricts %s', async (path, body, textsOf) => {
    const answer = await ada.post(`/v1/memory/${path}`, { ...body, top_k: 10, filter })
    expect(answer.status).toBe(200)
    const texts = textsOf(answer.body as never)
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts) expect(text).toMatch(isIt)
    const none = await ada.post(`/v1/memory/${path}`, { ...body, filter: { user: 'nobody' } })
    expect(textsOf(none.body as never)).toEqual([])
  })

  it('restricts explanations', async () => {
    const query = 'Letter 8 from cleo about Straße.'
    const { body } = await ada.post('/v1/memory/text/explain', { query, filter })
    expect(body).toMatchObject({ method: 'evidence', explanation: expect.stringContaining('Letter 8') })
    const other = await ada.post('/v1/memory/text/explain', { query, filter: { user: 'nobody' } })
    expect(other.body).toMatchObject({ method: 'no_evidence', confidence: 0 })
  })

  it('restricts each query of a batch by its own', async () => {
    const { body } = await ada.post('/v1/memory/batch/retrieve', {
      queries: [
        { embedding: [1, 0], top_k: 5 },
        { embedding: [1, 0], top_k: 5, filter: { user: 'nobody' } },
        { embedding: [1, 0], top_k: 5, filter: { n: { $gte: 100 } } },
      ],
    })
    expect(body.results.map((list: unknown[]) => list.length)).toEqual([1, 0, 1])
  })

  it('restricts what is read ahead', async () => {
    const warm = (given: object) =>
      ada.post('/v1/memory/prefetch/warmup', { context_keys: [[1, 0]], ...given })
    expect((await warm({ filter: { user: 'nobody' } })).body.warmed_up).toBe(false)
    expect((await warm({ filter: { user: 'ada' } })).body.warmed_up).toBe(true)
  })

  it('selects what is deleted and forgotten, and an empty one nothing', async () => {
    const ben = await newConformingClient(server)
    await ben.store([1, 2, 3, 4].map((n) => ({ text: `Note ${n}.`, metadata: { n } })))
    const preview = await ben.post('/v1/memory/patterns/delete', {
      filter: { n: { $gte: 3 } },
      dry_run: true,
    })
    expect(preview.body).toMatchObject({ deleted: 2 })
    expect(preview.body.receipt).toBeUndefined()
    const deleted = await ben.post('/v1/memory/patterns/delete', { filter: { n: { $gte: 3 } } })
    expect(deleted.body).toMatchObject({ deleted: 2, receipt: expect.any(String) })
    expect(deleted.body.pattern_ids).toEqual(preview.body.pattern_ids)
    const forgotten = await ben.delete('/v1/memory/text/forget', { filter: { n: { $in: [2] } } })
    expect(forgotten.body).toMatchObject({ forgotten: 1 })
    for (const body of [{ filter: {} }, {}, { filter: { n: 1 }, pattern_ids: ['x'] }]) {
      expect((await ben.post('/v1/memory/patterns/delete', body)).status).toBe(422)
    }
    expect(await ben.retrieve('note')).toEqual(['Note 1.'])
  })

  it('is refused in good time, however it is written', async () => {
    const deep = (n: number): object => (n === 0 ? { a: 1 } : { $not: deep(n - 1) })
    for (const [wrong, at] of [
      [deep(8), 'levels'],
      [{ $or: Array.from({ length: 101 }, () => ({ a: 1 })) }, 'conditions'],
      [{ a: 'x'.repeat(16_385) }, 'bytes'],
      [{ a: { $gt: {} } }, 'number or a string'],
    ] as const) {
      const answer = await ada.post('/v1/memory/text/retrieve', { query: 'q', filter: wrong })
      expect(answer.status).toBe(422)
      expect(answer.body.detail[0].msg).toContain(at)
    }
  })
})

describe('filters on strings that are too long for the index', () => {
  const count = 1_300
  let ben: ConformingClient
  /** Two in three notes are long, so that the index knows of some whether they match, and of others not. */
  const noteOf = (n: number) => `${n % 3 === 0 ? '' : 'long '.repeat(80)}note ${n}.`

  beforeAll(async () => {
    ben = await newConformingClient(server)
    const patterns = Array.from({ length: count }, (_, n) => ({
      key: [1, n],
      value: [n],
      metadata: { n, note: noteOf(n) },
    }))
    expect((await ben.post('/v1/memory/batch/store', { patterns })).status).toBe(200)
    // The first filter of a space reads it all.
    await ben.post('/v1/memory/patterns/count', { filter: { n: 1 } })
  })

  /** How many rows were read of patterns, where that is known; else 0. */
  async function readDuring(work: () => Promise<void>): Promise<number> {
    const read = async () =>
      isReadKnown ? ((await rowsRead(server.context.database.queries)).get('patterns') ?? 0) : 0
    const before = await read()
    await work()
    return (await read()) - before
  }

  it('are answered together for the queries of a batch: each pattern is read once', async () => {
    const wanted = Array.from({ length: 40 }, (_, i) => 31 * i)
    const read = await readDuring(async () => {
      const queries = wanted.map((n) => ({
        embedding: [1, 0],
        top_k: 3,
        filter: { note: { $contains: `note ${n}.` } },
      }))
      const { body } = await ben.post('/v1/memory/batch/retrieve', { queries })
      const found = body.results.map((list: { value: number[] }[]) => list.map(({ value }) => value[0]))
      expect(found).toEqual(wanted.map((n) => [n]))
    })
    expect(read).toBeLessThan(8 * count)
  })

  it('list in store order what the index knows and what it does not, whatever the pages', async () => {
    const filter = { note: { $contains: '7.' } }
    const all = Array.from({ length: count }, (_, n) => n).filter((n) => n % 10 === 7)
    for (const limit of [100, 65, 13]) {
      const listed: number[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { body } = await ben.post('/v1/memory/patterns/search', { filter, limit, cursor })
        listed.push(...numbersOf(body))
        cursor = body.next_cursor
      }
      expect(listed).toEqual(all)
    }
  })

  it('read no more of a space than a page needs', async () => {
    const read = await readDuring(async () => {
      const { body } = await ben.post('/v1/memory/patterns/search', {
        filter: { note: { $contains: 'note' } },
        limit: 10,
      })
      expect(numbersOf(body)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    })
    expect(read).toBeLessThan(count / 2)
  })
})
