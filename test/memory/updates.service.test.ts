import { afterAll, beforeAll, expect, it } from 'vitest'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { recall, textsOf } from './recalled.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const others = ['Bought new running shoes.', 'The weather was awful all week.', 'Printer toner ordered.']

/** What a question finds of an older text and a newer one among others, best first, the newer stored first. */
async function found(query: string, older: string, newer: string): Promise<string[]> {
  const ada = await newConformingClient(server)
  const items = [
    { text: newer, occurred_at: '2026-07-01T00:00:00Z' },
    ...others.map((text) => ({ text, occurred_at: '2026-06-01T00:00:00Z' })),
    { text: older, occurred_at: '2026-05-01T00:00:00Z' },
  ]
  expect((await ada.post('/v1/memory/text/batch-store', { items })).status).toBe(200)
  return textsOf(await recall(ada, { query, top_k: 5 }))
}

it.each([
  ['What is the wifi password?', 'The wifi password is maple-88.', 'Changed the wifi password to cedar-41.'],
  ['Where do I live?', 'I live in Leeds.', "We've moved to Hull."],
  ['Combien coûte la cantine ?', 'La cantine coûte 4,20 €.', 'Le prix de la cantine est passé à 4,85 €.'],
  ['例会几点?', '例会是周一上午九点。', '例会改为周二下午两点。'],
])('a newer text that says that something has changed is found first: %s', async (query, older, newer) => {
  expect((await found(query, older, newer)).slice(0, 2)).toEqual([newer, older])
})

it.each([
  ['Where do I live?', 'I live in Leeds.', 'My brother has moved to Hull.'],
  ['Where is the exam?', 'The exam is in room 5.', 'The exam was moved to 9 May.'],
  ['What is the rent?', 'The rent is 780 euros.', 'The rent was not raised to 840 euros.'],
  [
    'What was the old wifi password?',
    'The wifi password is maple-88.',
    'Changed the wifi password to cedar-41.',
  ],
  ['Wer leitet den Chor?', 'Den Chor leitet Frau Ebert.', 'Der Chor probt jetzt im Gemeindehaus.'],
])('one that tells of another change is not: %s', async (query, older, newer) => {
  expect((await found(query, older, newer))[0]).toBe(older)
})
