import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { faultsOf } from './space.ts'

let server: TestServer
let ada: ConformingClient
let openai: OpenAI

beforeAll(async () => {
  server = await startServer()
  ada = await newConformingClient(server)
  openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: ada.key, maxRetries: 0 })
})

afterAll(() => server.close())

const texts = ['Ada moved to Lisbon in May.', 'Ada a déménagé à Lisbonne en mai.', '李垚 likes tea 🍵.']
const path = '/v1/memory/text/embed'

async function embeddingOf(text: string): Promise<number[]> {
  return (await ada.post(path, { text })).body.embedding
}

describe('embeddings of several texts', () => {
  it('are those of each, in their order', async () => {
    const { status, body } = await ada.post(path, { texts })
    expect([status, body.dim, body.embedding]).toEqual([200, 384, undefined])
    expect(body.embeddings).toEqual(await Promise.all(texts.map(embeddingOf)))
  })

  it('are of 256 texts at most, one at least, and of what is a text', async () => {
    const many = Array.from({ length: 257 }, (_, n) => `Number ${n}`)
    expect((await ada.post(path, { texts: many.slice(1) })).body.embeddings).toHaveLength(256)
    const refused: [unknown, string, (string | number)[]][] = [
      [{ texts: many }, 'too_long', ['body', 'texts']],
      [{ texts: [] }, 'too_short', ['body', 'texts']],
      [{ texts: ['a', ' '] }, 'string_too_short', ['body', 'texts', 1]],
      [{ texts: ['a', 1] }, 'string_type', ['body', 'texts', 1]],
      [{ texts: ['a'], text: 'a' }, 'value_error', ['body']],
      [{}, 'missing', ['body', 'text']],
    ]
    for (const [body, type, loc] of refused) {
      const faults = faultsOf(await ada.post(path, body))
      expect(faults, JSON.stringify(body).slice(0, 80)).toMatchObject([{ type, loc }])
    }
  })
})

describe('OpenAI’s client', () => {
  it('gets the embeddings of a text, and of several, with their tokens counted', async () => {
    const one = await openai.embeddings.create({ model: 'text-embedding-3-small', input: texts[0] as string })
    expect(one).toMatchObject({ object: 'list', data: [{ object: 'embedding', index: 0 }] })
    const some = await openai.embeddings.create({ model: 'any', input: texts, encoding_format: 'float' })
    expect(some.data.map(({ index }) => index)).toEqual([0, 1, 2])
    for (const [i, { embedding }] of some.data.entries())
      expect(embedding).toEqual(await embeddingOf(texts[i] as string))
    expect(one.data[0]?.embedding).toEqual(some.data[0]?.embedding)
    expect(some.model).toBe(one.model)
    expect(one.usage.prompt_tokens).toBeGreaterThan(7)
    const each = await Promise.all(texts.map((input) => openai.embeddings.create({ model: 'any', input })))
    const sum = each.reduce((all, { usage }) => all + usage.total_tokens, 0)
    expect(some.usage).toEqual({ prompt_tokens: sum, total_tokens: sum })
  })

  it('is refused numbers of another model, other dimensions, and another key', async () => {
    const refused: [object, (string | number)[]][] = [
      [{ input: [[1, 2, 3]] }, ['body', 'input', 0]],
      [{ input: 'a', dimensions: 256 }, ['body', 'dimensions']],
      [{ input: 'a', encoding_format: 'int8' }, ['body', 'encoding_format']],
      [{ input: '' }, ['body', 'input']],
    ]
    for (const [body, loc] of refused) {
      const faults = faultsOf(await ada.post('/v1/embeddings', { model: 'any', ...body }))
      expect(faults, JSON.stringify(body)).toMatchObject([{ loc }])
    }
    const same = await openai.embeddings.create({ model: 'any', input: 'a', dimensions: 384 })
    expect(same.data[0]?.embedding).toHaveLength(384)
    const other = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'mem_live_wrong', maxRetries: 0 })
    await expect(other.embeddings.create({ model: 'any', input: 'a' })).rejects.toMatchObject({ status: 401 })
  })
})
