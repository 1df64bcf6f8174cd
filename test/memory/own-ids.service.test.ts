import { openCaches } from '@memory/memory/caches'
import * as store from '@memory/memory/store'
import { plans } from '@memory/shared/catalogue/plans'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { newPattern } from '../support/pattern.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { endsOf } from './index/ends-of.ts'
import { expectCountersToMatch, faultsOf, getSpace, inSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const texts = '/v1/memory/text/store'
const textBatch = '/v1/memory/text/batch-store'
const vectors = '/v1/memory/store'
const vectorBatch = '/v1/memory/batch/store'
const patterns = '/v1/memory/patterns'
const named = (name: string) => `${patterns}/ext:${encodeURIComponent(name)}`
const long = Array.from({ length: 60 }, (_, i) => `The winter of ${1900 + i} was cold in the north.`).join(
  ' ',
)

const listed = async (client: ConformingClient): Promise<{ text: string; external_id: string | null }[]> =>
  (await client.get(patterns)).body.patterns

const found = (client: ConformingClient, query: string): Promise<string[]> =>
  client.retrieve(query, { top_k: 10 })

describe('a store with an external_id', () => {
  it('creates a pattern, and then replaces it: id and index stay, every search sees the new one', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['something else'])
    const first = await ada.post(texts, {
      text: 'Ada lives in Porto.',
      metadata: { from: 'chat', category: 'location' },
      external_id: 'home',
      expires_at: '2999-01-01T00:00:00Z',
    })
    expect(first.body).toMatchObject({ created: true, patterns_used: 2 })
    expect(await found(ada, 'Where does Ada live?')).toContain('Ada lives in Porto.')
    await ada.post('/v1/memory/text/recall', { query: 'Porto' })

    const second = await ada.post(texts, { text: 'Ada lives in Lisbon.', external_id: 'home' })
    const { pattern_id: id } = first.body
    expect(second.body).toMatchObject({ pattern_id: id, created: false, patterns_used: 2 })
    expect(await found(ada, 'Where does Ada live?')).toEqual(
      expect.arrayContaining(['Ada lives in Lisbon.', 'something else']),
    )
    expect(await found(ada, 'Where does Ada live?')).toHaveLength(2)
    const { results } = (await ada.post('/v1/memory/text/recall', { query: 'Porto Lisbon' })).body
    expect(results[0]).toMatchObject({ text: 'Ada lives in Lisbon.', external_id: 'home', metadata: {} })
    const { body } = await ada.get(named('home'))
    expect(body).toMatchObject({
      pattern_id: id,
      pattern_idx: 1,
      text: 'Ada lives in Lisbon.',
      metadata: {},
      expires_at: null,
      external_id: 'home',
      version: 2,
    })
    expect(await server.context.memory.spaces.get((await getSpace(server, ada)).id, 3)).toMatchObject({
      version: 3,
      size: 2,
    })
    await expectCountersToMatch(server, ada)
  })

  it('is seen by another process', async () => {
    const ada = await newConformingClient(server)
    const { queries } = server.context.database
    const budgets = { indexBudgetBytes: 2 ** 26, payloadBudgetBytes: 2 ** 20 }
    const elsewhere = openCaches({ queries, clock: server.clock, log: server.context.log, ...budgets })
    const { id } = await getSpace(server, ada)
    const seen = async (version: number) => {
      const [index, words] = [await elsewhere.spaces.get(id, version), await elsewhere.texts.get(id, version)]
      const payloads = await elsewhere.payloads.find(id, index, [0], { value: false })
      return [index.size, words.traits.lengthOf(0), payloads.get(0)?.text]
    }
    await ada.post(texts, { text: 'Ada lives in Porto.', external_id: 'home' })
    expect(await seen(1)).toEqual([1, 19, 'Ada lives in Porto.'])
    await ada.post(texts, { text: 'Ada lives in Lisbon.', external_id: 'home' })
    expect(await seen(2)).toEqual([1, 20, 'Ada lives in Lisbon.'])
  })

  it('replaces the passages of a long text, and forgets what was found out with its key', async () => {
    const ada = await newConformingClient(server)
    await ada.post(texts, { text: long, external_id: 'book' })
    await ada.store(['the other'])
    const { id } = await getSpace(server, ada)
    await asTenant(server.context.database.queries, { spaceId: id }, (trx) =>
      sql`insert into app.compositions (space_id, a, b, key, strength, created_at) values (${id}, 0, 1, '[1]', 1, now())`.execute(
        trx,
      ),
    )
    const counted = () =>
      inSpace(server, ada, async (trx) => {
        const { rows } = await sql`select (select count(*)::int from app.passages) as passages,
          (select count(*)::int from app.compositions) as compositions`.execute(trx)
        return rows[0] as { passages: number; compositions: number }
      })
    expect((await counted()).passages).toBeGreaterThan(2)
    await ada.post(texts, { text: long, external_id: 'book' })
    expect((await counted()).passages).toBeGreaterThan(2)
    await ada.post(texts, { text: 'A short one.', external_id: 'book' })
    expect(await counted()).toEqual({ passages: 0, compositions: 0 })
    const { results } = (await ada.post('/v1/memory/text/recall', { query: 'winter of 1950' })).body
    expect(results.map(({ text }: { text: string }) => text).sort()).toEqual(['A short one.', 'the other'])
  })

  it.each([
    ['skip', 200, 'first'],
    ['error', 409, 'first'],
    ['replace', 200, 'second'],
  ])('with on_conflict %s answers %i and leaves the %s text', async (on_conflict, status, text) => {
    const ada = await newConformingClient(server)
    const { body } = await ada.post(texts, { text: 'first', external_id: 'x', on_conflict })
    const answer = await ada.post(texts, { text: 'second', external_id: 'x', on_conflict })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject(
      status === 409 ? { detail: 'external_id exists' } : { created: false, pattern_id: body.pattern_id },
    )
    expect(await listed(ada)).toMatchObject([{ text, external_id: 'x' }])
  })

  it.each(['skip', 'replace'])(
    'refuses with %s a name that is another end user’s, who stores nothing',
    async (on_conflict) => {
      const ada = await newConformingClient(server)
      await ada.post(texts, { text: 'of Bob', external_id: 'x', subject: 'bob' })
      const own = { text: 'of Eve', external_id: 'x', subject: 'eve' }
      const refused = { status: 409, body: { detail: 'external_id exists' } }
      expect(await ada.post(texts, { ...own, on_conflict })).toMatchObject(refused)
      expect(await ada.post(textBatch, { items: [own], on_conflict })).toMatchObject(refused)
      const both = ['bob', 'eve'].map((subject) => ({ text: `of ${subject}`, external_id: 'y', subject }))
      expect(await ada.post(textBatch, { items: both, on_conflict })).toMatchObject(refused)
      expect(await listed(ada)).toMatchObject([{ text: 'of Bob', subject: 'bob' }])
    },
  )

  it('leaves one pattern of 50 that are stored at once, each of whose texts was there', async () => {
    const ada = await newConformingClient(server)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ada.post(texts, { text: `text ${i}`, external_id: 'one' })),
    )
    expect(new Set(answers.map(({ body }) => body.pattern_id)).size).toBe(1)
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 1, next_idx: 1 })
    const [{ text } = { text: '' }] = await listed(ada)
    expect(await found(ada, 'text')).toEqual([text])
    expect((await ada.get(named('one'))).body.version).toBe(50)
    await expectCountersToMatch(server, ada)
  })

  it('is stored once under an Idempotency-Key, and repeats whether it was created', async () => {
    const ada = await newConformingClient(server)
    const body = { text: 'once', external_id: 'x' }
    const first = await ada.post(texts, body, { 'Idempotency-Key': 'k' })
    await ada.post(texts, { text: 'twice', external_id: 'x' })
    const again = await ada.post(texts, body, { 'Idempotency-Key': 'k' })
    expect(again.body).toEqual(first.body)
    expect(await listed(ada)).toMatchObject([{ text: 'twice' }])
  })

  it('replaces text, metadata and times, said or not, and keeps what is apart from them', async () => {
    const ada = await newConformingClient(server)
    const kept = { external_id: 'x', subject: 'ada', protected: true }
    const times = { expires_at: '2999-01-01T00:00:00.000Z', valid_to: '2998-01-01T00:00:00.000Z' }
    const dates = { occurred_at: '2001-01-01T00:00:00.000Z', valid_from: '2002-01-01T00:00:00.000Z' }
    const { body: old } = await ada.post(texts, { text: 'old' })
    const told = { metadata: { a: 1 }, ...times, ...dates, supersedes: old.pattern_id }
    await ada.post(texts, { text: 'one', ...kept, ...told })
    const { body: before } = await ada.get(named('x'))
    expect(before).toMatchObject({ ...kept, ...told })
    await ada.post(texts, { text: 'two', external_id: 'x' })
    const { body: after } = await ada.get(named('x'))
    const { pattern_id, pattern_idx, created_at, supersedes } = before
    expect(after).toMatchObject({ ...kept, pattern_id, pattern_idx, created_at, supersedes, text: 'two' })
    expect(after).toMatchObject({ metadata: {}, expires_at: null, valid_to: null })
    expect(after.valid_from).toBe(after.occurred_at)
    expect(Date.parse(after.occurred_at)).toBeGreaterThan(Date.parse(created_at) - 1)
  })

  it('is free again once its pattern is deleted or has expired', async () => {
    const ada = await newConformingClient(server)
    const first = await ada.post(texts, { text: 'a', external_id: 'x', expires_at: '2999-01-01T00:00:00Z' })
    await inSpace(server, ada, (trx) => sql`update app.patterns set expires_at = now()`.execute(trx))
    expect((await ada.get(named('x'))).status).toBe(404)
    const second = await ada.post(texts, { text: 'b', external_id: 'x' })
    expect(second.body.created).toBe(true)
    expect(second.body.pattern_id).not.toBe(first.body.pattern_id)
    await ada.delete(named('x'))
    expect((await ada.post(texts, { text: 'c', external_id: 'x' })).body.created).toBe(true)
    expect(await listed(ada)).toMatchObject([{ text: 'c' }])
    await expectCountersToMatch(server, ada)
  })

  it('is free for an end user too once the pattern of another has expired', async () => {
    const ada = await newConformingClient(server)
    await ada.post(texts, { text: 'a', external_id: 'x', subject: 'bob' })
    await inSpace(server, ada, (trx) => sql`update app.patterns set expires_at = now()`.execute(trx))
    const { organizationId } = ada
    const eve = await newConformingClient(server, {
      organizationId,
      subject: { name: 'eve', isShared: false },
    })
    const { status, body } = await eve.post(texts, { text: 'b', external_id: 'x' })
    expect([status, body.created]).toEqual([200, true])
    expect(await listed(ada)).toMatchObject([{ text: 'b', subject: 'eve' }])
    await expectCountersToMatch(server, ada)
  })

  it('takes nothing of one end user for another, nor ends it', async () => {
    const ada = await newConformingClient(server)
    const first = await ada.post(texts, { text: 'Ada sings.', external_id: 'profile', subject: 'ada' })
    const { pattern_id: id } = first.body
    await ada.post(texts, { text: 'It is open to all.', external_id: 'shared' })
    const taken = { external_id: 'profile', subject: 'ben' }
    const ofNobody = { external_id: 'profile', subject: null }
    for (const [path, body] of [
      [texts, { text: 'Ben swims.', ...taken }],
      [texts, { text: 'It is open to all.', ...ofNobody }],
      [vectors, { key: [1, 0], value: [1], ...ofNobody }],
      [
        textBatch,
        {
          items: [
            { text: 'Ben is here.', subject: 'ben' },
            { text: 'Ben swims.', ...taken },
          ],
        },
      ],
      [
        textBatch,
        { items: ['ada', 'ben'].map((subject) => ({ text: subject, external_id: 'new', subject })) },
      ],
      [
        textBatch,
        { items: ['ada', undefined, 'ben'].map((subject) => ({ text: 'x', external_id: 'new', subject })) },
      ],
      [
        textBatch,
        { items: ['ada', null].map((subject) => ({ text: `${subject}`, external_id: 'new', subject })) },
      ],
    ] as const)
      expect((await ada.post(path, body)).status).toBe(409)
    for (const supersedes of [id, 'ext:profile'])
      for (const subject of ['ben', null])
        expect((await ada.post(texts, { text: 'Ben swims.', subject, supersedes })).status).toBe(404)
    expect(await listed(ada)).toMatchObject([
      { text: 'Ada sings.', subject: 'ada', version: 1, valid_to: null },
      { text: 'It is open to all.' },
    ])
    // Whose it is can be told anew where it is meant, and what is of nobody yet can become somebody's.
    const owned = await ada.post(texts, { text: 'Ada sings low.', external_id: 'profile', subject: 'ada' })
    expect(owned.body).toMatchObject({ pattern_id: id, created: false })
    // Whose it is stays where nothing is said of it.
    const said = { text: 'Ada is here.', external_id: 'told' }
    await ada.post(textBatch, { items: [{ ...said, subject: 'ada' }, said] })
    expect((await ada.get(named('told'))).body.subject).toBe('ada')
    await ada.delete(named('told'))
    await ada.post(texts, { text: 'Ada sings again.', external_id: 'profile' })
    expect((await listed(ada))[0]).toMatchObject({ text: 'Ada sings again.', subject: 'ada' })
    await ada.post(texts, { text: 'It is for all.', external_id: 'shared', subject: null })
    await ada.post(texts, { text: 'It is Ben’s.', external_id: 'shared', subject: 'ben' })
    await ada.patch(named('profile'), { subject: 'ben' })
    expect((await ada.post(texts, { text: 'Ben swims.', ...taken })).body).toMatchObject({ pattern_id: id })
    expect(await listed(ada)).toMatchObject([
      { text: 'Ben swims.', subject: 'ben' },
      { text: 'It is Ben’s.', subject: 'ben' },
    ])
  })

  it('that no pattern can have is a pattern that is not there', async () => {
    const ada = await newConformingClient(server)
    for (const name of ['a\0b', '\0']) {
      const of = named(name)
      const answers = [
        await ada.get(of),
        await ada.patch(of, { metadata: {} }),
        await ada.delete(of),
        await ada.get(`${of}/history`),
        await ada.post(`${of}/revert`, { version: 1 }),
        await ada.delete(`${of}/history/1`),
        await ada.post('/v1/memory/feedback', { pattern_id: `ext:${name}`, useful: true }),
        await ada.post('/v1/memory/compose/fractional', {
          pattern_a_id: `ext:${name}`,
          pattern_b_id: `ext:${name}`,
        }),
      ]
      for (const { status } of answers) expect([404, 422]).toContain(status)
    }
  })

  it('is another one in another space', async () => {
    const ada = await newConformingClient(server)
    const ben = await newConformingClient(server)
    await ada.post(texts, { text: 'hers', external_id: 'x' })
    expect((await ben.post(texts, { text: 'his', external_id: 'x' })).body.created).toBe(true)
    expect((await ada.get(named('x'))).body.text).toBe('hers')
  })

  it.each(['a/b', 'é è', '..', '%41', 'ext:x', 'a?b#c', '😀', 'x'.repeat(255)])('may be %j', async (name) => {
    const ada = await newConformingClient(server)
    const { body } = await ada.post(texts, { text: 'a', external_id: name })
    expect((await ada.get(named(name))).body).toMatchObject({
      pattern_id: body.pattern_id,
      external_id: name,
    })
    expect((await ada.patch(named(name), { text: 'b' })).body.text).toBe('b')
    expect((await ada.delete(named(name))).status).toBe(200)
    expect((await ada.get(named(name))).status).toBe(404)
  })

  it.each([
    ['', 'string_too_short'],
    ['x'.repeat(256), 'string_too_long'],
    [7, 'string_type'],
    ['a\0b', 'value_error'],
  ])('is refused as %j', async (external_id, type) => {
    const ada = await newConformingClient(server)
    const answer = await ada.post(texts, { text: 'a', external_id })
    expect(faultsOf(answer)).toMatchObject([{ type, loc: ['body', 'external_id'] }])
  })

  it('of a pattern of the other kind is refused', async () => {
    const ada = await newConformingClient(server)
    await ada.post(texts, { text: 'a', external_id: 'x' })
    const refused = await ada.post(vectors, { key: [1, 0], value: [1], external_id: 'x' })
    expect(refused.status).toBe(409)
    expect(await listed(ada)).toMatchObject([{ text: 'a' }])
  })
})

