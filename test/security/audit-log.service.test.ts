import { connect } from 'node:net'
import { recordAudit } from '@memory/shared/audit/audit'
import type { Role } from '@memory/shared/catalogue/roles'
import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../platform/open-database.ts'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import { ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const log = '/v1/security/audit-log'

async function entriesOf(user: User, query = '?limit=200') {
  const { status, body } = await user.get(log + query)
  expect(status).toBe(200)
  return body.entries as { action: string; actor_email: string; details?: object; user_agent?: string }[]
}

const actionsOf = async (user: User) => (await entriesOf(user)).map(({ action }) => action)

/** Makes a user a member of another one's organization, and speaks for it. */
async function joined(user: User, organizationId: string, role: Role): Promise<User> {
  await asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .insertInto('memberships')
      .values({ organization_id: organizationId, user_id: user.userId, role })
      .execute(),
  )
  return user
}

describe('GET /v1/security/audit-log', () => {
  it('answers what the user did, newest first, as the contract has it', async () => {
    const ada = await newUser(server)
    await ada.signInAgain({ 'User-Agent': 'curl/8.5.0' })
    const { status, body } = await ada.get(log)
    expect(status).toBe(200)
    expect(body).toMatchObject({ page: 1, limit: 50, has_more: false })
    expect(body.entries.map(({ action }: { action: string }) => action)).toEqual(['login', 'register'])
    expect(body.entries[0]).toEqual({
      action: 'login',
      actor_email: ada.email,
      ip: '127.0.0.1',
      user_agent: 'curl/8.5.0',
      success: true,
      timestamp: expect.stringMatching(/Z$/),
    })
  })

  it('answers what is asked for: an action, what failed, who did it, when', async () => {
    const ada = await newUser(server)
    await ada.signInAgain()
    await new Anonymous(server.url).post('/v1/auth/login', { email: ada.email, password: 'not this one' })
    const [failed, login] = (await entriesOf(ada)) as unknown as { timestamp: string }[]
    const ask = async (query: Record<string, string>) =>
      (await entriesOf(ada, `?${new URLSearchParams(query)}`)).map(({ action }) => action)
    expect(await ask({ action: 'login' })).toEqual(['login'])
    expect(await ask({ success: 'false' })).toEqual(['login_failed'])
    expect(await ask({ success: 'true' })).toEqual(['login', 'register'])
    expect(await ask({ actor_email: ada.email.toUpperCase(), action: 'register' })).toEqual(['register'])
    expect(await ask({ actor_email: 'somebody@example.com' })).toEqual([])
    const [at = '', before = ''] = [failed?.timestamp, login?.timestamp]
    // Times are shown to the millisecond and kept to the microsecond.
    const later = new Date(Date.parse(at) + 1).toISOString()
    expect(await ask({ since: later })).toEqual([])
    expect(await ask({ until: later, limit: '1' })).toEqual(['login_failed'])
    expect(await ask({ until: before })).not.toContain('login_failed')
    expect((await ada.get(`${log}?action=unheard_of`)).status).toBe(422)
    expect((await ada.get(`${log}?since=yesterday`)).status).toBe(422)
  })

  it('finds in an organization what a filter asks for, and in no other', async () => {
    const [ada, eve] = [await newUser(server), await newUser(server)]
    await ada.post(`/v1/organizations/${ada.organizationId}/api-keys`, {
      name: 'One',
      scopes: ['memory:read'],
    })
    const query = `?${new URLSearchParams({ action: 'key_created', actor_email: ada.email })}`
    expect(await entriesOf(ada, query)).toHaveLength(1)
    expect(await entriesOf(eve, query)).toEqual([])
  })

  it('shows failed logins to whom they concern', async () => {
    const ada = await newUser(server)
    await new Anonymous(server.url).post('/v1/auth/login', { email: ada.email, password: 'wrong' })
    const [entry] = await entriesOf(ada)
    expect(entry).toMatchObject({ action: 'login_failed', success: false, actor_email: ada.email })
  })

  it('pages without gap or overlap', async () => {
    const ada = await newUser(server)
    for (let i = 0; i < 6; i++) await ada.signInAgain()
    const all = await entriesOf(ada)
    expect(all).toHaveLength(7)
    const paged: object[] = []
    for (let page = 1; ; page++) {
      const { body } = await ada.get(`${log}?page=${page}&limit=3`)
      expect(body).toMatchObject({ page, limit: 3 })
      paged.push(...body.entries)
      if (!body.has_more) break
    }
    expect(paged).toEqual(all)
    expect((await ada.get(`${log}?limit=7`)).body.has_more).toBe(false)
    expect((await ada.get(`${log}?page=50&limit=200`)).body).toMatchObject({ entries: [], has_more: false })
    const { status, body } = await ada.get(`${log}?page=51&limit=200`)
    expect(status).toBe(422)
    expect(body.detail[0].msg).toContain('at most 10000: narrow with since and until')
  })

  it.each(['page=0', 'page=-1', 'page=a', 'limit=0', 'limit=201', 'page=1&page=2', 'page=1e99'])(
    'refuses %s',
    async (query) => {
      const ada = await newUser(server)
      expect((await ada.get(`${log}?${query}`)).status).toBe(422)
    },
  )

  it('shows an organization’s entries to its admins, others their own, and nobody else’s', async () => {
    const { queries } = server.context.database
    const [owner, admin, member, stranger] = (await Promise.all(
      Array.from({ length: 4 }, () => newUser(server)),
    )) as [User, User, User, User]
    const { organizationId } = owner
    await joined(admin, organizationId, 'admin')
    await joined(member, organizationId, 'member')
    await asTenant(queries, { organizationId }, (trx) =>
      recordAudit(trx, {
        action: 'organization_updated',
        actor: { kind: 'user', userId: owner.userId, email: owner.email },
        organizationId,
        details: { name: 'new' },
      }),
    )
    const within = { 'X-Organization-Id': organizationId }
    const seenBy = async (user: User) =>
      (await user.get(`${log}?limit=200`, within)).body.entries.map(
        (entry: { action: string; actor_email: string }) => [entry.action, entry.actor_email],
      )
    expect(await seenBy(owner)).toEqual([
      ['organization_updated', owner.email],
      ['register', owner.email],
    ])
    expect((await seenBy(admin)).sort()).toEqual(
      [
        ['organization_updated', owner.email],
        ['register', admin.email],
        ['register', owner.email],
      ].sort(),
    )
    expect(await seenBy(member)).toEqual([['register', member.email]])
    expect((await stranger.get(log, within)).status).toBe(404)
    // Without the header an admin of another organization speaks for their own.
    expect(await actionsOf(admin)).toEqual(['register'])
    expect(await actionsOf(stranger)).toEqual(['register'])
  })

  it('shows a member what others did to them, but not from where', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await joined(ben, ada.organizationId, 'member')
    const path = `/v1/organizations/${ada.organizationId}/members/${ben.userId}`
    expect((await ada.patch(path, { role: 'admin' }, { 'User-Agent': 'here/1' })).status).toBe(200)
    expect((await ada.patch(path, { role: 'member' }, { 'User-Agent': 'here/1' })).status).toBe(200)
    const changes = (await entriesOf(ben)).filter(({ action }) => action === 'role_changed')
    expect(changes).toHaveLength(2)
    for (const change of changes) {
      expect(change).toMatchObject({ actor_email: ada.email })
      expect(change).not.toHaveProperty('ip')
      expect(change).not.toHaveProperty('user_agent')
    }
    const own = (await entriesOf(ben)).find(({ action }) => action === 'register')
    expect(own).toHaveProperty('ip')
    const seen = (await entriesOf(ada)).find(({ action }) => action === 'role_changed')
    expect(seen).toMatchObject({ user_agent: 'here/1' })
  })

  it('finds an address by either spelling of its domain', async () => {
    const ada = await newUser(server, { email: `ada-${Date.now()}@bücher.example` })
    const [name] = ada.email.split('@')
    for (const domain of ['bücher.example', 'xn--bcher-kva.example', 'BÜCHER.example']) {
      const entries = await entriesOf(ada, `?actor_email=${encodeURIComponent(`${name}@${domain}`)}`)
      expect(entries.map(({ action }) => action)).toContain('register')
    }
  })

  it('shows each entry once that is the organization’s and the user’s', async () => {
    const ada = await newUser(server)
    await ada.post('/v1/memory/text/store', { text: 'a fact' })
    await ada.delete('/v1/memory/patterns?confirm=all')
    expect(await actionsOf(ada)).toEqual(['memory_forgotten', 'register'])
  })
})

