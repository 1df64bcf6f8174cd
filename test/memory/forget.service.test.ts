import { textHash } from '@memory/memory/texts/text-identity'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { asOwner, expectCountersToMatch, faultsOf, getSpace, rule, tablesHolding } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'debug' })
})

afterAll(() => server.close())

const forget = (client: ConformingClient, body?: unknown): Promise<Answer> =>
  client.delete('/v1/memory/text/forget', body)

/** Texts of the space in store order. */
const remaining = async (client: ConformingClient): Promise<string[]> =>
  (await client.get('/v1/memory/patterns?limit=200')).body.patterns.map((each: { text: string }) => each.text)

/** What a client has stored, by a name for each. */
const people = [
  { text: 'Ada has asthma.', metadata: { category: 'health', user: 'ada' } },
  { text: 'Ben is diabetic.', metadata: { category: 'health', user: 'ben' } },
  { text: 'Ada lives in Lisbon.', metadata: { category: 'location', user: 'ada' } },
  { text: 'Green is a colour.', metadata: { user: 'ben' } },
  { text: 'Water is wet.' },
]

async function newPeople(): Promise<{ client: ConformingClient; ids: string[] }> {
  const client = await newConformingClient(server)
  return { client, ids: await client.store(people) }
}

it('POST /v1/memory/text/forget does what DELETE does, for clients whose DELETE has no body', async () => {
  const { client, ids } = await newPeople()
  const post = (body: unknown) => client.post('/v1/memory/text/forget', body)
  const selector = { category: 'health', filter: { user: 'ben' } }
  const preview = await post({ ...selector, dry_run: true })
  expect(preview.body).toEqual((await forget(client, { ...selector, dry_run: true })).body)
  expect((await post(selector)).body).toMatchObject({ forgotten: 1, pattern_ids: [ids[1]], kept: [] })
  expect(await remaining(client)).toEqual(people.filter((_, at) => at !== 1).map(({ text }) => text))
  const refused = await post({})
  expect(refused.status).toBe(422)
  expect(refused.body).toEqual((await forget(client, {})).body)
})

describe('DELETE /v1/memory/text/forget by query', () => {
  it('removes the texts like the query, and only those', async () => {
    const { client, ids } = await newPeople()
    const answer = await forget(client, { query: 'Ada has asthma.' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ forgotten: 1, pattern_ids: [ids[0]], kept: [] })
    expect(await remaining(client)).toEqual(people.slice(1).map(({ text }) => text))
    expect(await client.retrieve('Ada has asthma.', { top_k: 50 })).not.toContain('Ada has asthma.')
  })

  it('removes what is as similar as the threshold or more', async () => {
    const { client } = await newPeople()
    await client.store(['The cat sleeps on the warm roof.', 'A cat is on the roof.'])
    const query = 'The cat sleeps on the roof.'
    const { body } = await client.post('/v1/memory/text/retrieve', { query, top_k: 2 })
    const [nearest, second] = body.results
    const above = await forget(client, { query, threshold: second.similarity + 1e-6, dry_run: true })
    expect(above.body.pattern_ids).toEqual([nearest.pattern_id])
    const at = await forget(client, { query, threshold: second.similarity })
    expect(at.body.pattern_ids.toSorted()).toEqual([nearest.pattern_id, second.pattern_id].toSorted())
  })

  it('takes 0.85 for the threshold unless given', async () => {
    const { client } = await newPeople()
    for (const query of ['Ada has got asthma.', 'Ada suffers from asthma.', 'Water is dry.', 'Lisbon']) {
      const { body } = await client.post('/v1/memory/text/retrieve', { query, min_similarity: 0.85 })
      const { body: forgotten } = await forget(client, { query, dry_run: true })
      expect(forgotten.pattern_ids.toSorted()).toEqual(
        body.results.map((each: { pattern_id: string }) => each.pattern_id).toSorted(),
      )
    }
  })

  it.each([
    ['as it is', 'Tea at four.', 'Tea at four.'],
    ['with other white space', '  Tea\t at\n four. ', 'Tea at four.'],
    ['in another Unicode form', 'cafe\u0301', 'caf\u00e9'],
  ])('counts the same text %s as 1', async (_name, text, query) => {
    const client = await newConformingClient(server)
    await client.store([text, 'Coffee at five.'])
    expect((await forget(client, { query, threshold: 1 })).body.forgotten).toBe(1)
    expect(await remaining(client)).toEqual(['Coffee at five.'])
  })

  it('counts the same text as 1 whatever rounding makes of its cosine', async () => {
    const client = await newConformingClient(server)
    const texts = Array.from({ length: 40 }, (_, i) => `Fact number ${i}`)
    await client.store(texts)
    const cosines: number[] = []
    for (const query of texts) {
      const { body } = await client.post('/v1/memory/text/retrieve', { query, top_k: 1 })
      cosines.push(body.results[0].similarity)
      expect((await forget(client, { query, threshold: 1 })).body.forgotten, query).toBe(1)
    }
    expect(new Set(cosines)).toEqual(new Set([1]))
  })

  it('removes every copy of a text', async () => {
    const client = await newConformingClient(server)
    const ids = await client.store(['twice', 'other words', 'twice'])
    expect((await forget(client, { query: 'twice', threshold: 1 })).body).toMatchObject({
      forgotten: 2,
      pattern_ids: [ids[0], ids[2]],
      kept: [],
    })
  })

  it('removes more than any search would return', async () => {
    const client = await newConformingClient(server)
    await client.store(Array.from({ length: 50 }, () => 'many'))
    await client.store(Array.from({ length: 20 }, () => 'many'))
    expect((await forget(client, { query: 'many' })).body.forgotten).toBe(70)
    expect(await getSpace(server, client)).toMatchObject({ patterns_used: 0, storage_bytes: 0 })
  })

  it('finds nothing in an empty space', async () => {
    const client = await newConformingClient(server)
    expect((await forget(client, { query: 'anything' })).body).toEqual({
      forgotten: 0,
      pattern_ids: [],
      kept: [],
    })
  })

  it('forgets each pattern once when asked 10 times at once', async () => {
    const client = await newConformingClient(server)
    const ids = await client.store(Array.from({ length: 10 }, () => 'contested'))
    const answers = await Promise.all(ids.map(() => forget(client, { query: 'contested' })))
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
    expect(answers.flatMap(({ body }) => body.pattern_ids).toSorted()).toEqual(ids.toSorted())
    await expectCountersToMatch(server, client)
  })
})

