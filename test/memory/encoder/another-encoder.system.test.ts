import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Killable, newKillable } from '../../faults/killable.ts'
import { asOwner } from '../../platform/open-database.ts'
import type { ServiceProcess } from '../../process/service-process.ts'
import type { Client } from '../../support/client.ts'
import { onPostgres } from '../../support/database.ts'
import { until } from '../../support/until.ts'

const models = fileURLToPath(new URL('../../../models', import.meta.url))
const encoder = mkdtempSync(join(tmpdir(), 'memory-another-encoder-'))
const another = { MEMORY_ENCODER_DIR: encoder }

/** An encoder to which words mean other things: its tokenizer numbers them the other way round. */
function makeEncoder(): void {
  for (const file of ['model.onnx', 'model.onnx.data', 'tokenizer_config.json']) {
    symlinkSync(join(models, file), join(encoder, file))
  }
  const tokenizer = JSON.parse(readFileSync(join(models, 'tokenizer.json'), 'utf8'))
  const { vocab } = tokenizer.model
  // Special tokens are at both ends.
  tokenizer.model.vocab = [...vocab.slice(0, 4), ...vocab.slice(4, -4).reverse(), ...vocab.slice(-4)]
  writeFileSync(join(encoder, 'tokenizer.json'), JSON.stringify(tokenizer))
}

const things = ['ferry', 'invoice', 'garden', 'piano', 'passport', 'bicycle', 'recipe', 'lighthouse']
/** No more than one search finds. */
const places = ['Lisbon', 'Oslo', 'Kyoto', 'Quito', 'Tunis', 'Lima']
/** Every tenth is longer than a passage. */
const texts = places.flatMap((place, p) =>
  things.map((thing, t) => {
    const text = `The ${thing} is in ${place}.`
    return (p + t) % 10 === 0 ? `${text} ${'Nothing else is known of it so far. '.repeat(40)}` : text
  }),
)
const questions = [
  'Where is the piano?',
  'What is in Oslo?',
  'a passport',
  texts[0] as string,
  texts[13] as string,
]

const asked = questions.flatMap((query) => [
  { path: 'text/retrieve', body: { query, top_k: 10 } },
  { path: 'text/retrieve', body: { query, top_k: 10, include_superseded: true } },
  { path: 'text/recall', body: { query, top_k: 10, read_only: true } },
])

/** The similarity of each text to each question, best first. */
type Similarities = Map<string, Map<string, number>>

const similaritiesIn = (results: { text: string; similarity: number }[]) =>
  new Map(results.map(({ text, similarity }) => [text, similarity]))

async function readSimilarities(client: Client): Promise<Similarities> {
  const all: Similarities = new Map()
  for (const query of questions) {
    const { body } = await client.post('/v1/memory/text/retrieve', { query, top_k: 50 })
    expect(body.results).toHaveLength(texts.length)
    all.set(query, similaritiesIn(body.results))
  }
  return all
}

/**
 * Searches by each way that compares embeddings. Whatever is answered is what a space answers that never had embeddings of
 * another encoder. @returns how many searches were refused until later
 */
async function search(client: Client, right: Similarities): Promise<number> {
  let refused = 0
  for (const { path, body: request } of asked) {
    const { status, headers, body } = await client.post(`/v1/memory/${path}`, request)
    if (status === 503) {
      expect(headers.get('retry-after')).toBe('2')
      expect(body.detail).toMatch(/embedded anew, or .*: try again soon$/)
      refused++
      continue
    }
    expect([status, body]).toEqual([200, expect.anything()])
    const similarities = right.get(request.query) as Map<string, number>
    const found = similaritiesIn(body.results)
    expect(found.size).toBe(request.top_k)
    for (const [text, similarity] of found)
      expect(similarity, text).toBeCloseTo(similarities.get(text) ?? NaN, 5)
    if (path === 'text/retrieve') expect([...found.keys()]).toEqual([...similarities.keys()].slice(0, 10))
  }
  return refused
}

/** Texts, one of which has an earlier revision, and a vector. */
async function fill(client: Client): Promise<void> {
  await client.store(texts)
  const { results } = (await client.post('/v1/memory/text/retrieve', { query: texts[13], top_k: 1 })).body
  const path = `/v1/memory/patterns/${results[0].pattern_id}`
  expect((await client.patch(path, { text: 'The bicycle was sold.' })).status).toBe(200)
  expect((await client.post('/v1/memory/store', { key: vector(), value: vector() })).status).toBe(200)
}

const vector = () => Array.from({ length: 384 }, (_, i) => Math.sin(i))

/** What a space holds and answers that never had embeddings of another encoder. */
interface Fresh {
  similarities: Similarities
  keys: Keys
}

async function readFresh(settings: Record<string, string>): Promise<Fresh> {
  const fresh = await newKillable('another-encoder-fresh')
  try {
    const service = await fresh.start(settings)
    await fill(service.client())
    const similarities = await readSimilarities(service.client())
    await service.stop('SIGTERM')
    return { similarities, keys: await readKeys(fresh) }
  } finally {
    await fresh.remove()
  }
}

type Keys = Map<string, number[]>

/** The embeddings of texts, their earlier revisions and passages. */
function readKeys({ look }: Killable): Promise<Keys> {
  return look(({ queries }) =>
    asOwner(queries, async (trx) => {
      const { rows } = await sql<{ place: string; key: string }>`
        select 'text ' || idx as place, key::text from app.patterns where text is not null
        union all select 'version ' || idx || ' ' || revision, key::text from app.pattern_versions where text is not null
        union all select 'passage ' || idx || ' ' || n, key::text from app.passages order by 1`.execute(trx)
      return new Map(rows.map(({ place, key }) => [place, JSON.parse(key) as number[]]))
    }),
  )
}

