import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { faultsOf, getSpace } from '../space.ts'
import { flush, readLearned, search } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const path = '/v1/memory/feedback'
const facts = ['Ada moved to Lisbon in May.', 'The printer is out of toner.', 'Ada is allergic to peanuts.']

async function newSpace() {
  const ada = await newConformingClient(server)
  const ids = (await ada.store(facts)) as [string, string, string]
  await flush(server)
  return { ada, ids }
}

const strengths = async (owner: { organizationId: string }) =>
  new Map([...(await readLearned(server, owner)).accesses].map(([idx, { strength }]) => [idx, strength]))

/** Records of the pathways of a client's space. */
async function reliability(owner: { organizationId: string }) {
  const { id } = await getSpace(server, owner)
  return (await server.context.memory.learning.read(id)).reliability
}

describe('POST /v1/memory/feedback', () => {
  it('is written when it is answered', async () => {
    const { ada, ids } = await newSpace()
    const answer = await ada.post(path, { pattern_id: ids[1], useful: true })
    expect(answer).toMatchObject({ status: 200, body: { message: 'Feedback recorded' } })
    expect([...(await strengths(ada))]).toEqual([[1, expect.closeTo(0.75, 12)]])
    await ada.post(path, { pattern_id: ids[1], useful: false, query: null })
    expect([...(await strengths(ada))]).toEqual([[1, expect.closeTo(0.375, 12)]])
  })

  it('is not undone by finding the pattern', async () => {
    const { ada, ids } = await newSpace()
    // Unwritten when feedback comes, and after it.
    await search(ada, 'toner', { top_k: 1, actor: 'user 1' })
    for (let told = 0; told < 3; told++) await ada.post(path, { pattern_id: ids[1], useful: true })
    const before = (await strengths(ada)).get(1)
    expect(before).toBeGreaterThan(0.9)
    for (let round = 0; round < 2; round++) {
      for (const actor of ['user 1', 'user 2', 'user 3']) await search(ada, 'toner', { top_k: 1, actor })
      await flush(server)
    }
    expect((await strengths(ada)).get(1)).toBe(before)
  })

  it('counts as no access', async () => {
    const { ada, ids } = await newSpace()
    await ada.post(path, { pattern_id: ids[1], useful: true })
    const { body } = await ada.get(`/v1/memory/patterns/${ids[1]}`)
    expect(body).toMatchObject({ access_count: 0, last_accessed: null })
  })

  it('judges the answer that the same actor got', async () => {
    const { ada, ids } = await newSpace()
    await search(ada, 'Who moved to Lisbon?', { actor: 'user 1' })
    await ada.post(path, { pattern_id: ids[0], useful: true }, { 'X-Memory-Actor': 'user 2' })
    expect((await reliability(ada)).exact).toMatchObject({ a: 1, b: 1 })
    await ada.post(path, { pattern_id: ids[0], useful: true }, { 'X-Memory-Actor': 'user 1' })
    expect((await reliability(ada)).exact).toMatchObject({ a: 2, b: 1 })
    // Once.
    await ada.post(path, { pattern_id: ids[0], useful: true }, { 'X-Memory-Actor': 'user 1' })
    const { a, b } = (await reliability(ada)).exact
    expect([a, b]).toEqual([expect.closeTo(2, 4), 1])
  })

  it('judges what the query that is named recalls, which is not counted as a search', async () => {
    const { ada, ids } = await newSpace()
    await ada.post(path, { pattern_id: ids[0], useful: true, query: 'Who moved to Lisbon?' })
    expect((await reliability(ada)).attention).toMatchObject({ a: 2, b: 1 })
    await ada.post(path, { pattern_id: ids[0], useful: false, query: 'Who moved to Lisbon?' })
    const { a, b } = (await reliability(ada)).attention
    expect([a, b]).toEqual([expect.closeTo(2, 4), 2])
    expect(
      (await ada.get('/v1/memory/patterns')).body.patterns.map(
        (each: { access_count: number }) => each.access_count,
      ),
    ).toEqual([0, 0, 0])
    expect((await readLearned(server, ada)).transitions.size).toBe(0)
  })

  it('moves the weights of heads, by which it was found', async () => {
    const { ada, ids } = await newSpace()
    await ada.store(['Lisbon is hot.', 'Lisbon has trams.', 'Toner RX-2209 is in stock.'])
    const weights = async () => (await ada.get('/v1/memory/brain')).body.head_weights as number[]
    const before = await weights()
    for (let i = 0; i < 5; i++)
      await ada.post(path, { pattern_id: ids[1], useful: true, query: 'out of toner' })
    const after = await weights()
    expect(after).not.toEqual(before)
    expect(after.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 9)
  })

  it('teaches heads nothing while the regime forces exact', async () => {
    const { ada, ids } = await newSpace()
    await ada.post('/v1/memory/regime/inject-anomaly', { magnitude: 100 })
    const before = (await ada.get('/v1/memory/brain')).body.head_weights
    await ada.post(path, { pattern_id: ids[0], useful: true, query: 'Who moved to Lisbon?' })
    expect((await ada.get('/v1/memory/brain')).body.head_weights).toEqual(before)
    expect((await reliability(ada)).exact).toMatchObject({ a: 2, b: 1 })
  })

  it('does not know what is unknown, another’s, deleted or malformed', async () => {
    const [{ ada, ids }, { ids: foreign }] = [await newSpace(), await newSpace()]
    await ada.delete(`/v1/memory/patterns/${ids[2]}`)
    for (const pattern_id of [foreign[0], ids[2], `pat_${'0'.repeat(26)}`, 'pat_x', '', '7']) {
      const answer = await ada.post(path, { pattern_id, useful: true })
      expect(answer, pattern_id).toMatchObject({ status: 404, body: { detail: 'Pattern not found' } })
    }
    expect(await strengths(ada)).toEqual(new Map())
  })

  it('needs memory:write', async () => {
    const { ada, ids } = await newSpace()
    const reader = await newConformingClient(server, {
      organizationId: ada.organizationId,
      scopes: ['memory:read'],
    })
    const body = { pattern_id: ids[0], useful: true }
    expect(await reader.post(path, body)).toMatchObject({
      status: 403,
      body: { detail: 'Insufficient scope: memory:write required' },
    })
    const writer = await newConformingClient(server, {
      organizationId: ada.organizationId,
      scopes: ['memory:write'],
    })
    expect((await writer.post(path, body)).status).toBe(200)
  })

  it.each([
    [
      {},
      [
        ['missing', 'pattern_id'],
        ['missing', 'useful'],
      ],
    ],
    [{ pattern_id: 7, useful: true }, [['string_type', 'pattern_id']]],
    [{ pattern_id: 'pat_x', useful: 'yes' }, [['bool_parsing', 'useful']]],
    [{ pattern_id: 'pat_x', useful: true, query: ' ' }, [['string_too_short', 'query']]],
    [{ pattern_id: 'pat_x', useful: true, query: 'x'.repeat(5_001) }, [['string_too_long', 'query']]],
  ])('refuses %j', async (body, faults) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(path, body))).toEqual(
      faults.map(([type, field]) => expect.objectContaining({ type, loc: ['body', field] })),
    )
  })
})
