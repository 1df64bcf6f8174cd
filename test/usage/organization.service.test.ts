import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultsOf, getSpace } from '../memory/space.ts'
import { addMember } from '../organizations/support.ts'
import { newUser } from '../support/accounts.ts'
import { newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { advanceIntoMonth } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ MEMORY_DEFAULT_PLAN: 'enterprise' })
  advanceIntoMonth(server.clock)
})

afterAll(() => server.close())

const path = (id: string) => `/v1/usage/organization/${id}`

describe('GET /v1/usage/organization/{org_id}', () => {
  it('tells who used both spaces how much, most first, and keys that are revoked too', async () => {
    const owner = await newUser(server)
    const { organizationId } = owner
    const newKey = async (name: string, environment: string) =>
      (await owner.post('/v1/api-keys', { name, environment })).body
    const [chatbot, nightly] = [await newKey('chatbot', 'live'), await newKey('nightly', 'test')]
    await newKey('never used', 'live')
    const send = (key: { key: string }, method: string, path: string, body?: object) =>
      fetch(`${server.url}${path}`, {
        method,
        headers: { 'X-API-Key': key.key, 'Content-Type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      })
    for (let i = 0; i < 4; i++) await send(chatbot, 'GET', '/v1/memory/text/stats')
    await send(chatbot, 'POST', '/v1/memory/text/store', { text: 'live' })
    await send(nightly, 'POST', '/v1/memory/text/store', { text: 'test' })
    await owner.get('/v1/memory/text/stats')
    await owner.get('/v1/memory/text/stats', { 'X-Memory-Environment': 'test' })
    await owner.delete(`/v1/api-keys/${nightly.id}`)

    const now = server.clock.now()
    const month = (ahead: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)).toISOString()
    const [live, test] = [await getSpace(server, owner), await getSpace(server, owner, 'test')]
    const { status, body } = await owner.get(path(organizationId))
    expect([status, body]).toEqual([
      200,
      {
        org_id: organizationId,
        period: { start: month(0), end: month(1) },
        totals: {
          api_calls: 8,
          patterns: 2,
          storage_mb: (live.storage_bytes + test.storage_bytes) / 1_000_000,
        },
        by_key: [
          { key_id: `key_${chatbot.id}`, name: 'chatbot', api_calls: 5, percentage: 62.5 },
          { key_id: 'key_session', name: 'User sessions', api_calls: 2, percentage: 25 },
          { key_id: `key_${nightly.id}`, name: 'nightly', api_calls: 1, percentage: 12.5 },
        ],
      },
    ])
    expect((await send(chatbot, 'GET', path(organizationId))).status).toBe(200)
    advanceIntoMonth(server.clock)
    const later = await newConformingClient(server, { organizationId })
    const { body: next } = await later.get(path(organizationId))
    expect(next).toMatchObject({ totals: { api_calls: 0, patterns: 2 }, by_key: [] })
  })

  it('is for owners and admins among the users, whichever of their organizations the request is for', async () => {
    const [owner, member, stranger] = [await newUser(server), await newUser(server), await newUser(server)]
    const admin = await newUser(server)
    await addMember(server, owner, member, 'member')
    await addMember(server, owner, admin, 'admin')
    const asked = async (user: typeof owner, headers?: Record<string, string>) => {
      const { status, body } = await user.get(path(owner.organizationId), headers)
      return status === 200 ? status : [status, body.detail]
    }
    expect(await asked(owner)).toBe(200)
    expect(await asked(admin)).toBe(200)
    expect(await asked(admin, { 'X-Organization-Id': owner.organizationId })).toBe(200)
    const refused = [403, 'Organization admin required']
    expect(await asked(member)).toEqual(refused)
    expect(await asked(member, { 'X-Organization-Id': owner.organizationId })).toEqual(refused)
    expect(await asked(stranger)).toEqual([404, 'Organization not found'])
    // What the space of a member has used is the member's to see.
    const summary = await member.get('/v1/usage/summary', { 'X-Organization-Id': owner.organizationId })
    expect(summary.status).toBe(200)
  })

  it('shows a key its own organization and no other', async () => {
    const [ada, ben] = [
      await newConformingClient(server, { scopes: ['usage:read'] }),
      await newConformingClient(server),
    ]
    expect((await ada.get(path(ada.organizationId))).status).toBe(200)
    for (const id of [ben.organizationId, randomUUID()]) {
      const { status, body } = await ada.get(path(id))
      expect([status, body]).toEqual([404, { detail: 'Organization not found' }])
    }
    const [fault] = faultsOf(await ada.get(path('mine')))
    expect(fault).toMatchObject({ type: 'uuid_parsing', loc: ['path', 'org_id'] })
  })
})