function expectSame(keys: Keys, right: Keys): void {
  expect([...keys.keys()]).toEqual([...right.keys()])
  for (const [place, key] of keys) {
    const other = right.get(place) as number[]
    expect(Math.max(...key.map((x, i) => Math.abs(x - (other[i] as number)))), place).toBeLessThan(1e-5)
  }
}

/** What a load balancer is told, and whoever reads why. */
async function readiness({ url }: ServiceProcess) {
  const answer = await fetch(`${url}/readyz`)
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
}

const searchUntilAnswered = (client: Client, { similarities }: Fresh) =>
  until(async () => (await search(client, similarities)) === 0, 'all texts to be embedded anew')

let killable: Killable
let byShipped: Fresh
let byAnother: Fresh

beforeAll(async () => {
  makeEncoder()
  killable = await newKillable('another-encoder')
  byShipped = await readFresh({})
  byAnother = await readFresh(another)
}, 120_000)

afterAll(async () => {
  await killable.remove()
  rmSync(encoder, { recursive: true, force: true })
})

describe('another encoder', () => {
  it('gives other embeddings, so that this can be told apart', () => {
    for (const query of questions) {
      const [shipped, other] = [byShipped.similarities.get(query), byAnother.similarities.get(query)] as [
        Map<string, number>,
        Map<string, number>,
      ]
      const apart = [...shipped].filter(
        ([text, cosine]) => Math.abs(cosine - (other.get(text) as number)) > 0.001,
      )
      expect(apart.length).toBeGreaterThan(0.9 * shipped.size)
    }
  })

  it('embeds all texts anew, killed again and again, and answers nothing but what is right meanwhile', async () => {
    let service = await killable.start()
    await fill(service.client())
    expect(await search(service.client(), byShipped.similarities)).toBe(0)
    await service.stop('SIGTERM')

    let refused = 0
    for (const kills of [1, 3]) {
      service = await killable.start(another)
      const client = service.client()
      for (let n = 0; n < kills; n++) refused += await search(client, byAnother.similarities)
      await service.stop('SIGKILL')
    }
    expect(refused).toBeGreaterThan(0)

    service = await killable.start(another)
    await searchUntilAnswered(service.client(), byAnother)
    await service.stop('SIGKILL')
    expectSame(await readKeys(killable), byAnother.keys)
  }, 300_000)

  it('can be left again; lists, changes and vectors go on all the time, and texts are stored once they can be', async () => {
    const service = await killable.start()
    const client = service.client()
    expect((await client.get('/v1/memory/patterns?limit=1')).status).toBe(200)
    const stored = await client.post('/v1/memory/store', { key: vector().map((x) => -x), value: vector() })
    expect(stored.status).toBe(200)
    const text = 'The kettle is in Lima.'
    await until(async () => {
      const { status, body } = await client.post('/v1/memory/text/store', { text })
      if (status !== 200) expect([status, body.detail]).toEqual([503, expect.stringMatching(/embedded anew/)])
      return status === 200
    }, 'a text to be stored')
    const retrieved = await client.post('/v1/memory/text/retrieve', { query: text, top_k: 1 })
    expect(retrieved.body.results[0]).toMatchObject({ text })
    expect((await client.delete(`/v1/memory/patterns/${retrieved.body.results[0].pattern_id}`)).status).toBe(
      200,
    )
    await searchUntilAnswered(client, byShipped)
    await service.stop('SIGTERM')
  }, 120_000)

  it('is found out in spaces of a release that did not note whose embeddings they have', async () => {
    await killable.look(({ queries }) =>
      asOwner(queries, async (trx) => {
        await sql`update app.spaces set text_model = null`.execute(trx)
        await sql`delete from app.encoder`.execute(trx)
      }),
    )
    const service = await killable.start(another)
    expect(await search(service.client(), byAnother.similarities)).toBe(asked.length)
    await searchUntilAnswered(service.client(), byAnother)
    await service.stop('SIGTERM')
    expectSame(await readKeys(killable), byAnother.keys)
  }, 120_000)

  it.runIf(onPostgres)(
    'beside one with the encoder before, which answers no more than that it has another one',
    async () => {
      const before = await killable.start()
      await searchUntilAnswered(before.client(), byShipped)
      const after = await killable.start(another)
      await searchUntilAnswered(after.client(), byAnother)
      expect(await search(before.client(), byShipped.similarities)).toBe(asked.length)
      const stored = await before.client().post('/v1/memory/text/store', { text: 'Nobody finds this.' })
      expect([stored.status, stored.body.detail]).toEqual([503, expect.stringMatching(/another encoder/)])
      const [old, current] = await Promise.all([before, after].map((each) => readiness(each)))
      expect(current).toMatchObject({ status: 200, body: { status: 'ready' } })
      const [model] = await killable.look(({ queries }) =>
        sql<{ model: string }>`select app.current_encoder() as model`
          .execute(queries)
          .then(({ rows }) => rows),
      )
      expect(old).toEqual({
        status: 503,
        retryAfter: '2',
        body: { detail: expect.stringContaining(`${model?.model}`) },
      })
      await Promise.all([before.stop('SIGTERM'), after.stop('SIGTERM')])
    },
    120_000,
  )
})