describe('DELETE /v1/memory/text/forget keeps what contradicts the query', () => {
  const pairs: [string, string, string][] = [
    ['number', 'Take 5 mg of warfarin daily', 'Take 50 mg of warfarin daily'],
    ['unit', 'Call John Smith at 5pm', 'Call John Smith at 5am'],
    ['negation', 'ผมแพ้กุ้ง', 'ผมไม่แพ้กุ้ง'],
    ['opposite', '나는 커피를 좋아한다', '나는 커피를 싫어한다'],
    ['direction', 'Alice owes Bob 20 euros', 'Bob owes Alice 20 euros'],
    ['name', 'Call John Smith at 5pm', 'Call John Smyth at 5pm'],
    ['opposite', 'Школа близко от дома', 'Школа далеко от дома'],
    ['opposite', '- [x] Pay the plumber', '- [ ] Pay the plumber'],
    ['unit', 'The timeout is 30 ms', 'The timeout is 30 s'],
    ['unit', '20 Tropfen vor dem Schlafen', '20 Tabletten vor dem Schlafen'],
    ['direction', 'git merge dev into main', 'git merge main into dev'],
    ['name', "Tom is Ella's stepbrother", "Tom is Ella's stepfather"],
    // The encoder can read neither of these.
    ['name', 'My friend ⵜⵉⴼⵉ lives in Rabat', 'My friend ⵜⵉⴼⵓ lives in Rabat'],
    [
      'name',
      'The password of the wifi is 🫨 and nothing else',
      'The password of the wifi is 🫠 and nothing else',
    ],
  ]

  it.each(pairs)('in a %s, and says so: %j, not %j', async (reason, query, text) => {
    const client = await newConformingClient(server)
    const [same, other] = await client.store([query, text])
    const expected = { forgotten: 1, pattern_ids: [same], kept: [{ pattern_id: other, reason }] }
    expect((await forget(client, { query, dry_run: true })).body).toEqual(expected)
    expect(await remaining(client)).toEqual([query, text])
    expect((await forget(client, { query })).body).toMatchObject(expected)
    expect(await remaining(client)).toEqual([text])
    await expectCountersToMatch(server, client)
  })

  it.each(pairs)('unless guard is false: a %s', async (_reason, query, text) => {
    const client = await newConformingClient(server)
    const ids = await client.store([query, text])
    const expected = { forgotten: 2, pattern_ids: ids, kept: [] }
    expect((await forget(client, { query, guard: false, dry_run: true })).body).toEqual(expected)
    expect((await forget(client, { query, guard: false })).body).toMatchObject(expected)
    expect(await remaining(client)).toEqual([])
  })

  it('of those that meet the other conditions too, and each copy', async () => {
    const client = await newConformingClient(server)
    const query = 'My locker is number 4421.'
    const text = 'My locker is number 4422.'
    const ids = await client.store([
      { text, metadata: { user: 'ada' } },
      { text, metadata: { user: 'ada' } },
      { text, metadata: { user: 'ben' } },
    ])
    const { body } = await forget(client, { query, filter: { user: 'ada' } })
    expect(body).toEqual({
      forgotten: 0,
      pattern_ids: [],
      kept: ids.slice(0, 2).map((pattern_id) => ({ pattern_id, reason: 'number' })),
    })
  })

  it.each([
    ['The parcel arrived yesterday evening', 'Last night the parcel arrived'],
    ['Der Test ist positiv', 'Der Test war positiv'],
  ])('and not what is said of another time of telling: %j, %j', async (query, text) => {
    const client = await newConformingClient(server)
    await client.store([query, text])
    expect((await forget(client, { query })).body).toMatchObject({ forgotten: 2, kept: [] })
  })

  it('and never the text itself, nor what says it in other words', async () => {
    const client = await newConformingClient(server)
    await client.store(['I do not have five cats.', "I don't have 5 cats.", 'I DO NOT HAVE FIVE CATS'])
    const { body } = await forget(client, { query: 'I do not have five cats.', threshold: 0.8 })
    expect(body).toMatchObject({ forgotten: 3, kept: [] })
  })

  it('also when many forget and store at once', async () => {
    const client = await newConformingClient(server)
    const text = (n: number) => `My locker is number ${4400 + (n % 5)}.`
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0
          ? client.post('/v1/memory/text/store', { text: text(n) })
          : forget(client, { query: text(0) }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await forget(client, { query: text(0) })).status).toBe(200)
    expect(new Set(await remaining(client))).toEqual(new Set([1, 2, 3, 4].map(text)))
    await expectCountersToMatch(server, client)
  })

  it('nothing by category or filter alone, and guard is true or false', async () => {
    const { client } = await newPeople()
    expect((await forget(client, { category: 'health', guard: true })).body).toMatchObject({
      forgotten: 2,
      kept: [],
    })
    expect(faultsOf(await forget(client, { query: 'q', guard: 'no' }))[0]).toMatchObject({
      loc: ['body', 'guard'],
    })
  })
})

