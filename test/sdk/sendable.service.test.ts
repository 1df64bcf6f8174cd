import { createMemoryHandler } from 'memory-service-router'
import { type InputOf, MemoryClient } from 'memory-service-sdk'
import { describe, expect, it } from 'vitest'
import { fails, ok } from './scripted-server.ts'
import { newBench, rejection } from './support.ts'

class Scope {
  readonly #user = 'ada'
  get user() {
    return this.#user
  }
}

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic

/** A client that records what it would have sent. */
function recording() {
  const bodies: unknown[] = []
  const queries: object[] = []
  const client = new MemoryClient({
    apiKey: 'key',
    fetch: async (url, { body }) => {
      if (body == null) queries.push(Object.fromEntries(new URL(url).searchParams))
      else bodies.push(JSON.parse(body as string))
      return Response.json({ results: [], forgotten: 0, patterns: [], next_cursor: null })
    },
  })
  return { client, bodies, queries }
}

/** Filters that JSON would make wider than they were meant, and what is said of each. */
const lost: [unknown, string][] = [
  [undefined, 'filter is undefined'],
  [null, 'filter is null'],
  [{ toJSON: () => null }, 'filter is null'],
  [{ user: undefined }, 'filter.user is undefined'],
  [{ team: 'a', user: undefined }, 'filter.user is undefined'],
  [{ user: { id: undefined } }, 'filter.user.id is undefined'],
  [{ user: ['ada', undefined] }, 'filter.user[1] is undefined'],
  [{ user: Object.assign([], { 1: 'ada' }) }, 'filter.user[0] is undefined'],
  [{ $or: [{ user: undefined }] }, 'filter.$or[0].user is undefined'],
  [{ user: () => 'ada' }, 'filter.user is a function'],
  [() => ({ user: 'ada' }), 'filter is a function'],
  [{ user: Symbol('ada') }, 'filter.user is a symbol'],
  [{ user: 1n }, 'filter.user is a bigint'],
  [{ n: Number.NaN }, 'filter.n is NaN'],
  [{ n: [Number.POSITIVE_INFINITY] }, 'filter.n[0] is Infinity'],
  [{ n: Number.NEGATIVE_INFINITY }, 'filter.n is -Infinity'],
  [new Map([['user', 'ada']]), 'filter is no plain object (Map)'],
  [{ user: new Set(['ada']) }, 'filter.user is no plain object (Set)'],
  [Promise.resolve({ user: 'ada' }), 'filter is no plain object (Promise)'],
  [Object.create({ user: 'ada' }), 'filter is no plain object (Object)'],
  [new Scope(), 'filter is no plain object (Scope)'],
  [{ since: new Date(Number.NaN) }, 'filter.since is an invalid date'],
  [{ user: { toJSON: () => undefined } }, 'filter.user is undefined'],
  [{ toJSON: () => ({ user: undefined }) }, 'filter.user is undefined'],
  [{ user: { toJSON: () => Number.NaN } }, 'filter.user is NaN'],
]

describe('a filter that JSON would change', () => {
  it.each(lost)('%o is refused by every method that takes one', async (filter, said) => {
    const { client, bodies, queries } = recording()
    const given = { filter, query: 'q', embedding: [1] } as never
    for (const call of [
      client.text.retrieve,
      client.text.recall,
      client.text.forget,
      client.vectors.query,
      client.vectors.retrieve,
      client.engine.tieredRetrieve,
      client.patterns.list,
      client.patterns.map,
      (input: never) => client.patterns.all(input).next(),
      (input: never) => client.subjects.export('ada', input),
    ]) {
      const error = await rejection(call(given))
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toMatch(said)
    }
    expect([...bodies, ...queries]).toEqual([])
  })

  it.each([
    {},
    { user: 'ada', n: 0, flag: false, none: null },
    { user: ['ada', 'ben'], none: [] },
    Object.assign(Object.create(null), { user: 'ada' }),
    { since: new Date(0) },
  ])('%o is none of these', async (filter) => {
    const { client, bodies, queries } = recording()
    await client.text.recall({ query: 'q', filter } as never)
    expect(bodies).toEqual([JSON.parse(JSON.stringify({ query: 'q', filter }))])
    await client.patterns.list({ filter } as never)
    await client.subjects.export('ada', { filter } as never)
    await client.patterns.list({ filter: JSON.stringify(filter) })
    expect(queries).toEqual(Array(3).fill({ filter: JSON.stringify(filter) }))
  })
})

