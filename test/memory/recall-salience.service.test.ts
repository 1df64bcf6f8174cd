import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { flush } from './learning/space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const facts = ['Ada lives in Lisbon.', 'The sea is salty.', 'Bread needs flour.', 'The train leaves at nine.']

/** What salience adds to each fact, after one has been told useful, beside so many texts that were deleted. */
async function salienceParts(deleted: number): Promise<Record<string, number>> {
  const ada = await newConformingClient(server)
  if (deleted > 0) {
    const gone = await ada.store(Array.from({ length: deleted }, (_, i) => `Box ${i} is on shelf ${i % 7}.`))
    for (const id of gone) expect((await ada.delete(`/v1/memory/patterns/${id}`)).status).toBeLessThan(300)
  }
  const [useful] = await ada.store(facts)
  server.clock.advance(3_600_000)
  expect((await ada.post('/v1/memory/feedback', { pattern_id: useful, useful: true })).status).toBeLessThan(
    300,
  )
  await flush(server)
  const recalled = await ada.post('/v1/memory/text/recall', {
    query: facts[0],
    top_k: 4,
    explain: true,
    read_only: true,
  })
  expect(recalled.status, JSON.stringify(recalled.body)).toBe(200)
  return Object.fromEntries(
    recalled.body.results.map(({ text, scores }: { text: string; scores: { salience: number } }) => [
      text,
      scores.salience,
    ]),
  )
}

describe('the salience of what is recalled', () => {
  it('is seen against what is there, whatever was deleted', async () => {
    const alone = await salienceParts(0)
    expect(alone[facts[0] as string]).toBeGreaterThan(0.05)
    const beside = await salienceParts(40)
    for (const fact of facts) expect(beside[fact], fact).toBeCloseTo(alone[fact] as number, 2)
  })
})
