import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { asTenant } from '@memory/shared/platform/database/database'
import {
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrol } from '../accounts/authenticator.ts'
import { addMember } from '../organizations/support.ts'
import { auditOf, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { newCertificate } from './certificate.ts'
import { connect, McpClient, newClient } from './connect.ts'

const issuer = 'https://memory.example.com'
const resource = `${issuer}/mcp`
const callback = 'https://client.example.com/callback'

let server: TestServer
let ada: User

beforeAll(async () => {
  server = await startServer({ PUBLIC_BASE_URL: issuer })
  ada = await newUser(server)
})

afterAll(() => server.close())

/** The service under the address that it says of itself. */
const reach = (url: string | URL, init?: RequestInit) =>
  fetch(String(url).replace(issuer, server.url), { redirect: 'manual', ...init })

const postForm = (path: string, fields: Record<string, string>) =>
  reach(`${issuer}${path}`, { method: 'POST', body: new URLSearchParams(fields) })

async function register(redirectUris: string[] = [callback], name = 'A program'): Promise<string> {
  const answer = await reach(`${issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: redirectUris }),
  })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { client_id: string }).client_id
}

/** A verifier and its challenge. */
function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The address that a program sends a browser to. */
function authorizeUrl(clientId: string, challenge: string, more: Record<string, string | null> = {}): string {
  const fields = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state',
    resource,
    ...more,
  }
  const given = Object.entries(fields).filter((each): each is [string, string] => each[1] !== null)
  return `${issuer}/oauth/authorize?${new URLSearchParams(given)}`
}

/** Fills the page in as a user does. */
const submit = (
  url: string,
  user: User,
  more: [string, string][] = [
    ['scope', 'memory:read'],
    ['scope', 'memory:write'],
  ],
) =>
  reach(url, {
    method: 'POST',
    body: new URLSearchParams([
      ['email', user.email],
      ['password', user.password],
      ['decision', 'allow'],
      ...more,
    ]),
  })

/** Where an answer sends the browser. */
const sentTo = (answer: Response) => new URL(answer.headers.get('location') ?? 'about:nowhere')

/** A code that a user has given to a program. */
async function newCode(user = ada, more?: [string, string][]) {
  const clientId = await register()
  const { verifier, challenge } = pkce()
  const answer = await submit(authorizeUrl(clientId, challenge), user, more)
  expect(answer.status).toBe(303)
  const code = sentTo(answer).searchParams.get('code') as string
  return { clientId, verifier, code }
}

type Given = Awaited<ReturnType<typeof newCode>>

const exchange = ({ clientId, verifier, code }: Given, more: Record<string, string> = {}) =>
  postForm('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: callback,
    code_verifier: verifier,
    ...more,
  })

interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

/** The tokens of a program that a user has let in. */
async function newTokens(user = ada, more?: [string, string][]): Promise<Tokens & { clientId: string }> {
  const given = await newCode(user, more)
  const answer = await exchange(given)
  expect(answer.status).toBe(200)
  return { ...((await answer.json()) as Tokens), clientId: given.clientId }
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const atMcp = async (token: string) =>
  (
    await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        ...bearer(token),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
  ).status

describe('a program that speaks OAuth', () => {
  it('is let in by its user, with nothing but the address of the server', async () => {
    const kept: {
      authorizationUrl?: URL
      verifier?: string
      client?: StoredOAuthClientInformation
      tokens?: StoredOAuthTokens
    } = {}
    const provider: OAuthClientProvider = {
      redirectUrl: callback,
      clientMetadata: {
        client_name: 'An assistant',
        redirect_uris: [callback],
        token_endpoint_auth_method: 'none',
      },
      state: () => 'kept by the client',
      clientInformation: () => kept.client,
      saveClientInformation: (client: StoredOAuthClientInformation) => void Object.assign(kept, { client }),
      tokens: () => kept.tokens,
      saveTokens: (tokens: StoredOAuthTokens) => void Object.assign(kept, { tokens }),
      redirectToAuthorization: (authorizationUrl: URL) => void Object.assign(kept, { authorizationUrl }),
      saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
      codeVerifier: () => kept.verifier ?? '',
    }
    const newTransport = () =>
      new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider, fetch: reach })
    const first = newTransport()
    await expect(newClient('2026-07-28').connect(first)).rejects.toThrow(UnauthorizedError)
    const { authorizationUrl } = kept
    if (authorizationUrl === undefined) throw new Error('The client sends nobody anywhere.')

    const page = await reach(authorizationUrl)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Let An assistant in?')
    const back = sentTo(await submit(String(authorizationUrl), ada))
    expect(back.origin + back.pathname).toBe(callback)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      state: 'kept by the client',
      iss: issuer,
    })
    await first.finishAuth(back.searchParams)

    const client = newClient('2026-07-28')
    await client.connect(newTransport())
    const mcp = new McpClient(client)
    await mcp.ok('remember', { text: 'Ada let me in.' })
    expect((await ada.get('/v1/memory/text/stats')).body.total_patterns).toBe(1)

    // It is listed where its user is signed in, and ends there.
    const listed = (await ada.get('/v1/security/sessions')).body as { id: string; client?: string }[]
    const own = listed.filter(({ client }) => client === 'An assistant')
    expect(own).toHaveLength(1)
    const audit = await auditOf(server, ada.userId)
    expect(audit.map(({ action }) => action)).toContain('client_authorized')
    // When the access token has expired, the client gets another by itself.
    server.clock.advance(16 * 60_000)
    await mcp.ok('memory_status')
    const again = await ada.signInAgain()
    expect((await again.delete(`/v1/security/sessions/${own[0]?.id}`)).status).toBe(200)
    await expect(mcp.call('memory_status')).rejects.toThrow()
  })

  it('learns where to go from the refusal of the server', async () => {
    const answer = await reach(resource, { method: 'POST', body: '{}' })
    const metadata = `${issuer}/.well-known/oauth-protected-resource/mcp`
    expect(answer.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`)
    expect(await (await reach(metadata)).json()).toMatchObject({
      resource,
      authorization_servers: [issuer],
      scopes_supported: ['memory:read', 'memory:write'],
    })
    expect(await (await reach(`${issuer}/.well-known/oauth-authorization-server`)).json()).toMatchObject({
      issuer,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: false,
    })
  })

  it('does what its user chose, in the space that they chose, and no more', async () => {
    const { access_token, scope } = await newTokens(ada, [
      ['scope', 'memory:read'],
      ['environment', 'test'],
    ])
    expect(scope).toBe('memory:read')
    expect(decodeJwt(access_token)).toMatchObject({
      aud: resource,
      iss: issuer,
      env: 'test',
      sub: ada.userId,
    })
    const mcp = await connect(server.url, bearer(access_token))
    await expect(mcp.call('remember', { text: 'x' })).rejects.toThrow('Tool remember not found')
    const test = { 'X-Memory-Environment': 'test' }
    await ada.signInAgain().then((user) => user.post('/v1/memory/text/store', { text: 'In test.' }, test))
    expect((await mcp.ok('memory_status')).structured.memories).toBe(1)
    // Nor by headers, which count for a user's own tokens.
    const live = await connect(server.url, { ...bearer(access_token), 'X-Memory-Environment': 'live' })
    expect((await live.ok('memory_status')).structured.memories).toBe(1)
  })

  it('gives back what it has by revoking either token', async () => {
    const user = await newUser(server)
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const tokens = await newTokens(user)
      const other = await register([callback], 'Another')
      await postForm('/oauth/revoke', { token: tokens[kind], client_id: other })
      expect(await atMcp(tokens.access_token)).toBe(200)
      expect(
        (await postForm('/oauth/revoke', { token: tokens[kind], client_id: tokens.clientId })).status,
      ).toBe(200)
      expect(await atMcp(tokens.access_token)).toBe(401)
    }
    const ended = (await auditOf(server, user.userId)).filter(({ action }) => action === 'session_revoked')
    expect(ended).toHaveLength(2)
    expect((await postForm('/oauth/revoke', { token: 'nonsense', client_id: 'x' })).status).toBe(200)
  })
})

