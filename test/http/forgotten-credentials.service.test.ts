import { hashApiKey } from '@memory/identity/keys/api-key'
import { revokeKey } from '@memory/identity/keys/service'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

it.each([
  ['of an operation', 'GET', '/v1/memory/text/stats'],
  ['of the MCP server', 'POST', '/mcp'],
])(
  'F9 requests %s with a revoked key take no turns of the organization that it belonged to',
  async (_, method, path) => {
    const client = await server.newClient()
    const { admission, database } = server.context
    const lane = () => admission.laneOf({ kind: 'key', keyHash: hashApiKey(client.key) }, '203.0.113.7')
    expect((await client.get('/v1/memory/text/stats')).status).toBe(200)
    expect(lane()).toBe(client.organizationId)
    await revokeKey(database.queries, client.organizationId, client.keyId)
    expect((await client.request(method, path)).status).toBe(401)
    expect(lane()).toBe('address 203.0.113.7')
  },
)
