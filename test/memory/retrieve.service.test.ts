import { limits } from '@memory/shared/catalogue/limits'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { faultsOf, rule } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

interface Result {
  text: string
  metadata: Record<string, unknown>
  similarity: number
  pattern_id: string
}

const retrieve = async (client: ConformingClient, body: object): Promise<Result[]> => {
  const answer = await client.post('/v1/memory/text/retrieve', body)
  expect(answer.status).toBe(200)
  return answer.body.results
}

const facts = [
  'Ada moved to Lisbon in May.',
  'The cat sleeps on the warm roof.',
  'Interest rates rose by half a percent.',
  'Ada is allergic to peanuts.',
  'The train to Porto leaves at nine.',
  'Bread needs flour, water, salt and yeast.',
  'The printer is out of toner.',
  'Her favourite colour is dark green.',
]

describe('a query that is far longer in normal form', () => {
  it.each([
    ['/v1/memory/text/retrieve', 'query'],
    ['/v1/memory/text/recall', 'query'],
    ['/v1/memory/text/explain', 'query'],
    ['/v1/memory/text/similarity', 'text_a'],
    ['/v1/memory/routing/decide', 'context'],
  ])('is refused by %s', async (path, field) => {
    const ada = await newConformingClient(server)
    const texts = { query: 'one', text_a: 'one', text_b: 'two' }
    const answer = await ada.post(path, { ...texts, [field]: '\ufdfa'.repeat(limits.queryChars) })
    expect(faultsOf(answer)).toEqual([
      rule(
        ['body', field],
        `text must have at most ${limits.queryFormChars} characters in normal form (NFKC)`,
      ),
    ])
  })
})