describe('what a caller has said of the protection', () => {
  const vector = { key: [1, 0], value: [1], external_id: 'x' }
  const text = { text: 'The bridge is long.', external_id: 'x' }
  const kinds: Record<string, (ada: ConformingClient, more: object) => Promise<{ status: number }>> = {
    text: (ada, more) => ada.post(texts, { ...text, ...more }),
    'the same text': (ada, more) => ada.post(texts, { ...text, text: 'The bridge is long.', ...more }),
    'another text': (ada, more) => ada.post(texts, { ...text, text: 'The ferry is slow.', ...more }),
    'texts in a batch': (ada, more) => ada.post(textBatch, { items: [{ ...text, ...more }] }),
    'equal names in a batch': (ada, more) =>
      ada.post(textBatch, {
        items: [
          { ...text, ...more },
          { ...text, metadata: { last: true } },
        ],
      }),
    vector: (ada, more) => ada.post(vectors, { ...vector, ...more }),
    'vectors in a batch': (ada, more) => ada.post(vectorBatch, { patterns: [{ ...vector, ...more }] }),
  }
  const isProtected = async (ada: ConformingClient) => (await ada.get(named('x'))).body.protected

  it.each(Object.keys(kinds))(
    'stays when the pattern is stored again, until one says otherwise: %s',
    async (kind) => {
      const ada = await newConformingClient(server)
      const store = async (more: object) => {
        expect((await kinds[kind]?.(ada, more))?.status).toBe(200)
        return isProtected(ada)
      }
      expect(await store({ protected: true })).toBe(true)
      expect(await store({})).toBe(true)
      expect(await store({ metadata: { category: 'weather' } })).toBe(true)
      expect(await store({ protected: false })).toBe(false)
      // Of another kind it would be protected by itself.
      const sensitive = { metadata: { category: 'health' } }
      expect(await store(sensitive)).toBe(false)
      expect(await store({ ...sensitive, protected: null })).toBe(kind !== 'equal names in a batch')
      expect(await store({})).toBe(false)
    },
  )

  it('stays also where it says what would hold anyway', async () => {
    const ada = await newConformingClient(server)
    const health = { metadata: { category: 'health' } }
    await ada.post(texts, { ...text, ...health, protected: true })
    await ada.post(texts, text)
    expect(await isProtected(ada)).toBe(true)
    await ada.post(texts, { ...text, protected: false })
    await ada.post(texts, { ...text, ...health })
    expect(await isProtected(ada)).toBe(false)
  })

  it('stays when PUT gives a vector other metadata, or PATCH, or a revert', async () => {
    const ada = await newConformingClient(server)
    await ada.post(vectors, { ...vector, protected: true })
    const put = { key: [1, 0], new_value: [2], metadata: { a: 1 } }
    expect((await ada.put('/v1/memory/pattern', put)).status).toBe(200)
    expect(await isProtected(ada)).toBe(true)
    await ada.patch(named('x'), { metadata: { b: 1 } })
    await ada.post(`${named('x')}/revert`, { version: 1 })
    expect(await isProtected(ada)).toBe(true)
    expect((await ada.patch(named('x'), { protected: null })).body.protected).toBe(false)
    const stated = { ...put, metadata: { protected: true } }
    await ada.put('/v1/memory/pattern', stated)
    expect(await isProtected(ada)).toBe(true)
    await ada.put('/v1/memory/pattern', put)
    expect(await isProtected(ada)).toBe(false)
  })
})

