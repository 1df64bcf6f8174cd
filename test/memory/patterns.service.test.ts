import { findPatterns, findPatternsAt, listPatterns } from '@memory/memory/patterns/pattern-store'
import { limits } from '@memory/shared/catalogue/limits'
import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { expectCountersToMatch, faultsOf, getSpace, inSpace, rule } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterEach(() => void vi.restoreAllMocks())

afterAll(() => server.close())

interface Pattern {
  pattern_id: string
  pattern_idx: number
  text: string
  metadata: object
}

const path = (id: string | undefined) => `/v1/memory/patterns/${id}`

const page = async (
  client: ConformingClient,
  limit: number,
  cursor?: string | null,
): Promise<{ patterns: Pattern[]; next_cursor: string | null }> => {
  const after = cursor == null ? '' : `&cursor=${cursor}`
  const { status, body } = await client.get(`/v1/memory/patterns?limit=${limit}${after}`)
  expect(status).toBe(200)
  return body
}

describe('GET /v1/memory/patterns/{pattern_id}', () => {
  it('answers a pattern as the list shows it', async () => {
    const ada = await newConformingClient(server)
    const metadata = { category: 'health', source: 'chat' }
    const [id] = await ada.store([{ text: 'Ada has asthma.', metadata }])
    const { status, body } = await ada.get(path(id))
    expect(status).toBe(200)
    expect(body).toEqual({
      pattern_id: id,
      pattern_idx: 0,
      external_id: null,
      subject: null,
      text: 'Ada has asthma.',
      metadata,
      tier: 'hot',
      protected: true,
      asked_protected: null,
      access_count: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      occurred_at: body.created_at,
      expires_at: null,
      last_accessed: null,
      version: 1,
      updated_at: body.created_at,
      valid_from: body.created_at,
      valid_to: null,
      supersedes: null,
      superseded_by: null,
    })
    expect((await page(ada, 50)).patterns).toEqual([body])
  })

  it('counts the answers that held the pattern', async () => {
    const ada = await newConformingClient(server)
    const [near, far] = await ada.store(['apple', 'steam engine'])
    for (let i = 0; i < 3; i++) await ada.retrieve('apple', { top_k: 1 })
    const before = server.clock.now().getTime()
    await server.context.memory.accesses.flush()
    const { body } = await ada.get(path(near))
    expect(body.access_count).toBe(3)
    expect(Date.parse(body.last_accessed)).toBeGreaterThanOrEqual(before - 1)
    expect((await ada.get(path(far))).body).toMatchObject({ access_count: 0, last_accessed: null })
  })

  it.each([
    ['an id that no pattern has', 'pat_01kagw5zdpk2r4f9m0x7y3v8qe'],
    ['a word', 'nonsense'],
    ['an index', '0'],
    ['a negative number', '-1'],
    ['a prefix alone', 'pat_'],
    ['a space', '%20'],
    ['a slash', 'a%2Fb'],
    ['an emoji', '%F0%9F%98%80'],
    ['SQL', "'%20or%201=1--"],
    ['a NUL', '%00'],
    ['1,001 characters', 'x'.repeat(1_001)],
  ])('answers 404 for %s, on GET, PATCH and DELETE', async (_name, id) => {
    const ada = await newConformingClient(server)
    await ada.store(['there'])
    for (const answer of [
      await ada.get(path(id)),
      await ada.patch(path(id), { text: 'x' }),
      await ada.patch(path(id), {}),
      await ada.delete(path(id)),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ detail: 'Pattern not found' })
    }
  })
})

