import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newUser } from '../support/accounts.ts'
import { characterKinds, pickFrom } from '../support/characters.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const character = pickFrom(...Object.values(characterKinds))
/** Begins and ends with anything; often with U+FEFF, which decoders take for the mark of an encoding. */
const edge = fc.oneof(
  character,
  fc.constantFrom('\ufeff', '\ufeff\ufeff', '\u0000\ufeff'.slice(1), '\ufffe', ''),
)
const oddText = fc.tuple(edge, edge, character, edge, edge).map(([a, b, c, d, e]) => `${a}${b}x${c}x${d}${e}`)

describe('a column of the database', () => {
  it('is read as it was written, whatever it begins and ends with', async () => {
    const { queries } = server.context.database
    await fc.assert(
      fc.asyncProperty(fc.array(oddText, { minLength: 1, maxLength: 20 }), async (texts) => {
        const { rows } = await sql<{ text: string; list: string[]; json: object; length: number }>`
          select t.text, array[t.text] as list, jsonb_build_object(t.text, t.text) as json, length(t.text) as length
            from unnest(${texts}::text[]) with ordinality as t (text, n) order by t.n`.execute(queries)
        expect(rows).toEqual(
          texts.map((text) => ({ text, list: [text], json: { [text]: text }, length: [...text].length })),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('is read so in a large answer, and when nothing else is in it', async () => {
    const { queries } = server.context.database
    const { rows } = await sql<{ text: string }>`
      select repeat(${'\ufeffé'}, 5000) || n as text from generate_series(1, 300) n`.execute(queries)
    expect(rows.map(({ text }) => text)).toEqual(rows.map((_, i) => `${'\ufeffé'.repeat(5_000)}${i + 1}`))
    const alone = await sql<{ text: string }>`select ${'\ufeff'}::text as text`.execute(queries)
    expect(alone.rows).toEqual([{ text: '\ufeff' }])
  })

  it('fails as before where a statement fails, and goes on afterwards', async () => {
    const { queries } = server.context.database
    await expect(sql`select ${'\ufeff1'}::int`.execute(queries)).rejects.toThrow('invalid input syntax')
    expect((await sql`select ${'\ufeff1'}::text as text`.execute(queries)).rows).toEqual([
      { text: '\ufeff1' },
    ])
  })
})

describe('over HTTP', () => {
  const listed = async (client: ConformingClient) =>
    (await client.get('/v1/memory/patterns?limit=200')).body.patterns

  it('texts and metadata come back as they were stored', async () => {
    const items = fc.array(
      fc.record({ text: oddText, metadata: fc.dictionary(oddText, oddText, { maxKeys: 3 }) }),
      { minLength: 1, maxLength: 50 },
    )
    await fc.assert(
      fc.asyncProperty(items, async (items) => {
        const ada = await newConformingClient(server)
        const ids = await ada.store(items)
        const stored = await listed(ada)
        expect(stored.map(({ text, metadata }: (typeof items)[0]) => ({ text, metadata }))).toEqual(items)
        const one = (await ada.get(`/v1/memory/patterns/${ids[0]}`)).body
        expect({ text: one.text, metadata: one.metadata }).toEqual(items[0])
        const query = { query: items[0]?.text, top_k: 50 }
        const { results } = (await ada.post('/v1/memory/text/retrieve', query)).body
        const found = results.find((each: { pattern_id: string }) => each.pattern_id === ids[0])
        expect({ text: found.text, metadata: found.metadata }).toEqual(items[0])
      }),
      { numRuns: 10 },
    )
  })

  it('texts come back so after a change, from another process’s answers and from recall', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store(['something'])
    const text = '\ufeffAda lives in Lisbon.\ufeff'
    expect((await ada.patch(`/v1/memory/patterns/${id}`, { text })).body.text).toBe(text)
    expect(await ada.retrieve('Where does Ada live?')).toEqual([text])
    const recalled = (await ada.post('/v1/memory/text/recall', { query: 'Where does Ada live?' })).body
    expect(recalled.results.map((each: { text: string }) => each.text)).toEqual([text])
    if (server.databaseUrl === undefined) return
    const another = await startServer({ DATABASE_URL: server.databaseUrl })
    try {
      const there = await fetch(`${another.url}/v1/memory/patterns`, { headers: { 'X-API-Key': ada.key } })
      const { patterns } = (await there.json()) as { patterns: { text: string }[] }
      expect(patterns.map((each) => each.text)).toEqual([text])
    } finally {
      await another.close()
    }
  })

  it('a repeated request gets the same bytes', async () => {
    const ada = await newConformingClient(server)
    const store = () =>
      ada.request('POST', '/v1/memory/text/store', { text: '\ufeffa' }, { 'Idempotency-Key': '1' })
    const [first, again] = [await store(), await store()]
    expect(again.body).toEqual(first.body)
  })

  it('names of people, organizations and keys come back as they were given', async () => {
    const name = '\ufeffÅda \u200bKing\ufeff'
    const ada = await newUser(server, { fullName: name, organizationName: name })
    const organization = `/v1/organizations/${ada.organizationId}`
    expect((await ada.get('/v1/users/me')).body.full_name).toBe(name)
    expect((await ada.get(organization)).body.name).toBe(name)
    expect((await ada.get('/v1/organizations')).body.organizations[0].name).toBe(name)
    await ada.patch('/v1/users/me', { full_name: `${name}!` })
    expect((await ada.get('/v1/users/me')).body.full_name).toBe(`${name}!`)
    await ada.post('/v1/api-keys', { name })
    const { body } = await ada.get('/v1/api-keys')
    expect(JSON.stringify(body)).toContain(JSON.stringify(name))
    await ada.post('/v1/webhooks', {
      url: 'https://1.1.1.1/hook',
      events: ['consolidation_completed'],
      description: name,
    })
    expect((await ada.get('/v1/webhooks')).body.webhooks[0].description).toBe(name)
    const login = { email: ada.email, password: `${ada.password}` }
    expect((await new Anonymous(server.url).post('/v1/auth/login', login)).status).toBe(200)
  })
})
