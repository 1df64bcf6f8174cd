import type { LineKind } from '@memory/memory/prompt/schema'
import { standingShare } from '@memory/memory/prompt/service'
import { findStanding } from '@memory/memory/prompt/standing-store'
import { limits } from '@memory/shared/catalogue/limits'
import { fence, fencedLine } from '@memory/shared/platform/fence'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { asOwner } from '../platform/open-database.ts'
import type { Client } from '../support/client.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { onPostgres } from '../support/database.ts'
import { isReadKnown, rowsRead } from '../support/rows-read.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { faultsOf, getSpace } from './space.ts'

const path = '/v1/memory/context'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

interface Item {
  kind: LineKind
  pattern_id: string
  external_id?: string
  occurred_at: string
  text: string
  cut?: boolean
}

interface Context {
  text: string
  messages: { role: string; content: string }[]
  items: Item[]
  lines: Record<LineKind, number>
  omitted: number
  tokens: number
  tokenizer: string
  etag: string
  as_of: string
}

async function read(client: Pick<Client, 'post'>, body: object = {}): Promise<Context> {
  const answer = await client.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(answer.headers.get('etag')).toBe(`"${answer.body.etag}"`)
  return answer.body
}

const items = async (client: Pick<Client, 'post'>, body: object = {}): Promise<Item[]> =>
  (await read(client, { format: 'json', ...body })).items
const textsOf = (of: readonly { text: string }[]) => of.map(({ text }) => text)
const texts = async (client: Pick<Client, 'post'>, body: object = {}) => textsOf(await items(client, body))

/** A line as the fence has it. */
const lineOf = ({ pattern_id, occurred_at, text, cut }: Item) =>
  fencedLine(`[${pattern_id}] (${occurred_at.slice(0, 10)}) ${text}${cut ? ' …' : ''}`)

const asthma = 'I have had asthma since I was a child.'
const bakery = 'The bakery opens at seven.'
const passport = { text: 'The passport is in the blue drawer.', metadata: { protected: true } }
const weather = 'It rained all day.'
const train = 'The train to Porto leaves at noon.'
/** What no category says anything of. */
const plain = [bakery, weather, train]

/** How often a text is found until it is one of the most used. */
const uses = 16

async function use(client: ConformingClient, query: string, times = uses): Promise<void> {
  for (let i = 0; i < times; i++) await client.post('/v1/memory/text/retrieve', { query, top_k: 1 })
  await server.context.memory.accesses.flush()
}

/** Ends what is of an end user, all at once, as time does it, which changes no pattern. */
const end = ({ organizationId }: ConformingClient, subject: string) =>
  asOwner(server.context.database.queries, (trx) =>
    sql`update app.patterns set valid_to = statement_timestamp()
      where space_id = (select id from app.spaces where organization_id = ${organizationId} and environment = 'live')
        and subject = ${subject}`.execute(trx),
  )

