import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const secret = 'I have epilepsy and take valproate.'
const guesses = [secret, 'Who suffers from gout?', 'I won the lottery.']
// Without a word of what is asked: how often words occur is told from all, as the guide says.
const texts = [
  'Το ποδήλατό μου είναι κόκκινο.',
  'Έχω μέλισσες.',
  'Τρώμε το μεσημέρι.',
  'Η σοφίτα θέλει λάμπα.',
]
const keys = ['1,0,0', '0.9,0.1,0', '0.5,0.5,0', '0,1,0.2'].map((key) => key.split(',').map(Number))

/** Two end users of one space, as their keys have it. */
async function newUsers(isShared: boolean) {
  const { organizationId } = await newConformingClient(server)
  const boundTo = (name: string) =>
    newConformingClient(server, { organizationId, subject: { name, isShared } })
  return { ada: await boundTo('ada'), grace: await boundTo('grace') }
}

const requests = [
  ['text/recall', (query: string) => ({ query, explain: true })],
  ['retrieve', () => ({ embedding: [0.6, 0.3, 0.9] })],
] as const

describe('what a bound caller is answered', () => {
  it.each(
    requests.flatMap(([path, bodyOf]) => [false, true].map((isShared) => ({ path, bodyOf, isShared }))),
  )('by $path, shared: $isShared, depends on nothing that another one stores and asks', async (by) => {
    const { ada, grace } = await newUsers(by.isShared)
    const storeKeys = async (user: typeof ada, wanted: number[][]) => {
      for (const key of wanted) await user.post('/v1/memory/store', { key, value: key })
    }
    const ask = async () => {
      const answers: unknown[] = []
      for (const guess of guesses) {
        const body = { ...by.bodyOf(guess), top_k: 20, read_only: true }
        const answer = await ada.post(`/v1/memory/${by.path}`, body)
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        const { latency_ms: _, ...rest } = answer.body
        answers.push(rest)
      }
      return answers
    }
    await ada.store(texts)
    await storeKeys(ada, keys)
    const before = await ask()
    await grace.store([secret, 'Valproate makes me tired.', 'My epilepsy began at ten.'])
    await storeKeys(
      grace,
      keys.map((key) => key.toReversed()),
    )
    for (const query of guesses) await grace.post('/v1/memory/text/retrieve', { query })
    await server.context.memory.accesses.flush()
    await server.context.memory.learning.flush()
    expect(await ask()).toEqual(before)
  })
})
