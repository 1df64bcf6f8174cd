import { randomBytes } from 'node:crypto'
import { newApiKey } from '@memory/identity/keys/api-key'
import { events } from '@memory/shared/catalogue/events'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { enrol, fromBase32 } from '../accounts/authenticator.ts'
import { invitationToken, setPlan } from '../organizations/support.ts'
import { asOwner } from '../platform/open-database.ts'
import { Anonymous, mailedToken, newUser, User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { dumpTables, type StoredRow } from '../support/tables.ts'
import { newDispatcher } from '../webhooks/support.ts'

/** What must be found nowhere, by what it is. */
const secrets = new Map<string, string>()
const texts = new Map<string, string>()
/** Every answer that was given. */
const answers: { request: string; status: number; body: string }[] = []
/** Every row that was stored at some time. */
const rows: StoredRow[] = []

let server: TestServer
let metrics = ''

function keep(kind: Map<string, string>, name: string, value: unknown): string {
  if (typeof value !== 'string' || value.length < 6) throw new Error(`No ${name}: ${JSON.stringify(value)}`)
  kind.set(name, value)
  return value
}

const canary = (name: string) => keep(secrets, name, `canary ${name} ${randomBytes(8).toString('hex')}`)
const text = (name: string) => keep(texts, name, `the canary ${name} sings ${randomBytes(8).toString('hex')}`)

beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'trace' })
  const send = globalThis.fetch
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    const response = await send(...request)
    const [url, init] = request
    const body = await response.clone().text()
    answers.push({ request: `${init?.method} ${url}`, status: response.status, body })
    return response
  })
  try {
    await liveThroughEverything()
  } finally {
    vi.unstubAllGlobals()
  }
})

afterAll(() => server.close())

async function liveThroughEverything(): Promise<void> {
  const ada = await register()
  await useMemory(ada)
  await manageKeys(ada)
  await manageWebhooks(ada)
  await changePasswords(ada)
  const ben = await secondFactors()
  await inviteSomebody(ada, ben)
  rows.push(...(await dumpTables(server.context.database.queries)))
  await server.mails()
  await failInside()
  metrics = await server.context.metrics.registry.metrics()
  rows.push(...(await dumpTables(server.context.database.queries)))
}

async function register(): Promise<User> {
  const anybody = new Anonymous(server.url)
  const ada = await newUser(server, { password: canary('password') })
  keepTokens('first session', ada)
  const { email, password } = ada
  for (const [path, body] of [
    ['register', { email, password: canary('taken password') }],
    ['register', { email: 'no address', password: canary('refused password') }],
    ['register', { email: `new-${email}`, password: [canary('password of a wrong type')] }],
    ['register', { email: `new-${email}`, password: keep(secrets, 'short password', 'cnry:9zQ') }],
    ['login', { email, password: canary('wrong password') }],
    ['login', { email: `no-${email}`, password: canary('password of nobody') }],
    ['login', { email, password, recovery_code: 5, mfa_code: canary('malformed code') }],
    ['refresh', { refresh_token: canary('unknown refresh token') }],
    ['refresh', { refresh_token: [canary('refresh token in a list')] }],
    ['verify-email', { token: canary('unknown verification token') }],
    ['reset-password', { token: canary('unknown reset token'), new_password: canary('password to reset') }],
    ['reset-password', { token: canary('reset token alone') }],
    ['mfa/login', { token: canary('unknown challenge'), code: '000000' }],
  ] as const) {
    const { status } = await anybody.post(`/v1/auth/${path}`, body)
    expect(status, path).toBeGreaterThanOrEqual(400)
  }
  const malformed = `{"email": "x", "password": "${canary('password in broken JSON')}"`
  expect((await anybody.post('/v1/auth/login', malformed)).status).toBe(400)
  await anybody.get(`/v1/users/me?access_token=${encodeURIComponent(ada.accessToken)}`)
  await anybody.get('/v1/users/me', { Authorization: `Bearer ${canary('bearer').replaceAll(' ', '-')}` })
  const verification = keep(
    secrets,
    'verification token',
    await mailedToken(server, ada.userId, 'verify-email'),
  )
  expect((await anybody.post('/v1/auth/verify-email', { token: verification })).status).toBe(200)
  expect((await anybody.post('/v1/auth/verify-email', { token: verification })).status).toBe(401)
  const again = await ada.signInAgain({ 'User-Agent': '\u00e9"}\t{"level":60,"msg":"forged"}' })
  keepTokens('second session', again)
  const { body } = await anybody.post('/v1/auth/refresh', { refresh_token: again.refreshToken })
  const refreshed = again.with({ accessToken: body.access_token, refreshToken: body.refresh_token })
  keepTokens('refreshed session', refreshed)
  expect((await anybody.post('/v1/auth/refresh', { refresh_token: again.refreshToken })).status).toBe(401)
  expect((await refreshed.get('/v1/users/me')).status).toBe(401)
  return ada
}