describe('a transaction of an end user', () => {
  it('takes no name and no place of what it only reads, and changes none of it', async () => {
    const ada = await newConformingClient(server)
    const { pattern_id } = (await ada.post(texts, { text: 'everybody’s', external_id: 'x' })).body
    const { id } = await getSpace(server, ada)
    const asUser = <T>(work: (trx: Trx) => Promise<T>) =>
      asTenant(server.context.database.queries, { spaceId: id }, async (trx) => {
        await sql`select set_config('app.subject', 'ada', true), set_config('app.subject_shared', 'on', true)`.execute(
          trx,
        )
        return work(trx)
      })
    const refusalOf = async (address: store.Address) => {
      const pattern = { ...newPattern({ text: 'mine' }), address }
      return (
        await asUser((trx) => store.insertPatterns(trx, id, -1, server.context.pool.modelId, [pattern]))
      ).refused?.refusal
    }
    expect(await refusalOf({ externalId: 'x' })).toBe('exists')
    expect(await refusalOf({ supersedes: 'ext:x' })).toBe('unknown')
    expect(await refusalOf({ supersedes: pattern_id })).toBe('unknown')
    const changed = await asUser((trx) =>
      store.updatePattern(trx, id, pattern_id, { fields: { subject: 'ada' } }),
    )
    expect(changed).toBeUndefined()
    expect(await listed(ada)).toMatchObject([{ text: 'everybody’s', subject: null, version: 1 }])
    await expectCountersToMatch(server, ada)
  })
})