describe('GET /v1/memory/patterns', () => {
  it('answers an empty space with no patterns', async () => {
    const ada = await newConformingClient(server)
    expect(await page(ada, 50)).toEqual({ patterns: [], next_cursor: null })
  })

  it('gives 50 patterns unless told, and every pattern once over the pages', async () => {
    const ada = await newConformingClient(server)
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.push(...(await ada.store(Array.from({ length: 40 }, () => 'page'))))
    const { body: first } = await ada.get('/v1/memory/patterns')
    const { body: second } = await ada.get(`/v1/memory/patterns?cursor=${first.next_cursor}`)
    const { body: third } = await ada.get(`/v1/memory/patterns?cursor=${second.next_cursor}`)
    const pages: Pattern[][] = [first, second, third].map(({ patterns }) => patterns)
    expect(pages.map((patterns) => patterns.length)).toEqual([50, 50, 20])
    expect(pages.flat().map(({ pattern_id }) => pattern_id)).toEqual(ids)
    expect(third.next_cursor).toBe(null)
  })

  it('ends with a null cursor when the last page is full', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['a', 'b', 'c', 'd'])
    const { next_cursor } = await page(ada, 2)
    expect((await page(ada, 2, next_cursor)).next_cursor).toBe(null)
  })

  it('shows each pattern that stays exactly once while others come and go', async () => {
    const action = fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      added: fc.integer({ min: 0, max: 2 }),
      deleted: fc.array(fc.nat(30), { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 8 }), async (actions) => {
        const ada = await newConformingClient(server)
        const there = new Set(await ada.store(Array.from({ length: 12 }, () => 'moving')))
        const stayed = new Set(there)
        const seen: Pattern[] = []
        let cursor: string | null | undefined
        for (const { limit, added, deleted } of [...actions, { limit: 200, added: 0, deleted: [] }]) {
          const { patterns, next_cursor } = await page(ada, limit, cursor)
          seen.push(...patterns)
          cursor = next_cursor
          if (cursor === null) break
          if (added > 0)
            for (const id of await ada.store(Array.from({ length: added }, () => 'moving'))) there.add(id)
          for (const n of deleted) {
            const id = [...there][n]
            if (id === undefined) continue
            expect((await ada.delete(path(id))).status).toBe(200)
            there.delete(id)
            stayed.delete(id)
          }
        }
        const order = seen.map(({ pattern_idx }) => pattern_idx)
        expect(order).toEqual([...new Set(order)].toSorted((a, b) => a - b))
        const ids = new Set(seen.map(({ pattern_id }) => pattern_id))
        expect([...stayed].filter((id) => !ids.has(id))).toEqual([])
      }),
      { numRuns: 5, seed: 42 },
    )
  })

  it('goes on from a cursor whose pattern is gone', async () => {
    const ada = await newConformingClient(server)
    const ids = await ada.store(['a', 'b', 'c'])
    const { next_cursor } = await page(ada, 2)
    await ada.delete(path(ids[1]))
    expect((await page(ada, 2, next_cursor)).patterns.map(({ text }) => text)).toEqual(['c'])
  })

  const cursorFault = rule(['query', 'cursor'], 'cursor is not one that this endpoint gave')
  const between = {
    low: {
      type: 'greater_than_equal',
      loc: ['query', 'limit'],
      msg: 'Input should be greater than or equal to 1',
      ctx: { ge: 1 },
    },
    high: {
      type: 'less_than_equal',
      loc: ['query', 'limit'],
      msg: 'Input should be less than or equal to 200',
      ctx: { le: 200 },
    },
  }
  const notInteger = {
    type: 'int_parsing',
    loc: ['query', 'limit'],
    msg: 'Input should be a valid integer, unable to parse string as an integer',
  }
  it.each<[string, string, unknown]>([
    ['limit 0', 'limit=0', between.low],
    ['limit -1', 'limit=-1', between.low],
    ['limit 201', 'limit=201', between.high],
    ['a limit that is no integer', 'limit=ten', notInteger],
    ['an empty limit', 'limit=', notInteger],
    [
      'a repeated limit',
      'limit=1&limit=2',
      { type: 'int_type', loc: ['query', 'limit'], msg: 'Input should be a valid integer' },
    ],
    [
      'a repeated cursor',
      'cursor=a&cursor=b',
      { type: 'string_type', loc: ['query', 'cursor'], msg: 'Input should be a valid string' },
    ],
    ['an empty cursor', 'cursor=', cursorFault],
    ['a made-up cursor', 'cursor=abc', cursorFault],
    ['a cursor with more at its end', `cursor=${cursorOf('after:1')}%3D`, cursorFault],
    ['a cursor before the start', `cursor=${cursorOf('after:-1')}`, cursorFault],
    ['a cursor beyond every index', `cursor=${cursorOf('after:2147483648')}`, cursorFault],
    ['a cursor with leading zeros', `cursor=${cursorOf('after:01')}`, { ...cursorFault }],
  ])('N2 refuses %s with 422', async (_name, query, fault) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.get(`/v1/memory/patterns?${query}`))).toEqual([fault])
  })

  it.each([1, 200])('takes a limit of %d', async (limit) => {
    const ada = await newConformingClient(server)
    await ada.store(['a', 'b'])
    expect((await page(ada, limit)).patterns).toHaveLength(Math.min(2, limit))
  })
})