describe('POST /v1/memory/text/retrieve', () => {
  it.each(['Where does Ada live?', 'food and cooking', 'the economy', 'animals'])(
    'orders all texts by their cosine to %j',
    async (query) => {
      const ada = await newConformingClient(server)
      await ada.store(facts)
      const embed = async (text: string): Promise<number[]> =>
        (await ada.post('/v1/memory/text/embed', { text })).body.embedding
      const wanted = await embed(query)
      const cosines = await Promise.all(
        facts.map(async (text) => ({ text, cosine: cosineOf(wanted, await embed(text)) })),
      )
      const results = await retrieve(ada, { query, top_k: 50 })
      expect(results.map(({ text, similarity }) => ({ text, cosine: similarity }))).toEqual(
        cosines
          .toSorted((a, b) => b.cosine - a.cosine)
          .map(({ text, cosine }) => ({ text, cosine: expect.closeTo(cosine, 5) })),
      )
    },
  )

  it('answers an empty space with no results', async () => {
    const ada = await newConformingClient(server)
    const { status, body } = await ada.post('/v1/memory/text/retrieve', { query: 'anything' })
    expect(status).toBe(200)
    expect(body).toEqual({ results: [], latency_ms: expect.any(Number) })
  })

  it('puts texts that are equally similar in store order', async () => {
    const ada = await newConformingClient(server)
    const ids = await ada.store(['noise', 'the same', 'noise too', 'the same', 'the same'])
    for (const top_k of [1, 2, 3]) {
      const results = await retrieve(ada, { query: 'the same', top_k })
      expect(results.map(({ pattern_id }) => pattern_id)).toEqual([ids[1], ids[3], ids[4]].slice(0, top_k))
    }
  })

  it('finds a text by itself with a similarity of 1', async () => {
    const ada = await newConformingClient(server)
    await ada.store(facts)
    for (const text of facts) {
      const [first] = await retrieve(ada, { query: text, top_k: 1 })
      expect(first).toMatchObject({ text, similarity: expect.closeTo(1, 5) })
      expect(first?.similarity).toBeLessThanOrEqual(1)
    }
  })

  it.each([
    ['French', 'Où habite Ada ?', 'Ada moved to Lisbon in May.'],
    ['German', 'Was braucht man für ein Brot?', 'Bread needs flour, water, salt and yeast.'],
    ['Japanese', '猫はどこで寝ていますか', 'The cat sleeps on the warm roof.'],
    ['Arabic', 'ما هو لونها المفضل؟', 'Her favourite colour is dark green.'],
    ['Russian', 'Когда отправляется поезд?', 'The train to Porto leaves at nine.'],
  ])('finds an English text by a question in %s', async (_language, query, text) => {
    const ada = await newConformingClient(server)
    await ada.store(facts)
    expect((await ada.retrieve(query, { top_k: 1 }))[0]).toBe(text)
  })

  it('finds a text as soon as its store was answered, among parallel requests', async () => {
    const ada = await newConformingClient(server)
    const found = await Promise.all(
      facts.map(async (text) => {
        await ada.store([text])
        return ada.retrieve(text, { top_k: 1 })
      }),
    )
    expect(found).toEqual(facts.map((text) => [text]))
  })

  describe('top_k', () => {
    it('is 5 unless given and gives as many results as there are', async () => {
      const ada = await newConformingClient(server)
      await ada.store(facts)
      expect(await ada.retrieve('x')).toHaveLength(5)
      expect(await ada.retrieve('x', { top_k: 1 })).toHaveLength(1)
      expect(await ada.retrieve('x', { top_k: 50 })).toHaveLength(facts.length)
    })

    it('gives 50 results of more', async () => {
      const ada = await newConformingClient(server)
      await ada.store(Array.from({ length: 50 }, () => 'again'))
      await ada.store(['once more'])
      expect(await ada.retrieve('again', { top_k: 50 })).toEqual(Array.from({ length: 50 }, () => 'again'))
    })
  })

  describe('min_similarity', () => {
    it('leaves out what is less similar', async () => {
      const ada = await newConformingClient(server)
      await ada.store(facts)
      const all = await retrieve(ada, { query: 'Ada', top_k: 50 })
      const third = all[2]?.similarity ?? 0
      const kept = await retrieve(ada, { query: 'Ada', top_k: 50, min_similarity: third })
      expect(kept).toEqual(all.slice(0, 3))
      expect(await retrieve(ada, { query: 'Ada', top_k: 50, min_similarity: third + 1e-6 })).toEqual(
        all.slice(0, 2),
      )
    })

    it('of -1 or null leaves nothing out, of 1 what differs', async () => {
      const ada = await newConformingClient(server)
      await ada.store(facts)
      for (const min_similarity of [-1, null]) {
        expect(await ada.retrieve('Ada', { top_k: 50, min_similarity })).toHaveLength(facts.length)
      }
      expect(await ada.retrieve('Ada', { min_similarity: 1 })).toEqual([])
    })
  })

  describe('filter', () => {
    const people: { text: string; metadata?: object }[] = [
      { text: 'a', metadata: { role: 'user', n: 1, tags: ['x'], at: { city: 'Lisbon', zip: 1 } } },
      { text: 'b', metadata: { role: 'user', n: 2, active: true } },
      { text: 'c', metadata: { role: 'bot', n: '1', active: null } },
      { text: 'd', metadata: { role: ['user', 'bot'], at: { city: 'Lisbon' } } },
      { text: 'e' },
    ]
    let client: ConformingClient

    beforeAll(async () => {
      client = await newConformingClient(server)
      await client.store(people)
    })

    it.each<[string, unknown, string[]]>([
      ['equal strings, and lists with one', { role: 'user' }, ['a', 'b', 'd']],
      ['equal numbers, which are no strings', { n: 1 }, ['a']],
      ['equal numbers however written', { n: 1.0 }, ['a']],
      ['all of several keys', { role: 'user', n: 2 }, ['b']],
      ['any of a list', { role: ['bot', 'admin', 'user'] }, ['a', 'b', 'c', 'd']],
      ['any of a list of several types', { n: [2, '1'] }, ['b', 'c']],
      ['none of an empty list', { role: [] }, []],
      ['a boolean', { active: true }, ['b']],
      ['a stored null, which is no missing key', { active: null }, ['c']],
      ['null or true', { active: [null, true] }, ['b', 'c']],
      ['nested objects, whatever the order of their keys', { at: { zip: 1, city: 'Lisbon' } }, ['a']],
      ['a path into an object', { 'at.city': 'Lisbon' }, ['a', 'd']],
      ['order, among numbers alone', { n: { $gte: 1 } }, ['a', 'b']],
      ['what is not there', { active: { $exists: false } }, ['a', 'd', 'e']],
      ['one of several filters', { $or: [{ n: { $gt: 1 } }, { 'at.zip': 1 }] }, ['a', 'b']],
      ['the text', { $text: { $contains: 'E' } }, ['e']],
      ['nested objects whole', { at: { city: 'Lisbon' } }, ['d']],
      ['no missing key', { nobody: 'user' }, []],
      ['no key of the prototype', { constructor: 'x' }, []],
      ['everything when empty', {}, ['a', 'b', 'c', 'd', 'e']],
      ['everything when null', null, ['a', 'b', 'c', 'd', 'e']],
    ])('matches %s', async (_name, filter, texts) => {
      expect((await client.retrieve('letter', { top_k: 50, filter })).toSorted()).toEqual(texts)
    })

    it('gives top_k of those that match, not those that match of the top_k', async () => {
      const ada = await newConformingClient(server)
      await ada.store(Array.from({ length: 20 }, () => ({ text: 'needle', metadata: { kind: 'near' } })))
      await ada.store(facts.map((text) => ({ text, metadata: { kind: 'far' } })))
      const results = await retrieve(ada, { query: 'needle', top_k: 3, filter: { kind: 'far' } })
      expect(results.map(({ metadata }) => metadata.kind)).toEqual(['far', 'far', 'far'])
    })

    it('finds what a plain comparison finds, for any metadata and filter', async () => {
      const value = fc.constantFrom<unknown>('u', 'v', 1, 0, true, null, { z: 1 }, { z: 1, y: null }, {})
      const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { maxKeys: 3 })
      const wanted = fc.dictionary(
        fc.constantFrom('a', 'b', 'c'),
        fc.oneof(value, fc.array(value, { maxLength: 3 })),
        { maxKeys: 2 },
      )
      const ada = await newConformingClient(server)
      const stored = fc
        .sample(object, { numRuns: 40, seed: 7 })
        .map((metadata) => ({ text: 'one', metadata }))
      const ids = await ada.store(stored)
      await fc.assert(
        fc.asyncProperty(wanted, async (filter) => {
          const results = await retrieve(ada, { query: 'one', top_k: 50, filter })
          const expected = ids.filter((_, i) => matches(stored[i]?.metadata ?? {}, filter))
          expect(results.map(({ pattern_id }) => pattern_id)).toEqual(expected)
        }),
        { numRuns: 60, seed: 11 },
      )
    })
  })

  const fault = (field: string, type: string, msg: string, ctx?: object) => ({
    type,
    loc: ['body', field],
    msg,
    ...(ctx === undefined ? {} : { ctx }),
  })
  const atLeast = (field: string, ge: number) =>
    fault(field, 'greater_than_equal', `Input should be greater than or equal to ${ge}`, { ge })
  const atMost = (field: string, le: number) =>
    fault(field, 'less_than_equal', `Input should be less than or equal to ${le}`, { le })
  it.each<[string, unknown, unknown]>([
    ['no query', {}, fault('query', 'missing', 'Field required')],
    [
      'an empty query',
      { query: '' },
      fault('query', 'string_too_short', 'String should have at least 1 character', { min_length: 1 }),
    ],
    [
      'a query of 5,001 characters',
      { query: 'q'.repeat(5_001) },
      fault('query', 'string_too_long', 'String should have at most 5000 characters', { max_length: 5_000 }),
    ],
    ['top_k 0', { query: 'q', top_k: 0 }, atLeast('top_k', 1)],
    ['top_k 51', { query: 'q', top_k: 51 }, atMost('top_k', 50)],
    [
      'top_k as a string',
      { query: 'q', top_k: '5' },
      fault('top_k', 'int_type', 'Input should be a valid integer'),
    ],
    [
      'top_k with a fraction',
      { query: 'q', top_k: 1.5 },
      fault(
        'top_k',
        'int_from_float',
        'Input should be a valid integer, got a number with a fractional part',
      ),
    ],
    [
      'top_k null',
      { query: 'q', top_k: null },
      fault('top_k', 'int_type', 'Input should be a valid integer'),
    ],
    [
      'top_k that overflows',
      '{"query":"q","top_k":1e999}',
      fault('top_k', 'finite_number', 'Input should be a finite number'),
    ],
    ['min_similarity below -1', { query: 'q', min_similarity: -1.01 }, atLeast('min_similarity', -1)],
    ['min_similarity above 1', { query: 'q', min_similarity: 1.01 }, atMost('min_similarity', 1)],
    [
      'a filter that is a list',
      { query: 'q', filter: ['a'] },
      fault('filter', 'dict_type', 'Input should be a valid dictionary'),
    ],
    [
      'a filter with a list in a list',
      { query: 'q', filter: { a: [['b']] } },
      rule(['body', 'filter', 'a'], 'filter lists must not hold lists'),
    ],
    [
      'a filter of more than 16 KiB',
      { query: 'q', filter: { a: 'x'.repeat(16 * 1024) } },
      rule(['body', 'filter'], 'filter must be at most 16384 bytes of JSON'),
    ],
    [
      'a NUL in a filter',
      { query: 'q', filter: { a: '\0' } },
      rule(['body', 'filter'], 'filter must not contain the NUL character'),
    ],
  ])('refuses %s with 422', async (_name, body, expected) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post('/v1/memory/text/retrieve', body))).toEqual([expected])
  })

  it('takes a query of 5,000 characters, an emoji counted as one', async () => {
    const ada = await newConformingClient(server)
    await retrieve(ada, { query: `q${' '.repeat(4_998)}😀` })
  })
})

function cosineOf(a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

/** What a filter means, written down once more. */
function matches(metadata: Record<string, unknown>, filter: Record<string, unknown>): boolean {
  return Object.entries(filter).every(([key, wanted]) => {
    if (!Object.hasOwn(metadata, key)) return false
    const options = Array.isArray(wanted) ? wanted : [wanted]
    return options.some((option) => canonical(option) === canonical(metadata[key]))
  })
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