describe('a batch with external_ids', () => {
  it('stores the last of equal ones, and says of each item what became of it', async () => {
    const ada = await newConformingClient(server)
    await ada.post(texts, { text: 'there', external_id: 'b' })
    const { body } = await ada.post(textBatch, {
      items: [
        { text: 'a1', external_id: 'a' },
        { text: 'b1', external_id: 'b' },
        { text: 'plain' },
        { text: 'a2', external_id: 'a' },
      ],
    })
    expect(body).toMatchObject({ stored: 4, failed: 0, created: [true, false, true, false] })
    expect(body.pattern_ids[0]).toBe(body.pattern_ids[3])
    expect((await listed(ada)).map(({ text }) => text)).toEqual(['b1', 'plain', 'a2'])
    expect((await found(ada, 'x')).sort()).toEqual(['a2', 'b1', 'plain'])
    expect((await ada.get(named('a'))).body.version).toBe(1)
    await expectCountersToMatch(server, ada)
  })

  it.each([
    [textBatch, 'items', { text: 'another' }],
    ['/v1/memory/batch/store', 'patterns', { key: [1, 2], value: [3] }],
  ])('is refused by %s in an item, since it is of the whole batch', async (path, list, item) => {
    const ada = await newConformingClient(server)
    const own = { ...item, external_id: 'a' }
    await ada.post(path, { [list]: [own] })
    const answer = await ada.post(path, { [list]: [{ ...own, on_conflict: 'error' }] })
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([
      {
        loc: ['body', list, 0, 'on_conflict'],
        msg: 'Extra inputs are not permitted: use `body.on_conflict`',
      },
    ])
    expect(await listed(ada)).toMatchObject([{ external_id: 'a', version: 1 }])
  })

  it('keeps the first of equal ones where what is there is kept, and refuses them where none may be', async () => {
    const ada = await newConformingClient(server)
    const items = [
      { text: 'a1', external_id: 'a' },
      { text: 'a2', external_id: 'a' },
    ]
    expect((await ada.post(textBatch, { items, on_conflict: 'error' })).status).toBe(409)
    expect(await listed(ada)).toEqual([])
    const { body } = await ada.post(textBatch, { items, on_conflict: 'skip' })
    expect(body.created).toEqual([true, false])
    expect(await listed(ada)).toMatchObject([{ text: 'a1' }])
    const more = [{ text: 'b', external_id: 'b' }, items[1]]
    expect((await ada.post(textBatch, { items: more, on_conflict: 'error' })).status).toBe(409)
    expect(await listed(ada)).toHaveLength(1)
  })

  it('replaces without room in the plan, and fails what is new', async () => {
    const ada = await newConformingClient(server, { plan: 'free' })
    await ada.post(texts, { text: 'a', external_id: 'a' })
    await inSpace(server, ada, (trx) =>
      sql`update app.spaces set patterns_used = ${plans.free.patterns}`.execute(trx),
    )
    const items = [
      { text: 'new', external_id: 'new' },
      { text: 'a2', external_id: 'a' },
    ]
    const { body } = await ada.post(textBatch, { items })
    expect(body).toMatchObject({ stored: 1, failed: 1, created: [null, false] })
    expect(await listed(ada)).toMatchObject([{ text: 'a2' }])
    expect((await ada.post(texts, { text: 'a3', external_id: 'a' })).status).toBe(200)
    expect((await ada.post(texts, { text: 'n', external_id: 'n' })).status).toBe(429)
  })

  it('of vectors replaces keys, values and metadata, over several statements', async () => {
    const ada = await newConformingClient(server)
    const key = (i: number, length = 4_000) => Array.from({ length }, (_, n) => (n === i ? 1 : 0.001))
    const batch = (value: number, length?: number) =>
      Array.from({ length: 300 }, (_, i) => ({
        key: key(i, length),
        value: [value, i],
        metadata: { value },
        external_id: `v${i}`,
      }))
    expect((await ada.post(vectorBatch, { patterns: batch(1) })).body).toMatchObject({
      stored: 300,
      failed: 0,
    })
    const again = await ada.post(vectorBatch, { patterns: batch(2, 3_999) })
    expect(again.body.created).toEqual(Array.from({ length: 300 }, () => false))
    const query = await ada.post('/v1/memory/query', { embedding: key(250, 3_999) })
    expect(query.body.results).toMatchObject([{ value: [2, 250], external_id: 'v250' }])
    expect((await ada.post('/v1/memory/query', { embedding: key(250) })).body.results).toEqual([])
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 300, next_idx: 300 })
    await expectCountersToMatch(server, ada)
  }, 60_000)
})

