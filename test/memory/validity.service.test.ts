import { enterPatterns } from '@memory/memory/housekeeping'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { onPostgres } from '../support/database.ts'
import { whileReadOnly } from '../support/read-only.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { withShortStatements } from '../support/triggers.ts'
import { beforeItComes, until } from '../support/until.ts'
import { endsOf } from './index/ends-of.ts'
import { faultsOf, getSpace, inSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const texts = '/v1/memory/text/store'
const vectors = '/v1/memory/store'
const patterns = '/v1/memory/patterns'
const past = '2001-01-01T00:00:00.000Z'
const future = '2999-01-01T00:00:00.000Z'

/** What searches and lists show of a client's texts, which must all agree. */
async function shown(client: ConformingClient): Promise<string[]> {
  const { body: list } = await client.get(patterns)
  const texts: string[] = list.patterns.map(({ text }: { text: string }) => text)
  const { body: recalled } = await client.post('/v1/memory/text/recall', { query: 'Ada lives', top_k: 50 })
  const filtered = { filter: { a: 1 }, top_k: 50 }
  const sorted = (all: string[]) => all.toSorted()
  expect(sorted(recalled.results.map(({ text }: { text: string }) => text))).toEqual(sorted(texts))
  expect(sorted(await client.retrieve('Ada lives', { top_k: 50 }))).toEqual(sorted(texts))
  expect(sorted(await client.retrieve('Ada lives', filtered))).toEqual(sorted(texts))
  const tiered = await client.post('/v1/memory/tiered/retrieve', { query: 'Ada lives', top_k: 20 })
  expect(sorted(tiered.body.results.map(({ text }: { text: string }) => text))).toEqual(sorted(texts))
  return sorted(texts)
}

const metadata = { a: 1, category: 'location' }
const store = (client: ConformingClient, text: string, more: object = {}) =>
  client.post(texts, { text, metadata, ...more })

describe('forget', () => {
  it('goes by meaning, filter and category also for what is not valid any more', async () => {
    for (const body of [
      { query: 'Ada lives in Porto now.', threshold: 0.8, guard: false },
      { filter: { a: 1 } },
      { category: 'location' },
    ]) {
      const ada = await newConformingClient(server)
      const old = (await store(ada, 'Ada lives in Porto.', { external_id: 'porto' })).body.pattern_id
      await ada.post(texts, {
        text: 'The tide was low.',
        metadata: { category: 'sea' },
        supersedes: 'ext:porto',
      })
      const preview = await ada.post('/v1/memory/text/forget', { ...body, dry_run: true })
      expect(preview.body.pattern_ids).toEqual([old])
      const { body: done } = await ada.post('/v1/memory/text/forget', body)
      expect(done).toMatchObject({ forgotten: 1, pattern_ids: [old] })
      expect((await ada.get(`${patterns}/ext:porto`)).status).toBe(404)
      expect(await ada.retrieve('tide', { top_k: 50 })).toEqual(['The tide was low.'])
    }
  })
})

describe('supersedes', () => {
  it('keeps for filters, and of what was learned, what searches let go of as another process ends it', async () => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada lives in Porto.')
    await store(ada, 'Ada lives in Lisbon.')
    const all = { filter: { a: 1 }, include_superseded: true }
    const count = async () => (await ada.post(`${patterns}/count`, all)).body.count
    expect(await ada.retrieve('Ada lives')).toHaveLength(2)
    const { learning, learned } = server.context.memory
    await learning.flush()
    const knowsUse = async () => (await learned.get((await getSpace(server, ada)).id, 0)).hasUse(0)
    expect(await knowsUse()).toBe(true)
    await inSpace(server, ada, async (trx, { id }) => {
      await sql`update app.spaces set version = version + 1 where id = ${id}`.execute(trx)
      await sql`update app.patterns p set valid_to = now(), version = s.version
        from app.spaces s where s.id = p.space_id and p.text like '%Porto.'`.execute(trx)
    })
    expect(await count()).toBe(2)
    expect(await ada.retrieve('Ada lives')).toEqual(['Ada lives in Lisbon.'])
    expect(await count()).toBe(2)
    expect(await knowsUse()).toBe(true)
  })

  it('ends what it names, which nothing shows from then on but its own id', async () => {
    const ada = await newConformingClient(server)
    const old = (await store(ada, 'Ada lives in Porto.', { external_id: 'porto' })).body.pattern_id
    await store(ada, 'Ada lives near the sea.')
    expect(await shown(ada)).toHaveLength(2)
    const stored = await store(ada, 'Ada lives in Lisbon.', { supersedes: 'ext:porto' })
    expect(stored.status).toBe(200)
    expect(await shown(ada)).toEqual(['Ada lives in Lisbon.', 'Ada lives near the sea.'])

    const { body: now } = await ada.get(`${patterns}/${stored.body.pattern_id}`)
    expect(now).toMatchObject({ supersedes: old, superseded_by: null, valid_to: null })
    const { body: before } = await ada.get(`${patterns}/ext:porto`)
    expect(before).toMatchObject({
      text: 'Ada lives in Porto.',
      superseded_by: now.pattern_id,
      valid_to: now.valid_from,
      version: 2,
    })
    const all = await ada.get(`${patterns}?include_superseded=true`)
    expect(all.body.patterns).toHaveLength(3)
    const { versions } = (await ada.get(`${patterns}/ext:porto/history`)).body
    expect(versions).toMatchObject([
      { version: 2, change: 'superseded', valid_to: now.valid_from, changed_by: ada.keyId },
      { version: 1, change: 'created', valid_to: null },
    ])
  })

  it('may be repeated, and may not be claimed by another', async () => {
    const ada = await newConformingClient(server)
    const { body: old } = await store(ada, 'Ada lives in Porto.')
    const next = { external_id: 'next', supersedes: old.pattern_id }
    const [first, second] = [
      await store(ada, 'Ada lives in Faro.', next),
      await store(ada, 'Ada lives in Beja.', next),
    ]
    expect(second.body).toMatchObject({ created: false, pattern_id: first.body.pattern_id })
    expect(await shown(ada)).toEqual(['Ada lives in Beja.'])
    expect((await ada.get(`${patterns}/${old.pattern_id}`)).body.version).toBe(2)
    const other = await store(ada, 'Ada lives in Evora.', { supersedes: old.pattern_id })
    expect([other.status, other.body.detail]).toEqual([409, 'The pattern is superseded by another one'])
    expect(await shown(ada)).toHaveLength(1)
  })

  it('never lengthens the time in which what it names is valid', async () => {
    const ada = await newConformingClient(server)
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const over = { occurred_at: '2024-01-01T00:00:00Z', valid_to: '2025-01-01T00:00:00Z' }
    for (const [times, ends] of [
      [over, over.valid_to],
      [{ valid_to: later(1) }, undefined],
    ] as const) {
      const { body: old } = await store(ada, 'The gym pass is number 1.', times)
      await store(ada, 'The gym pass is number 2.', { supersedes: old.pattern_id, valid_from: later(24) })
      const { body } = await ada.get(`${patterns}/${old.pattern_id}`)
      expect(Date.parse(body.valid_to)).toBe(Date.parse(ends ?? times.valid_to))
      expect(body.superseded_by).not.toBe(null)
    }
  })

  const linked = async (client: ConformingClient, old: string, next: string) => {
    const [{ body: first }, { body: second }] = [
      await client.get(`${patterns}/${old}`),
      await client.get(`${patterns}/${next}`),
    ]
    return { ends: first.valid_to, by: first.superseded_by, begins: second.valid_from, of: second.supersedes }
  }

  it.each([
    ['stored again', (ada: ConformingClient, valid_from: string) => again(ada, { valid_from })],
    [
      'stored again with what it supersedes',
      (ada: ConformingClient, valid_from: string) => again(ada, { valid_from, supersedes: 'ext:old' }),
    ],
    [
      'changed',
      (ada: ConformingClient, valid_from: string) => ada.patch(`${patterns}/ext:new`, { valid_from }),
    ],
  ])('ends what it names when it begins, also once that was corrected: %s', async (_, correct) => {
    const ada = await newConformingClient(server)
    const { body: old } = await store(ada, 'Ada works at Acme.', {
      external_id: 'old',
      valid_from: '2020-01-01',
    })
    const { body: next } = await again(ada, { valid_from: '2021-01-01', supersedes: 'ext:old' })
    const times = ['2023-01-01', new Date(Date.now() + 86_400_000).toISOString(), '2022-01-01']
    for (const time of times) {
      expect((await correct(ada, time)).status).toBe(200)
      const { ends, by, begins, of } = await linked(ada, old.pattern_id, next.pattern_id)
      expect([Date.parse(ends), Date.parse(begins)]).toEqual([Date.parse(time), Date.parse(time)])
      expect([by, of]).toEqual([next.pattern_id, old.pattern_id])
      const isLater = Date.parse(time) > Date.now()
      expect(await shown(ada)).toEqual([isLater ? 'Ada works at Acme.' : 'Ada works at Globex.'])
    }
  })

  const again = (ada: ConformingClient, times: object) =>
    store(ada, 'Ada works at Globex.', { external_id: 'new', ...times })

  it('links both, whichever of them is stored again', async () => {
    const ada = await newConformingClient(server)
    const { body: old } = await store(ada, 'Ada works at Acme.', { external_id: 'old' })
    const { body: other } = await store(ada, 'Ada works at Initech.', { external_id: 'other' })
    const { body: next } = await again(ada, { supersedes: 'ext:old' })
    await again(ada, {})
    expect(await linked(ada, old.pattern_id, next.pattern_id)).toMatchObject({
      by: next.pattern_id,
      of: old.pattern_id,
    })
    // It takes the place of another as well.
    await again(ada, { supersedes: 'ext:other' })
    expect((await ada.get(`${patterns}/ext:old`)).body.superseded_by).toBe(next.pattern_id)
    expect(await linked(ada, other.pattern_id, next.pattern_id)).toMatchObject({
      by: next.pattern_id,
      of: other.pattern_id,
    })
    expect(await shown(ada)).toEqual(['Ada works at Globex.'])
    await store(ada, 'Ada works at Initech.', { external_id: 'other' })
    expect(await linked(ada, other.pattern_id, next.pattern_id)).toMatchObject({
      by: null,
      of: old.pattern_id,
    })
    expect(await shown(ada)).toEqual(['Ada works at Globex.', 'Ada works at Initech.'])
  })

  it.each([
    ['stored again', (ada: ConformingClient) => again(ada, {})],
    [
      'changed',
      (ada: ConformingClient) => ada.patch(`${patterns}/ext:new`, { valid_from: null, valid_to: null }),
    ],
  ])('that is planned ends what it names at once where it is %s without a time', async (_, change) => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada works at Acme.', { external_id: 'old' })
    await again(ada, { valid_from: future, supersedes: 'ext:old' })
    expect(await shown(ada)).toEqual(['Ada works at Acme.'])
    expect((await change(ada)).status).toBe(200)
    expect(await shown(ada)).toEqual(['Ada works at Globex.'])
  })

  it('begins what it names again where a change has it begin later', async () => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada works at Acme.', { external_id: 'old', occurred_at: '2020-01-01' })
    await again(ada, { occurred_at: '2021-01-01', supersedes: 'ext:old' })
    expect(await shown(ada)).toEqual(['Ada works at Globex.'])
    await ada.patch(`${patterns}/ext:new`, { occurred_at: future })
    expect(await shown(ada)).toEqual(['Ada works at Acme.', 'Ada works at Globex.'])
  })

  it('leaves at no time both, nor neither', async () => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada works at Acme.', { external_id: 'old' })
    await again(ada, { supersedes: 'ext:old' })
    const { valid_to } = (await ada.get(`${patterns}/ext:old`)).body
    const shownAt = async (ms: number) => {
      const as_of = new Date(Date.parse(valid_to) + ms).toISOString()
      return ada.retrieve('Where does Ada work?', { as_of, min_similarity: -1 })
    }
    expect(await shownAt(0)).toEqual(['Ada works at Globex.'])
    expect(await shownAt(1)).toEqual(['Ada works at Globex.'])
  })

  it.each([[['old', 'new']], [['new', 'old']]])(
    'is no more where one store replaces both: %j',
    async (order) => {
      const ada = await newConformingClient(server)
      await store(ada, 'Ada works at Acme.', { external_id: 'old', valid_from: '2020-01-01' })
      await again(ada, { valid_from: '2021-01-01', supersedes: 'ext:old' })
      const items = [
        { text: 'Ada works at Acme.', metadata, external_id: 'old' },
        { text: 'Ada works at Globex.', metadata, external_id: 'new', valid_from: '2023-01-01' },
      ]
      const sorted = order.map((name) => items.find((item) => item.external_id === name))
      expect((await ada.post('/v1/memory/text/batch-store', { items: sorted })).status).toBe(200)
      expect(await shown(ada)).toEqual(['Ada works at Acme.', 'Ada works at Globex.'])
      expect(await linked(ada, 'ext:old', 'ext:new')).toMatchObject({ ends: null, by: null, of: null })
    },
  )

  it('leaves an end that was told before as it is, whenever the other one begins', async () => {
    const ada = await newConformingClient(server)
    const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
    const valid_to = days(1)
    await store(ada, 'Ada works at Acme.', { external_id: 'old', valid_to })
    await again(ada, { valid_from: days(30), supersedes: 'ext:old' })
    for (const valid_from of [days(40), days(20)]) {
      await ada.patch(`${patterns}/ext:new`, { valid_from })
      await again(ada, { valid_from })
    }
    expect(Date.parse((await linked(ada, 'ext:old', 'ext:new')).ends)).toBe(Date.parse(valid_to))
  })

  it('ends what it names where its begin is no longer told', async () => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada works at Acme.', { external_id: 'old', valid_from: '2020-01-01' })
    await again(ada, { valid_from: '2021-01-01', supersedes: 'ext:old' })
    await again(ada, {})
    const { ends, begins } = await linked(ada, 'ext:old', 'ext:new')
    expect(Date.parse(ends)).toBe(Date.parse(begins))
    expect(Date.parse(ends)).toBeGreaterThan(Date.now() - 3_600_000)
  })

  const began = '2020-05-01T00:00:00.000Z'
  const earlier = '2020-04-01T00:00:00.000Z'
  const told: [string, object][] = [
    ['valid_from', { valid_from: began }],
    ['occurred_at', { occurred_at: began }],
  ]

  it.each(told)('that begins before what it names, which said its %s, is refused', async (_, times) => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada works at Acme.', { external_id: 'old', ...times })
    await ada.post(vectors, { key: [1, 0], value: [1], external_id: 'vector', ...times })
    const text = { text: 'Ada works at Globex.', valid_from: earlier, supersedes: 'ext:old' }
    const vector = { key: [0, 1], value: [1], valid_from: earlier, supersedes: 'ext:vector' }
    const other = { text: 'Ada has a cat.', external_id: 'cat' }
    for (const [answer, loc] of [
      [await ada.post(texts, text), ['body', 'valid_from']],
      [await ada.post(vectors, vector), ['body', 'valid_from']],
      [
        await ada.post('/v1/memory/text/batch-store', { items: [other, other, text] }),
        ['body', 'items', 2, 'valid_from'],
      ],
      [
        await ada.post('/v1/memory/batch/store', { patterns: [{ key: [2], value: [2] }, vector] }),
        ['body', 'patterns', 1, 'valid_from'],
      ],
    ] as const) {
      expect(faultsOf(answer)).toMatchObject([
        { loc, msg: 'Value error, must not be earlier than when what it supersedes began' },
      ])
    }
    expect((await ada.get(patterns)).body.patterns).toHaveLength(2)
    expect((await ada.get(`${patterns}/ext:old`)).body).toMatchObject({ valid_to: null, version: 1 })
    // Of the same day it corrects what was said.
    expect((await ada.post(texts, { ...text, valid_from: began })).status).toBe(200)
  })

  it.each(told)(
    'that occurred before what it names, which said its %s, ends that when it began',
    async (_, times) => {
      const ada = await newConformingClient(server)
      const { body: old } = await store(ada, 'Ada works at Acme.', { external_id: 'old', ...times })
      const { body: next } = await again(ada, { occurred_at: earlier, supersedes: 'ext:old' })
      const path = `${patterns}/${old.pattern_id}`
      expect((await ada.get(path)).body).toMatchObject({
        ...{ valid_from: began, valid_to: began, superseded_by: next.pattern_id },
      })
      expect(await shown(ada)).toEqual(['Ada works at Globex.'])
      expect((await ada.patch(path, { metadata: { b: 1 } })).body).toMatchObject({ valid_to: began })
      // It follows what is corrected of the other one, which may come to begin earlier again.
      for (const [valid_from, valid_to] of [
        ['2021-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'],
        [null, began],
      ]) {
        expect((await ada.patch(`${patterns}/ext:new`, { valid_from })).status).toBe(200)
        expect((await ada.get(path)).body).toMatchObject({ valid_from: began, valid_to })
      }
    },
  )

  it.each(told)('of what said its %s can’t be moved to before that by a valid_from', async (_, times) => {
    const ada = await newConformingClient(server)
    const told = { msg: 'Value error, must not be earlier than when what it supersedes began' }
    const old = { text: 'Ada works at Acme.', external_id: 'old', ...times }
    await ada.post(texts, old)
    await again(ada, { valid_from: '2021-01-01', supersedes: 'ext:old' })
    await ada.post(vectors, { key: [1, 0], value: [1], external_id: 'vector', ...times })
    const vector = { key: [0, 1], value: [1], external_id: 'next' }
    await ada.post(vectors, { ...vector, supersedes: 'ext:vector' })
    const next = { text: 'Ada works at Globex.', external_id: 'new', valid_from: earlier }
    const batch = (items: object[]) => ada.post('/v1/memory/text/batch-store', { items })
    const place = ['body', 'valid_from']
    for (const [answer, loc] of [
      [await ada.patch(`${patterns}/ext:new`, { valid_from: earlier }), place],
      [await ada.patch(`${patterns}/ext:next`, { valid_from: earlier, metadata: { b: 1 } }), place],
      [await ada.post(texts, next), place],
      [await ada.post(texts, { ...next, supersedes: 'ext:vector' }), place],
      [await ada.post(vectors, { ...vector, valid_from: earlier }), place],
      [await batch([{ text: 'Ada has a cat.' }, next]), ['body', 'items', 1, 'valid_from']],
    ] as const) {
      expect(faultsOf(answer)).toMatchObject([{ ...told, loc }])
    }
    expect((await ada.get(`${patterns}/ext:next`)).body).toMatchObject({ version: 1 })
    for (const valid_from of [began, null]) {
      expect((await ada.patch(`${patterns}/ext:new`, { valid_from })).status).toBe(200)
      expect((await ada.post(texts, { ...next, valid_from })).status).toBe(200)
    }
    // What the same store replaces, or what holds without end again, is superseded no more.
    expect((await batch([next, { ...old, text: 'Ada works at Acme again.' }])).status).toBe(200)
    expect((await ada.patch(`${patterns}/ext:vector`, { valid_to: null })).status).toBe(200)
    expect((await ada.patch(`${patterns}/ext:next`, { valid_from: earlier })).status).toBe(200)
  })

  it('may be reverted to a begin before that of what it ended, which then ends as it begins', async () => {
    const ada = await newConformingClient(server)
    await ada.post(texts, { text: 'Ada works at Acme.', external_id: 'old' })
    await again(ada, { valid_from: earlier, supersedes: 'ext:old' })
    await ada.patch(`${patterns}/ext:new`, { valid_from: '2021-01-01' })
    await ada.patch(`${patterns}/ext:old`, { valid_from: began })
    expect((await ada.post(`${patterns}/ext:new/revert`, { version: 1 })).status).toBe(200)
    expect((await ada.get(`${patterns}/ext:old`)).body).toMatchObject({ valid_from: began, valid_to: began })
  })

  it('of one end user tells nothing of when what is another’s by now began, and ends it no earlier', async () => {
    const ada = await newConformingClient(server)
    await ada.post(texts, { text: 'Ada works at Acme.', external_id: 'old', valid_from: began })
    await again(ada, { valid_from: '2021-01-01', supersedes: 'ext:old', subject: 'ada' })
    await ada.patch(`${patterns}/ext:old`, { subject: 'ben' })
    const { organizationId } = ada
    const bound = await newConformingClient(server, {
      organizationId,
      subject: { name: 'ada', isShared: false },
    })
    expect((await bound.patch(`${patterns}/ext:new`, { valid_from: earlier })).status).toBe(200)
    expect((await again(bound, { valid_from: earlier })).status).toBe(200)
    expect((await ada.get(`${patterns}/ext:old`)).body).toMatchObject({ valid_to: began })
    expect((await ada.patch(`${patterns}/ext:new`, { valid_from: earlier })).status).toBe(422)
  })

  it('of what said nothing of its begin moves that to before the end', async () => {
    const ada = await newConformingClient(server)
    for (const times of [{ valid_from: earlier }, { occurred_at: earlier }]) {
      const { body: old } = await store(ada, 'Ada works at Acme.')
      expect(
        (await store(ada, 'Ada works at Globex.', { ...times, supersedes: old.pattern_id })).status,
      ).toBe(200)
      expect((await ada.get(`${patterns}/${old.pattern_id}`)).body).toMatchObject({
        ...{ valid_from: earlier, valid_to: earlier },
      })
    }
  })

  it('goes by the begin that the same store gives what it names', async () => {
    const ada = await newConformingClient(server)
    const old = { text: 'Ada works at Acme.', external_id: 'old' }
    await ada.post(texts, { ...old, valid_from: began })
    const next = {
      text: 'Ada works at Globex.',
      external_id: 'new',
      valid_from: earlier,
      supersedes: 'ext:old',
    }
    const batch = (valid_from: string) =>
      ada.post('/v1/memory/text/batch-store', { items: [{ ...old, valid_from }, next] })
    expect((await batch('2020-04-02')).status).toBe(422)
    expect((await batch('2020-03-01')).status).toBe(200)
    expect((await ada.get(`${patterns}/ext:old`)).body).toMatchObject({ valid_to: earlier })
  })

  it('that is planned and replaced before its time never begins', async () => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada moves to Rome.', { external_id: 'plan', valid_from: future })
    await store(ada, 'Ada stays in Porto.', { supersedes: 'ext:plan' })
    expect((await ada.get(`${patterns}/ext:plan`)).body).toMatchObject({
      valid_from: future,
      valid_to: future,
    })
    expect(await shown(ada)).toEqual(['Ada stays in Porto.'])
  })

  it('keeps what it ended once it is deleted itself, until that is said to hold again', async () => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada works at Acme.', { external_id: 'old' })
    await again(ada, { supersedes: 'ext:old' })
    await ada.delete(`${patterns}/ext:new`)
    expect(await shown(ada)).toEqual([])
    const { body } = await ada.get(`${patterns}/ext:old`)
    expect(body).toMatchObject({ valid_to: expect.any(String), superseded_by: null })
    expect((await ada.patch(`${patterns}/ext:old`, { valid_to: null })).status).toBe(200)
    expect(await shown(ada)).toEqual(['Ada works at Acme.'])
  })

  it('is so with others that the same one took the place of, whose ends follow it alike', async () => {
    const ada = await newConformingClient(server)
    const ids: string[] = []
    for (const name of ['one', 'two']) {
      const { body } = await store(ada, `Ada works at ${name}.`, {
        external_id: name,
        valid_from: '2026-01-01',
      })
      ids.push(body.pattern_id)
      await again(ada, { valid_from: '2026-06-01', supersedes: `ext:${name}` })
    }
    const linksOf = async (name: string) => {
      const { body } = await ada.get(`${patterns}/ext:${name}`)
      return [body.valid_to, body.superseded_by, body.supersedes]
    }
    const { pattern_id: next } = (await ada.get(`${patterns}/ext:new`)).body
    await ada.patch(`${patterns}/ext:new`, { valid_from: '2026-07-01' })
    for (const name of ['one', 'two'])
      expect(await linksOf(name)).toEqual(['2026-07-01T00:00:00.000Z', next, null])
    expect((await ada.patch(`${patterns}/ext:new`, { valid_from: '2025-01-01' })).status).toBe(422)
    expect(await linksOf('new')).toEqual([null, null, ids[1]])
    await ada.post(`${patterns}/ext:two/revert`, { version: 1 })
    expect(await linksOf('new')).toEqual([null, null, ids[0]])
    await ada.patch(`${patterns}/ext:new`, { valid_from: '2026-08-01' })
    expect(await linksOf('one')).toEqual(['2026-08-01T00:00:00.000Z', next, null])
  })

  it('is so again by an undo of its corrected end, and of none before another took its place', async () => {
    const ada = await newConformingClient(server)
    const { body: old } = await store(ada, 'Ada works at Acme.', { valid_from: '2026-01-01' })
    const named = `${patterns}/${old.pattern_id}`
    const revert = async (version: number) => (await ada.post(`${named}/revert`, { version })).body
    const { body: first } = await store(ada, 'Ada works at Globex.', {
      ...{ valid_from: '2026-06-01', supersedes: old.pattern_id },
    })
    await ada.patch(`${patterns}/${first.pattern_id}`, { valid_from: '2026-07-01' })
    const by = { valid_to: '2026-06-01T00:00:00.000Z', superseded_by: first.pattern_id }
    expect(await revert(2)).toMatchObject(by)
    expect(await revert(1)).toMatchObject({ valid_to: null, superseded_by: null })
    const { body: second } = await store(ada, 'Ada works at Initech.', {
      ...{ valid_from: '2026-08-01', supersedes: old.pattern_id },
    })
    expect((await ada.get(named)).body).toMatchObject({ superseded_by: second.pattern_id })
    // What had its place then has it no more.
    expect(await revert(2)).toMatchObject({ valid_to: by.valid_to, superseded_by: null })
  })

  it('names nothing that is gone', async () => {
    const ada = await newConformingClient(server)
    const { body: old } = await store(ada, 'Ada works at Acme.')
    const { body: next } = await again(ada, { supersedes: old.pattern_id })
    await ada.delete(`${patterns}/${next.pattern_id}`)
    expect((await ada.get(`${patterns}/${old.pattern_id}`)).body.superseded_by).toBe(null)
  })

  it('counts no more once what it was ended by is gone, or its end is taken back', async () => {
    const ada = await newConformingClient(server)
    const { body: old } = await store(ada, 'Ada lives in Porto.')
    const named = `${patterns}/${old.pattern_id}`
    const { body: first } = await store(ada, 'Ada lives in Faro.', { supersedes: old.pattern_id })
    await ada.delete(`${patterns}/${first.pattern_id}`)
    const second = await store(ada, 'Ada lives in Beja.', { supersedes: old.pattern_id })
    expect(second.status).toBe(200)
    expect((await ada.get(named)).body.superseded_by).toBe(second.body.pattern_id)
    await ada.patch(named, { valid_to: null })
    expect((await ada.get(named)).body).toMatchObject({ superseded_by: null, valid_to: null })
    expect((await ada.get(`${patterns}/${second.body.pattern_id}`)).body.supersedes).toBe(null)
    expect((await store(ada, 'Ada lives in Evora.', { supersedes: old.pattern_id })).status).toBe(200)
  })

  it('lets one of 20 succeed that claim the same', async () => {
    const ada = await newConformingClient(server)
    const { body: old } = await store(ada, 'Ada lives in Porto.')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        store(ada, `Ada lives at number ${i}.`, { supersedes: old.pattern_id }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ])
    expect(await shown(ada)).toHaveLength(1)
  })

  it.each(['nonsense', 'ext:none', 'pat_01kagw5zdpk2r4f9m0x7y3v8qe'])(
    'of %s is refused, and nothing is stored',
    async (supersedes) => {
      const ada = await newConformingClient(server)
      const items = [{ text: 'one' }, { text: 'two', supersedes }]
      const answer = await ada.post('/v1/memory/text/batch-store', { items })
      expect([answer.status, answer.body.detail]).toEqual([404, 'Pattern not found'])
      expect((await ada.get(patterns)).body.patterns).toEqual([])
    },
  )

  it('of another organization is unknown', async () => {
    const ada = await newConformingClient(server)
    const ben = await newConformingClient(server)
    const [id] = await ada.store(['hers'])
    expect((await ben.post(texts, { text: 'his', supersedes: id })).status).toBe(404)
  })

  it('of itself or twice in one batch is refused', async () => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada lives in Porto.', { external_id: 'x' })
    expect((await store(ada, 'Ada lives in Faro.', { external_id: 'x', supersedes: 'ext:x' })).status).toBe(
      404,
    )
    const items = ['one', 'two'].map((text) => ({ text, supersedes: 'ext:x' }))
    const twice = await ada.post('/v1/memory/text/batch-store', { items })
    expect(twice.status).toBe(409)
    expect(await shown(ada)).toEqual(['Ada lives in Porto.'])
  })

  it('ends vectors too', async () => {
    const ada = await newConformingClient(server)
    const { body } = await ada.post(vectors, { key: [1, 0], value: [1] })
    await ada.post(vectors, { key: [1, 0.1], value: [2], supersedes: body.pattern_id })
    const { results } = (await ada.post('/v1/memory/query', { embedding: [1, 0], top_k: 5 })).body
    expect(results.map(({ value }: { value: number[] }) => value)).toEqual([[2]])
    await ada
      .put('/v1/memory/pattern', { key: [1, 0], new_value: [3] })
      .then(({ status }) => expect(status).toBe(404))
  })
})