describe('forgetting', () => {
  it('is entered with its count alone, under the user who did it', async () => {
    const ada = await newUser(server)
    for (const text of ['My cat is called Tom', 'I live in Riga']) {
      await ada.post('/v1/memory/text/store', { text, metadata: { category: 'secret-topic' } })
    }
    const forgotten = await ada.delete('/v1/memory/text/forget', { query: 'I live in Riga' })
    expect(forgotten.body.forgotten).toBe(1)
    await ada.delete('/v1/memory/text/forget', { category: 'secret-topic', dry_run: true })
    const inTest = { 'X-Memory-Environment': 'test' }
    for (const text of ['My cat is called Tom', 'I live in Riga']) {
      await ada.post('/v1/memory/text/store', { text }, inTest)
    }
    await ada.delete('/v1/memory/patterns?confirm=all', undefined, inTest)
    const entries = await entriesOf(ada)
    expect(entries).toMatchObject([
      { action: 'memory_forgotten', actor_email: ada.email, details: { forgotten: 2, environment: 'test' } },
      { action: 'memory_forgotten', actor_email: ada.email, details: { forgotten: 1, environment: 'live' } },
      { action: 'register' },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/Riga|Tom|secret-topic/)
  })

  it('by an API key is under the email of the user who made the key', async () => {
    const owner = await newUser(server)
    const { organizationId } = owner
    const operators = await newConformingClient(server, { organizationId })
    const { key, id: keyId } = (await owner.post('/v1/api-keys', { name: 'made by the owner' })).body
    const made = new ConformingClient(server.url, { key, keyId, organizationId })
    await made.store(['one', 'two'])
    await made.delete('/v1/memory/patterns?confirm=all')
    await operators.store(['three'])
    await operators.delete('/v1/memory/text/forget', { query: 'three' })
    expect((await entriesOf(owner)).slice(0, 2)).toMatchObject([
      { action: 'memory_forgotten', actor_email: '', details: { forgotten: 1, environment: 'live' } },
      {
        action: 'memory_forgotten',
        actor_email: owner.email,
        details: { forgotten: 2, environment: 'live' },
      },
    ])
  })

  it('by a key stays under that email when they have left', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await joined(ben, ada.organizationId, 'admin')
    const headers = { 'X-Organization-Id': ada.organizationId }
    const { body } = await ben.post('/v1/api-keys', { name: 'left behind' }, headers)
    const path = `/v1/organizations/${ada.organizationId}/members/${ben.userId}`
    expect((await ada.delete(path)).status).toBe(200)
    const client = new ConformingClient(server.url, {
      key: body.key,
      keyId: body.id,
      organizationId: ada.organizationId,
    })
    await client.post('/v1/memory/regime/inject-anomaly', {})
    const [entry] = await entriesOf(ada, `?actor_email=${ben.email}&action=anomaly_injected`)
    expect(entry).toMatchObject({ actor_email: ben.email })
  })

  it('by id and by key is entered too, with how many went', async () => {
    const ada = await newUser(server)
    const { body } = await ada.post('/v1/memory/text/store', { text: 'I live in Riga' })
    for (const value of [[1], [2]]) await ada.post('/v1/memory/store', { key: [0.5, 2], value })
    expect((await ada.delete(`/v1/memory/patterns/${body.pattern_id}`)).status).toBe(200)
    expect((await ada.delete('/v1/memory/pattern', [0.5, 2])).status).toBe(200)
    const entries = await entriesOf(ada)
    expect(entries).toMatchObject([
      { action: 'memory_forgotten', actor_email: ada.email, details: { forgotten: 2, environment: 'live' } },
      { action: 'memory_forgotten', actor_email: ada.email, details: { forgotten: 1, environment: 'live' } },
      { action: 'register' },
    ])
    // A timestamp may have the digits of the key.
    const withoutTimes = entries.map((entry) => ({ ...entry, timestamp: undefined }))
    expect(JSON.stringify(withoutTimes)).not.toMatch(/Riga|0\.5|pat_/)
    // What is gone already is no further deletion.
    expect((await ada.delete(`/v1/memory/patterns/${body.pattern_id}`)).status).toBe(404)
    expect((await ada.delete('/v1/memory/pattern', [0.5, 2])).status).toBe(404)
    expect(await entriesOf(ada)).toEqual(entries)
  })

  it('is entered with what the patterns were named by, for every way to have them removed', async () => {
    const ada = await newUser(server)
    const api = '/v1/memory'
    const store = async (more: object = {}): Promise<string> =>
      (await ada.post(`${api}/text/store`, { text: 'I live in Riga', ...more })).body.pattern_id
    const filter = { place: 'Riga' }
    const ways: [string[], () => Promise<unknown>][] = [
      [['id'], async () => ada.delete(`${api}/patterns/${await store()}`)],
      [['id'], async () => ada.post(`${api}/patterns/delete`, { pattern_ids: [await store()] })],
      [
        ['id', 'external_id'],
        async () =>
          ada.post(`${api}/patterns/delete`, {
            external_ids: ['a'],
            pattern_ids: [await store({ external_id: 'a' })],
          }),
      ],
      [
        ['filter', 'subject'],
        async () => {
          await store({ metadata: filter, subject: 'ada' })
          return ada.post(`${api}/patterns/delete`, { filter, subject: 'ada' })
        },
      ],
      [
        ['key'],
        async () => {
          await ada.post(`${api}/store`, { key: [0.5, 2], value: [1] })
          return ada.delete(`${api}/pattern`, [0.5, 2])
        },
      ],
      [
        ['query', 'category'],
        async () => {
          await store({ metadata: { category: 'home' } })
          return ada.delete(`${api}/text/forget`, { query: 'I live in Riga', category: 'home' })
        },
      ],
      [
        ['filter', 'subject'],
        async () => {
          await store({ metadata: filter, subject: 'ada' })
          return ada.delete(`${api}/text/forget`, { filter, subject: 'ada' })
        },
      ],
      [
        ['subject'],
        async () => {
          await store({ subject: 'ada' })
          return ada.delete(`${api}/subjects/ada`)
        },
      ],
      [
        ['version'],
        async () => {
          const id = await store()
          await ada.patch(`${api}/patterns/${id}`, { text: 'I live in Oslo' })
          return ada.delete(`${api}/patterns/${id}/history/1`)
        },
      ],
      [['all'], () => ada.delete(`${api}/patterns?confirm=all`)],
    ]
    for (const [by, forget] of ways) {
      expect(await forget(), by.join()).toMatchObject({ status: 200 })
      const [newest] = await entriesOf(ada)
      expect(newest, by.join()).toMatchObject({ action: 'memory_forgotten', details: { by } })
      expect(JSON.stringify(newest?.details)).not.toMatch(/Riga|Oslo|home|ada/)
    }
  })

  it('of one pattern by many at once is entered once', async () => {
    const ada = await newUser(server)
    const { body } = await ada.post('/v1/memory/text/store', { text: 'contested' })
    await ada.post('/v1/memory/store', { key: [3], value: [1] })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i % 2 === 0
          ? ada.delete(`/v1/memory/patterns/${body.pattern_id}`)
          : ada.delete('/v1/memory/pattern', [3]),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await actionsOf(ada)).toEqual(['memory_forgotten', 'memory_forgotten', 'register'])
  })

  it('is undone where it can not be entered', async () => {
    const ada = await newUser(server)
    const { body } = await ada.post('/v1/memory/text/store', { text: 'kept' })
    await ada.post('/v1/memory/store', { key: [3], value: [1] })
    const { queries } = server.context.database
    const constrain = (change: string) =>
      asOwner(queries, (trx) => sql`alter table app.audit_log ${sql.raw(change)}`.execute(trx))
    await constrain("add constraint none check (action <> 'memory_forgotten') not valid")
    try {
      expect((await ada.delete(`/v1/memory/patterns/${body.pattern_id}`)).status).toBe(500)
      expect((await ada.delete('/v1/memory/pattern', [3])).status).toBe(500)
    } finally {
      await constrain('drop constraint none')
    }
    expect((await ada.get('/v1/memory/patterns')).body.patterns).toHaveLength(2)
    expect((await ada.post('/v1/memory/query', { embedding: [3] })).body.results).toHaveLength(1)
  })

  it('that fails is not entered', async () => {
    const ada = await newUser(server)
    expect((await ada.delete('/v1/memory/text/forget', {})).status).toBe(422)
    expect((await ada.delete('/v1/memory/patterns')).status).toBe(422)
    expect(await actionsOf(ada)).toEqual(['register'])
  })
})

