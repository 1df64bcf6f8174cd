import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let ada: ConformingClient
let id: string

beforeAll(async () => {
  server = await startServer()
  ada = await newConformingClient(server)
  ;[id] = (await ada.store(['Ada lives in Lisbon.'])) as [string]
})

afterAll(() => server.close())

const invisible = {
  'white space': ' \u2003\u3000',
  'a zero-width space': '\u200b',
  joiners: '\u200d\u200c\u2060',
  'a filler of Hangul': '\u3164',
  'fillers of jamo': '\u115f\u1160',
  'a half-width filler': '\uffa0',
  'a next line': '\u0085',
  'a control': '\u001f',
  'a soft hyphen': '\u00ad',
  'a vowel separator': '\u180e',
  'a byte order mark': '\ufeff',
  'a variation selector': '\ufe0f',
  tags: '\u{e0041}\u{e007f}',
  'directions of writing': '\u202e\u061c',
  'an empty cell of Braille': '\u2800',
  'joiners of hieroglyphs': '\u{13430}\u{13437}',
  'what is no character': '\ufffe\ufdd0\u{1ffff}',
}

type Place = [
  method: 'post' | 'patch' | 'delete',
  path: string,
  loc: (string | number)[],
  body: (text: string) => object,
]

const places: Place[] = [
  ['post', '/v1/memory/text/store', ['text'], (text) => ({ text })],
  [
    'post',
    '/v1/memory/text/batch-store',
    ['items', 1, 'text'],
    (text) => ({ items: [{ text: 'a' }, { text }] }),
  ],
  ['patch', '/v1/memory/patterns/:id', ['text'], (text) => ({ text })],
  ['post', '/v1/memory/text/similarity', ['text_a'], (text) => ({ text_a: text, text_b: 'a' })],
  ['post', '/v1/memory/text/similarity', ['text_b'], (text) => ({ text_a: 'a', text_b: text })],
  ['post', '/v1/memory/text/embed', ['text'], (text) => ({ text })],
  ['post', '/v1/memory/text/retrieve', ['query'], (query) => ({ query })],
  ['post', '/v1/memory/text/recall', ['query'], (query) => ({ query })],
  ['post', '/v1/memory/text/predict', ['query'], (query) => ({ query })],
  ['post', '/v1/memory/text/explain', ['query'], (query) => ({ query })],
  ['post', '/v1/memory/tiered/retrieve', ['query'], (query) => ({ query })],
  ['delete', '/v1/memory/text/forget', ['query'], (query) => ({ query })],
  ['post', '/v1/memory/belief/classify', ['query'], (query) => ({ query })],
  ['post', '/v1/memory/routing/decide', ['query'], (query) => ({ query })],
  ['post', '/v1/memory/efe/evaluate', ['query'], (query) => ({ query })],
  ['post', '/v1/memory/compose', ['texts', 1], (text) => ({ texts: ['a', text] })],
  ['post', '/v1/memory/compose/fractional', ['text_b'], (text) => ({ text_a: 'a', text_b: text })],
]

describe.each(Object.entries(invisible))('%s alone', (_, text) => {
  it.each(places)('is no text to %s %s at %j', async (method, path, loc, body) => {
    const answer = await ada[method](path.replace(':id', id), body(text))
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ type: 'string_too_short', loc: ['body', ...loc] }])
  })
})

const names: Place[] = [
  ['post', '/v1/memory/text/store', ['subject'], (subject) => ({ text: 'a', subject })],
  ['post', '/v1/memory/text/store', ['external_id'], (external_id) => ({ text: 'a', external_id })],
  [
    'post',
    '/v1/memory/batch/store',
    ['patterns', 0, 'subject'],
    (subject) => ({ patterns: [{ key: [1], value: [1], subject }] }),
  ],
  ['patch', '/v1/memory/patterns/:id', ['subject'], (subject) => ({ subject })],
  ['patch', '/v1/memory/patterns/:id', ['external_id'], (external_id) => ({ external_id })],
  ['post', '/v1/memory/subject-tokens', ['subject'], (subject) => ({ subject })],
  ['delete', '/v1/memory/text/forget', ['category'], (category) => ({ category })],
]

describe.each(['\u200b', ' \u3000', '\u3164'])('%j', (name) => {
  it.each(names)('names nothing: %s %s at %j', async (method, path, loc, body) => {
    const answer = await ada[method](path.replace(':id', id), body(name))
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ type: 'string_too_short', loc: ['body', ...loc] }])
  })

  it('is nothing to look for in a list', async () => {
    const { status, body } = await ada.get(`/v1/memory/patterns?q=${encodeURIComponent(name)}`)
    expect([status, body.detail]).toMatchObject([422, [{ type: 'string_too_short', loc: ['query', 'q'] }]])
  })

  it('is no category that metadata name', async () => {
    await ada.store([{ text: 'Ben has asthma.', metadata: { category: name } }])
    const { status, body } = await ada.post('/v1/memory/patterns/count', { filter: { $category: name } })
    expect([status, body]).toEqual([200, { count: 0 }])
  })
})

it('what older releases stored under an invisible name may be looked for, and erased', async () => {
  const of = { subject: '\u200b' }
  expect((await ada.post('/v1/memory/patterns/count', of)).status).toBe(200)
  expect((await ada.post('/v1/memory/patterns/delete', of)).status).toBe(200)
  // Nothing is there.
  expect((await ada.delete('/v1/memory/subjects/%E2%80%8B')).status).toBe(404)
  expect((await ada.get('/v1/memory/patterns/ext:%E2%80%8B')).status).toBe(404)
})

it('what is invisible may stand in a text, and in a query, that can be seen', async () => {
  const texts = Object.values(invisible).map((part) => `${part}Ben${part} has a cat${part}`)
  await ada.store(texts)
  const { patterns } = (await ada.get('/v1/memory/patterns?limit=200')).body
  expect(patterns.slice(-texts.length).map((each: { text: string }) => each.text)).toEqual(texts)
  expect((await ada.retrieve(`\u200b${texts[0]}`, { top_k: 1 })).length).toBe(1)
})

it('an invisible context of a query counts as none', async () => {
  const decide = async (context?: string) =>
    (await ada.post('/v1/memory/routing/decide', { query: 'Where does Ada live?', context })).body
      .geometric_surprise
  expect(await decide('\u200b\u3164')).toBe(await decide())
})
