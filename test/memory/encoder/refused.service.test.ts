import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../platform/open-database.ts'
import { type ConformingClient, newConformingClient } from '../../support/conforms.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { getSpace } from '../space.ts'

let server: TestServer
let client: ConformingClient
let id: string
let spaceId: string

/** Spaces that are to be embedded anew before others. */
const wanted: string[] = []

beforeAll(async () => {
  server = await startServer()
  client = await newConformingClient(server)
  id = (await client.post('/v1/memory/text/store', { text: 'Ada lives in Lisbon.' })).body.pattern_id
  spaceId = (await getSpace(server, client)).id
  const { database, memory } = server.context
  memory.spaces.changes.on('refused', (space) => wanted.push(space))
  await asOwner(database.queries, (trx) =>
    sql`update app.spaces set text_model = '', version = version + 1, history_floor = version + 1
      where id = ${spaceId}`.execute(trx),
  )
})

afterAll(() => server.close())

const moment = new Date().toISOString()
const query = 'Where does Ada live?'
const text = 'Ada lives in Porto.'

describe('a space that waits for embeddings', () => {
  it.each([
    ['post', 'text/retrieve', { query }],
    ['post', 'text/retrieve', { query, as_of: moment }],
    ['post', 'text/recall', { query }],
    ['post', 'text/explain', { query }],
    ['post', 'text/explain', { query, as_of: moment }],
    ['post', 'context', { query }],
    ['post', 'text/store', { text }],
    ['post', 'text/batch-store', { items: [{ text }] }],
    ['patch', 'patterns/{id}', { text }],
    ['delete', 'text/forget', { query }],
  ] as const)('is seen to first once somebody asked for it: %s %s %o', async (method, path, body) => {
    wanted.length = 0
    const {
      status,
      headers,
      body: answer,
    } = await client[method](`/v1/memory/${path.replace('{id}', id)}`, body)
    expect([status, answer]).toEqual([
      503,
      { detail: expect.stringMatching(/embedded anew, or .*: try again soon$/) },
    ])
    expect(headers.get('retry-after')).toBe('2')
    expect(wanted).toEqual([spaceId])
  })

  it('is not for what needs none', async () => {
    wanted.length = 0
    expect((await client.get(`/v1/memory/patterns/${id}`)).status).toBe(200)
    expect((await client.patch(`/v1/memory/patterns/${id}`, { metadata: { seen: true } })).status).toBe(200)
    expect(wanted).toEqual([])
  })
})