describe('results', () => {
  it('have an external_id where there is one, and no such field where there is none', async () => {
    const ada = await newConformingClient(server)
    await ada.post(texts, { text: 'named', external_id: 'n' })
    await ada.store(['unnamed'])
    await ada.post(vectors, { key: [1, 0], value: [1], external_id: 'v' })
    await ada.post(vectors, { key: [0, 1], value: [2] })
    for (const path of ['/v1/memory/text/retrieve', '/v1/memory/text/recall']) {
      const { results } = (await ada.post(path, { query: 'named' })).body
      const names = results.map((one: { text: string; external_id?: string }) => [one.text, one.external_id])
      expect(Object.fromEntries(names)).toEqual({ named: 'n', unnamed: undefined })
    }
    for (const path of ['/v1/memory/query', '/v1/memory/retrieve']) {
      const { results } = (await ada.post(path, { embedding: [1, 0.2], top_k: 2 })).body
      expect(results[0]).toMatchObject({ external_id: 'v' })
      expect(results[1]).not.toHaveProperty('external_id')
    }
    const batch = await ada.post('/v1/memory/batch/retrieve', { queries: [{ embedding: [1, 0] }] })
    expect(batch.body.results[0]).toMatchObject([{ external_id: 'v' }])
  })

  it('compose by it', async () => {
    const ada = await newConformingClient(server)
    await ada.post(vectors, { key: [1, 0], value: [1], external_id: 'a' })
    await ada.post(vectors, { key: [0, 1], value: [1], external_id: 'b' })
    const between = (pattern_b_id: string) =>
      ada.post('/v1/memory/compose/fractional', { pattern_a_id: 'ext:a', pattern_b_id })
    expect((await between('ext:b')).body.info.geodesic_distance).toBeCloseTo(Math.PI / 2)
    expect((await between('ext:c')).status).toBe(404)
  })

  it('take feedback by it', async () => {
    const ada = await newConformingClient(server)
    await ada.post(texts, { text: 'named', external_id: 'n' })
    expect((await ada.post('/v1/memory/feedback', { pattern_id: 'ext:n', useful: true })).status).toBe(200)
    expect((await ada.post('/v1/memory/feedback', { pattern_id: 'ext:m', useful: true })).status).toBe(404)
  })
})

