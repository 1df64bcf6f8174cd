import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let owner: ConformingClient
/** It may write and not read. */
let writer: ConformingClient

beforeAll(async () => {
  server = await startServer()
  owner = await newConformingClient(server)
  writer = await newConformingClient(server, {
    organizationId: owner.organizationId,
    scopes: ['memory:write'],
  })
})

afterAll(() => server.close())

describe('a key with memory:write alone', () => {
  const requests: [string, (client: ConformingClient, id: string) => ReturnType<ConformingClient['post']>][] =
    [
      [
        'a dry run of a delete by a filter',
        (client) => client.post('/v1/memory/patterns/delete', { filter: { kind: 'note' }, dry_run: true }),
      ],
      [
        'a dry run of a delete by ids',
        (client, id) => client.post('/v1/memory/patterns/delete', { pattern_ids: [id], dry_run: true }),
      ],
      [
        'a dry run of a forget',
        (client) =>
          client.request('DELETE', '/v1/memory/text/forget', { query: 'Bees make honey.', dry_run: true }),
      ],
      ['a change of nothing', (client, id) => client.patch(`/v1/memory/patterns/${id}`, {})],
      [
        'a revert to what is there',
        (client, id) => client.post(`/v1/memory/patterns/${id}/revert`, { version: 1 }),
      ],
    ]

  it.each(requests)('is refused %s, which only reads', async (_name, send) => {
    const [id] = await owner.store([{ text: 'Bees make honey.', metadata: { kind: 'note' } }])
    const refused = await send(writer, id as string)
    expect([refused.status, refused.body.detail]).toEqual([403, 'Insufficient scope: memory:read required'])
    expect((await send(owner, id as string)).status).toBe(200)
  })

  it('changes and removes, and is answered what became of it', async () => {
    const [id, other] = await owner.store(['Wasps make paper.', 'Ants make hills.'])
    const changed = await writer.patch(`/v1/memory/patterns/${id}`, { metadata: { seen: true } })
    expect(changed.body).toMatchObject({ text: 'Wasps make paper.', metadata: { seen: true } })
    const reverted = await writer.post(`/v1/memory/patterns/${id}/revert`, { version: 1 })
    expect(reverted.body).toMatchObject({ metadata: {}, version: 3 })
    const deleted = await writer.post('/v1/memory/patterns/delete', { pattern_ids: [id] })
    expect(deleted.body).toMatchObject({ deleted: 1, pattern_ids: [id] })
    const forgotten = await writer.request('DELETE', '/v1/memory/text/forget', { query: 'Ants make hills.' })
    expect(forgotten.body).toMatchObject({ forgotten: 1, pattern_ids: [other] })
  })
})