describe('DELETE /v1/memory/text/forget by category and metadata', () => {
  it.each([{ filter: { user: 'ada' } }, { subject: 'ada' }, { category: 'location' }])(
    'removes what is superseded too: %j',
    async (selector) => {
      const client = await newConformingClient(server)
      const facts = { metadata: { user: 'ada', category: 'location' }, subject: 'ada' }
      const [old] = await client.store([{ text: 'Ada lives in Rome.', ...facts }])
      await client.post('/v1/memory/text/store', { text: 'Ada lives in Oslo.', ...facts, supersedes: old })
      expect((await forget(client, selector)).body.forgotten).toBe(2)
    },
  )

  it.each<[string, object, number[]]>([
    ['every pattern of a category', { category: 'health' }, [0, 1]],
    ['nothing for an unknown category', { category: 'astrology' }, []],
    ['what matches query and category both', { query: 'Ada', threshold: 0.5, category: 'location' }, [2]],
    [
      'nothing when query and category exclude each other',
      { query: 'Water is wet.', category: 'health' },
      [],
    ],
    ['one end user', { filter: { user: 'ada' } }, [0, 2]],
    ['any of several end users', { filter: { user: ['ada', 'ben'] } }, [0, 1, 2, 3]],
    ['what matches category and filter both', { category: 'health', filter: { user: 'ben' } }, [1]],
    ['what matches query and filter both', { query: 'Ben is diabetic.', filter: { user: 'ada' } }, []],
    ['nobody by a list of none', { filter: { user: [] } }, []],
    ['nothing of a query by a list of none', { query: 'Green is a colour.', filter: { user: [] } }, []],
    ['the same with null for a query that is not given', { query: null, category: 'health' }, [0, 1]],
  ])('removes %s', async (_name, body, expected) => {
    const { client, ids } = await newPeople()
    const gone = expected.map((i) => ids[i])
    expect((await forget(client, { ...body, dry_run: true })).body).toEqual({
      forgotten: gone.length,
      pattern_ids: gone,
      kept: [],
    })
    expect(await remaining(client)).toHaveLength(people.length)
    expect((await forget(client, body)).body).toMatchObject({
      forgotten: gone.length,
      pattern_ids: gone,
      kept: [],
    })
    const kept = people.filter((_, i) => !expected.includes(i)).map(({ text }) => text)
    expect(await remaining(client)).toEqual(kept)
    expect((await client.retrieve('anything', { top_k: 50 })).toSorted()).toEqual(kept.toSorted())
    await expectCountersToMatch(server, client)
  })

  it('takes no category of more than 100 characters from metadata', async () => {
    const client = await newConformingClient(server)
    await client.store([
      { text: 'long', metadata: { category: 'c'.repeat(101) } },
      { text: 'just right', metadata: { category: '😀'.repeat(100) } },
    ])
    expect((await forget(client, { category: '😀'.repeat(100) })).body.forgotten).toBe(1)
    expect(await remaining(client)).toEqual(['long'])
  })

  it('forgets protected patterns like others', async () => {
    const client = await newConformingClient(server)
    await client.store([{ text: 'My name is Ada.', metadata: { category: 'identity', protected: true } }])
    expect((await forget(client, { category: 'identity' })).body.forgotten).toBe(1)
  })
})