describe('a subject that is lost on the way', () => {
  it.each<[unknown, string]>([
    [undefined, 'subject is undefined'],
    ['', 'subject is empty'],
    [['ada', undefined], 'subject[1] is undefined'],
    [Promise.resolve('ada'), 'subject is no plain object (Promise)'],
  ])('%o is refused by every method that takes one', async (subject, said) => {
    const { client, bodies } = recording()
    const given = { text: 't', key: [1], value: [1], query: 'q', embedding: [1], subject } as never
    for (const call of [
      client.text.store,
      client.text.retrieve,
      client.text.forget,
      client.vectors.query,
      client.patterns.search,
      client.patterns.deleteMany,
    ]) {
      await expect(call(given)).rejects.toThrow(new TypeError(said))
    }
    await expect(client.text.batchStore({ items: [{ text: 'x', subject: 'ada' }, given] })).rejects.toThrow(
      new TypeError(`items[1].${said}`),
    )
    const queries = { queries: [given] }
    await expect(client.vectors.batchRetrieve(queries)).rejects.toThrow(new TypeError(`queries[0].${said}`))
    expect(bodies).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['subject', { name: 'ada' }, 'no single value (Object)'],
    ['q', ['a', 'b'], 'no single value (Array)'],
    ['cursor', null, 'null'],
    ['after', new Date(0), 'no single value (Date)'],
    ['limit', () => 1, 'a function'],
  ])('is no more than one value in a query: %s of %o is refused', async (name, given, said) => {
    const { client, bodies } = recording()
    const error = new TypeError(`${name} is ${said}`)
    await expect(client.patterns.list({ [name]: given } as never)).rejects.toThrow(error)
    expect(bodies).toEqual([])
  })

  it.each([undefined, null, ''])('%o is refused in a query, and so is such a filter', async (lost) => {
    const { client, queries } = recording()
    const { conflicts, list } = client.patterns
    for (const [name, call] of [
      ['subject', conflicts],
      ['filter', list],
    ] as const) {
      const said = `${name} is ${lost === '' ? 'empty' : lost}`
      await expect(call({ [name]: lost } as never)).rejects.toThrow(new TypeError(said))
    }
    for (const subject of ['ada', null]) {
      const given = { subject, filter: lost } as never
      await expect(list(given)).rejects.toThrow(/^filter is /)
    }
    expect(queries).toEqual([])
  })

  it('says by the filter of a query that several are meant, or nobody', async () => {
    const { client, queries } = recording()
    const { list, map, all } = client.patterns
    await list({ subject: null })
    await map({ subject: ['ada', 'ben'] })
    await all({ subject: null, filter: { kind: 'note' }, limit: 1 }).next()
    await list({ subject: null, filter: '{"kind":"note"}' })
    await list({ subject: ['ada'], filter: { $subject: { $startsWith: 'a' } } })
    await list({ subject: ['ada'], filter: '{}' })
    expect(queries).toEqual([
      { filter: '{"$subject":null}' },
      { filter: '{"$subject":["ada","ben"]}' },
      { filter: '{"kind":"note","$subject":null}', limit: '1' },
      { filter: '{"kind":"note","$subject":null}' },
      { filter: '{"$and":[{"$subject":["ada"]},{"$subject":{"$startsWith":"a"}}]}' },
      { filter: '{"$subject":["ada"]}' },
    ])
    for (const [given, said] of [
      [{ subject: [] }, 'subject is an empty list'],
      [{ subject: ['ada', null] }, 'A subject is the name of an end user, not null'],
      [{ subject: ['ada', undefined] }, 'A subject is the name of an end user, not undefined'],
      [{ subject: ['ada', ''] }, 'A subject is the name of an end user, not ""'],
      [{ subject: null, filter: '{"kind":' }, 'filter is no JSON object'],
      [{ subject: null, filter: '[]' }, 'filter is no JSON object'],
      [{ subject: ['ada'], filter: { user: undefined } }, 'filter.user is undefined'],
    ] as const) {
      await expect(list(given as never)).rejects.toThrow(new TypeError(said))
    }
    expect(queries).toHaveLength(6)
  })

  it('is refused in each query of many, and so is such a filter', async () => {
    const { client, bodies } = recording()
    const queries = [{ embedding: [1] }, { embedding: [1], filter: { user: undefined } }]
    await expect(client.vectors.batchRetrieve({ queries } as never)).rejects.toThrow(
      'queries[1].filter.user is undefined',
    )
    await expect(
      client.vectors.batchRetrieve({ queries: [{ embedding: [1], filter: null }] }),
    ).rejects.toThrow('queries[0].filter is null')
    expect(bodies).toEqual([])
  })

  it('is nobody where that is said, and no field of metadata', async () => {
    const { client, bodies } = recording()
    await client.text.recall({ query: 'q', subject: null })
    await client.text.forget({ query: 'q', subject: null, filter: { kind: null } })
    await client.patterns.deleteMany({ subject: null })
    await client.patterns.update('pat_1', {
      subject: null,
      expires_at: null,
      metadata_patch: { filter: null },
    })
    await client.text.store({ text: 't', metadata: { subject: '', notes: [{ subject: '' }] } })
    expect(bodies).toEqual([
      { query: 'q', subject: null },
      { query: 'q', subject: null, filter: { kind: null } },
      { subject: null },
      { subject: null, expires_at: null, metadata_patch: { filter: null } },
      { text: 't', metadata: { subject: '', notes: [{ subject: '' }] } },
    ])
  })
})

