import * as store from '@memory/memory/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { getSpace } from './space.ts'
import { batchStore } from './vectors/vector-client.ts'

/** More than two statements of a filter look at. */
const patterns = 9_500
const kinds = 7

let server: TestServer
let ada: Client

beforeAll(async () => {
  server = await startServer()
  ada = await newConformingClient(server)
  for (let first = 0; first < patterns; first += 4_750) {
    await batchStore(
      ada,
      Array.from({ length: 4_750 }, (_, i) => ({
        key: [1, first + i],
        value: [first + i],
        metadata: { kind: (first + i) % kinds },
      })),
    )
  }
  // The only text comes last.
  await ada.store([{ text: 'A note.', metadata: { kind: 3 } }])
})

afterAll(() => server.close())

describe('a filter over many patterns', () => {
  it('finds those of every slice, in order, and each once', async () => {
    const { id } = await getSpace(server, ada)
    const { queries } = server.context.database
    const expected = Array.from({ length: patterns }, (_, idx) => idx).filter((idx) => idx % kinds === 3)
    expect(await store.listMatching(queries, id, { kind: 3 }, false)).toEqual([...expected, patterns])
    expect(await store.listMatching(queries, id, { kind: 3 }, true)).toEqual([patterns])
    expect(await store.listMatching(queries, id, { kind: 'none' }, false)).toEqual([])
  })

  it('answers queries among them, those of the last slice too', async () => {
    const answer = await ada.post('/v1/memory/query', {
      embedding: [1, patterns],
      top_k: 100,
      filter: { kind: [3, 4] },
    })
    expect(answer.status).toBe(200)
    const values = answer.body.results.map(({ value }: { value: number[] }) => (value[0] as number) % kinds)
    expect(values).toHaveLength(100)
    expect(new Set(values)).toEqual(new Set([3, 4]))
    expect(await ada.retrieve('note', { filter: { kind: 3 } })).toEqual(['A note.'])
  })

  it('looks at no more slices when the client has hung up', async () => {
    const { id } = await getSpace(server, ada)
    const { queries } = server.context.database
    const client = new AbortController()
    const listing = store.listMatching(queries, id, { kind: 3 }, false, client.signal)
    client.abort()
    await expect(listing).rejects.toMatchObject({ code: 'abandoned' })
  })

  it('finds nothing in a space that has nothing', async () => {
    const ben = await newConformingClient(server)
    const answer = await ben.post('/v1/memory/query', { embedding: [1, 2], filter: { kind: 3 } })
    expect(answer).toMatchObject({ status: 200, body: { results: [] } })
  })
})
