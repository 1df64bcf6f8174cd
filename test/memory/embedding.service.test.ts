import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { faultsOf, getSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const similarity = '/v1/memory/text/similarity'
const embed = '/v1/memory/text/embed'

const tooLong = (field: string, max: number) => ({
  type: 'string_too_long',
  loc: ['body', field],
  msg: `String should have at most ${max} characters`,
  ctx: { max_length: max },
})
const tooShort = (field: string) => ({
  type: 'string_too_short',
  loc: ['body', field],
  msg: 'String should have at least 1 character',
  ctx: { min_length: 1 },
})
const missing = (field: string) => ({ type: 'missing', loc: ['body', field], msg: 'Field required' })

describe('POST /v1/memory/text/similarity', () => {
  it('answers the cosine of the embeddings of two texts', async () => {
    const ada = await newConformingClient(server)
    const [text_a, text_b] = ['The weather is lovely today.', "It's so sunny outside!"]
    const { status, body } = await ada.post(similarity, { text_a, text_b })
    const a: number[] = (await ada.post(embed, { text: text_a })).body.embedding
    const b: number[] = (await ada.post(embed, { text: text_b })).body.embedding
    const cosine = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
    expect(status).toBe(200)
    expect(body).toEqual({ similarity: expect.closeTo(cosine, 5), embedding_dim: 384 })
  })

  it('is the same both ways and 1 for the same text', async () => {
    const ada = await newConformingClient(server)
    const of = async (text_a: string, text_b: string) =>
      (await ada.post(similarity, { text_a, text_b })).body.similarity
    expect(await of('cat', 'economy')).toBe(await of('economy', 'cat'))
    expect(await of('same', 'same')).toBe(1)
  })

  it('is greater for texts of like meaning, whatever their language', async () => {
    const ada = await newConformingClient(server)
    const to = async (text_b: string) =>
      (await ada.post(similarity, { text_a: 'I love dogs', text_b })).body.similarity
    expect(await to("J'adore les chiens")).toBeGreaterThan((await to('The bank is closed')) + 0.3)
  })

  it.each([
    ['nothing', {}, [missing('text_a'), missing('text_b')]],
    ['an empty text_b', { text_a: 'a', text_b: '' }, [tooShort('text_b')]],
    ['5,001 characters', { text_a: 'a'.repeat(5_001), text_b: 'b' }, [tooLong('text_a', 5_000)]],
  ])('refuses %s with 422', async (_name, body, faults) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(similarity, body))).toEqual(faults)
  })

  it('takes 5,000 characters in each text', async () => {
    const ada = await newConformingClient(server)
    const text = `a${' '.repeat(4_998)}😀`
    expect((await ada.post(similarity, { text_a: text, text_b: text })).status).toBe(200)
  })
})

describe('POST /v1/memory/text/embed', () => {
  it('answers a unit vector of 384 numbers', async () => {
    const ada = await newConformingClient(server)
    const { status, body } = await ada.post(embed, { text: 'Ada moved to Lisbon in May.' })
    expect(status).toBe(200)
    expect(body).toEqual({ embedding: expect.any(Array), dim: 384 })
    expect(body.embedding).toHaveLength(384)
    expect(Math.hypot(...body.embedding)).toBeCloseTo(1, 5)
  })

  it('is the same each time, also for 20 requests at once', async () => {
    const ada = await newConformingClient(server)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ada.post(embed, { text: 'at the same time' })),
    )
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body)
  })

  it('stores nothing', async () => {
    const ada = await newConformingClient(server)
    await ada.post(embed, { text: 'only looked at' })
    expect(await getSpace(server, ada)).toMatchObject({ patterns_used: 0, next_idx: 0 })
  })

  it.each([
    ['no text', {}, [missing('text')]],
    ['an empty text', { text: '\t' }, [tooShort('text')]],
    ['10,001 characters', { text: 'a'.repeat(10_001) }, [tooLong('text', 10_000)]],
  ])('refuses %s with 422', async (_name, body, faults) => {
    const ada = await newConformingClient(server)
    expect(faultsOf(await ada.post(embed, body))).toEqual(faults)
  })

  it('takes 10,000 characters', async () => {
    const ada = await newConformingClient(server)
    expect((await ada.post(embed, { text: `a${' '.repeat(9_998)}😀` })).status).toBe(200)
  })
})

describe('GET /v1/memory/text/stats', () => {
  it('answers zeros for an empty space', async () => {
    const ada = await newConformingClient(server)
    const { status, body } = await ada.get('/v1/memory/text/stats')
    expect(status).toBe(200)
    expect(body).toEqual({ total_patterns: 0, embedding_dim: 384, storage_bytes: 0 })
  })

  it('counts texts and the bytes of their contents, up and down', async () => {
    const ada = await newConformingClient(server)
    const statistics = async () => (await ada.get('/v1/memory/text/stats')).body
    const vectorBytes = 8 + 4 * 384
    const [id] = await ada.store(['12345'])
    expect(await statistics()).toMatchObject({ total_patterns: 1, storage_bytes: 5 + vectorBytes })
    await ada.store([{ text: 'äö', metadata: { a: 1 } }])
    // Metadata count as the database writes them: {"a": 1}.
    expect(await statistics()).toMatchObject({
      total_patterns: 2,
      storage_bytes: 5 + 4 + 8 + 2 * vectorBytes,
    })
    await ada.patch(`/v1/memory/patterns/${id}`, { text: '123' })
    expect(await statistics()).toMatchObject({ storage_bytes: 3 + 4 + 8 + 2 * vectorBytes })
    await ada.delete(`/v1/memory/patterns/${id}`)
    expect(await statistics()).toMatchObject({ total_patterns: 1, storage_bytes: 4 + 8 + vectorBytes })
  })
})