describe('a page of long patterns', () => {
  /** Characters of metadata, as `fill` stores them. */
  const noteChars = 15_000

  async function fill(count: number) {
    const ada = await newConformingClient(server)
    const patterns = Array.from({ length: count }, (_, i) => ({
      key: [1, i],
      value: [i],
      metadata: { i, tags: ['a', 'b'], note: `${i % 10}`.repeat(noteChars) },
    }))
    expect((await ada.post('/v1/memory/batch/store', { patterns })).status).toBe(200)
    return { ada, patterns, space: await getSpace(server, ada) }
  }

  it('is answered whole and in order, however it is asked for', async () => {
    const { ada, patterns } = await fill(limits.listMax)
    const all = patterns.map(({ metadata }) => metadata)
    const listed = await page(ada, limits.listMax)
    expect(listed.patterns.map(({ metadata }) => metadata)).toEqual(all)
    expect(listed.next_cursor).toBeNull()
    const first = await page(ada, limits.listMax - 1)
    expect(first.patterns).toEqual(listed.patterns.slice(0, -1))
    expect((await page(ada, limits.listMax, first.next_cursor)).patterns).toEqual(listed.patterns.slice(-1))
    const ids = listed.patterns.map(({ pattern_id }) => pattern_id).reverse()
    const got = await ada.post('/v1/memory/patterns/get', { pattern_ids: ids })
    expect(got.body.patterns).toEqual(listed.patterns.toReversed())
    const newest = await ada.get(`/v1/memory/patterns?limit=${limits.listMax}&order=-occurred_at`)
    expect(newest.body.patterns).toHaveLength(limits.listMax)
    const past = await ada.get(`/v1/memory/patterns?limit=${limits.listMax}&as_of=2999-01-01`)
    expect(past.body.patterns).toEqual(listed.patterns)
  })

  it('is read by statements of about 1 MiB, and a short one by a single statement', async () => {
    const { space } = await fill(limits.listMax)
    const read: number[] = []
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const rows = result.rows.filter((row) => 'bytes_so_far' in row)
        if (rows.length > 0) read.push(rows.reduce((sum, { metadata }) => sum + String(metadata).length, 0))
        return result
      },
    }
    const queries = server.context.database.queries.withPlugin(counting)
    const indexes = Array.from({ length: limits.listMax }, (_, i) => i)
    const asked = [
      () => listPatterns(queries, space.id, { after: -1, count: limits.listMax, all: true }),
      () => findPatternsAt(queries, space.id, indexes),
      () => findPatterns(queries, space.id, { ids: [], externalIds: [], indexes }),
    ]
    for (const ask of asked) {
      read.length = 0
      expect((await ask()).map(({ idx }) => idx)).toEqual(indexes)
      expect(read).toHaveLength(Math.ceil((limits.listMax * noteChars) / 2 ** 20))
      expect(Math.max(...read)).toBeLessThan(2 ** 20 + limits.metadataBytes)
    }
    read.length = 0
    await listPatterns(queries, space.id, { after: -1, count: limits.listDefault, all: true })
    expect(read).toHaveLength(1)
  })
})

