import { request } from 'node:http'
import { limits } from '@memory/shared/catalogue/limits'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Client } from '../support/client.ts'
import { RawConnection, rawRequest } from '../support/raw-http.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { connect } from './connect.ts'

const publicBase = 'https://memory.example.com'
const page = 'https://app.example.com'

let server: TestServer
let api: Client

beforeAll(async () => {
  server = await startServer({ PUBLIC_BASE_URL: publicBase, CORS_ORIGINS: page })
  api = await server.newClient()
})

afterAll(() => server.close())

const call = (name: string, given: object, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
})

/** Sends a frame of the revision with a handshake, which a server without sessions answers at once. */
async function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  query = '',
) {
  const answer = await fetch(`${server.url}/mcp${query}`, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'X-API-Key': api.key,
      ...headers,
    },
    body,
  })
  const text = await answer.text()
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text
  return { status: answer.status, headers: answer.headers, body: json === '' ? undefined : JSON.parse(json) }
}

describe('whoever asks the MCP server', () => {
  it('must say who they are, at each request', async () => {
    for (const headers of [
      { 'X-API-Key': '' },
      { 'X-API-Key': 'mem_live_wrong' },
      { 'X-API-Key': '', Authorization: 'Bearer nonsense' },
      { 'X-API-Key': '', Authorization: `Basic ${btoa(`user:${api.key}`)}` },
    ] as Record<string, string>[]) {
      for (const message of [call('memory_status', {}), { jsonrpc: '2.0', id: 1, method: 'ping' }]) {
        const answer = await post(JSON.stringify(message), headers)
        expect(answer.status).toBe(401)
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      }
    }
    const url = `${server.url}/mcp?api_key=${api.key}`
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  })

  it('is who the request says, whatever key and address the process has in its environment', async () => {
    const eve = await server.newClient()
    await eve.store(['The door code of Eve is 4711.'])
    vi.stubEnv('MEMORY_SERVICE_API_KEY', eve.key)
    vi.stubEnv('MEMORY_SERVICE_URL', 'http://127.0.0.1:9/elsewhere')
    try {
      const { status, body } = await post(JSON.stringify(call('recall', { query: 'What is the door code?' })))
      expect(status).toBe(200)
      expect(body.result.isError ?? false).toBe(false)
      expect(JSON.stringify(body)).not.toContain('4711')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('posts: there are no sessions to listen to or to end', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(`${server.url}/mcp`, { method, headers: { 'X-API-Key': api.key } })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('POST')
    }
  })

  it('is refused under a name or from a page that is none of the service', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    // `fetch` lets nobody say another Host.
    const ask = (Host: string, Origin?: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          Host,
          ...(Origin !== undefined && { Origin }),
          'X-API-Key': api.key,
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
        }
        const sent = request(`${server.url}/mcp`, { method: 'POST', headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        sent.once('error', reject)
        sent.end(body)
      })
    const { host } = new URL(server.url)
    for (const [name, origin] of [
      [host],
      ['localhost:8000'],
      ['[::1]:8000'],
      [new URL(publicBase).host],
      [new URL(publicBase).host, publicBase],
      [host, page],
      [host, `http://${host}`],
    ] as [string, string?][]) {
      expect(await ask(name, origin), `${name} ${origin}`).toBe(200)
    }
    for (const [name, origin] of [
      ['evil.example'],
      ['memory.example.com.evil.example'],
      ['127.0.0.1.evil.example:8000'],
      ['192.168.0.1'],
      [host, 'http://evil.example'],
      [host, 'null'],
      [host, `${page}.evil.example`],
      ['evil.example', 'http://evil.example'],
      [host, 'http://localhost:3000'],
    ] as [string, string?][]) {
      expect(await ask(name, origin), `${name} ${origin}`).toBe(403)
    }
  })

  it('may be a page of CORS_ORIGINS in a browser, which asks first', async () => {
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'OPTIONS',
      headers: {
        Origin: page,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers':
          'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toMatch(
      /(?=.*mcp-method)(?=.*mcp-name)(?=.*mcp-protocol-version)/,
    )
    // A page reads from the refusal where it may ask its user to sign in.
    const refused = await fetch(`${server.url}/mcp`, { method: 'POST', headers: { Origin: page } })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  })
})