describe('DELETE /v1/memory/text/forget refuses', () => {
  const given = { query: 'q' }
  it.each<[string, unknown, unknown]>([
    ['nothing to go by', {}, rule(['body'], 'query, category, filter or subject is required')],
    ['an absent body', undefined, rule(['body'], 'query, category, filter or subject is required')],
    [
      'an empty filter alone',
      { filter: {}, query: null },
      rule(['body'], 'query, category, filter or subject is required'),
    ],
    ...[{ query: 'q' }, { category: 'health' }, { query: 'q', category: 'health', dry_run: true }].map(
      (beside): [string, unknown, unknown] => [
        `an empty filter beside ${Object.keys(beside).join(', ')}`,
        { ...beside, filter: {} },
        rule(['body', 'filter'], 'an empty filter selects nothing; leave it out'),
      ],
    ),
    ...[{}, { query: 'q' }, { category: 'health' }, { subject: 'ada' }].map(
      (beside): [string, unknown, unknown] => [
        `a filter of null beside ${JSON.stringify(beside)}`,
        { ...beside, filter: null },
        rule(['body', 'filter'], 'a filter of null selects nothing; leave it out'),
      ],
    ),
    ...[
      { $text: { $contains: '' } },
      { $subject: { $startsWith: '' } },
      { user: { $nin: [] } },
      { $or: [{ user: 'ada' }, { $not: { user: [] } }] },
    ].map((filter): [string, unknown, unknown] => [
      `a filter with an empty operand, ${JSON.stringify(filter)}`,
      { filter },
      rule(
        ['body', 'filter'],
        '$contains and $startsWith of an empty string, and $nin of an empty list, hold for everything',
      ),
    ]),
    [
      'a threshold of 0.49',
      { ...given, threshold: 0.49 },
      {
        type: 'greater_than_equal',
        loc: ['body', 'threshold'],
        msg: 'Input should be greater than or equal to 0.5',
        ctx: { ge: 0.5 },
      },
    ],
    [
      'a threshold of 1.01',
      { ...given, threshold: 1.01 },
      {
        type: 'less_than_equal',
        loc: ['body', 'threshold'],
        msg: 'Input should be less than or equal to 1',
        ctx: { le: 1 },
      },
    ],
    [
      'a threshold of null',
      { ...given, threshold: null },
      { type: 'float_type', loc: ['body', 'threshold'], msg: 'Input should be a valid number' },
    ],
    [
      'an empty query',
      { query: '' },
      {
        type: 'string_too_short',
        loc: ['body', 'query'],
        msg: 'String should have at least 1 character',
        ctx: { min_length: 1 },
      },
    ],
    [
      'a query of 5,001 characters',
      { query: 'q'.repeat(5_001) },
      {
        type: 'string_too_long',
        loc: ['body', 'query'],
        msg: 'String should have at most 5000 characters',
        ctx: { max_length: 5_000 },
      },
    ],
    [
      'dry_run as a string',
      { ...given, dry_run: 'true' },
      {
        type: 'bool_parsing',
        loc: ['body', 'dry_run'],
        msg: 'Input should be a valid boolean, unable to interpret input',
      },
    ],
  ])('%s with 422, and forgets nothing', async (_name, body, fault) => {
    const { client } = await newPeople()
    expect(faultsOf(await forget(client, body))).toEqual([fault])
    expect(await remaining(client)).toHaveLength(people.length)
  })

  it.each([0.5, 1])('no threshold of %d', async (threshold) => {
    const { client } = await newPeople()
    expect((await forget(client, { query: 'q', threshold })).status).toBe(200)
  })
})