describe('half a character in the name of an end user', () => {
  it('is the service’s to refuse, in the body that a router sends: no header names somebody else', async () => {
    const sent: unknown[] = []
    const client = new MemoryClient({
      apiKey: 'key',
      fetch: async (_url, { body, headers }) => {
        sent.push([JSON.parse(body as string).subject, (headers as Headers).get('x-memory-actor')])
        return Response.json({ results: [] })
      },
    })
    for (const name of ['half\ud800', 'ada']) {
      const answer = createMemoryHandler({ client, subject: () => name })
      const headers = { 'Content-Type': 'application/json' }
      const asked = { method: 'POST', headers, body: '{"query":"q"}' }
      expect((await answer(new Request('http://app/memory/query', asked))).status).toBe(200)
    }
    expect(sent).toEqual([
      ['half\ud800', null],
      ['ada', 'ada'],
    ])
  })
})

describe('the other fields of a body', () => {
  it.each<[object, string]>([
    [{ text: 'a', metadata: { n: Number.NaN } }, 'metadata.n is NaN'],
    [{ text: 'a', metadata: { tags: ['a', undefined] } }, 'metadata.tags[1] is undefined'],
    [{ text: 'a', metadata: new Map([['user', 'ada']]) }, 'metadata is no plain object (Map)'],
    [{ text: 'a', expires_at: new Date('never') }, 'expires_at is an invalid date'],
    [{ text: () => 'a' }, 'text is a function'],
    [new BigInt64Array(2), 'The input is no plain object (BigInt64Array)'],
  ])('are refused where JSON would change them: %o', async (given, said) => {
    const { client, bodies } = recording()
    await expect(client.text.store(given as never)).rejects.toThrow(said)
    expect(bodies).toEqual([])
  })

  it('may be undefined where they are optional', async () => {
    const { client, bodies } = recording()
    class Draft {
      text = 'a'
    }
    await client.text.store({ text: 'a', metadata: { source: undefined }, expires_at: undefined } as never)
    await client.text.recall({ query: 'q', top_k: undefined } as never)
    await client.text.store(new Draft())
    await client.text.store({ text: 'a', metadata: { user: undefined, at: new Date(0) } } as never)
    expect(bodies).toEqual([
      { text: 'a', metadata: {} },
      { query: 'q' },
      { text: 'a' },
      { text: 'a', metadata: { at: '1970-01-01T00:00:00.000Z' } },
    ])
  })

  it.each(['query', 'category', 'filter', 'threshold', 'dry_run'])(
    'must be neither undefined nor null in a forget, which would remove more: %s',
    async (field) => {
      const { client, bodies } = recording()
      for (const lost of [undefined, null]) {
        const given = { category: 'health', filter: { user: 'ada' }, [field]: lost } as never
        const said = new TypeError(`${field} is ${lost}`)
        await expect(client.text.forget(given)).rejects.toThrow(said)
        await expect(client.forSubject('ada').text.forget(given)).rejects.toThrow(said)
      }
      expect(bodies).toEqual([])
    },
  )

  it.each(['pattern_ids', 'external_ids', 'filter', 'subject', 'dry_run'])(
    'must be neither undefined nor null in a deletion of many, which would delete more: %s',
    async (field) => {
      const { client, bodies } = recording()
      for (const lost of field === 'subject' ? [undefined] : [undefined, null]) {
        const given = { [field]: lost } as never
        const said = new TypeError(`${field} is ${lost}`)
        await expect(client.patterns.deleteMany(given)).rejects.toThrow(said)
        if (field !== 'subject') {
          await expect(client.forSubject('ada').patterns.deleteMany(given)).rejects.toThrow(said)
        }
      }
      expect(bodies).toEqual([])
    },
  )

  it('are not null by their types where null would be taken for left out', async () => {
    const { client, bodies } = recording()
    for (const call of [
      // @ts-expect-error
      client.text.recall({ query: 'q', filter: null }),
      // @ts-expect-error
      client.text.forget({ query: 'q', category: null }),
      // @ts-expect-error
      client.patterns.deleteMany({ filter: null }),
    ]) {
      await expect(call).rejects.toThrow(TypeError)
    }
    expect(bodies).toEqual([])
  })

  it('fit usual values by their types: an object that an interface describes, and a list that nobody may change', async () => {
    const { client, bodies } = recording()
    interface Meta {
      user: string
    }
    const metadata: Meta = { user: 'ada' }
    const items: readonly { readonly text: string; metadata: Meta }[] = [{ text: 'a', metadata }]
    const texts = ['a', 'b'] as const
    await client.text.store({ text: 'a', metadata })
    await client.text.recall({ query: 'q', filter: metadata, subject: texts })
    await client.patterns.list({ filter: metadata, subject: texts })
    await client.text.batchStore({ items })
    await client.text.embed({ texts })
    await client.vectors.delete([1, 2] as const)
    // What a program makes step by step stays one that it may change.
    const batch: InputOf<'POST /v1/memory/text/batch-store'> = { items: [] }
    batch.items.push({ text: 'a' })
    await client.text.batchStore(batch)
    expect(bodies).toHaveLength(6)
    // Never called: it is the compiler that refuses them.
    const refused = () => [
      // @ts-expect-error
      client.text.store({ text: 'a', metadata: texts }),
      // @ts-expect-error
      client.text.store({ text: 'a', metadata: 'ada' }),
      // @ts-expect-error
      client.text.store({ text: 'a', metadata: 7 }),
      // @ts-expect-error
      client.text.store({ text: 'a', metadata: new Date() }),
      // @ts-expect-error
      client.text.store({ text: 'a', metadata: Promise.resolve({}) }),
    ]
    expect(refused).toBeTypeOf('function')
  })

  it('must be there as a whole where a client of an end user would remove all that is theirs', async () => {
    const { client, bodies } = recording()
    const ada = client.forSubject('ada')
    for (const lost of [undefined, null]) {
      const said = new TypeError(`The input is ${lost}`)
      await expect(ada.text.forget(lost as never)).rejects.toThrow(said)
      await expect(ada.patterns.deleteMany(lost as never)).rejects.toThrow(said)
    }
    await expect(ada.patterns.search(null as never)).rejects.toThrow('The input is null')
    await expect(client.patterns.list(null as never)).rejects.toThrow(new TypeError('The input is null'))
    for (const { text } of [client, ada])
      await expect(text.batchStore(undefined as never)).rejects.toThrow(
        new TypeError('The input is undefined'),
      )
    expect(bodies).toEqual([])
    await ada.text.forget({})
    expect(bodies).toEqual([{ subject: 'ada' }])
  })

  it('are split in a batch that JSON makes a list of', async () => {
    const { client, bodies } = recording()
    const queries = Array.from({ length: 1_001 }, () => ({ embedding: [1] }))
    await client.vectors.batchRetrieve({ queries: { toJSON: () => queries } as never })
    expect(bodies.map((body) => (body as { queries: object[] }).queries.length)).toEqual([1_000, 1])
  })

  it('are no filter and no subject in a list of another name', async () => {
    const { client, bodies } = recording()
    const query = [{ filter: null, subject: '' }] as never
    await client.text.recall({ query })
    expect(bodies).toEqual([{ query }])
  })

  it('are checked in vectors, and their lists', async () => {
    const { client, bodies } = recording()
    await expect(client.vectors.delete([1, Number.NaN])).rejects.toThrow('[1] is NaN')
    const patterns = [
      { key: [1], value: [1] },
      { key: [1, Number.NaN], value: [1] },
    ]
    await expect(client.vectors.batchStore({ patterns })).rejects.toThrow('patterns[1].key[1] is NaN')
    await expect(client.vectors.query({ embedding: [1], min_similarity: Number.NaN })).rejects.toThrow(
      'min_similarity is NaN',
    )
    expect(bodies).toEqual([])
  })

  it('may be typed arrays where they are lists of numbers', async () => {
    const { client, bodies } = recording()
    const embedding = new Float32Array([1, 0.5])
    await client.vectors.store({ key: embedding, value: new Float64Array([0.1]) })
    await client.vectors.batchStore({ patterns: [{ key: embedding, value: new Uint8Array([7]) }] })
    await client.vectors.query({ embedding })
    await client.vectors.batchRetrieve({ queries: [{ embedding }] })
    await client.forSubject('ada').vectors.batchRetrieve({ queries: [{ embedding }] })
    await client.vectors.delete(embedding)
    expect(bodies).toEqual([
      { key: [1, 0.5], value: [0.1] },
      { patterns: [{ key: [1, 0.5], value: [7] }] },
      { embedding: [1, 0.5] },
      { queries: [{ embedding: [1, 0.5] }] },
      { queries: [{ embedding: [1, 0.5], subject: 'ada' }] },
      [1, 0.5],
    ])
    const lost = new Float32Array([1, Number.NaN])
    await expect(client.vectors.query({ embedding: lost })).rejects.toThrow('embedding[1] is NaN')
    // @ts-expect-error: JSON has no bigints
    const big = client.vectors.query({ embedding: new BigInt64Array(1) })
    await expect(big).rejects.toThrow('embedding is no plain object (BigInt64Array)')
    expect(bodies).toHaveLength(6)
  })

  it('are left to JSON where they never end', async () => {
    const { client } = recording()
    await expect(client.text.store({ text: 'a', metadata: cyclic })).rejects.toThrow(/circular/)
  })
})

describe('a field that the service does not have', () => {
  it('is refused, since every request asks to be strict', async () => {
    const detail = [
      { type: 'extra_forbidden', loc: ['body', 'filters'], msg: 'Extra inputs are not permitted' },
    ]
    await using bench = await newBench([fails(422, detail), ok({})])
    const error = await rejection(bench.client.text.recall({ query: 'q', filters: {} } as never))
    expect(error).toMatchObject({
      name: 'ValidationError',
      message: 'body.filters: Extra inputs are not permitted (422)',
      issues: detail,
    })
    await bench.client.text.stats({ headers: { Prefer: 'handling=lenient' } })
    expect(bench.server.received.map(({ headers }) => headers.prefer)).toEqual([
      'handling=strict',
      'handling=lenient',
    ])
  })
})