describe('the page', () => {
  it('runs no script, is framed by nobody, and posts to nobody else', async () => {
    const clientId = await register([callback], '<script>alert(1)</script>"\'&')
    const page = await reach(authorizeUrl(clientId, pkce().challenge))
    const html = await page.text()
    expect(html).not.toMatch(/<script|onload|javascript:/i)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' https://client.example.com;")
    expect(policy).not.toContain('script-src')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('set-cookie')).toBeNull()
  })

  it('asks again after a wrong password, limits attempts, and says nothing of the account', async () => {
    const user = await newUser(server)
    const url = authorizeUrl(await register(), pkce().challenge)
    const wrong = user.with({ password: 'not the password' })
    const answer = await submit(url, wrong)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('location')).toBeNull()
    const text = await answer.text()
    expect(text).toContain('Invalid email or password')
    expect(text).toContain(user.email)
    expect(text).not.toContain('not the password')
    let last = answer
    for (let n = 0; n < 10; n++) last = await submit(url, wrong)
    expect(last.status).toBe(429)
    expect((await submit(url, user)).status).toBe(429)
  })

  it('takes the code of a second factor', async () => {
    const user = await newUser(server)
    const { app } = await enrol(user, server.clock)
    const url = authorizeUrl(await register(), pkce().challenge)
    const both: [string, string][] = [['scope', 'memory:read']]
    const without = await submit(url, user, both)
    expect(without.status).toBe(401)
    expect(await without.text()).toContain('code of your second factor')
    expect((await submit(url, user, [...both, ['code', app.wrongCode()]])).status).toBe(401)
    expect((await submit(url, user, [...both, ['code', app.nextCode()]])).status).toBe(303)
  })

  it('sends back who says no, with nothing', async () => {
    const url = authorizeUrl(await register(), pkce().challenge)
    const answer = await reach(url, { method: 'POST', body: new URLSearchParams({ decision: 'deny' }) })
    expect(Object.fromEntries(sentTo(answer).searchParams)).toEqual({
      error: 'access_denied',
      state: 'a state',
      iss: issuer,
    })
  })

  it('takes no answer from a page of somebody else, and none for a no', async () => {
    const url = authorizeUrl(await register(), pkce().challenge)
    const deny = new URLSearchParams({ decision: 'deny' })
    for (const [body, site] of [
      [new URLSearchParams(), undefined],
      [new URLSearchParams({ decision: 'perhaps' }), undefined],
      [deny, 'cross-site'],
      [deny, 'same-site'],
    ] as const) {
      const headers: Record<string, string> = site === undefined ? {} : { 'Sec-Fetch-Site': site }
      const answer = await reach(url, { method: 'POST', body, headers })
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    }
  })

  it('names the scheme of its own by which a program is sent the answer', async () => {
    const redirect_uri = 'evil://claude.ai/callback'
    const clientId = await register([redirect_uri])
    const page = await reach(authorizeUrl(clientId, pkce().challenge, { redirect_uri }))
    expect(await page.text()).toContain(redirect_uri)
  })

  it.each([
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001data:text/html,x',
    'https://a.example/\u2603',
    'http:127.0.0.1:99/cb',
    'https:a.example/cb',
    'http:\\\\127.0.0.1\\cb',
    'HTTP://0x7f.1:7/cb',
  ])('leads to no address as %j', async (uri) => {
    const answer = await reach(`${issuer}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [uri] }),
    })
    expect(answer.status).toBe(400)
  })

  it('sends nobody to an address that the program has not named', async () => {
    const clientId = await register([callback, 'http://127.0.0.1:7777/done', 'cursor://mcp/callback'])
    const { challenge } = pkce()
    for (const redirect_uri of [
      'https://evil.example/callback',
      `${callback}/more`,
      `${callback}?more`,
      `${callback}#more`,
      'https://client.example.com.evil.example/callback',
      'https://client.example.com@evil.example/callback',
      'http://client.example.com/callback',
      'http://127.0.0.1:7777/other',
      'http://127.0.0.1:99999/done',
      'http://127.0.0.1:7777/do\nne',
      'http://127.0.0.1:7777/done\0',
      'http:127.0.0.1:7777/done',
      'http:\\\\127.0.0.1:7777\\done',
      ' http://127.0.0.1:7777/done',
      'HTTP://0x7f.1:7777/done',
      'http://127.0.0.1:7777/./done',
      'http://127.0.0.1:7777/d\u2603/../done',
      'http://127.0.0.2:7777/done',
      'https://127.0.0.1:7777/done',
      'javascript:alert(1)',
      '//evil.example',
      '',
    ]) {
      for (const method of ['GET', 'POST']) {
        const url = authorizeUrl(clientId, challenge, { redirect_uri })
        const deny = new URLSearchParams({ decision: 'deny' })
        const answer = await reach(url, method === 'GET' ? {} : { method, body: deny })
        expect(answer.status, redirect_uri).toBe(400)
        expect(answer.headers.get('location'), redirect_uri).toBeNull()
        expect(answer.headers.get('content-security-policy')).toContain("form-action 'none'")
      }
    }
    // Of its own machine a program may take any port.
    for (const redirect_uri of ['http://127.0.0.1:50123/done', 'cursor://mcp/callback']) {
      expect((await reach(authorizeUrl(clientId, challenge, { redirect_uri }))).status).toBe(200)
    }
    const twice = `${authorizeUrl(clientId, challenge)}&redirect_uri=https://evil.example`
    expect((await reach(twice)).status).toBe(400)
  })

  it('is shown to no program that is unknown or describes itself by what can’t be used', async () => {
    const clientId = await register()
    const { challenge } = pkce()
    for (const id of [
      '',
      'nonsense',
      'mcp_',
      `${clientId}x`,
      clientId.replace('mcp_', 'mcp_A'),
      'https://client.example.com/client.json',
    ]) {
      const answer = await reach(authorizeUrl(id, challenge))
      expect(answer.status, id).toBe(400)
      expect(answer.headers.get('location'), id).toBeNull()
    }
    for (const metadata of [
      {},
      { redirect_uris: [] },
      { redirect_uris: ['javascript:alert(1)'] },
      { redirect_uris: ['data:text/html,x'] },
      { redirect_uris: ['http://client.example.com/callback'] },
      { redirect_uris: ['https://user:secret@client.example.com/'] },
      { redirect_uris: ['https://client.example.com/#fragment'] },
      { redirect_uris: ['nowhere'] },
      { redirect_uris: [callback], token_endpoint_auth_method: 'client_secret_basic' },
      { redirect_uris: Array.from({ length: 11 }, () => callback) },
    ]) {
      const answer = await reach(`${issuer}/oauth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(metadata),
      })
      expect(answer.status, JSON.stringify(metadata)).toBe(400)
    }
  })

  it.each(['Claude\u202E', 'a\u2066b', 'a\0b', 'a\r\nb', '\u200B', ' '])(
    'is asked for by no program that is called %j',
    async (name) => {
      const answer = await reach(`${issuer}/oauth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ client_name: name, redirect_uris: [callback] }),
      })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: 'invalid_client_metadata' })
    },
  )

  it('says what else is wrong with a request, and leads nobody to a program that anybody may have registered', async () => {
    const clientId = await register()
    const { challenge } = pkce()
    for (const [more, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge: null }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: null }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ resource: issuer }, 'invalid_target'],
      [{ scope: 'webhooks:write' }, 'invalid_scope'],
      [{ scope: 'constructor' }, 'invalid_scope'],
    ] as const) {
      const answer = await reach(authorizeUrl(clientId, challenge, more))
      expect(answer.status, JSON.stringify(more)).toBe(400)
      expect(answer.headers.get('location')).toBeNull()
      expect(await answer.text()).toContain(`(${error})`)
    }
  })
})