function keepTokens(name: string, { accessToken, refreshToken }: User): void {
  const [, , signature] = accessToken.split('.')
  keep(secrets, `access token of the ${name}`, signature)
  keep(secrets, `refresh token of the ${name}`, refreshToken)
}

async function useMemory(ada: User): Promise<void> {
  const note = text('note')
  const { body } = await ada.post('/v1/memory/text/store', { text: note, metadata: { tag: text('tag') } })
  const path = `/v1/memory/patterns/${body.pattern_id}`
  const results = [
    await ada.patch(path, { text: text('changed note') }),
    await ada.post('/v1/memory/text/batch-store', { items: [{ text: text('first item') }] }),
    await ada.post('/v1/memory/text/retrieve', { query: text('question'), filter: { tag: text('filter') } }),
    await ada.post('/v1/memory/tiered/retrieve', { query: text('question about tiers') }),
    await ada.post('/v1/memory/text/explain', { query: text('question to explain') }),
    await ada.post('/v1/memory/belief/classify', { query: text('statement to classify') }),
    await ada.post('/v1/memory/routing/decide', {
      query: text('query to route'),
      context: text('its context'),
    }),
    await ada.post('/v1/memory/efe/evaluate', { query: text('query to evaluate') }),
    await ada.post('/v1/memory/text/similarity', { text_a: text('left'), text_b: text('right') }),
    await ada.post('/v1/memory/text/embed', { text: text('embedded text') }),
    await ada.delete('/v1/memory/text/forget', { query: note, category: text('category') }),
    await ada.get('/v1/memory/patterns', { 'X-Memory-Actor': text('actor') }),
    await ada.get('/v1/usage/summary'),
    await ada.get('/v1/usage/latency'),
  ]
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 200))
  const refused = [
    await ada.patch('/v1/memory/patterns/pat_none', { text: text('text for nobody') }),
    await ada.get(`/v1/memory/patterns/${encodeURIComponent(text('id'))}`),
    await ada.get(`/v1/${encodeURIComponent(text('path'))}`),
    await ada.post('/v1/memory/text/store', `{"text": "${text('broken JSON')}"`),
    await ada.post(
      '/v1/memory/text/store',
      { text: text('of a foreigner') },
      { 'X-Organization-Id': newId() },
    ),
  ]
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 400, 404])
}

const newId = () => '00000000-0000-4000-8000-000000000001'

async function manageKeys(ada: User): Promise<void> {
  await setPlan(server, ada, 'enterprise')
  const { body } = await ada.post('/v1/api-keys', { name: 'canary', scopes: ['memory:read'] })
  const key = keep(secrets, 'API key', body.key)
  const anybody = new Anonymous(server.url)
  const store = { text: text('without the scope') }
  const asked = [
    await anybody.get('/v1/memory/text/stats', { 'X-API-Key': key }),
    await anybody.post('/v1/memory/text/store', store, { 'X-API-Key': key }),
    await anybody.get('/v1/users/me', { 'X-API-Key': key }),
    await anybody.get(`/v1/memory/text/stats?api_key=${key}`),
    await ada.delete(`/v1/api-keys/${body.id}`),
    await anybody.get('/v1/memory/text/stats', { 'X-API-Key': key }),
    await anybody.get('/v1/memory/text/stats', {
      'X-API-Key': keep(secrets, 'unknown key', newApiKey('live')),
    }),
    await anybody.get('/v1/memory/text/stats', { 'X-API-Key': canary('malformed key') }),
  ]
  expect(asked.map(({ status }) => status)).toEqual([200, 403, 403, 401, 200, 401, 401, 401])
}

async function manageWebhooks(ada: User): Promise<void> {
  const { body } = await ada.post('/v1/webhooks', { url: 'https://1.1.1.1/', description: 'canary' })
  keep(secrets, 'webhook secret', body.secret)
  const at = `/v1/webhooks/${body.id}`
  const rotated = await ada.post(`${at}/rotate-secret`)
  keep(secrets, 'rotated webhook secret', rotated.body.secret)
  const password = keep(secrets, 'password in a URL', randomBytes(12).toString('hex'))
  const asked = [
    rotated,
    await ada.get('/v1/webhooks'),
    await ada.post(`${at}/test`),
    await ada.post('/v1/webhooks', { url: `https://ada:${password}@1.1.1.1/` }),
    await ada.patch(at, { url: `http://ada:${password}@1.1.1.1/` }),
    await ada.patch(at, { url: `gopher://ada:${password}@1.1.1.1/` }),
    await ada.patch(at, { url: `https://ada:${password}@:1/` }),
  ]
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 422, 422, 422, 422])
  const dispatcher = newDispatcher(server, async () => [])
  const secretRows = await dumpTables(server.context.database.queries)
  expect(secretRows.filter(({ table }) => table === 'webhook_secrets')).toHaveLength(2)
  rows.push(...secretRows)
  await asOwner(server.context.database.queries, (trx) =>
    sql`update app.webhooks set url = 'https://nowhere.invalid/'`.execute(trx),
  )
  await dispatcher.run()
  await dispatcher.idle()
}