describe('POST /v1/memory/context', () => {
  it('has what stands first, then what recall finds, each with its id and date', async () => {
    const ada = await newConformingClient(server)
    const [asthmaId, ...ids] = await ada.store([asthma, passport, ...plain])
    const { text, lines, tokens, tokenizer, omitted } = await read(ada, {
      query: 'When is the train to Porto?',
    })
    const shown = await items(ada, { query: 'When is the train to Porto?' })
    expect(shown.map(({ kind, pattern_id }) => [kind, pattern_id]).slice(0, 3)).toEqual([
      ['standing', asthmaId],
      ['standing', ids[0]],
      ['found', ids[3]],
    ])
    expect(lines).toEqual({ standing: 2, added: 0, changed: 0, ended: 0, found: 3 })
    expect(omitted).toBe(0)
    expect(text.split('\n').slice(2, -1)).toEqual(shown.map(lineOf))
    const [counted] = await server.context.memory.compute.countTokens(ada, [text])
    expect(tokens).toBe(counted)
    expect(tokenizer).toBe(server.context.memory.compute.modelId)
  })

  it('is two messages of a user where they are asked for, what stands apart from what was found', async () => {
    const ada = await newConformingClient(server)
    await ada.store([asthma, ...plain])
    const shown = await items(ada, { query: bakery })
    const { messages, tokens } = await read(ada, { query: bakery, format: 'messages' })
    const contents = (['standing', 'found'] as const).map((kind) =>
      fence(shown.filter((item) => item.kind === kind).map((item) => lineOf(item).slice(2))),
    )
    expect(messages).toEqual(contents.map((content) => ({ role: 'user', content })))
    const counts = await server.context.memory.compute.countTokens(ada, contents)
    expect(tokens).toBe(counts.reduce((a, b) => a + b))
  })

  it('is empty of an empty memory, whatever is asked', async () => {
    const ada = await newConformingClient(server)
    expect(await read(ada, { query: 'Ada' })).toMatchObject({ text: '', tokens: 0 })
    expect(await read(ada, { format: 'messages' })).toMatchObject({ messages: [], tokens: 0 })
  })

  it('without a query has what stands, as far as the budget goes', async () => {
    const ada = await newConformingClient(server)
    const many = Array.from({ length: 40 }, (_, i) => ({
      text: `Rule ${i}: never book flight number ${1000 + i}.`,
      metadata: { protected: true },
    }))
    await ada.store(many)
    const some = await items(ada, { token_budget: 500 })
    const beside = await items(ada, { token_budget: 500, query: 'flights' })
    const standing = beside.filter(({ kind }) => kind === 'standing')
    // The newest have room, in store order, and further ones behind them: what comes first stays the same.
    expect(some.slice(0, standing.length)).toEqual(standing)
    expect(some.length).toBeGreaterThan(standing.length)
    expect(standing.at(-1)?.text).toBe(many.at(-1)?.text)
    expect(new Set(textsOf(some)).size).toBe(some.length)
    const { omitted, lines } = await read(ada, { token_budget: 500 })
    expect(omitted + lines.standing).toBe(many.length)
  })

  it('holds what is used most, by steps, and is itself no use', async () => {
    const ada = await newConformingClient(server)
    await ada.store(plain)
    expect(await texts(ada)).toEqual([])
    for (let i = 0; i < 2 * uses; i++) await read(ada, { query: train })
    await use(ada, train, uses - 1)
    expect(await texts(ada)).toEqual([])
    await use(ada, train, 1)
    expect(await texts(ada)).toEqual([train])
    const { etag } = await read(ada)
    await use(ada, train, uses)
    expect((await read(ada)).etag).toBe(etag)
  })

  it('has the times that lists have, also of what was just stored', async () => {
    const ada = await newConformingClient(server)
    for (const text of [train, 'Ada likes tea.', 'Ada lives in Lisbon.']) await ada.store([text])
    const shown = await items(ada, { query: train, read_only: true })
    expect(shown.length).toBeGreaterThan(0)
    for (const { pattern_id, occurred_at } of shown) {
      const { body } = await ada.get(`/v1/memory/patterns/${pattern_id}`)
      expect(occurred_at).toBe(body.occurred_at)
    }
  })

  it('learns from the query as recall does, unless it is read only', async () => {
    const ada = await newConformingClient(server)
    await ada.store(plain)
    const surprises = async () => {
      await server.context.memory.learning.flush()
      return (await ada.get('/v1/memory/regime/history?last_n=50')).body.history.length
    }
    const before = await surprises()
    await read(ada, { query: train, read_only: true })
    expect(await surprises()).toBe(before)
    await read(ada, { query: train })
    expect(await surprises()).toBe(before + 1)
  })

  it('holds nothing that is over, expired or yet to come', async () => {
    const ada = await newConformingClient(server)
    const [old] = await ada.store([asthma])
    const store = (body: object) => ada.post('/v1/memory/text/store', { protected: true, ...body })
    await store({ text: 'The asthma is gone.', supersedes: old })
    await store({ text: 'It was so.', valid_from: '2001-01-01T00:00:00Z', valid_to: '2002-01-01T00:00:00Z' })
    await store({ text: 'It will be so.', valid_from: '2999-01-01T00:00:00Z' })
    expect(await texts(ada, { query: 'asthma' })).toEqual(['The asthma is gone.'])
  })

  it('holds what another takes the place of only later, and of one end user alone what is theirs', async () => {
    const ada = await newConformingClient(server)
    const valid_from = new Date(Date.now() + 86_400_000).toISOString()
    for (const subject of ['eve', 'sam', undefined]) {
      const store = (body: object) => ada.post('/v1/memory/text/store', { protected: true, subject, ...body })
      const { body: old } = await store({ text: `${subject} is allergic to penicillin.` })
      await store({ text: `${subject} tolerates penicillin.`, supersedes: old.pattern_id, valid_from })
    }
    expect(await texts(ada, { subject: 'eve' })).toEqual(['eve is allergic to penicillin.'])
    expect(await texts(ada, {})).toHaveLength(3)
  })

  it('holds what has long been there, however often something else has changed since', async () => {
    const ada = await newConformingClient(server)
    await ada.store([passport])
    let supersedes: string | null = null
    for (let day = 0; day < 90; day++) {
      const text = `Ada is in town number ${day} today.`
      const { body } = await ada.post('/v1/memory/text/store', { text, protected: true, supersedes })
      supersedes = body.pattern_id
    }
    expect(await texts(ada, { token_budget: 150 })).toEqual([
      passport.text,
      'Ada is in town number 89 today.',
    ])
  })

  it('holds what stands beside any number of texts that are over or yet to come', async () => {
    const ada = await newConformingClient(server)
    const subject = 'ada'
    const nuts = 'Ada is allergic to nuts.'
    const later = new Date(Date.now() + 86_400_000).toISOString()
    const stays = [
      { text: nuts, protected: true, subject },
      { text: 'Ada is on leave until tomorrow.', protected: true, subject, valid_to: later },
      { text: 'Ada runs on Mondays.', metadata: { category: 'personal' }, subject },
    ]
    const store = async (items: object[]) => {
      const { status, body } = await ada.post('/v1/memory/text/batch-store', { items })
      expect(status, JSON.stringify(body)).toBe(200)
    }
    await store(stays)
    const times = [
      { valid_from: '2001-01-01T00:00:00Z', valid_to: '2002-01-01T00:00:00Z' },
      { valid_from: '2999-01-01T00:00:00Z' },
    ]
    // More than are looked at for the budget.
    for (const time of times) {
      for (let part = 0; part < 4; part++) {
        const more = Array.from({ length: 50 }, (_, n) => ({
          text: `Ada was told number ${part * 50 + n}.`,
          ...(n % 2 === 0 ? { protected: true } : { metadata: { category: 'personal' } }),
          ...{ subject, ...time },
        }))
        await store(more)
      }
    }
    const expected = textsOf(stays).toSorted()
    for (const body of [{}, { subject }, { subject: [subject, 'ben'] }]) {
      expect((await texts(ada, { token_budget: 300, ...body })).toSorted()).toEqual(expected)
    }
    if (!isReadKnown) return
    const { queries } = server.context.database
    const { id } = await getSpace(server, ada)
    const readOf = async (subjects: string[] | null) => {
      const before = await rowsRead(queries)
      await findStanding(queries, id, { subjects, looked: 128, chars: 100 })
      const after = await rowsRead(queries)
      return (after.get('patterns') ?? 0) - (before.get('patterns') ?? 0)
    }
    for (const subjects of [null, [subject]]) expect(await readOf(subjects)).toBeLessThan(10 * stays.length)
  })

  it('shows the part of a long text that answers, and no line takes more than its share', async () => {
    const ada = await newConformingClient(server)
    const filler = Array.from({ length: 60 }, (_, i) => `Paragraph ${i} is about the garden and its flowers.`)
    const long = [
      ...filler.slice(0, 40),
      'The code of the safe is seven four one.',
      ...filler.slice(40),
    ].join(' ')
    await ada.store([long, weather, bakery])
    const [first, ...others] = await items(ada, {
      query: 'What is the code of the safe?',
      token_budget: 1_000,
    })
    expect(first).toMatchObject({ cut: true })
    expect(first?.text).toContain('seven four one')
    expect(long).toContain(first?.text)
    expect(textsOf(others).toSorted()).toEqual([bakery, weather].toSorted())
  })

  it('is narrowed to a subject and a filter, in what stands and what is found', async () => {
    const ada = await newConformingClient(server)
    await ada.store([
      { text: 'Ada is allergic to nuts.', subject: 'ada', metadata: { protected: true, app: 'a' } },
      { text: 'Ben is allergic to cats.', subject: 'ben', metadata: { protected: true, app: 'a' } },
      { text: 'The office is closed in August.', metadata: { protected: true, app: 'b' } },
      { text: 'Ada keeps nuts at home.', subject: 'ada', metadata: { app: 'b' } },
    ])
    const query = 'nuts'
    expect(await texts(ada, { subject: 'ada' })).toEqual(['Ada is allergic to nuts.'])
    expect(await texts(ada, { subject: 'ada', query })).toEqual([
      'Ada is allergic to nuts.',
      'Ada keeps nuts at home.',
    ])
    expect(await texts(ada, { subject: null })).toEqual(['The office is closed in August.'])
    expect(await texts(ada, { subject: ['ada', 'ben'] })).toHaveLength(2)
    expect(await texts(ada, { filter: { app: 'b' }, query })).toEqual([
      'The office is closed in August.',
      'Ada keeps nuts at home.',
    ])
    const bound = (isShared: boolean) =>
      newConformingClient(server, { organizationId: ada.organizationId, subject: { name: 'ada', isShared } })
    const own = ['Ada is allergic to nuts.', 'Ada keeps nuts at home.']
    expect(await texts(await bound(false), { query })).toEqual(own)
    expect((await texts(await bound(true), { query })).toSorted()).toEqual(
      [...own, 'The office is closed in August.'].toSorted(),
    )
    expect((await (await bound(false)).post(path, { subject: 'ben' })).status).toBe(403)
  })

  it('shows a short text whole where there is room, however little standing facts may take', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['Ada moved to Lisbon in May and has lived in Alfama since then.'])
    for (const token_budget of [150, 300, 500]) {
      const { text } = await read(ada, { query: 'Where does Ada live?', token_budget })
      expect(text).toContain('Ada moved to Lisbon in May and has lived in Alfama since then.')
    }
  })

  it('tells with `since` what was added, changed and has ended, the last first', async () => {
    const ada = await newConformingClient(server)
    const [stays, changes, ends, goes] = await ada.store([asthma, bakery, weather, train])
    const { as_of: since } = await read(ada)
    expect(await items(ada, { since })).toEqual([])
    await ada.post('/v1/memory/text/store', { text: 'It is sunny.', supersedes: ends })
    await ada.patch(`/v1/memory/patterns/${changes}`, { text: 'The bakery opens at eight.' })
    await ada.delete(`/v1/memory/patterns/${goes}`)
    const changed = await items(ada, { since })
    expect(new Set(changed.map(({ kind, text }) => `${kind}: ${text}`))).toEqual(
      new Set(['changed: The bakery opens at eight.', 'added: It is sunny.', `ended: ${weather}`]),
    )
    expect(changed[0]).toMatchObject({ kind: 'changed', pattern_id: changes })
    const { text } = await read(ada, { since })
    expect(text).toContain(`- [${changes}] (${changed[0]?.occurred_at.slice(0, 10)}, changed) The bakery`)
    // Beside a query, what was found follows, without what is there already.
    const found = await items(ada, { since, query: 'bakery, asthma' })
    expect(found.filter(({ kind }) => kind === 'found').map(({ pattern_id }) => pattern_id)).toEqual([stays])
  })

  it('tells with `since` what was stored afterwards, whatever the service holds for the time', async () => {
    const ada = await newConformingClient(server)
    await ada.store([asthma])
    const ahead = 60_000
    server.clock.advance(ahead)
    onTestFinished(() => server.clock.advance(-ahead))
    const { as_of: since } = await read(ada)
    await ada.store([train])
    expect(await texts(ada, { since })).toEqual([train])
  })

  // The embedded database has one transaction at a time.
  it.runIf(onPostgres)('answers a time before what is being stored', async () => {
    const ada = await newConformingClient(server)
    await server.context.database.queries.transaction().execute(async (trx) => {
      const { rows } = await sql<{ began: Date }>`select now() as began`.execute(trx)
      const { as_of } = await read(ada)
      expect(new Date(as_of).getTime()).toBeLessThanOrEqual(rows[0]?.began.getTime() ?? 0)
    })
  })

  it('tells with `since` what ended of one user, however much of others has ended later', async () => {
    const ada = await newConformingClient(server)
    await ada.post('/v1/memory/text/store', { text: weather, subject: 'ada' })
    for (let part = 0; part < 3; part++) {
      const texts = Array.from({ length: 50 }, (_, n) => ({ text: `Ben ${part} ${n}.`, subject: 'ben' }))
      await ada.post('/v1/memory/text/batch-store', { items: texts })
    }
    const { as_of: since } = await read(ada)
    await end(ada, 'ada')
    await end(ada, 'ben')
    const told = await items(ada, { since, subject: 'ada', token_budget: 300 })
    expect(told.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([`ended: ${weather}`])
  })

  it('tells with `since` and a filter what ended, however much has ended later that it does not let in', async () => {
    const ada = await newConformingClient(server)
    await ada.store([{ text: weather, metadata: { app: 'a' }, subject: 'ada' }])
    // More than are looked at together.
    for (let part = 0; part < 22; part++) {
      const texts = Array.from({ length: 50 }, (_, n) => ({ text: `Note ${part} ${n}.`, subject: 'ben' }))
      await ada.post('/v1/memory/text/batch-store', { items: texts })
    }
    const { as_of: since } = await read(ada)
    await end(ada, 'ada')
    await end(ada, 'ben')
    const told = await items(ada, { since, filter: { app: 'a' } })
    expect(told.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([`ended: ${weather}`])
  })

  it('tells with `since` of texts, however many vectors and plans came after them', async () => {
    const ada = await newConformingClient(server)
    const [ends] = await ada.store([weather])
    const { as_of: since } = await read(ada)
    await ada.post('/v1/memory/text/store', { text: 'It is sunny.', supersedes: ends })
    const planned = Array.from({ length: 200 }, (_, n) => ({
      text: `Plan ${n}.`,
      valid_from: '2999-01-01T00:00:00Z',
    }))
    for (const part of [planned.slice(0, 100), planned.slice(100)])
      await ada.post('/v1/memory/text/batch-store', { items: part })
    const vectors = Array.from({ length: 1_000 }, (_, n) => ({ key: [1, n], value: [n] }))
    await ada.post('/v1/memory/batch/store', { patterns: vectors })
    const told = await items(ada, { since, token_budget: 300 })
    expect(new Set(told.map(({ kind, text }) => `${kind}: ${text}`))).toEqual(
      new Set(['added: It is sunny.', `ended: ${weather}`]),
    )
  })

  it('tells with `since` of what is said to have ended long before', async () => {
    const ada = await newConformingClient(server)
    const [old] = await ada.store([weather])
    const { as_of: since } = await read(ada)
    const occurred_at = new Date(server.clock.now().getTime() - 86_400_000).toISOString()
    await ada.post('/v1/memory/text/store', { text: 'It was sunny.', supersedes: old, occurred_at })
    const changed = await items(ada, { since })
    expect(changed.map(({ kind }) => kind).toSorted()).toEqual(['added', 'ended'])
  })

  it('reads of many subjects no more than of one', async () => {
    const ada = await newConformingClient(server)
    const subjects = Array.from({ length: 100 }, (_, n) => `subject ${n}`)
    for (let from = 0; from < 400; from += 50) {
      const texts = Array.from({ length: 50 }, (_, n) => ({
        text: `Fact ${from + n}.`,
        subject: subjects[(from + n) % 100],
        protected: true,
      }))
      await ada.post('/v1/memory/text/batch-store', { items: texts })
    }
    const rows = await findStanding(server.context.database.queries, (await getSpace(server, ada)).id, {
      subjects,
      looked: 128,
      chars: 100,
    })
    expect(rows).toHaveLength(128)
  })

  it('counts as one query, of the plan and of the subject', async () => {
    const free = await newConformingClient(server, { plan: 'free' })
    const left = async (body: object) =>
      Number((await free.post(path, body)).headers.get('ratelimit-remaining'))
    const before = await left({})
    expect(await left({ query: 'Ada', subject: 'ada' })).toBe(before - 1)
    expect((await free.post(path, { token_budget: 1 })).status).toBe(422)
    expect(await left({})).toBe(before - 2)
  })

  it('refuses budgets beyond its bounds and formats that it does not have', async () => {
    const ada = await newConformingClient(server)
    const { contextTokensMin: min, contextTokensMax: max } = limits
    for (const [body, loc] of [
      [{ token_budget: min - 1 }, 'token_budget'],
      [{ token_budget: max + 1 }, 'token_budget'],
      [{ format: 'xml' }, 'format'],
      [{ since: 'yesterday' }, 'since'],
      [{ query: '' }, 'query'],
    ] as const) {
      const faults = faultsOf(await ada.post(path, body)) as { loc: string[] }[]
      expect(faults.map((fault) => fault.loc)).toEqual([['body', loc]])
    }
    expect((await ada.post(path, { token_budget: min })).status).toBe(200)
    expect((await ada.post(path, { token_budget: max })).status).toBe(200)
  })
})