describe('valid_from and valid_to', () => {
  it('keep out what is over, and what is yet to come until its time', async () => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada lives here.')
    await store(ada, 'Ada lived in Porto.', { valid_from: past, valid_to: '2002-01-01T00:00:00Z' })
    await store(ada, 'Ada will live in Faro.', { valid_from: future, external_id: 'faro' })
    expect(await shown(ada)).toEqual(['Ada lives here.'])
    const { body } = await ada.get(`${patterns}/ext:faro`)
    expect(body).toMatchObject({ valid_from: future, valid_to: null })

    await inSpace(server, ada, (trx) =>
      sql`update app.patterns set enters_at = now(), valid_from = now() where external_id = 'faro'`.execute(
        trx,
      ),
    )
    expect(await shown(ada)).toEqual(['Ada lives here.'])
    await enterPatterns(server.context.database.queries)
    expect(await shown(ada)).toEqual(['Ada lives here.', 'Ada will live in Faro.'])
  })

  it('begin on time, whoever calls first, also where callers are remembered', async () => {
    const { ada, moment } = await beforeItComes(async (moment) => {
      const ada = await newConformingClient(server)
      await store(ada, 'Ada lives here.')
      await store(ada, 'Ada lives in Faro.', { valid_from: moment.toISOString() })
      await store(ada, 'Ada will live in Beja.', { valid_from: future })
      await store(ada, 'Ada has a cat.', { external_id: 'cat' })
      await ada.patch(`${patterns}/ext:cat`, { valid_from: moment.toISOString() })
      expect(await shown(ada)).toEqual(['Ada lives here.'])
      return { ada, moment }
    })
    await until(() => Date.now() >= moment.getTime(), 'the time from which they are valid')
    expect(await shown(ada)).toEqual(['Ada has a cat.', 'Ada lives here.', 'Ada lives in Faro.'])
    const { rows } = await inSpace(server, ada, (trx, { id }) =>
      sql<{ next_entry: Date }>`select next_entry from app.spaces where id = ${id}`.execute(trx),
    )
    expect(rows).toEqual([{ next_entry: new Date(future) }])
  })

  it('let in some a call where more begin at once than a statement could change, and the job all of them', async () => {
    const most = 2_000
    const ada = await newConformingClient(server)
    const begin = () =>
      inSpace(server, ada, async (trx, { id, next_idx }) => {
        await sql`insert into app.patterns (space_id, idx, id, key, key_hash, version, valid_from, enters_at)
          select ${id}::uuid, i, 'pat_' || i, '[1,2]', sha256('k'), s.version + 1, ${past}, ${past}
            from app.spaces s cross join generate_series(${next_idx}::int, ${next_idx + 3 * most}::int) i
            where s.id = ${id}`.execute(trx)
        await sql`update app.spaces set version = version + 1, next_entry = ${past}, next_idx = ${next_idx + 3 * most + 1}
          where id = ${id}`.execute(trx)
      })
    const counts = async (calls: number) => {
      const each: number[] = []
      for (let n = 0; n < calls; n++) each.push((await ada.post(`${patterns}/count`, {})).body.count)
      return each
    }
    const { queries } = server.context.database
    await begin()
    await withShortStatements(queries, { table: 'patterns', change: 'update', most }, async () => {
      expect(await counts(5)).toEqual([most, 2 * most, 3 * most, 3 * most + 1, 3 * most + 1])
      const { body } = await ada.post('/v1/memory/query', { embedding: [1, 2], top_k: 5 })
      expect(body.results).toHaveLength(5)
      await begin()
      await enterPatterns(queries)
    })
    expect(await counts(1)).toEqual([6 * most + 2])

    // Two who come together, where each would let in as many: the other one waits until the first is done.
    await begin()
    const entered = await inSpace(server, ada, async (trx, { id }) => {
      const enter = async () => {
        const { rows } = await sql<{
          entered: number
        }>`select entered from app.enter_patterns(${id})`.execute(trx)
        return rows[0]?.entered
      }
      return [await enter(), await enter()]
    })
    expect(entered).toEqual([most, 0])
    expect(await counts(1)).toEqual([8 * most + 2])
  })

  it.skipIf(onPostgres)('keep nobody from reading while the database only reads', async () => {
    const ada = await newConformingClient(server)
    const { queries } = server.context.database
    await store(ada, 'Ada lives here.')
    await store(ada, 'Ada lives in Faro.', { valid_from: future })
    await inSpace(server, ada, async (trx, { id }) => {
      await sql`update app.patterns set enters_at = ${past}, valid_from = ${past} where enters_at = ${future}`.execute(
        trx,
      )
      await sql`update app.spaces set next_entry = ${past} where id = ${id}`.execute(trx)
    })
    await whileReadOnly(queries, async () => expect(await shown(ada)).toEqual(['Ada lives here.']))
    expect(await shown(ada)).toEqual(['Ada lives here.', 'Ada lives in Faro.'])
  })

  it('end on time in an index that is in memory', async () => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada lives here.')
    const end = new Date(server.clock.now().getTime() + 3_600_000)
    await store(ada, 'Ada lives in Porto.', { valid_to: end.toISOString(), expires_at: future })
    expect(await shown(ada)).toHaveLength(2)
    const index = await server.context.memory.spaces.get((await getSpace(server, ada)).id, 2)
    expect(endsOf(index)).toEqual([[1, end.getTime()]])
  })

  it('may be changed, and cleared', async () => {
    const ada = await newConformingClient(server)
    const { body } = await store(ada, 'Ada lives in Porto.')
    const path = `${patterns}/${body.pattern_id}`
    const ended = await ada.patch(path, { valid_from: past, valid_to: '2002-01-01T00:00:00Z' })
    expect(ended.body).toMatchObject({ valid_from: past, valid_to: '2002-01-01T00:00:00.000Z' })
    expect(await shown(ada)).toEqual([])
    await ada.patch(path, { valid_to: null })
    expect(await shown(ada)).toEqual(['Ada lives in Porto.'])
    expect((await ada.patch(path, { valid_to: '2000-01-01T00:00:00Z' })).status).toBe(422)
    await ada.patch(path, { valid_from: future })
    expect(await shown(ada)).toEqual([])
    await ada.post(`${path}/revert`, { version: 1 })
    expect(await shown(ada)).toEqual(['Ada lives in Porto.'])
  })

  it('in the wrong order are refused', async () => {
    const ada = await newConformingClient(server)
    for (const times of [
      { valid_from: past, valid_to: past },
      { valid_from: future, valid_to: past },
      { occurred_at: past, valid_to: past },
    ]) {
      expect(faultsOf(await store(ada, 'x', times))).toMatchObject([{ loc: ['body', 'valid_to'] }])
    }
  })

  it('let in what ended before it was stored, which can be changed in all else', async () => {
    const ada = await newConformingClient(server)
    const { status, body } = await store(ada, 'Ada lived in Porto.', { valid_to: past })
    expect(status).toBe(200)
    const path = `${patterns}/${body.pattern_id}`
    expect(await ada.patch(path, { metadata: { a: 1 } })).toMatchObject({
      status: 200,
      body: { valid_to: past },
    })
    expect((await ada.patch(path, { valid_from: future })).status).toBe(422)
    expect((await ada.patch(path, { valid_to: null })).status).toBe(200)
    expect(await shown(ada)).toEqual(['Ada lived in Porto.'])
    // A change may end it before as well, until somebody says when it began.
    expect((await ada.patch(path, { valid_to: past })).body).toMatchObject({
      valid_from: past,
      valid_to: past,
    })
    await ada.patch(path, { valid_to: null, occurred_at: '2020-01-01' })
    const refused = await ada.patch(path, { valid_to: past })
    expect(refused.body.detail).toMatchObject([
      { loc: ['body', 'valid_to'], msg: expect.stringContaining('must be later than occurred_at') },
    ])
  })

  it('are never in the wrong order where none is said', async () => {
    const ada = await newConformingClient(server)
    const { body } = await store(ada, 'Ada lived in Porto.', { valid_to: past, external_id: 'x' })
    const shownTimes = async () => {
      const { versions } = (await ada.get(`${patterns}/ext:x/history`)).body
      const { results } = (
        await ada.post('/v1/memory/text/retrieve', { query: 'Porto', include_superseded: true })
      ).body
      return [(await ada.get(`${patterns}/ext:x`)).body, versions[0], results[0]].map(
        ({ valid_from, valid_to }) => ({ valid_from, valid_to }),
      )
    }
    const ended = { valid_from: past, valid_to: past }
    expect(await shownTimes()).toEqual([ended, ended, ended])
    const { body: open } = await ada.patch(`${patterns}/${body.pattern_id}`, { valid_to: null })
    expect(open.valid_from).toBe(open.occurred_at)
  })

  it('are replaced by an upsert: what was over is shown again', async () => {
    const ada = await newConformingClient(server)
    await store(ada, 'Ada lived in Porto.', {
      external_id: 'x',
      valid_from: past,
      valid_to: '2002-01-01T00:00:00Z',
    })
    expect(await shown(ada)).toEqual([])
    await store(ada, 'Ada lives in Porto.', { external_id: 'x' })
    expect(await shown(ada)).toEqual(['Ada lives in Porto.'])
  })
})

describe('sleep', () => {
  it('does not merge what has a name, an end or another subject', async () => {
    const ada = await newConformingClient(server)
    const text = 'The same thing.'
    await ada.post(texts, { text })
    await ada.post(texts, { text, external_id: 'x' })
    await ada.post(texts, { text, valid_to: future })
    const { pattern_id: other } = (await ada.post(texts, { text })).body
    await ada.patch(`${patterns}/${other}`, { subject: 'ada' })
    expect((await ada.post('/v1/memory/sleep')).status).toBe(200)
    expect((await ada.get(patterns)).body.patterns).toHaveLength(4)
    await ada.post(texts, { text })
    await ada.post('/v1/memory/sleep')
    expect((await ada.get(patterns)).body.patterns).toHaveLength(4)
  })
})