describe('a code', () => {
  it('works once: presented again, what it stands for ends', async () => {
    const given = await newCode()
    const tokens = (await (await exchange(given)).json()) as Tokens
    expect(await atMcp(tokens.access_token)).toBe(200)
    expect(await (await exchange(given)).json()).toEqual({ error: 'invalid_grant' })
    expect(await atMcp(tokens.access_token)).toBe(401)
    const refreshed = await postForm('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: given.clientId,
      refresh_token: tokens.refresh_token,
    })
    expect(refreshed.status).toBe(400)
    // A third time there is nothing left that could end.
    expect((await exchange(given)).status).toBe(400)
    const again = await ada.signInAgain()
    const { entries } = (await again.get('/v1/security/audit-log?action=session_revoked')).body
    const ended = entries.filter(({ actor_email }: { actor_email: string }) => actor_email === '')
    expect(ended).toMatchObject([
      { success: true, details: { client: expect.any(String), reason: 'code_misused' } },
    ])
  })

  it('is exchanged by one of many that present it at the same moment', async () => {
    const given = await newCode()
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(given)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('is nothing to another program, verifier, address or resource, nor late', async () => {
    const other = await register([callback], 'Another')
    for (const [more, error] of [
      [{ code_verifier: pkce().verifier }, 'invalid_grant'],
      [{ client_id: other }, 'invalid_grant'],
      [{ redirect_uri: 'https://evil.example/callback' }, 'invalid_grant'],
      [{ code: `code_${randomBytes(32).toString('base64url')}` }, 'invalid_grant'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ code_verifier: 'short' }, 'invalid_request'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
    ] as const) {
      const answer = await exchange(await newCode(), more)
      expect(answer.status).toBe(400)
      expect(await answer.json(), JSON.stringify(more)).toEqual({ error })
    }
    const stolen = await newCode()
    await exchange(stolen, { client_id: other })
    // Whoever has stolen it has shown it: the program itself is not let in by it either.
    expect((await exchange(stolen)).status).toBe(400)

    const late = await newCode()
    await asTenant(server.context.database.queries, { userId: ada.userId }, (trx) =>
      trx
        .withSchema('app')
        .updateTable('sessions')
        .set({ expires_at: new Date(Date.now() - 1_000) })
        .where('code_used_at', 'is', null)
        .where('code_hash', 'is not', null)
        .execute(),
    )
    expect((await exchange(late)).status).toBe(400)
  })
})

describe('a token', () => {
  it('of a program opens the MCP server alone, and a user’s own is none of a program', async () => {
    const tokens = await newTokens()
    for (const [method, path] of [
      ['GET', '/v1/memory/text/stats'],
      ['GET', '/v1/users/me'],
      ['GET', '/v1/security/sessions'],
      ['POST', '/v1/memory/subject-tokens'],
    ] as const) {
      const answer = await fetch(server.url + path, {
        method,
        headers: { ...bearer(tokens.access_token), 'Content-Type': 'application/json' },
        ...(method === 'POST' && { body: '{"subject":"x"}' }),
      })
      expect(answer.status, path).toBe(401)
    }
    const own = await ada.signInAgain()
    const asUser = await own.post('/v1/auth/refresh', { refresh_token: tokens.refresh_token })
    expect(asUser.status).toBe(401)
    const asProgram = await postForm('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: tokens.clientId,
      refresh_token: own.refreshToken,
    })
    expect(await asProgram.json()).toEqual({ error: 'invalid_grant' })
    // Neither attempt has spent anything.
    expect((await own.post('/v1/auth/refresh', { refresh_token: own.refreshToken })).status).toBe(200)
    expect(await atMcp(tokens.access_token)).toBe(200)
    // One that says of itself what it is not.
    const [header = '', , signature] = tokens.access_token.split('.')
    const changed = { ...decodeJwt(tokens.access_token), scopes: ['memory:read', 'memory:write', 'ops:run'] }
    const forged = Buffer.from(JSON.stringify(changed)).toString('base64url')
    expect(await atMcp([header, forged, signature].join('.'))).toBe(401)
  })

  it('for refreshing works once, for its program alone; presented again, all ends and the user is told', async () => {
    const user = await newUser(server)
    const tokens = await newTokens(user)
    const refresh = (refreshToken: string, clientId = tokens.clientId) =>
      postForm('/oauth/token', {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
      })
    expect((await refresh(tokens.refresh_token, await register([callback], 'Another'))).status).toBe(400)
    const next = (await (await refresh(tokens.refresh_token)).json()) as Tokens
    expect(await atMcp(next.access_token)).toBe(200)
    expect((await refresh(tokens.refresh_token)).status).toBe(400)
    expect(await atMcp(next.access_token)).toBe(401)
    expect((await refresh(next.refresh_token)).status).toBe(400)
    expect((await auditOf(server, user.userId)).map(({ action }) => action)).toContain('token_refresh_reuse')
  })

  it('opens nothing once its user is no member any more, and is renewed no more', async () => {
    const [user, other] = [await newUser(server), await newUser(server)]
    await addMember(server, user, other, 'owner')
    const tokens = await newTokens(user)
    expect(await atMcp(tokens.access_token)).toBe(200)
    const membership = `/v1/organizations/${user.organizationId}/members/${user.userId}`
    expect((await other.delete(membership)).status).toBe(200)
    expect(await atMcp(tokens.access_token)).toBe(401)
    const refreshed = await postForm('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: tokens.clientId,
      refresh_token: tokens.refresh_token,
    })
    expect([refreshed.status, await refreshed.json()]).toEqual([400, { error: 'invalid_grant' }])
    // Their own sessions go on.
    expect((await user.get('/v1/users/me')).status).toBe(200)
  })

  it('ends where its user ends all sessions', async () => {
    const user = await newUser(server)
    const tokens = await newTokens(user)
    expect((await user.post('/v1/auth/logout-all', {})).status).toBe(200)
    expect(await atMcp(tokens.access_token)).toBe(401)
  })
})