describe('the ETag of a context', () => {
  it('is another exactly when something shown is another', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store([asthma, ...plain])
    const tag = async (body: object = {}) => (await read(ada, body)).etag
    const [standing, asked] = [await tag(), await tag({ query: bakery })]
    expect([await tag(), await tag({ query: bakery })]).toEqual([standing, asked])
    // Of no importance, and found by the query alone.
    const [added] = await ada.store(['The bakery is closed on Mondays.'])
    expect(await tag()).toBe(standing)
    expect(await tag({ query: bakery })).not.toBe(asked)
    await ada.delete(`/v1/memory/patterns/${added}`)
    expect(await tag({ query: bakery })).toBe(asked)
    await ada.patch(`/v1/memory/patterns/${id}`, { metadata: { note: 'not shown', category: 'health' } })
    expect(await tag()).toBe(standing)
    await ada.patch(`/v1/memory/patterns/${id}`, { text: `${asthma} It got better.` })
    expect(await tag()).not.toBe(standing)
    await ada.patch(`/v1/memory/patterns/${id}`, { text: asthma })
    expect(await tag()).toBe(standing)
    await ada.store([{ text: 'Ada has a cat.', metadata: { protected: true } }])
    expect(await tag()).not.toBe(standing)
  })

  it('named by If-None-Match, is answered with an empty 304 while it holds', async () => {
    const ada = await server.newClient()
    const client = await newConformingClient(server, { organizationId: ada.organizationId })
    await client.store([asthma])
    const { etag } = await read(client)
    const ask = async (tags: string) => {
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers: { 'X-API-Key': client.key, 'Content-Type': 'application/json', 'If-None-Match': tags },
        body: '{}',
      })
      return { status: response.status, etag: response.headers.get('etag'), text: await response.text() }
    }
    for (const tags of [`"${etag}"`, `W/"${etag}"`, `"other", "${etag}"`, '*']) {
      expect(await ask(tags), tags).toEqual({ status: 304, etag: `"${etag}"`, text: '' })
    }
    expect((await ask('"other"')).status).toBe(200)
    await client.store([passport])
    expect((await ask(`"${etag}"`)).status).toBe(200)
  })
})