describe('a message', () => {
  it('that is none is refused as the protocol has it, and nothing is done', async () => {
    for (const [body, code] of [
      ['', -32_700],
      ['{', -32_700],
      ['nonsense', -32_700],
      [new Uint8Array([0x22, 0xff, 0xfe, 0x22]), -32_700],
      [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, -32_700],
      [
        `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`,
        -32_700,
      ],
      [JSON.stringify([call('remember', { text: 'x' })]), -32_600],
      ['[]', -32_600],
    ] as const) {
      const answer = await post(body as string)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
    }
    for (const body of [
      '1',
      'null',
      '"x"',
      '{}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":7}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    ]) {
      const answer = await post(body)
      expect(answer.status, body).toBe(400)
      expect(answer.body.error.code, body).toBeLessThan(0)
    }
    expect((await api.get('/v1/memory/text/stats')).body.total_patterns).toBe(0)
  })

  it('opens with what the protocol has, or is told of its parameters', async () => {
    const opening = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 7 } }
    const answer = await post(JSON.stringify(opening))
    expect(answer).toMatchObject({ status: 400, body: { id: 1, error: { code: -32_602 } } })
  })

  it('asks for all tools, or for those that everybody gets, and for no others', async () => {
    for (const tools of ['bogus', '', 'all&tools=all']) {
      const answer = await post(JSON.stringify(call('memory_status', {})), {}, `?tools=${tools}`)
      expect(answer).toMatchObject({ status: 400, body: { error: { code: -32_600 } } })
    }
  })

  it('of an unknown method, tool, resource or prompt is answered by an error', async () => {
    for (const [method, params] of [
      ['nonsense', {}],
      ['tools/call', { name: 'nonsense', arguments: {} }],
      ['tools/call', { name: '__proto__', arguments: {} }],
      ['tools/call', {}],
      ['resources/read', { uri: 'memory://other' }],
      ['resources/read', { uri: 'file:///etc/passwd' }],
      ['prompts/get', { name: 'nonsense' }],
      ['sampling/createMessage', {}],
    ] as const) {
      const { body } = await post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }))
      expect(body, `${method} ${JSON.stringify(params)}`).toMatchObject({
        id: 7,
        error: { code: expect.any(Number) },
      })
    }
  })

  it('of more than is allowed is not read, and one up to that is', async () => {
    const huge = JSON.stringify(call('remember', { text: 'x'.repeat(limits.mcpBodyBytes) }))
    expect((await post(huge)).status).toBe(413)
    const largest = JSON.stringify(
      call('remember', { text: 'ü'.repeat(limits.textChars), metadata: { a: 1 } }),
    )
    expect((await post(largest)).body.result.isError).toBeUndefined()
  })

  it('with arguments that are none is answered by the tool, and leaves nothing', async () => {
    const before = (await api.get('/v1/memory/text/stats')).body.total_patterns
    for (const given of [
      { text: 'x'.repeat(limits.textChars + 1) },
      { text: 7 },
      { text: '' },
      { text: 'a\u0000b' },
      { text: '\ud800' },
      { text: 'x', metadata: { deep: JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) } },
      { text: 'x', metadata: { large: 'x'.repeat(limits.metadataBytes) } },
      { text: 'x', metadata: [] },
      { text: 'x', occurred_at: 'yesterday' },
      { text: 'x', supersedes: '../../admin' },
      { text: 'x', unknown: 1 },
      { text: 'x', __proto__: { subject: 'ben' }, constructor: 1 },
    ]) {
      const { status, body } = await post(JSON.stringify(call('remember', given)))
      expect(status).toBe(200)
      expect(body.result?.isError ?? body.error !== undefined, JSON.stringify(given).slice(0, 80)).toBe(true)
    }
    expect((await api.get('/v1/memory/text/stats')).body.total_patterns).toBe(before)
    // An id is one part of a path, whatever it is.
    for (const pattern_id of ['../text/stats', '..', 'a/b', '?x', '%2e%2e', 'ext:', '']) {
      const { body } = await post(JSON.stringify(call('get_memory', { pattern_id })))
      expect(body.result.isError, pattern_id).toBe(true)
    }
  })

  it('is sent as JSON', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    expect((await post(body, { 'Content-Type': 'text/plain' })).status).toBe(400)
    expect((await post(body, { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(400)
  })

  it('opens no stream of announcements, since nothing is ever announced', async () => {
    const mcp = await connect(server.url, { 'X-API-Key': api.key })
    expect(mcp.client.getServerCapabilities()).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    })
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const method = 'subscriptions/listen'
    const params = { _meta: meta, notifications: { toolsListChanged: true } }
    const { body } = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
    })
    expect(body).toMatchObject({ id: 1, error: { code: -32_601 } })
  })
})

describe('a large answer', () => {
  it('counts as memory of its organization until the client has taken it, or has hung up', async () => {
    const client = await server.newClient()
    const patterns = Array.from({ length: limits.listMax }, (_, n) => ({
      key: [n + 1, 1],
      value: [n],
      metadata: { text: 'x'.repeat(limits.metadataBytes - 100) },
    }))
    expect((await client.post('/v1/memory/batch/store', { patterns })).status).toBe(200)
    const { answers } = server.context.admission
    const message = call('list_memories', { limit: limits.listMax })
    const headers = { 'X-API-Key': client.key, Accept: 'application/json, text/event-stream' }
    const connection = new RawConnection(server.url)
    connection.send(rawRequest('POST', '/mcp', headers, message))
    await until(() => answers.total > limits.smallBytes, 'a part of the answer that waits')
    connection.close()
    await until(() => answers.total === 0, 'nothing that waits')
    expect(server.logLines.filter((line) => line.includes('answer broken off'))).toEqual([])
    const mcp = await connect(server.url, headers)
    expect((await mcp.ok('list_memories', { limit: limits.listMax })).structured.memories).toHaveLength(
      limits.listMax,
    )
    await until(() => answers.total === 0, 'nothing that waits')
  })
})

describe('the log', () => {
  it('names who asked what of the API in whose behalf, and nothing of what was said', async () => {
    const mcp = await connect(server.url, { 'X-API-Key': api.key, 'X-Request-Id': 'mcp-request-1' })
    await mcp.ok('remember', { text: 'A very secret sentence.' })
    const lines = server.logLines
      .map((line) => JSON.parse(line))
      .filter((line) => line.requestId === 'mcp-request-1')
    expect(lines.map(({ route }) => route)).toEqual(expect.arrayContaining(['/mcp', '/v1/memory/text/store']))
    for (const { organizationId, keyId } of lines) {
      expect({ organizationId, keyId }).toEqual({ organizationId: api.organizationId, keyId: api.keyId })
    }
    expect(server.logLines.join()).not.toContain('very secret')
  })
})

describe('MEMORY_MCP=off', () => {
  it('leaves the server out', async () => {
    const without = await startServer({ MEMORY_MCP: 'off' })
    const { key } = await without.newClient()
    const answer = await fetch(`${without.url}/mcp`, {
      method: 'POST',
      headers: { 'X-API-Key': key },
      body: '{}',
    })
    await without.close()
    expect(answer.status).toBe(404)
  })
})
