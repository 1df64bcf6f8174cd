import { exportPages, exportSourceOf, MemoryClient } from 'memory-service-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { newMemoryOf } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const newMemory = () => newMemoryOf(server)

describe('a client of an end user', () => {
  it('stores, finds, lists, counts, forgets and erases what is theirs alone', async () => {
    const memory = await newMemory()
    const [ada, ben] = [memory.forSubject('ada'), memory.forSubject('ben')]
    await ada.text.store({ text: 'Tea is best in the morning.' })
    await ada.text.batchStore({
      items: [{ text: 'Tea from Assam.' }, { text: 'The harp needs new strings.' }],
    })
    await ada.vectors.store({ key: [1, 0], value: [1] })
    await ada.vectors.batchStore({ patterns: [{ key: [0, 1], value: [2] }] })
    await ben.text.store({ text: 'Tea is for the evening.' })
    await ben.vectors.store({ key: [1, 0], value: [3] })

    const query = 'When is tea best?'
    for (const find of [ben.text.recall, ben.text.retrieve]) {
      const { results } = await find({ query, top_k: 10 })
      expect(results.map(({ text }) => text)).toEqual(['Tea is for the evening.'])
    }
    const { results } = await ben.vectors.batchRetrieve({ queries: [{ embedding: [1, 0], top_k: 9 }] })
    expect(results.map((found) => found.map(({ value }) => value))).toEqual([[[3]]])
    expect(
      (await ben.vectors.query({ embedding: [0, 1], top_k: 9 })).results.map(({ value }) => value),
    ).toEqual([[3]])
    const listed: (string | null)[] = []
    for await (const { text } of ben.patterns.all({ limit: 1 })) listed.push(text ?? null)
    expect(listed).toEqual(['Tea is for the evening.', null])
    expect((await ada.patterns.count({})).count).toBe(5)
    expect((await ada.text.forget({ query: 'Tea', threshold: 0.5 })).forgotten).toBe(2)
    expect((await ada.patterns.deleteMany({ filter: { $text: { $contains: 'harp' } } })).deleted).toBe(1)
    expect((await ada.subjects.erase('ada')).erased).toBe(2)
    expect((await memory.patterns.count({})).count).toBe(2)
  })

  it('is no source of an export, which is of an end user by its selection', async () => {
    const memory = await newMemory()
    const { pattern_id } = await memory.text.store({ text: 'Tea is for the evening.', subject: 'ada' })
    await memory.patterns.update(pattern_id, { text: 'Tea is for the morning.' })
    await memory.text.store({ text: 'Tea is best at noon.', subject: 'ben' })
    expect(() => exportSourceOf(memory.forSubject('ada'))).toThrow(
      new TypeError('Give the client itself, and the end user to exportPages: { subject }'),
    )
    const lines: string[] = []
    for await (const page of exportPages(exportSourceOf(memory), { subject: 'ada' }))
      lines.push(...page.lines)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { text: 'Tea is for the morning.', versions: [{ text: 'Tea is for the evening.' }] },
    ])
  })

  it('gets a token of theirs', async () => {
    const memory = await newMemory()
    const { token } = await memory.forSubject('ada').subjects.token({ scopes: ['memory:read'] } as never)
    const browser = new MemoryClient({ accessToken: token, baseUrl: server.url })
    await memory.forSubject('ben').text.store({ text: 'The evening is for tea.' })
    expect((await browser.text.recall({ query: 'tea' })).results).toEqual([])
  })

  it('refuses another subject, wherever it is said', async () => {
    const ada = (await newMemory()).forSubject('ada')
    expect(ada.subject).toBe('ada')
    for (const other of ['ben', null, ['ada', 'ben'], '']) {
      const subject = other as string
      const calls = [
        ada.text.store({ text: 'a', subject }),
        ada.text.batchStore({ items: [{ text: 'a' }, { text: 'b', subject }] }),
        ada.text.recall({ query: 'a', subject }),
        ada.text.forget({ query: 'a', subject }),
        ada.vectors.batchRetrieve({ queries: [{ embedding: [1], subject }] }),
        ada.patterns.list({ subject }),
        ada.patterns.deleteMany({ subject }),
        ada.subjects.erase(String(subject) || 'ben'),
      ]
      for (const [n, call] of calls.entries()) {
        await expect(call, `call ${n}`).rejects.toThrow(/and this client is that of "ada"$/)
      }
    }
    expect(() => ada.forSubject('ben')).toThrow('This client is that of "ada" already')
    await expect(ada.text.batchStore({ items: [{ text: 'a', subject: 'ben' }] })).rejects.toThrow(
      'items[0].subject is "ben"',
    )
    expect((await ada.forSubject('ada').patterns.count({ subject: 'ada' })).count).toBe(0)
  })

  it('is kept to in batches of whatever JSON makes a list or an object of', async () => {
    const memory = await newMemory()
    const ada = memory.forSubject('ada')
    await memory.vectors.store({ key: [1, 0], value: [3], subject: 'ben' })
    /** As collections of other libraries are. */
    const as = (json: unknown) => ({ toJSON: () => json }) as never
    const self: object = { text: 'Of itself.', toJSON: () => self }
    await ada.text.batchStore({ items: as([{ text: 'In a list.' }, self]) })
    await ada.text.batchStore(as({ items: [{ text: 'In an input.' }] }))
    await ada.text.batchStore(as({ items: as([{ text: 'In both.' }]) }))
    await ada.text.store(self as never)
    const { patterns } = await memory.patterns.list({ subject: 'ada' })
    expect(patterns.map(({ text }) => text)).toEqual([
      'In a list.',
      'Of itself.',
      'In an input.',
      'In both.',
      'Of itself.',
    ])
    const queries = as([{ embedding: [1, 0], top_k: 9 }])
    expect((await ada.vectors.batchRetrieve({ queries })).results).toEqual([[]])
    const others = as([{ text: 'a', subject: 'ben' }])
    await expect(ada.text.batchStore({ items: others })).rejects.toThrow('items[0].subject is "ben"')
    for (const none of [undefined, { length: 1, 0: { text: 'a' } }, 'a', new Set([{ text: 'a' }])])
      await expect(ada.text.batchStore({ items: none as never })).rejects.toThrow('items is no list')
    expect((await memory.patterns.count({})).count).toBe(6)
  })

  it('takes a subject that was lost on the way for theirs', async () => {
    const ada = (await newMemory()).forSubject('ada')
    await ada.text.store({ text: 'a', subject: undefined } as never)
    expect((await ada.patterns.list({ subject: 'ada' })).patterns).toMatchObject([{ subject: 'ada' }])
  })

  it('refuses what takes no subject, and what is no name', async () => {
    const memory = await newMemory()
    const ada = memory.forSubject('ada')
    const { pattern_id } = await memory.text.store({ text: 'The evening is for tea.', subject: 'ben' })
    for (const call of [
      ada.patterns.get(pattern_id),
      ada.patterns.update(pattern_id, { text: 'a', subject: 'ada' }),
      ada.patterns.delete(pattern_id),
      ada.patterns.deleteAll({ confirm: 'all' }),
      ada.patterns.deleteMany({ pattern_ids: [pattern_id] }),
      ada.patterns.deleteMany({ external_ids: [] }),
      ada.text.important(),
      ada.text.stats(),
      ada.engine.sleep(),
      ada.users.me(),
      ada.subjects.list(),
    ]) {
      await expect(call).rejects.toThrow(/takes no subject/)
    }
    await expect(ada.storeJson('POST /v1/memory/text/store', '{"text":"a"}')).rejects.toThrow(TypeError)
    expect((await ada.text.similarity({ text_a: 'tea', text_b: 'tea' })).similarity).toBeCloseTo(1, 3)
    for (const nobody of [undefined, null, '', ' ', 7, ['ada']]) {
      expect(() => memory.forSubject(nobody as string)).toThrow(/^A subject is the name of an end user, not/)
    }
    expect((await memory.patterns.count({})).count).toBe(1)
  })
})