describe('an entry', () => {
  /** Everything that is kept of the newest entry of an organization. */
  const newestOf = (tenant: { organizationId: string }) =>
    asTenant(server.context.database.queries, tenant, (trx) =>
      trx
        .withSchema('app')
        .selectFrom('audit_log')
        .selectAll()
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow(),
    )

  it('says when, whose, by whom, from where, by which request, what, on what and how it ended', async () => {
    const ada = await newUser(server)
    const { organizationId } = ada
    const origin = { 'User-Agent': 'an agent', 'X-Request-Id': 'the-request' }
    const before = Date.now()
    const { body: key } = await ada.post('/v1/api-keys', { name: 'a key' }, origin)
    const { at, id: _, ...entry } = await newestOf(ada)
    expect(Math.abs(at.getTime() - before)).toBeLessThan(10_000)
    expect(entry).toMatchObject({
      action: 'key_created',
      success: true,
      organization_id: organizationId,
      actor: 'user',
      actor_id: ada.userId,
      actor_email: ada.email,
      session_id: ada.sessionId,
      ip: '127.0.0.1',
      user_agent: 'an agent',
      request_id: 'the-request',
      target: key.id,
    })
    const client = new ConformingClient(server.url, { key: key.key, keyId: key.id, organizationId })
    await client.store(['a fact'])
    await client.delete('/v1/memory/text/forget', { query: 'a fact' }, origin)
    expect(await newestOf(ada)).toMatchObject({
      action: 'memory_forgotten',
      success: true,
      organization_id: organizationId,
      actor: 'key',
      actor_id: key.id,
      actor_email: ada.email,
      session_id: null,
      ip: '127.0.0.1',
      user_agent: 'an agent',
      request_id: 'the-request',
    })
  })
})