describe('PATCH /v1/memory/patterns/{pattern_id}', () => {
  it('embeds a new text again; id, index and metadata stay', async () => {
    const ada = await newConformingClient(server)
    const [, id] = await ada.store(['noise', { text: 'Ada lives in Lisbon.', metadata: { a: 1 } }])
    await ada.retrieve('warm the index')
    const before = (await ada.get(path(id))).body
    const changed = await ada.patch(path(id), { text: 'Photosynthesis needs light.' })
    expect(changed.status).toBe(200)
    const { updated_at } = changed.body
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    expect(changed.body).toEqual({ ...before, text: 'Photosynthesis needs light.', version: 2, updated_at })
    expect((await ada.get(path(id))).body).toEqual(changed.body)

    expect(await ada.retrieve('how plants grow', { top_k: 1 })).toEqual(['Photosynthesis needs light.'])
    expect(await ada.retrieve('Ada lives in Lisbon.', { min_similarity: 0.6 })).toEqual([])
    const { body } = await ada.delete('/v1/memory/text/forget', {
      query: 'Ada lives in Lisbon.',
      threshold: 1,
    })
    expect(body.forgotten).toBe(0)
    await expectCountersToMatch(server, ada)
  })

  it('replaces metadata whole, with the category and protection that follow from them', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store([{ text: 'fact', metadata: { category: 'health', old: true } }])
    const steps: [object | null, object][] = [
      [{ category: 'preference' }, { protected: false, metadata: { category: 'preference' } }],
      [{ protected: true }, { protected: true, metadata: { protected: true } }],
      [{ protected: 'true' }, { protected: false }],
      [{ category: 'religion' }, { protected: true }],
      [null, { protected: false, metadata: {} }],
    ]
    for (const [metadata, expected] of steps) {
      const { status, body } = await ada.patch(path(id), { metadata })
      expect(status).toBe(200)
      expect(body).toMatchObject({ text: 'fact', ...expected })
    }
    for (const category of ['health', 'religion', 'preference']) {
      const { body } = await ada.delete('/v1/memory/text/forget', { category })
      expect(body.forgotten).toBe(0)
    }
    await expectCountersToMatch(server, ada)
  })

  it('changes text and metadata at once, and nothing for an empty or absent body', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store([{ text: 'old', metadata: { n: 1 } }])
    const both = await ada.patch(path(id), { text: 'new', metadata: { n: 2 } })
    expect(both.body).toMatchObject({ text: 'new', metadata: { n: 2 } })
    for (const body of [{}, undefined, { unknown: 1 }]) {
      const answer = await ada.patch(path(id), body)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual(both.body)
    }
  })

  it('is found by filters at once', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store([{ text: 'fact', metadata: { user: 'ada' } }])
    await ada.patch(path(id), { metadata: { user: 'ben' } })
    expect(await ada.retrieve('fact', { filter: { user: 'ada' } })).toEqual([])
    expect(await ada.retrieve('fact', { filter: { user: 'ben' } })).toEqual(['fact'])
  })

  it('of 20 at once leaves one whole text that searches find as it is', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['start'])
    const texts = ['banana', 'locomotive', 'inflation', 'dentist']
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => ada.patch(path(id), { text: texts[i % texts.length] })),
    )
    const { body } = await ada.get(path(id))
    expect(texts).toContain(body.text)
    const { body: found } = await ada.post('/v1/memory/text/retrieve', { query: body.text })
    expect(found.results).toEqual([expect.objectContaining({ similarity: expect.closeTo(1, 5) })])
    await expectCountersToMatch(server, ada)
  })

  it('is found by its new text also when an older read of the space arrives late', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['loads the index'])
    await ada.retrieve('loads the index')
    const [stored, read] = holdAnswers('store_patterns', 'changed_patterns')

    const storing = ada.store(['a banana'])
    await stored.held
    const reading = ada.retrieve('fruit', { top_k: 50 })
    await read.held
    stored.release()
    const [id] = await storing
    await ada.patch(path(id), { text: 'a locomotive' })
    read.release()
    await reading

    expect(await ada.retrieve('a locomotive', { min_similarity: 0.9 })).toEqual(['a locomotive'])
  })

  it.each<[string, unknown, (string | number)[], string]>([
    ['an empty text', { text: ' ' }, ['body', 'text'], 'string_too_short'],
    ['a text of 10,001 characters', { text: 'x'.repeat(10_001) }, ['body', 'text'], 'string_too_long'],
    ['a text of null', { text: null }, ['body', 'text'], 'string_type'],
    ['metadata that are a list', { metadata: [1] }, ['body', 'metadata'], 'dict_type'],
    [
      'metadata of more than 16 KiB',
      { metadata: { a: 'x'.repeat(16 * 1024) } },
      ['body', 'metadata'],
      'value_error',
    ],
  ])('refuses %s with 422 and changes nothing', async (_name, body, loc, type) => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['unchanged'])
    expect(faultsOf(await ada.patch(path(id), body))).toEqual([expect.objectContaining({ loc, type })])
    expect((await ada.get(path(id))).body.text).toBe('unchanged')
  })
})