describe('POST /v1/memory/patterns/get', () => {
  it('answers in the order asked, null where there is none', async () => {
    const ada = await newConformingClient(server)
    const [first, second] = await ada.store(['one', 'two'])
    await ada.post(texts, { text: 'three', external_id: '3' })
    const { status, body } = await ada.post(`${patterns}/get`, {
      pattern_ids: [second, 'nonsense', first, second],
      external_ids: ['none', '3'],
      pattern_indexes: [2, 9, 0],
    })
    expect(status).toBe(200)
    const shown = body.patterns.map((pattern: { text: string } | null) => pattern?.text ?? null)
    expect(shown).toEqual(['two', null, 'one', 'two', null, 'three', 'three', null, 'one'])
  })

  it('shows nothing of others, and takes 1 to 200', async () => {
    const ada = await newConformingClient(server)
    const ben = await newConformingClient(server)
    const [id] = await ada.store(['hers'])
    expect((await ben.post(`${patterns}/get`, { pattern_ids: [id] })).body).toEqual({ patterns: [null] })
    expect((await ben.post(`${patterns}/get`, { pattern_indexes: [0] })).body).toEqual({ patterns: [null] })
    for (const body of [
      {},
      { pattern_ids: [] },
      { pattern_indexes: [-1] },
      { external_ids: Array.from({ length: 201 }, () => 'x') },
    ]) {
      expect((await ada.post(`${patterns}/get`, body)).status).toBe(422)
    }
    const both = { pattern_ids: Array(101).fill('x'), external_ids: Array(100).fill('x') }
    expect((await ada.post(`${patterns}/get`, both)).status).toBe(422)
  })
})