async function changePasswords(ada: User): Promise<void> {
  const anybody = new Anonymous(server.url)
  const again = await newUser(server, { password: canary('password to be changed') })
  const change = { current_password: again.password, new_password: canary('changed password') }
  const changed = [
    await again.put('/v1/users/me/password', {
      ...change,
      current_password: canary('wrong current password'),
    }),
    await again.put('/v1/users/me/password', { ...change, new_password: 7 }),
    await again.put('/v1/users/me/password', change),
    await anybody.post('/v1/auth/forgot-password', { email: again.email }),
  ]
  expect(changed.map(({ status }) => status)).toEqual([403, 422, 200, 200])
  const token = keep(secrets, 'reset token', await mailedToken(server, again.userId, 'reset-password'))
  const reset = { token, new_password: canary('password after the reset') }
  expect((await anybody.post('/v1/auth/reset-password', reset)).status).toBe(200)
  expect((await anybody.post('/v1/auth/reset-password', reset)).status).toBe(401)
  expect((await ada.post('/v1/users/me/export')).status).toBe(202)
}

async function secondFactors(): Promise<User> {
  const ben = await newUser(server, { password: canary('password with a second factor') })
  const { app, recoveryCodes } = await enrol(ben, server.clock)
  keep(secrets, 'seed', app.secret)
  keep(secrets, 'code of the enrolment', app.code())
  for (const [at, code] of recoveryCodes.entries()) keep(secrets, `recovery code ${at}`, code)
  const { email, password } = ben
  const anybody = new Anonymous(server.url)
  const challenge = async () => {
    const { body } = await anybody.post('/v1/auth/login', { email, password })
    return keep(secrets, `challenge ${secrets.size}`, body.mfa_token)
  }
  const token = await challenge()
  const wrong = keep(secrets, 'wrong code', app.wrongCode())
  expect((await anybody.post('/v1/auth/mfa/login', { token, code: wrong })).status).toBe(401)
  const code = keep(secrets, 'code of the login', app.nextCode())
  expect((await anybody.post('/v1/auth/mfa/login', { token, code })).status).toBe(200)
  expect((await anybody.post('/v1/auth/mfa/login', { token, code })).status).toBe(401)
  const [recovery] = recoveryCodes
  const recovered = await anybody.post('/v1/auth/mfa/login', { token: await challenge(), code: recovery })
  expect(recovered.status).toBe(200)
  return new User(server.url, {
    ...ben,
    accessToken: recovered.body.access_token,
    refreshToken: recovered.body.refresh_token,
  })
}

async function inviteSomebody(ada: User, ben: User): Promise<void> {
  const path = `/v1/organizations/${ada.organizationId}/invitations`
  expect((await ada.post(path, { email: ben.email, role: 'member' })).status).toBe(201)
  const token = keep(secrets, 'invitation token', await invitationToken(server, ben.email))
  const accept = '/v1/invitations/accept'
  const answered = [
    await ada.post(accept, { token }),
    await ben.post(accept, { token: canary('unknown invitation') }),
    await ben.post(accept, { token }),
    await ben.post(accept, { token }),
    await ben.delete('/v1/users/me'),
  ]
  expect(answered.map(({ status }) => status)).toEqual([403, 404, 200, 404, 200])
}

/** Has statements fail that hold secrets and texts. */
async function failInside(): Promise<void> {
  const anybody = new Anonymous(server.url)
  for (const table of ['patterns', 'users', 'refresh_tokens', 'email_tokens', 'mails', 'api_keys']) {
    const cleo = await newUser(server, { password: canary(`password for ${table}`) })
    const { email, password, refreshToken } = cleo
    const newcomer = { email: `without-${table}@example.com`, password: canary(`password without ${table}`) }
    await rename(table, `${table}_away`)
    const failed = [
      await cleo.post('/v1/memory/text/store', { text: text(`text without ${table}`) }),
      await anybody.post('/v1/auth/register', newcomer),
      await anybody.post('/v1/auth/login', { email, password }),
      await anybody.post('/v1/auth/forgot-password', { email }),
      await cleo.post('/v1/api-keys', { name: 'a key' }),
      await anybody.post('/v1/auth/refresh', { refresh_token: refreshToken }),
    ]
    await rename(`${table}_away`, table)
    expect(
      failed.map(({ status }) => status).some((status) => status >= 500),
      table,
    ).toBe(true)
  }
}

