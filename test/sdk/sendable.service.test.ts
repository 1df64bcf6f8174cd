import { MemoryClient } from 'memory-service-sdk'
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
  const client = new MemoryClient({
    apiKey: 'key',
    fetch: async (_url, { body }) => {
      bodies.push(JSON.parse(body as string))
      return Response.json({ results: [], forgotten: 0 })
    },
  })
  return { client, bodies }
}

/** Filters that JSON would make wider than they were meant, and what is said of each. */
const lost: [unknown, string][] = [
  [undefined, 'filter is undefined'],
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
    const { client, bodies } = recording()
    const given = { query: 'q', embedding: [1], filter } as never
    for (const call of [
      client.text.retrieve,
      client.text.recall,
      client.text.forget,
      client.vectors.query,
      client.vectors.retrieve,
      client.engine.tieredRetrieve,
    ]) {
      const error = await rejection(call(given))
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toMatch(said)
    }
    expect(bodies).toEqual([])
  })

  it.each([
    null,
    {},
    { user: 'ada', n: 0, flag: false, none: null },
    { user: ['ada', 'ben'], none: [] },
    Object.assign(Object.create(null), { user: 'ada' }),
    { since: new Date(0) },
  ])('%o is none of these', async (filter) => {
    const { client, bodies } = recording()
    await client.text.recall({ query: 'q', filter } as never)
    expect(bodies).toEqual([JSON.parse(JSON.stringify({ query: 'q', filter }))])
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

  it.each([undefined, null, ''])('%o is refused in a query, and so is such a filter', async (lost) => {
    const { client, bodies } = recording()
    for (const name of ['subject', 'filter']) {
      const said = `${name} is ${lost === '' ? 'empty' : lost}`
      await expect(client.patterns.list({ [name]: lost } as never)).rejects.toThrow(new TypeError(said))
    }
    expect(bodies).toEqual([])
  })

  it('is refused in each query of many, and so is such a filter', async () => {
    const { client, bodies } = recording()
    const queries = [{ embedding: [1] }, { embedding: [1], filter: { user: undefined } }]
    await expect(client.vectors.batchRetrieve({ queries } as never)).rejects.toThrow(
      'queries[1].filter.user is undefined',
    )
    expect(bodies).toEqual([])
  })

  it('is nobody where that is said, and no field of metadata', async () => {
    const { client, bodies } = recording()
    await client.text.recall({ query: 'q', subject: null })
    await client.text.store({ text: 't', metadata: { subject: '', notes: [{ subject: '' }] } })
    expect(bodies).toEqual([
      { query: 'q', subject: null },
      { text: 't', metadata: { subject: '', notes: [{ subject: '' }] } },
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
    [new Float32Array(2), 'The input is no plain object (Float32Array)'],
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
    'must not be undefined in a forget, which would remove more: %s',
    async (field) => {
      const { client, bodies } = recording()
      const given = { category: 'health', filter: { user: 'ada' }, [field]: undefined }
      await expect(client.text.forget(given as never)).rejects.toThrow(`${field} is undefined`)
      expect(bodies).toEqual([])
    },
  )

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
