import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eraseExpired } from '@memory/memory/housekeeping'
import { cutStoredTexts } from '@memory/memory/texts/cut-stored-texts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { beforeItComes, until } from '../support/until.ts'
import { newSpace, type Recalled, recall } from './recalled.ts'
import { expectCountersToMatch, getSpace, inSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const who = [
  'The mayor',
  'My neighbour',
  'A student',
  'The old baker',
  'Our teacher',
  'The choir',
  'A sailor',
]
const did = [
  'painted',
  'sold',
  'looked for',
  'described',
  'forgot',
  'repaired',
  'borrowed',
  'praised',
  'carried',
]
const what = ['a blue boat', 'the town hall', 'three letters', 'a heavy clock', 'the winter coat']
const when = ['in spring.', 'on Sunday.', 'after the storm.', 'before noon.', 'last year.', 'at the market.']

/** Sentences of little meaning, others for each seed, of at least so many characters. */
function filler(length: number, seed: number): string {
  let text = ''
  for (let i = seed * 1_000; text.length < length; i++) {
    text += `${[who, did, what, when].map((words, k) => words[(i * (2 * k + 3) + seed) % words.length]).join(' ')} `
  }
  return text
}

const fact = 'The spare key of the greenhouse lies under the third flowerpot.'
const question = 'Where is the spare key of the greenhouse?'
/** It shares no word with the fact. */
const inGerman = 'Wo liegt der Ersatzschlüssel für das Gewächshaus?'

/** The fact in the middle of about so many characters. */
const around = (length: number, seed: number, said = fact) =>
  `${filler(length / 2, seed)}${said} ${filler(length / 2, seed + 1)}`

/** About other things than the facts. */
const shortTexts = [
  ...[
    'Grandpa listens to the radio.',
    'Tom plays the cello.',
    'Buy oat milk.',
    'The concert starts at eight.',
  ],
  ...[
    'Le concert était trop long.',
    'Ma sœur habite à Lyon.',
    'Je suis allergique au lait.',
    'On mange à midi.',
  ],
  ...['Die Heizung ist neu.', 'Opa hört gern Radio.', 'Mein Zug fährt um neun.', 'Wir haben zwei Katzen.'],
  ...[
    'La reunión es el lunes.',
    'Vivo en Murcia.',
    'Los vecinos juegan al ajedrez.',
    'Me gusta el té verde.',
  ],
  ...[
    'Il treno parte alle sette.',
    'Lavoro in via Roma.',
    'O gato dorme na gaveta.',
    'Gosto de café sem açúcar.',
  ],
  ...['Я работаю по средам.', 'Дети ходят в сад.', 'Мы купили новый диван.', 'Мы живём в Казани.'],
  ...['我家有两只猫', '我喜欢喝绿茶', '会议在星期一', '猫は二匹います。', '電車は九時に出ます。'],
  ...['저는 부산에 살아요', '회의는 월요일이에요.', 'ฉันมีแมวสองตัว', 'ฉันชอบกาแฟ'],
  ...['أسكن في دبي.', 'أحب القهوة بدون سكر.', 'הפגישה ביום שני.', 'Toplantı pazartesi günü.'],
]

/** What an answer says is the passage. */
const passageOf = ({ text, passage }: Recalled['results'][number]): string | undefined =>
  passage && Array.from(text).slice(passage.start, passage.end).join('')

/** Passages of a client's space, by idx. */
const countPassages = (client: Client, of = server) =>
  inSpace(of, client, async (trx) => {
    const { rows } = await sql<{ idx: number; count: number }>`
      select idx, count(*)::int as count from app.passages group by idx order by idx`.execute(trx)
    return Object.fromEntries(rows.map(({ idx, count }) => [idx, count]))
  })

describe('a long text', () => {
  it('is found first by a fact in the middle, and the answer says where; retrieve knows nothing of it', async () => {
    const texts = [
      ...[10, 20].map((seed) => filler(9_500, seed)),
      around(9_400, 40),
      ...[50, 60].map((seed) => filler(700, seed)),
    ]
    const { ada } = await newSpace(server, texts)
    const { results } = await recall(ada, { query: inGerman, top_k: 6 })
    expect(results[0]?.text).toBe(texts[2])
    expect(results[0] && passageOf(results[0])).toContain(fact)
    expect(results[0]?.passage).toMatchObject({ start: expect.any(Number), end: expect.any(Number) })
    const retrieved = await ada.post('/v1/memory/text/retrieve', { query: inGerman, top_k: 6 })
    const similarities = new Map(
      retrieved.body.results.map((each: Recalled['results'][number]) => [each.pattern_id, each.similarity]),
    )
    for (const { pattern_id, similarity } of results) expect(similarity).toBe(similarities.get(pattern_id))
    for (const result of retrieved.body.results) expect(result).not.toHaveProperty('passage')
    // A short text is a passage itself.
    for (const { text, passage } of results) if (text.length < 1_000) expect(passage).toBeUndefined()
    await expectCountersToMatch(server, ada)
  })

  it('is found first by a fact in the middle beside short texts in many languages', async () => {
    const long = [
      around(6_000, 4),
      around(4_500, 8, 'The caretaker paints the fence of the playground every spring.'),
      around(8_000, 12, 'Le double des clés de la maison de campagne est chez madame Aubry.'),
      around(3_500, 16, 'Der Notarzt hat dem Großvater Tabletten gegen den Schwindel verschrieben.'),
    ]
    const { ada, ids } = await newSpace(server, [...long, ...shortTexts])
    for (const [at, query] of [
      question,
      'Who paints the fence of the playground?',
      'Qui a le double des clés de la maison de campagne ?',
      'Was hat der Notarzt dem Großvater verschrieben?',
    ].entries()) {
      const { results } = await recall(ada, { query, top_k: 3 })
      expect([query, results[0]?.pattern_id]).toEqual([query, ids[at]])
    }
  })

  it('is embedded as it was before there were passages', async () => {
    const text = around(3_000, 1)
    const { ada } = await newSpace(server, [text])
    const { body } = await ada.post('/v1/memory/text/embed', { text })
    const key = await inSpace(server, ada, (trx) =>
      sql<{ key: string }>`select key::text from app.patterns`.execute(trx),
    )
    expect(Float32Array.from(JSON.parse(key.rows[0]?.key ?? ''))).toEqual(Float32Array.from(body.embedding))
  })

  it('counts the characters of its passage as code points', async () => {
    const { ada } = await newSpace(server, [`${'😀🎉 '.repeat(300)}\n${around(1_600, 2)}`, filler(1_500, 3)])
    const { results } = await recall(ada, { query: question, top_k: 1 })
    expect(results[0] && passageOf(results[0])).toContain(fact)
  })

  it('is found by its passage only where the filter lets it in', async () => {
    const of = (user: string, seed: number) => ({ text: around(3_000, seed), metadata: { user } })
    const { ada, ids } = await newSpace(server, [
      of('ada', 1),
      of('ben', 4),
      { text: filler(3_000, 7), metadata: { user: 'ben' } },
    ])
    const { results } = await recall(ada, { query: question, top_k: 3, filter: { user: 'ben' } })
    expect(results.map(({ pattern_id }) => pattern_id)).toEqual([ids[1], ids[2]])
    expect(results[0] && passageOf(results[0])).toContain(fact)
  })
})

describe('the passages of a text', () => {
  it('are others when the text is changed, and none when it is short', async () => {
    const { ada, ids } = await newSpace(server, [around(3_000, 1), filler(3_000, 4)])
    const [first, second] = ids
    await recall(ada, { query: question })
    const change = (id: string | undefined, body: object) => ada.patch(`/v1/memory/patterns/${id}`, body)
    await change(first, { text: filler(5_000, 7) })
    await change(second, { text: around(2_000, 10) })
    const before = await countPassages(ada)
    expect(before[0]).toBeGreaterThan(before[1] ?? 0)
    const { results } = await recall(ada, { query: question, top_k: 2 })
    expect(results.map(({ pattern_id }) => pattern_id)).toEqual([second, first])
    expect(results[0] && passageOf(results[0])).toContain(fact)
    await change(second, { metadata: { user: 'ada' } })
    await change(second, { text: results[0]?.text })
    expect(await countPassages(ada)).toEqual(before)
    await change(second, { text: fact })
    expect(await countPassages(ada)).toEqual({ 0: before[0] })
    const again = await recall(ada, { query: question, top_k: 1 })
    expect(again.results).toEqual([
      { text: fact, metadata: { user: 'ada' }, pattern_id: second, similarity: expect.any(Number) },
    ])
  })

  it('go when a process that knows of none changes the text', async () => {
    const { ada } = await newSpace(server, [around(2_000, 1)])
    await inSpace(server, ada, (trx) =>
      sql`update app.patterns set text = 'Short.', version = version`.execute(trx),
    )
    expect(await countPassages(ada)).toEqual({})
  })

  it('go with it: deleted, forgotten, expired, or with all of the space', async () => {
    const { ada, ids } = await newSpace(server, [
      around(2_000, 1),
      around(2_000, 4, 'Ben likes figs.'),
      filler(2_000, 7),
    ])
    await recall(ada, { query: question })
    await ada.delete(`/v1/memory/patterns/${ids[0]}`)
    expect(Object.keys(await countPassages(ada))).toEqual(['1', '2'])
    await ada.delete('/v1/memory/text/forget', { query: around(2_000, 4, 'Ben likes figs.') })
    expect(Object.keys(await countPassages(ada))).not.toContain('1')
    const { results } = await recall(ada, { query: question, top_k: 5 })
    for (const { text } of results) expect(text).not.toContain(fact)
    const total = async () => (await ada.get('/v1/memory/text/stats')).body.total_patterns
    const left = await total()
    await beforeItComes(async (expires_at) => {
      await ada.post('/v1/memory/text/store', { text: around(1_500, 10), expires_at })
      expect(Object.keys(await countPassages(ada))).toContain('3')
    })
    await until(async () => (await total()) === left, 'it expires')
    await eraseExpired(server.context.database.queries)
    expect(Object.keys(await countPassages(ada))).not.toContain('3')
    await ada.delete('/v1/memory/patterns?confirm=all')
    expect(await countPassages(ada)).toEqual({})
    expect((await recall(ada, { query: question })).results).toEqual([])
  })

  it('are found by another process, and after a start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-passages-'))
    const first = await startServer({ MEMORY_DATA_DIR: folder })
    const { ada, ids } = await newSpace(first, [...shortTexts, around(3_000, 1), filler(3_000, 4)])
    const here = await recall(ada, { query: question, top_k: 5 })
    expect(here.results[0]?.pattern_id).toBe(ids[shortTexts.length])
    const isEmbedded = first.databaseUrl === undefined
    if (isEmbedded) await first.close()
    const second = await startServer(
      isEmbedded ? { MEMORY_DATA_DIR: folder } : { DATABASE_URL: first.databaseUrl as string },
    )
    const there = await recall(new Client(second.url, ada), { query: question, top_k: 5 })
    expect(there.results).toEqual(here.results)
    expect(there.results[0] && passageOf(there.results[0])).toContain(fact)
    await second.close()
    if (!isEmbedded) await first.close()
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('long texts that were stored without passages', () => {
  /** A space as the release before left it. */
  async function newFormerSpace(texts: string[]) {
    const space = await newSpace(server, texts)
    const passages = await countPassages(space.ada)
    const { id } = await getSpace(server, space.ada)
    await inSpace(server, space.ada, (trx) => sql`delete from app.passages`.execute(trx))
    server.context.memory.texts.drop(id)
    return { ...space, passages, id }
  }
  const idle = () => false

  it('get them once they are recalled from, and are found as before until then', async () => {
    const { memory } = server.context
    const texts = [around(3_000, 1), ...[4, 7, 10, 13].map((seed) => filler(1_500, seed)), fact]
    const { ada, ids, passages } = await newFormerSpace(texts)
    await cutStoredTexts(memory, idle)
    expect(await countPassages(ada)).toEqual({})
    const before = await recall(ada, { query: question, top_k: 6 })
    expect(before.results).toHaveLength(6)
    for (const { passage } of before.results) expect(passage).toBeUndefined()
    await cutStoredTexts(memory, () => true)
    expect(await countPassages(ada)).toEqual({})
    // A few at a time.
    await cutStoredTexts(memory, idle)
    expect(Object.keys(await countPassages(ada))).toHaveLength(4)
    const { results } = await recall(ada, { query: question, top_k: 6 })
    const found = results.find(({ pattern_id }) => pattern_id === ids[0])
    expect(found && passageOf(found)).toContain(fact)
    await cutStoredTexts(memory, idle)
    expect(await countPassages(ada)).toEqual(passages)
    await cutStoredTexts(memory, idle)
    expect(await countPassages(ada)).toEqual(passages)
    await expectCountersToMatch(server, ada)
  })

  it('get none of a text that they were until it was changed', async () => {
    const { memory } = server.context
    const { ada, ids } = await newFormerSpace([around(3_000, 1)])
    await recall(ada, { query: question })
    const compute = new Proxy(memory.compute, {
      get: (target, name) =>
        name === 'embed'
          ? async (...given: Parameters<typeof target.embed>) => {
              await ada.patch(`/v1/memory/patterns/${ids[0]}`, { text: filler(1_500, 4) })
              return target.embed(...given)
            }
          : Reflect.get(target, name, target),
    })
    await cutStoredTexts({ ...memory, compute }, idle)
    const { results } = await recall(ada, { query: 'Who painted a blue boat in spring?', top_k: 1 })
    expect(results[0]?.text).toBe(filler(1_500, 4))
    expect((await countPassages(ada))[0]).toBeLessThan(4)
  })
})