const rename = (from: string, to: string) =>
  asOwner(server.context.database.queries, (trx) =>
    sql`alter table ${sql.table(`app.${from}`)} rename to ${sql.id(to)}`.execute(trx),
  )

/** The ways in which a value may be written down, in JSON text too. */
function spellings(value: string): string[] {
  const bytes = Buffer.from(value)
  const spelled = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]
  // Six digits are part of some encoded text or other.
  if (!/^\d{6}$/.test(value)) {
    spelled.push(bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url'))
  }
  if (/^[A-Z2-7]{32}$/.test(value)) spelled.push(fromBase32(value).toString('hex'))
  if (/^[\w-]{43}$/.test(value)) spelled.push(Buffer.from(value, 'base64url').toString('hex'))
  return [...new Set(spelled)]
}

/** Which of the values stand in a text, by what they are. */
function hits(values: ReadonlyMap<string, string>, haystack: string): string[] {
  return [...values].flatMap(([name, value]) => {
    const found = spellings(value).some((spelled) =>
      // Digits stand among others: a code only where it stands by itself.
      /^\d{6}$/.test(value)
        ? new RegExp(`(?<![\\w.])${value}(?!\\w)`).test(haystack)
        : haystack.includes(spelled),
    )
    return found ? [name] : []
  })
}

describe('S1 what was said in confidence', () => {
  it('was said, and would be found', () => {
    expect(secrets.size).toBeGreaterThan(55)
    expect(texts.size).toBeGreaterThan(20)
    for (const [name, value] of [...secrets, ...texts]) {
      expect(hits(new Map([[name, value]]), `{"a":${JSON.stringify({ value })}}`), name).toEqual([name])
    }
    const changed = texts.get('changed note') as string
    expect(rows.some(({ table, text }) => table === 'patterns' && text.includes(changed))).toBe(true)
    expect(rows.some(({ table }) => table === 'usage_calls')).toBe(true)
    const [key] = hits(secrets, answers.find(({ body }) => body.includes('mem_live_'))?.body ?? '')
    expect(key).toBe('API key')
  })

  it('is not in the log, of which every line is JSON', () => {
    const { logLines } = server
    expect(logLines.length).toBeGreaterThan(80)
    expect(logLines.some((line) => JSON.parse(line).level >= 50)).toBe(true)
    const log = logLines.join('')
    expect(hits(secrets, log)).toEqual([])
    expect(hits(texts, log)).toEqual([])
  })

  it('S2 forges no line of the log', () => {
    for (const line of server.logLines) {
      for (const raw of ['\r', '\n', '\u001b']) expect(line.trimEnd()).not.toContain(raw)
      expect(JSON.parse(line).msg).not.toBe('forged')
    }
  })

  it('is not in the metrics', () => {
    expect(metrics).toContain('/v1/auth/login')
    expect(hits(secrets, metrics)).toEqual([])
    expect(hits(texts, metrics)).toEqual([])
  })

  it('is not in the answer to a request that failed', () => {
    const failed = answers.filter(({ status }) => status >= 400)
    expect(failed.length).toBeGreaterThan(40)
    for (const { request, body } of failed) {
      expect(hits(secrets, body), request).toEqual([])
      expect(hits(texts, body), request).toEqual([])
    }
  })

  it('is in no column of any table, but for the texts that memory is made of', () => {
    for (const { table, text } of rows) {
      expect(hits(secrets, text), table).toEqual([])
      if (!['patterns', 'pattern_versions', 'idempotency_keys'].includes(table)) expect(hits(texts, text), table).toEqual([])
    }
  })

  it('is in no event: each carries the ids, numbers and sealed texts that its type says, and nothing else', () => {
    const outbox = rows.filter(({ table }) => table === 'outbox').map(({ text }) => JSON.parse(text))
    expect(new Set(outbox.map(({ type }) => type)).size).toBeGreaterThanOrEqual(3)
    for (const { type, payload } of outbox) {
      expect(events[type as keyof typeof events].parse(payload), type).toEqual(payload)
      const { sealed, ...open } = payload
      if (sealed !== undefined) expect(type).toBe('account.mail_requested')
      for (const value of Object.values(open)) {
        expect(value).toMatch(/^[0-9a-f-]{36}$|^(owner|admin|member|reset-password|verify-email)$/)
      }
    }
  })
})