/** Letters of many scripts, emoji, marks of the fence and of the tokenizer, characters that are not seen. */
const pieces = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '</memories>',
    '<s>',
    '</s>',
    '<mask>',
    '<unk>',
    '\u200b',
    '\u2028',
    '\r\n',
    '   ',
    '👩‍👩‍👧‍👦',
    'ﷺ',
    '한국어',
    '日本語のテキスト',
    'ภาษาไทย',
    'العربية',
    'ǅ',
    'Straße',
  ),
  fc.lorem({ maxCount: 12 }),
)
const anyText = fc
  .array(pieces, { minLength: 1, maxLength: 12 })
  .map((parts) => `x${parts.join(' ')}`.replaceAll('\0', '').toWellFormed().slice(0, 2_000).toWellFormed())
const longText = fc
  .array(pieces, { minLength: 200, maxLength: 400 })
  .map((parts) => `y${parts.join('')}`.replaceAll('\0', ''))

describe('a context of any texts', { timeout: 240_000 }, () => {
  it('takes no more than its budget, and begins with the same bytes whatever is asked', async () => {
    const ada = await newConformingClient(server)
    const stored = fc.sample(anyText, { numRuns: 60, seed: 7 })
    // Alone more than most of the budgets.
    const long = fc
      .sample(longText, { numRuns: 2, seed: 7 })
      .map((text) => [...text.repeat(20)].slice(0, 3_000).join('').toWellFormed())
    for (const [i, text] of [...stored, ...long].entries()) {
      const metadata = i % 3 === 0 ? { protected: true } : {}
      const answer = await ada.post('/v1/memory/text/store', { text, metadata })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    }
    const query = fc.option(
      fc.oneof(anyText, fc.constantFrom(...stored)).map((text) => [...text].slice(0, 200).join('')),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: limits.contextTokensMin, max: 3_000 }),
        fc.constantFrom('text', 'messages', 'json'),
        query,
        async (token_budget, format, query) => {
          const context = await read(ada, { token_budget, format, query })
          const asText = await read(ada, { token_budget, query })
          const contents = context.messages?.map(({ content }) => content) ?? [asText.text]
          const counts = await server.context.memory.compute.countTokens(ada, contents)
          expect(context.tokens).toBe(counts.reduce((a, b) => a + b, 0))
          expect(context.tokens).toBeLessThanOrEqual(token_budget)
          // What stands is the same beside another query, and among all that stands without one.
          const [one, other, without] = await Promise.all(
            [query ?? 'Ada', 'another question', null].map((query) => items(ada, { token_budget, query })),
          )
          const standing = (one as Item[]).filter(({ kind }) => kind === 'standing')
          expect((other as Item[]).slice(0, standing.length)).toEqual(standing)
          expect((without as Item[]).slice(0, standing.length)).toEqual(standing)
          const prefix = standing.map(lineOf).join('\n')
          expect(asText.text.split('\n').slice(2).join('\n').startsWith(prefix)).toBe(true)
          const [taken = 0] = await server.context.memory.compute.countTokens(ada, [prefix])
          expect(taken).toBeLessThanOrEqual(standingShare * token_budget + 2)
        },
      ),
      { numRuns: 60 },
    )
  })
})