describe('DELETE /v1/memory/patterns/{pattern_id}', () => {
  it('removes one pattern from answers, lists and counts', async () => {
    const ada = await newConformingClient(server)
    const [first, second] = await ada.store(['first', 'second'])
    const { status, body } = await ada.delete(path(first))
    expect(status).toBe(200)
    expect(body).toEqual({ message: expect.any(String) })
    expect(await ada.retrieve('first', { top_k: 50 })).toEqual(['second'])
    expect((await page(ada, 50)).patterns.map(({ pattern_id }) => pattern_id)).toEqual([second])
    expect((await ada.get(path(first))).status).toBe(404)
    expect((await ada.delete(path(first))).status).toBe(404)
    await expectCountersToMatch(server, ada)
  })

  it('succeeds once when asked 10 times at once', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['contested', 'other'])
    const answers = await Promise.all(Array.from({ length: 10 }, () => ada.delete(path(id))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(404)])
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 1 })
    await expectCountersToMatch(server, ada)
  })

  it('never gives a deleted pattern’s index to another', async () => {
    const ada = await newConformingClient(server)
    const indexOf = async (id: string | undefined) => (await ada.get(path(id))).body.pattern_idx
    const [, last] = await ada.store(['a', 'b'])
    await ada.delete(path(last))
    const [next] = await ada.store(['c'])
    expect(await indexOf(next)).toBe(2)
    await ada.delete('/v1/memory/text/forget', { query: 'c' })
    await ada.delete('/v1/memory/patterns?confirm=all')
    const [afterAll] = await ada.store(['d'])
    expect(await indexOf(afterAll)).toBe(3)
  })
})