describe('POST /v1/memory/patterns/delete', () => {
  it('deletes those that are there, and only says so with dry_run', async () => {
    const ada = await newConformingClient(server)
    const [first, second, third] = await ada.store(['one', 'two', 'three'])
    await ada.post(texts, { text: 'four', external_id: '4' })
    const body = { pattern_ids: [first, 'nonsense', third, first], external_ids: ['4', '5'] }
    const tried = await ada.post(`${patterns}/delete`, { ...body, dry_run: true })
    expect(tried.body.deleted).toBe(3)
    expect(await listed(ada)).toHaveLength(4)
    const done = await ada.post(`${patterns}/delete`, body)
    expect(done.body).toMatchObject(tried.body)
    expect(done.body.pattern_ids.slice(0, 2)).toEqual([first, third])
    expect((await ada.get(patterns)).body.patterns).toMatchObject([{ pattern_id: second }])
    expect(await found(ada, 'one')).toEqual(['two'])
    expect((await ada.post(`${patterns}/delete`, body)).body).toEqual({ deleted: 0, pattern_ids: [] })
    await expectCountersToMatch(server, ada)
  })

  it.each([
    ['subject', { subject: 'ada' }],
    ['filter', { filter: { user: 'ada' } }],
  ])('takes a list without ids for no %s', async (_, wider) => {
    const ada = await newConformingClient(server)
    await ada.store([{ text: 'one', subject: 'ada', metadata: { user: 'ada' } }])
    for (const none of [{ pattern_ids: [] }, { external_ids: [] }, { pattern_ids: [], external_ids: [] }]) {
      expect((await ada.post(`${patterns}/delete`, { ...wider, ...none })).status).toBe(422)
      expect((await ada.post(`${patterns}/delete`, none)).status).toBe(422)
    }
    expect(await listed(ada)).toHaveLength(1)
    expect((await ada.post(`${patterns}/delete`, wider)).body.deleted).toBe(1)
  })

  it('needs memory:write, and at least one id', async () => {
    const ada = await newConformingClient(server)
    const reader = await newConformingClient(server, {
      organizationId: ada.organizationId,
      scopes: ['memory:read'],
    })
    expect((await reader.post(`${patterns}/delete`, { pattern_ids: ['x'] })).status).toBe(403)
    expect((await ada.post(`${patterns}/delete`, { dry_run: false })).status).toBe(422)
    expect((await ada.post(`${patterns}/delete`, { user_id: 'x', pattern_ids: ['x'] })).status).toBe(422)
  })
})