describe('a program that a document describes', () => {
  let documents: Server
  let address: string
  let document: Record<string, unknown>
  let asked: number
  let reading: TestServer
  const trusted = getCACertificates()

  beforeAll(async () => {
    const certificate = newCertificate()
    setDefaultCACertificates([...trusted, certificate.cert])
    asked = 0
    documents = createServer(certificate, (req, res) => {
      asked++
      if (req.url === '/moved.json') res.writeHead(302, { Location: '/client.json' }).end()
      else if (req.url === '/huge.json') res.end(JSON.stringify({ ...document, more: 'x'.repeat(100_000) }))
      else if (req.url === '/plain.txt') res.end('no JSON')
      else if (req.url === '/empty.json') res.end('{}')
      else res.end(JSON.stringify(document))
    })
    await new Promise<void>((done) => documents.listen(0, '127.0.0.1', done))
    address = `https://127.0.0.1:${(documents.address() as AddressInfo).port}`
    document = { client_id: `${address}/client.json`, client_name: 'Described', redirect_uris: [callback] }
    reading = await startServer({
      PUBLIC_BASE_URL: issuer,
      MEMORY_MCP_CLIENT_DOCUMENTS: 'on',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      TRUSTED_PROXIES: 'loopback',
    })
  })

  afterAll(async () => {
    setDefaultCACertificates(trusted)
    await reading.close()
    documents.closeAllConnections()
    await new Promise((done) => documents.close(done))
  })

  const show = (at: TestServer, clientId: string, ip?: string) =>
    fetch(authorizeUrl(clientId, pkce().challenge).replace(issuer, at.url), {
      redirect: 'manual',
      headers: ip === undefined ? {} : { 'X-Forwarded-For': ip },
    })

  it('is asked for where the settings say so, under the address of the document', async () => {
    expect((await show(server, `${address}/client.json`)).status).toBe(400)
    expect(asked).toBe(0)
    // Asked for again, the document is not read again.
    for (let time = 0; time < 3; time++) {
      const page = await show(reading, `${address}/client.json`)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain(`Described (${new URL(address).host})`)
    }
    expect(asked).toBe(1)
  })

  it('is none where the document is of another, elsewhere, too long or no document, nor where it must not be read', async () => {
    const refused = [
      `${address}/other.json`,
      `${address}/moved.json`,
      `${address}/huge.json`,
      `${address}/plain.txt`,
      `${address}/empty.json`,
      'https://127.0.0.1:9/client.json',
      'https://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/client.json',
      'https://user:secret@client.example.com/client.json',
    ]
    const unread = [
      `${address}/`,
      `${address}/client.json#x`,
      `${address}/a/../client.json`,
      `${address.replace('https', 'http')}/client.json`,
      'http://192.168.0.1/client.json',
      'file:///etc/passwd',
    ]
    const before = asked
    const pages = new Set<string>()
    for (const id of [...refused, ...refused, ...unread]) {
      const answer = await show(reading, id)
      expect(answer.status, id).toBe(400)
      expect(answer.headers.get('location'), id).toBeNull()
      if (refused.includes(id)) pages.add(await answer.text())
    }
    // What there is at an address is not told, and nobody has it looked at again and again.
    expect(pages.size).toBe(1)
    expect(asked - before).toBe(5)
  })

  it('is looked for at a limited number of addresses for each that asks, the machine itself included', async () => {
    for (const ip of ['203.0.113.7', undefined]) {
      const before = asked
      const answers = await Promise.all(
        Array.from({ length: 80 }, (_, n) => show(reading, `${address}/${ip}/${n}.json`, ip)),
      )
      const tooMany = answers.filter(({ status }) => status === 429)
      expect(tooMany.length).toBeGreaterThanOrEqual(20)
      expect(Number(tooMany[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(asked - before).toBeLessThanOrEqual(60)
    }
    // What is known already costs nothing.
    expect((await show(reading, `${address}/client.json`)).status).toBe(200)
    expect((await show(reading, `${address}/client.json`, '203.0.113.8')).status).toBe(200)
  })
})
