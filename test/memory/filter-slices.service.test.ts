import { findMatching, findMatchingAt, matchingNow } from '@memory/memory/filter/find-matching'
import { getVersion, lockSpace } from '@memory/memory/store'
import { type Filter, parseFilter } from '@memory/shared/catalogue/filter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { getSpace, inSpace } from './space.ts'
import { batchStore } from './vectors/vector-client.ts'

/** More than are read at once, many times over. */
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
        metadata: { kind: (first + i) % kinds, note: 'x'.repeat(300) },
      })),
    )
  }
  // The only text comes last.
  await ada.store([{ text: 'A note.', metadata: { kind: 3 } }])
})

afterAll(() => server.close())

function read(filter: object): Filter {
  const parsed = parseFilter(filter as Parameters<typeof parseFilter>[0])
  if ('fault' in parsed) throw new Error(parsed.fault.message)
  return parsed.filter
}

async function readSpace(of: Client): Promise<{ spaceId: string; spaceVersion: number }> {
  const { id } = await getSpace(server, of)
  return { spaceId: id, spaceVersion: await getVersion(server.context.database.queries, id) }
}

async function matching(filter: object, signal?: AbortSignal): Promise<number[]> {
  const found = await findMatching(server.context.memory, { ...(await readSpace(ada)), signal }, read(filter))
  return [...found.from(0)]
}

describe('a filter over many patterns', () => {
  it('finds those of every page, in order, and each once', async () => {
    const expected = Array.from({ length: patterns }, (_, idx) => idx).filter((idx) => idx % kinds === 3)
    expect(await matching({ kind: 3 })).toEqual([...expected, patterns])
    expect(await matching({ kind: 'none' })).toEqual([])
  })

  it('looks at rows where the index keeps no value, and finds the same', async () => {
    expect(await matching({ kind: 3, note: { $startsWith: 'x'.repeat(290) } })).toHaveLength(
      Math.ceil((patterns - 3) / kinds),
    )
    expect(await matching({ $text: { $contains: 'NOTE' } })).toEqual([patterns])
    expect(await matching({ $not: { note: 'x'.repeat(300) } })).toEqual([patterns])
  })

  it('answers queries among them, those of the last page too', async () => {
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

  it('looks at no more rows when the client has hung up', async () => {
    const client = new AbortController()
    const finding = matching({ $text: { $contains: 'note' } }, client.signal)
    client.abort()
    await expect(finding).rejects.toMatchObject({ code: 'abandoned' })
  })

  it('finds nothing in a space that has nothing', async () => {
    const ben = await newConformingClient(server)
    const answer = await ben.post('/v1/memory/query', { embedding: [1, 2], filter: { kind: 3 } })
    expect(answer).toMatchObject({ status: 200, body: { results: [] } })
  })
})

it('is brought up to date with all that changed until the space is locked, however much that is', async () => {
  const ben = await newConformingClient(server)
  const named = (status: string, from: number) =>
    Array.from({ length: 700 }, (_, i) => ({
      ...{ key: [1, from + i + 1], value: [1], external_id: `${from + i}` },
      metadata: { status },
    }))
  const store = async (status: string) => {
    for (const from of [0, 700, 1_400]) await batchStore(ben, named(status, from))
  }
  await store('stale')
  const stale = read({ status: 'stale' })
  const space = await readSpace(ben)
  const found = await findMatchingAt(server.context.memory, space, stale, { all: true })
  expect(found.among.count).toBe(2_100)
  await store('fresh')
  const left = await inSpace(server, ben, async (trx) => {
    await lockSpace(trx, space.spaceId)
    return matchingNow(trx, space.spaceId, stale, found)
  })
  expect(left.count).toBe(0)
})