describe('erasure', () => {
  const ways: [string, (client: ConformingClient, id: string, text: string) => Promise<Answer>][] = [
    ['forgetting by query', (client, _id, text) => forget(client, { query: text, threshold: 1 })],
    ['forgetting by category', (client) => forget(client, { category: 'health' })],
    ['forgetting by filter', (client) => forget(client, { filter: { user: 'erased' } })],
    ['deleting the pattern', (client, id) => client.delete(`/v1/memory/patterns/${id}`)],
    ['emptying the space', (client) => client.delete('/v1/memory/patterns?confirm=all')],
  ]

  it.each(ways)('S1 leaves nothing of a text in any table or log line after %s', async (way, erase) => {
    const canary = `canary ${way.replaceAll(' ', '-')}`
    const client = await newConformingClient(server)
    const { body } = await client.post(
      '/v1/memory/text/store',
      { text: canary, metadata: { category: 'health', user: 'erased', note: `${canary} in metadata` } },
      { 'Idempotency-Key': 'erased later' },
    )
    await client.retrieve(canary)
    await client.post('/v1/memory/text/store', { text: canary, metadata: canary })
    await server.context.memory.accesses.flush()
    expect(await tablesHolding(server, canary)).toEqual(['patterns'])

    expect((await erase(client, body.pattern_id, canary)).status).toBe(200)

    expect(await tablesHolding(server, canary)).toEqual([])
    expect(await tablesHolding(server, textHash(canary))).toEqual([])
    expect(await client.retrieve(canary)).toEqual([])
    expect(server.logLines.filter((line) => line.includes(canary))).toEqual([])
  })

  it('S1 leaves nothing of a text that was replaced but its version, and nothing of that once it is redacted', async () => {
    const client = await newConformingClient(server)
    const [id] = await client.store([{ text: 'canary replaced', metadata: { note: 'canary in a note' } }])
    await client.patch(`/v1/memory/patterns/${id}`, { text: 'new', metadata: null })
    expect(await tablesHolding(server, 'canary replaced')).toEqual(['pattern_versions'])
    await client.delete(`/v1/memory/patterns/${id}/history/1`)
    expect(await tablesHolding(server, 'canary replaced')).toEqual([])
    expect(await tablesHolding(server, 'canary in a note')).toEqual([])
    expect(await tablesHolding(server, textHash('canary replaced'))).toEqual([])
  })

  it('S1 keeps the text out of the log when the database refuses it', async () => {
    const { queries } = server.context.database
    const client = await newConformingClient(server)
    await asOwner(queries, (trx) =>
      sql`alter table app.patterns add constraint no_canary check (text not like '%canary refused%')`.execute(
        trx,
      ),
    )
    try {
      const answer = await client.post('/v1/memory/text/store', { text: 'a canary refused by a constraint' })
      expect(answer.status).toBe(500)
      expect(answer.body).toEqual({ detail: 'Internal server error' })
    } finally {
      await asOwner(queries, (trx) => sql`alter table app.patterns drop constraint no_canary`.execute(trx))
    }
    expect(server.logLines.some((line) => line.includes('no_canary'))).toBe(true)
    expect(server.logLines.filter((line) => line.includes('canary refused'))).toEqual([])
  })
})