describe('the log', () => {
  it('only grows: the service’s role may neither change nor remove entries', async () => {
    const { queries } = server.context.database
    const ada = await newUser(server)
    const before = await entriesOf(ada)
    for (const statement of [
      sql`update app.audit_log set action = 'login'`,
      sql`update app.audit_log set ip = null where user_id = ${ada.userId}`,
      sql`delete from app.audit_log`,
      sql`truncate app.audit_log`,
      sql`drop table app.audit_log`,
      sql`alter table app.audit_log disable row level security`,
    ]) {
      await expect(asTenant(queries, ada, (trx) => statement.execute(trx))).rejects.toThrow(
        /permission denied|must be owner/,
      )
    }
    expect(await entriesOf(ada)).toEqual(before)
  })

  it('takes no entry for another user or organization', async () => {
    const { queries } = server.context.database
    const [ada, ben] = await Promise.all([newUser(server), newUser(server)])
    for (const foreign of [{ userId: ben.userId }, { organizationId: ben.organizationId }]) {
      await expect(
        asTenant(queries, ada, (trx) =>
          recordAudit(trx, { action: 'login', actor: { kind: 'system' }, ...foreign }),
        ),
      ).rejects.toThrow(/row-level security/)
    }
    expect(await actionsOf(ben)).toEqual(['register'])
  })

  it('goes back with what it records', async () => {
    const ada = await newUser(server)
    const undone = asTenant(server.context.database.queries, ada, async (trx) => {
      await recordAudit(trx, { action: 'login', actor: { kind: 'system' }, userId: ada.userId })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await actionsOf(ada)).toEqual(['register'])
  })
})

describe('what a client says of itself', () => {
  it('S2 loses control and direction characters, and is cut off', async () => {
    const ada = await newUser(server)
    const userAgent = `evil\u009b31m\u0085\u00ad agent ${'x'.repeat(5_000)}`
    await ada.signInAgain({ 'User-Agent': userAgent })
    const [entry] = await entriesOf(ada)
    expect(entry?.user_agent).toMatch(/^evil\ufffd31m\ufffd\ufffd agent x+$/)
    expect(entry?.user_agent).toHaveLength(512)
    const [session] = (await ada.get('/v1/security/sessions')).body
    expect(session.device).toMatch(/^[\w .-]+$/)
  })

  it.each([
    ['an escape character', 'evil\u001b[31m'],
    ['NUL', 'evil\u0000'],
    ['a folded line', 'evil\r\n folded'],
  ])('S2 with %s reaches neither log', async (_name, userAgent) => {
    const ada = await newUser(server)
    const body = JSON.stringify({ email: ada.email, password: ada.password })
    const answer = await raw(
      `POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\nUser-Agent: ${userAgent}\r\n\r\n${body}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(await actionsOf(ada)).toEqual(['register'])
    for (const line of server.logLines) expect(JSON.parse(line)).toBeTypeOf('object')
  })

  it('S2 in the shape of JSON stays one text', async () => {
    const ada = await newUser(server)
    const userAgent = '"},{"action":"mfa_disabled","success":true,"x":"'
    await ada.signInAgain({ 'User-Agent': userAgent })
    const entries = await entriesOf(ada)
    expect(entries.map(({ action }) => action)).toEqual(['login', 'register'])
    expect(entries[0]?.user_agent).toBe(userAgent)
  })
})

/** Sends bytes as they are. @returns everything that came back */
function raw(request: string): Promise<string> {
  const { port, hostname } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request, 'latin1'))
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')))
  })
}
