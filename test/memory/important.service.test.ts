import { limits } from '@memory/shared/catalogue/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { expectCountersToMatch, inSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

interface Fact {
  pattern_id: string
  text: string
  category: string
  protected: boolean
}

async function important(client: ConformingClient): Promise<Fact[]> {
  const { status, body } = await client.get('/v1/memory/text/important')
  expect(status).toBe(200)
  return body.important
}

const patch = (client: ConformingClient, id: string | undefined, body: object) =>
  client.patch(`/v1/memory/patterns/${id}`, body)

/** A text of each kind, with what it is to be taken for. */
const asthma = 'I have had asthma since I was a child.'
const iban = 'Send it to DE89 3704 0044 0532 0130 00.'
const likesTea = 'I love green tea.'
const weather = 'It is raining outside.'

describe('GET /v1/memory/text/important', () => {
  it('answers what texts state of people, newest first', async () => {
    const ada = await newConformingClient(server)
    const ids = await ada.store([asthma, weather, iban, likesTea, 'My phone number is +44 7700 900482.'])
    expect(await important(ada)).toEqual([
      {
        pattern_id: ids[4],
        text: 'My phone number is +44 7700 900482.',
        category: 'contact',
        protected: false,
      },
      { pattern_id: ids[2], text: iban, category: 'finance', protected: false },
      { pattern_id: ids[0], text: asthma, category: 'health', protected: true },
    ])
  })

  it('follows the metadata before the wording', async () => {
    const ada = await newConformingClient(server)
    const [health, work, , , mine] = await ada.store([
      { text: weather, metadata: { category: 'health' } },
      { text: asthma, metadata: { category: 'work' } },
      { text: asthma, metadata: { category: '' } },
      { text: asthma, metadata: { category: 'c'.repeat(limits.categoryChars + 1) } },
      { text: iban, metadata: { category: null, protected: true } },
    ])
    expect(await important(ada)).toEqual([
      { pattern_id: mine, text: iban, category: 'finance', protected: true },
      { pattern_id: work, text: asthma, category: 'work', protected: false },
      { pattern_id: health, text: weather, category: 'health', protected: true },
    ])
  })

  it('leaves out preferences, vectors and what has expired', async () => {
    const ada = await newConformingClient(server)
    const expires = new Date(server.clock.now().getTime() + 3_600_000).toISOString()
    await ada.store([{ text: likesTea, metadata: { category: 'preference' } }])
    const vector = { key: [1, 0], value: [1, 0], metadata: { category: 'health' } }
    expect((await ada.post('/v1/memory/store', vector)).status).toBe(200)
    const stored = await ada.post('/v1/memory/text/store', { text: asthma, expires_at: expires })
    const fading: string = stored.body.pattern_id
    expect((await important(ada)).map(({ pattern_id }) => pattern_id)).toEqual([fading])
    await inSpace(server, ada, (trx, { id }) =>
      trx
        .withSchema('app')
        .updateTable('patterns')
        .set({ expires_at: new Date(Date.now() - 1) })
        .where('space_id', '=', id)
        .where('id', '=', fading)
        .execute(),
    )
    expect(await important(ada)).toEqual([])
  })

  it('answers the thousand newest', { timeout: 60_000 }, async () => {
    const ada = await newConformingClient(server, { plan: 'enterprise' })
    const ids: string[] = []
    while (ids.length < limits.importantMax + 5) {
      const items = Array.from({ length: limits.batchStoreItems }, (_, i) => ({
        text: `fact ${i}`,
        metadata: { category: 'location' },
      }))
      ids.push(...(await ada.store(items)))
    }
    const listed = await important(ada)
    expect(listed.map(({ pattern_id }) => pattern_id)).toEqual(ids.slice(-limits.importantMax).reverse())
  })

  it('is empty for an empty space, and for one that holds no facts', async () => {
    const ada = await newConformingClient(server)
    expect(await important(ada)).toEqual([])
    await ada.store([weather])
    expect(await important(ada)).toEqual([])
  })
})

describe('the category of a changed pattern', () => {
  it('follows a new text, unless the metadata name one', async () => {
    const ada = await newConformingClient(server)
    const [free, named] = await ada.store([weather, { text: weather, metadata: { category: 'family' } }])
    for (const id of [free, named]) expect((await patch(ada, id, { text: asthma })).status).toBe(200)
    expect(await important(ada)).toEqual([
      { pattern_id: named, text: asthma, category: 'family', protected: false },
      { pattern_id: free, text: asthma, category: 'health', protected: true },
    ])
    expect((await patch(ada, free, { text: weather })).body.protected).toBe(false)
    expect((await important(ada)).map(({ pattern_id }) => pattern_id)).toEqual([named])
    await expectCountersToMatch(server, ada)
  })

  it('is the wording’s again when the metadata no longer name one', async () => {
    const ada = await newConformingClient(server)
    const [id] = await ada.store([{ text: asthma, metadata: { category: 'preference' } }])
    expect(await important(ada)).toEqual([])
    const { body } = await patch(ada, id, { metadata: { source: 'chat' } })
    expect(body).toMatchObject({ protected: true, metadata: { source: 'chat' } })
    expect(await important(ada)).toMatchObject([{ pattern_id: id, category: 'health', protected: true }])
  })
})

describe('forgetting a category', () => {
  it('removes the texts that were taken for it and those that were named it', async () => {
    const ada = await newConformingClient(server)
    const [wording, , , named] = await ada.store([
      asthma,
      weather,
      iban,
      { text: weather, metadata: { category: 'health' } },
    ])
    const { body } = await ada.delete('/v1/memory/text/forget', { category: 'health' })
    expect(body).toMatchObject({ forgotten: 2, pattern_ids: [wording, named], kept: [] })
    expect((await important(ada)).map(({ category }) => category)).toEqual(['finance'])
    await expectCountersToMatch(server, ada)
  })
})