describe('DELETE /v1/memory/patterns', () => {
  it('empties the space, and only that space', async () => {
    const live = await newConformingClient(server)
    const test = await newConformingClient(server, {
      organizationId: live.organizationId,
      environment: 'test',
    })
    await live.store(['live', 'alive'])
    await test.store(['test'])
    expect(await live.retrieve('live')).toHaveLength(2)
    const { status, body } = await live.delete('/v1/memory/patterns?confirm=all')
    expect(status).toBe(200)
    expect(body).toEqual({ message: '2 patterns deleted', receipt: expect.any(String) })
    expect(await live.retrieve('live')).toEqual([])
    expect((await page(live, 50)).patterns).toEqual([])
    expect(await getSpace(server, live)).toMatchObject({ patterns_used: 0, storage_bytes: 0 })
    expect(await test.retrieve('test')).toEqual(['test'])
    await live.store(['anew'])
    expect(await live.retrieve('live', { top_k: 50 })).toEqual(['anew'])
  })

  it.each<[string, string, unknown]>([
    ['nothing', '', { type: 'missing', loc: ['query', 'confirm'], msg: 'Field required' }],
    [
      'another word',
      '?confirm=ALL',
      { type: 'enum', loc: ['query', 'confirm'], msg: "Input should be 'all'", ctx: { expected: "'all'" } },
    ],
  ])('deletes nothing when confirmed by %s', async (_name, query, fault) => {
    const ada = await newConformingClient(server)
    await ada.store(['kept'])
    expect(faultsOf(await ada.delete(`/v1/memory/patterns${query}`))).toEqual([fault])
    expect(await ada.retrieve('kept')).toEqual(['kept'])
  })
})

it('keeps index, rows and counters in step through 60 random changes', async () => {
  const ada = await newConformingClient(server)
  const words = ['apple', 'engine', 'river', 'music', 'taxes', 'snow']
  const model = new Map<string, string>()
  const random = fc.sample(fc.record({ kind: fc.nat(9), a: fc.nat(1_000), b: fc.nat(5) }), {
    numRuns: 60,
    seed: 3,
  })
  for (const { kind, a, b } of random) {
    const word = words[b] as string
    const id = [...model.keys()][a % Math.max(1, model.size)]
    if (kind < 4 || id === undefined) {
      const [stored] = await ada.store([word])
      model.set(stored as string, word)
    } else if (kind < 6) {
      await ada.patch(path(id), { text: word })
      model.set(id, word)
    } else if (kind < 8) {
      await ada.delete(path(id))
      model.delete(id)
    } else {
      const { body } = await ada.delete('/v1/memory/text/forget', { query: word, threshold: 1 })
      const same = [...model].filter(([, text]) => text === word).map(([each]) => each)
      expect(body.pattern_ids).toEqual(same)
      for (const each of same) model.delete(each)
    }
    const { body } = await ada.post('/v1/memory/text/retrieve', { query: word, top_k: 50 })
    const found = body.results.map(({ pattern_id, text }: Pattern) => [pattern_id, text])
    expect(found.toSorted()).toEqual([...model].toSorted())
  }
  await expectCountersToMatch(server, ada)
  const stored = await inSpace(server, ada, (trx, { id }) =>
    trx.withSchema('app').selectFrom('patterns').select(['id', 'text']).where('space_id', '=', id).execute(),
  )
  expect(new Map(stored.map(({ id, text }) => [id, text]))).toEqual(model)
})

interface Held {
  /** Resolves when the statement has run and its answer waits. */
  held: Promise<void>
  release(): void
}

/** Holds back what the database answers to the next statement that calls each of two functions. */
function holdAnswers(...names: [string, string]): [Held, Held] {
  const executor = server.context.database.queries.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  const hold = (name: string) => ({
    call: `app.${name}(`,
    used: false,
    held: Promise.withResolvers<void>(),
    released: Promise.withResolvers<void>(),
  })
  const holds = [hold(names[0]), hold(names[1])] as const
  vi.spyOn(executor, 'executeQuery').mockImplementation(async (query) => {
    const found = holds.find(({ call, used }) => !used && query.sql.includes(call))
    if (found !== undefined) found.used = true
    const answer = await execute(query)
    found?.held.resolve()
    await found?.released.promise
    return answer as never
  })
  const handle = ({ held, released }: (typeof holds)[0]): Held => ({
    held: held.promise,
    release: () => released.resolve(),
  })
  return [handle(holds[0]), handle(holds[1])]
}

function cursorOf(text: string): string {
  return Buffer.from(text).toString('base64url')
}