describe('PATCH /v1/memory/patterns/{pattern_id}', () => {
  it('merges a patch into the metadata', async () => {
    const ada = await newConformingClient(server)
    const metadata = { a: 1, deep: { b: 2, c: [3] }, gone: true }
    const [id] = await ada.store([{ text: 'x', metadata }])
    const { body } = await ada.patch(`${patterns}/${id}`, {
      metadata_patch: { a: 2, deep: { c: null, d: { e: null, f: 1 } }, gone: null, none: null },
    })
    expect(body.metadata).toEqual({ a: 2, deep: { b: 2, d: { f: 1 } } })
    const { results } = (await ada.post('/v1/memory/text/retrieve', { query: 'x' })).body
    expect(results[0].metadata).toEqual(body.metadata)
    const both = { metadata: {}, metadata_patch: {} }
    expect((await ada.patch(`${patterns}/${id}`, both)).status).toBe(422)
    expect((await ada.patch(`${patterns}/${id}`, { metadata_patch: null })).status).toBe(422)
    const tooMuch = { metadata_patch: { more: 'x'.repeat(16_300) } }
    await ada.patch(`${patterns}/${id}`, { metadata: { there: 'y'.repeat(1_000) } })
    expect((await ada.patch(`${patterns}/${id}`, tooMuch)).status).toBe(422)
  })

  it('changes times, names and protection, and null clears them', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['x'])
    const set = {
      expires_at: '2999-01-01T00:00:00.000Z',
      occurred_at: '2001-01-01T00:00:00.000Z',
      external_id: 'x',
      subject: 'ada',
      protected: true,
    }
    const { body } = await ada.patch(`${patterns}/${id}`, set)
    expect(body).toMatchObject(set)
    expect((await ada.get(named('x'))).body).toEqual(body)
    const cleared = { expires_at: null, occurred_at: null, external_id: null, subject: null, protected: null }
    const after = (await ada.patch(named('x'), cleared)).body
    expect(after).toMatchObject({ ...cleared, occurred_at: after.created_at, protected: false })
    expect((await ada.get(named('x'))).status).toBe(404)
  })

  it('keeps protection that was asked for when the text changes', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['The bridge is long.'])
    await ada.patch(`${patterns}/${id}`, { protected: true })
    const changed = await ada.patch(`${patterns}/${id}`, { text: 'The bridge is short.' })
    expect(changed.body.protected).toBe(true)
  })

  it('takes an expiry, which searches see', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['x'])
    expect((await ada.patch(`${patterns}/${id}`, { expires_at: '2001-01-01T00:00:00Z' })).status).toBe(422)
    const at = new Date(server.clock.now().getTime() + 60_000)
    await ada.patch(`${patterns}/${id}`, { expires_at: at.toISOString() })
    const { id: spaceId } = await getSpace(server, ada)
    const index = await server.context.memory.spaces.get(spaceId, 2)
    expect(endsOf(index)).toEqual([[0, at.getTime()]])
  })

  it('refuses a name that another pattern has', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['x'])
    await ada.post(texts, { text: 'y', external_id: 'y' })
    const refused = await ada.patch(`${patterns}/${id}`, { external_id: 'y' })
    expect([refused.status, refused.body.detail]).toEqual([409, 'external_id exists'])
    expect((await ada.patch(named('y'), { external_id: 'y' })).status).toBe(200)
  })
})
