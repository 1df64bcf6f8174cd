import { randomUUID } from 'node:crypto'
import { buildExport, type ExportContext } from '@memory/identity/accounts/build-export'
import { Archive } from '@memory/identity/accounts/export-archive'
import * as store from '@memory/identity/accounts/export-store'
import { openExport, purgeExports } from '@memory/identity/accounts/exports'
import { exportPatterns } from '@memory/memory/patterns/export-patterns'
import { revokeExports } from '@memory/memory/receipts/erasure-store'
import { lockSpace } from '@memory/memory/store'
import type { SignedIn } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { strFromU8, unzipSync } from 'fflate'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addMember } from '../organizations/support.ts'
import { asOwner } from '../platform/open-database.ts'
import { Anonymous, mailedToken, newUser, type User } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { withShortStatements } from '../support/triggers.ts'
import { until } from '../support/until.ts'

let server: TestServer
let queries: Queries

beforeAll(async () => {
  server = await startServer({
    MEMORY_DEFAULT_PLAN: 'enterprise',
    PUBLIC_BASE_URL: 'https://memory.example/',
  })
  queries = server.context.database.queries
})

afterAll(() => server.close())

const notFound = { status: 404, body: { detail: 'Export not found' } }

async function request(user: User): Promise<string> {
  const { status, body } = await user.post('/v1/users/me/export')
  expect({ status, body }).toEqual({
    status: 202,
    body: { export_id: expect.any(String), status: 'pending' },
  })
  return body.export_id
}

/** Asks for an export and has it built. */
async function newExport(user: User): Promise<string> {
  const id = await request(user)
  await server.mails()
  expect((await user.get(`/v1/users/me/exports/${id}`)).body.status).toBe('ready')
  return id
}

const download = (user: User, id: string, method = 'GET') =>
  fetch(`${server.url}/v1/users/me/exports/${id}/download`, {
    method,
    headers: { Authorization: `Bearer ${user.accessToken}` },
  })

/** The archive's files as texts, by name. */
async function unpack(user: User, id: string): Promise<Record<string, string>> {
  const response = await download(user, id)
  expect(response.status).toBe(200)
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
}

// biome-ignore lint/suspicious/noExplicitAny: what is in a line is under test
const linesOf = (text: string | undefined): any[] =>
  (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const rowsOf = (statement: ReturnType<typeof sql<{ n: number }>>) =>
  asOwner(queries, async (trx) => (await statement.execute(trx)).rows[0]?.n)

function exportContext(through: Queries = queries): ExportContext {
  const { accounts, clock, log } = server.context
  return {
    queries: through,
    secrets: accounts.secrets,
    clock,
    log,
    publicBaseUrl: accounts.settings.publicBaseUrl,
    exportPatterns,
    signal: new AbortController().signal,
  }
}

/** Queries of a process that is killed before its `n`th statement. */
function killedAt(n: number) {
  const state = { left: n }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (state.left-- <= 0) throw new Error('killed')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return queries.withPlugin(plugin)
}

/** Queries of a process that can't read the audit log. */
const withoutAudit = () =>
  queries.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes('app.audit_log')) throw new Error('the disk is gone')
      return node
    },
    transformResult: async ({ result }) => result,
  })

describe('an export', () => {
  it('is built five times a day at most: each archive is kept for a week', async () => {
    const ada = await newUser(server)
    for (let time = 0; time < 5; time++) {
      const id = await request(ada)
      // One that is refused does not count.
      if (time < 4) expect((await ada.post('/v1/users/me/export')).status).toBe(409)
      await server.mails()
      expect((await ada.get(`/v1/users/me/exports/${id}`)).body.status).toBe('ready')
    }
    const refused = await ada.post('/v1/users/me/export')
    expect(refused).toMatchObject({ status: 429, body: { detail: 'Too many attempts' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    await newExport(await newUser(server))
  })

  it('D3 has everything that is kept of the user, in the documented format; counts equal the database', async () => {
    const ada = await newUser(server, { fullName: 'Ada Lovelace', organizationName: 'Engines' })
    await ada.signInAgain({ 'User-Agent': 'Firefox' })
    const { organizationId, userId } = ada
    const live = await server.newClient({ organizationId })
    const test = await server.newClient({ organizationId, environment: 'test' })
    const texts = Array.from({ length: 110 }, (_, n) => `Fact ${n} “of Ada”`)
    for (let at = 0; at < texts.length; at += 50) await live.store(texts.slice(at, at + 50))
    await live.post('/v1/memory/store', {
      key: [0.1, -2e-5, 3],
      value: [1e10],
      metadata: { n: 1.5, 'a"b': null },
    })
    await live.post('/v1/memory/text/store', {
      text: 'over',
      expires_at: new Date(Date.now() + 9e5).toISOString(),
    })
    await asTenant(queries, { spaceId: await spaceOf(organizationId) }, (trx) =>
      sql`update app.patterns set expires_at = now() where text = 'over'`.execute(trx),
    )
    await test.store(['only a test'])
    await server.context.memory.accesses.flush()

    const id = await newExport(ada)
    const files = await unpack(ada, id)
    const [liveFile, testFile] = ['live', 'test'].map(
      (each) => `patterns-${organizationId}-${each}.ndjson`,
    ) as [string, string]
    expect(Object.keys(files).sort()).toEqual(
      ['audit.ndjson', 'organizations.json', 'profile.json', 'sessions.json', liveFile, testFile].sort(),
    )
    const profile = JSON.parse(files['profile.json'] as string)
    expect(profile).toMatchObject({
      id: userId,
      email: ada.email,
      full_name: 'Ada Lovelace',
      mfa_enabled: false,
    })
    expect(JSON.stringify(files)).not.toMatch(/password_hash|argon2|token_hash|key_hash/)
    expect(JSON.parse(files['organizations.json'] as string)).toEqual([
      expect.objectContaining({
        id: organizationId,
        name: 'Engines',
        role: 'owner',
        patterns: { live: 111, test: 1 },
      }),
    ])
    const lines = linesOf(files[liveFile])
    expect(lines.map(({ pattern_idx }) => pattern_idx)).toEqual(Array.from({ length: 111 }, (_, n) => n))
    expect(lines.slice(0, 110).map(({ text }) => text)).toEqual(texts)
    const f32 = (numbers: number[]) => [...Float32Array.from(numbers)]
    expect(f32(lines[110].key)).toEqual(f32([0.1, -2e-5, 3]))
    expect(lines[110]).toMatchObject({ text: null, value: [1e10], metadata: { n: 1.5, 'a"b': null } })
    expect(lines[0]).toMatchObject({
      key: expect.any(Array),
      value: null,
      tier: 'hot',
      pattern_id: expect.any(String),
    })
    expect(lines[0].key).toHaveLength(384)
    const { body: shown } = await live.get('/v1/memory/patterns?limit=1')
    const [first] = shown.patterns
    expect(first).toMatchObject({ text: texts[0], metadata: {}, valid_from: first.occurred_at })
    // Nobody said anything of its protection.
    const { protected: _, ...pattern } = first
    expect(lines[0]).toMatchObject(pattern)
    expect(lines[0]).not.toHaveProperty('protected')
    expect(linesOf(files[testFile]).map(({ text }) => text)).toEqual(['only a test'])
    expect(lines).toHaveLength(
      (await rowsOf(sql`select count(*)::int as n from app.patterns p join app.spaces s on s.id = p.space_id
        where s.organization_id = ${organizationId} and s.environment = 'live'
          and (p.expires_at is null or p.expires_at > now())`)) as number,
    )
    expect(JSON.parse(files['sessions.json'] as string)).toHaveLength(
      (await rowsOf(sql`select count(*)::int as n from app.sessions where user_id = ${userId}`)) as number,
    )
    expect(linesOf(files['audit.ndjson'])).toHaveLength(
      (await rowsOf(sql`select count(*)::int as n from app.audit_log where user_id = ${userId}`)) as number,
    )
    expect(linesOf(files['audit.ndjson']).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['register', 'login', 'export_requested']),
    )
  })

  it('has no memory of organizations that somebody else owns', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    const theirs = await server.newClient({ organizationId: ben.organizationId })
    await theirs.store(['Ben’s secret'])
    await asTenant(queries, { organizationId: ben.organizationId }, (trx) =>
      trx
        .withSchema('app')
        .insertInto('memberships')
        .values({ organization_id: ben.organizationId, user_id: ada.userId, role: 'admin' })
        .execute(),
    )
    const files = await unpack(ada, await newExport(ada))
    expect(JSON.parse(files['organizations.json'] as string)).toMatchObject([
      { id: ada.organizationId, patterns: { live: 0, test: 0 } },
      { id: ben.organizationId, role: 'admin', patterns: null },
    ])
    expect(JSON.stringify(files)).not.toContain('Ben’s secret')
    expect(Object.keys(files).filter((name) => name.includes(ben.organizationId))).toEqual([])
  })

  it('D3 is built one at a time, and is announced by mail and event', async () => {
    const ada = await newUser(server)
    const requests = await Promise.all(Array.from({ length: 5 }, () => ada.post('/v1/users/me/export')))
    expect(requests.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409])
    const id = requests.find(({ status }) => status === 202)?.body.export_id
    expect((await ada.get(`/v1/users/me/exports/${id}`)).body).toEqual({
      export_id: id,
      status: 'pending',
      download_url: null,
    })
    expect(await ada.get(`/v1/users/me/exports/${id}/download`)).toMatchObject({
      status: 409,
      body: { detail: 'The export is not ready yet' },
    })
    const url = `https://memory.example/v1/users/me/exports/${id}/download`
    const mail = (await server.mails()).at(-1)
    expect(mail).toMatchObject({ to: ada.email, subject: 'Your data export is ready' })
    expect(mail?.text).toContain(`GET ${url}`)
    expect((await ada.get(`/v1/users/me/exports/${id}`)).body).toEqual({
      export_id: id,
      status: 'ready',
      download_url: url,
    })
    expect(
      await rowsOf(sql`select count(*)::int as n from app.notifications
        where type = 'export_ready' and data ->> 'exportId' = ${id}`),
    ).toBe(1)
    // It leads to where the archive can be fetched.
    const [told] = (await ada.get('/v1/notifications')).body.data
    expect(told).toMatchObject({ type: 'export_ready', action_url: `/data?archive=${id}` })
    await newExport(ada)
  })

  it('D3 is its user’s alone', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    const id = await newExport(ada)
    for (const path of [`/v1/users/me/exports/${id}`, `/v1/users/me/exports/${id}/download`]) {
      expect(await ben.get(path)).toMatchObject(notFound)
      const key = await server.newClient({ organizationId: ada.organizationId })
      expect((await key.get(path)).status).toBe(403)
      expect((await fetch(server.url + path)).status).toBe(401)
    }
    for (const unknown of [randomUUID(), 'latest']) {
      expect(await ada.get(`/v1/users/me/exports/${unknown}`)).toMatchObject(notFound)
    }
  })

  it('is downloaded as a ZIP file of the length that was said', async () => {
    const ada = await newUser(server)
    const id = await newExport(ada)
    const response = await download(ada, id)
    const bytes = await response.arrayBuffer()
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(bytes.byteLength),
      'content-disposition': `attachment; filename="memory-export-${id}.zip"`,
      'cache-control': 'no-store',
    })
    const head = await download(ada, id, 'HEAD')
    expect(head.headers.get('content-length')).toBe(String(bytes.byteLength))
    expect((await head.arrayBuffer()).byteLength).toBe(0)
  })

  it('goes when something that it may hold is erased, and with it what told of it', async () => {
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: ada.organizationId })
    const [erased] = await key.store(['one', 'two'])
    const exportId = await newExport(ada)
    const told = async () =>
      (await ada.get('/v1/notifications')).body.data.filter(
        ({ type }: { type: string }) => type === 'export_ready',
      )
    expect(await told()).toMatchObject([{ action_url: expect.stringContaining(exportId) }])
    const [later, alsoLater] = await key.store(['three', 'four'])
    await key.delete(`/v1/memory/patterns/${later}`)
    await key.post('/v1/memory/patterns/delete', { pattern_ids: [alsoLater] })
    expect(Object.keys(await unpack(ada, exportId))).toContain('profile.json')
    expect(await told()).toHaveLength(1)
    await key.delete(`/v1/memory/patterns/${erased}`)
    expect(await ada.get(`/v1/users/me/exports/${exportId}`)).toMatchObject(notFound)
    expect(await told()).toEqual([])
  })

  const partsOf = ({ userId }: User) =>
    rowsOf(sql`select count(*)::int as n from app.export_parts where user_id = ${userId}`)

  const addParts = (user: User, exportId: string, count: number) =>
    asTenant(queries, { userId: user.userId }, (trx) =>
      sql`insert into app.export_parts (user_id, export_id, part, data)
        select ${user.userId}::uuid, ${exportId}::uuid, n, 'x' from generate_series(1, ${count}::int) n`.execute(
        trx,
      ),
    )

  it.each<[string, (user: User) => Promise<{ status: number }>]>([
    [
      'a memory that it holds is deleted',
      async (user) => {
        const key = await server.newClient({ organizationId: user.organizationId })
        const { patterns } = (await key.get('/v1/memory/patterns')).body
        return key.delete(`/v1/memory/patterns/${patterns[0].pattern_id}`)
      },
    ],
    [
      'its owner leaves',
      async (user) => {
        await addMember(server, user, await newUser(server), 'owner')
        return user.delete(`/v1/organizations/${user.organizationId}/members/${user.userId}`)
      },
    ],
    [
      'its account is taken over',
      async (user) => {
        await new Anonymous(server.url).post('/v1/auth/forgot-password', { email: user.email })
        const token = await mailedToken(server, user.userId, 'reset-password')
        const to = { token, new_password: 'what only the owner knows' }
        return new Anonymous(server.url).post('/v1/auth/reset-password', to)
      },
    ],
  ])('is seen no more when %s, however large it is, and its parts go by and by', async (_, revoke) => {
    const ada = await newUser(server)
    await (await server.newClient({ organizationId: ada.organizationId })).store(['one'])
    const exportId = await newExport(ada)
    const most = 32
    await addParts(ada, exportId, 2 * most)
    const short = { table: 'export_parts', change: 'delete', most } as const
    await withShortStatements(queries, short, async () => {
      expect((await revoke(ada)).status).toBe(200)
      expect(await store.find(queries, { userId: ada.userId, exportId })).toBeUndefined()
      expect(await partsOf(ada)).toBe(2 * most + 1)
      await purgeExports(queries)
    })
    expect(await partsOf(ada)).toBe(0)
    expect(await rowsOf(sql`select count(*)::int as n from app.exports where user_id = ${ada.userId}`)).toBe(
      0,
    )
  })

  it('is not read to its end when it is revoked meanwhile', async () => {
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: ada.organizationId })
    const [erased] = await key.store(['one'])
    const exportId = await newExport(ada)
    await addParts(ada, exportId, 1)
    await asTenant(queries, { userId: ada.userId }, (trx) =>
      sql`update app.exports set bytes = bytes + 1`.execute(trx),
    )
    const { pieces } = await openExport({ queries }, { userId: ada.userId } as SignedIn, exportId)
    const reading = pieces[Symbol.asyncIterator]()
    expect((await reading.next()).done).toBe(false)
    await key.delete(`/v1/memory/patterns/${erased}`)
    await expect(reading.next()).rejects.toThrow('gone')
  })

  it('D3 is gone after 7 days, with all its parts', async () => {
    const ada = await newUser(server)
    const id = await newExport(ada)
    const age = (days: number) =>
      asTenant(queries, { userId: ada.userId }, (trx) =>
        sql`update app.exports set expires_at = expires_at - make_interval(days => ${days})`.execute(trx),
      )
    await age(6)
    await purgeExports(queries)
    expect((await download(ada, id)).status).toBe(200)
    await age(1)
    expect(await ada.get(`/v1/users/me/exports/${id}`)).toMatchObject(notFound)
    expect((await download(ada, id)).status).toBe(404)
    expect(await partsOf(ada)).toBe(1)
    await purgeExports(queries)
    expect(await partsOf(ada)).toBe(0)
  })
})

describe('building an export', () => {
  it('F2 killed before any of its statements, the next attempt completes it once', async () => {
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: ada.organizationId })
    await key.store(['one', 'two', 'three'])
    const exportId = await request(ada)
    const id = { userId: ada.userId, exportId }
    let kills = 0
    for (; ; kills++) {
      const killed = await buildExport(exportContext(killedAt(kills)), id).then(
        () => false,
        () => true,
      )
      // The process that was killed is not heard of any more, and the attempts of this test are not those of one error.
      await asTenant(queries, { userId: ada.userId }, (trx) =>
        sql`update app.exports set active_at = null, failures = 0 where status = 'pending'`.execute(trx),
      )
      if (!killed) break
      expect(kills).toBeLessThan(200)
    }
    expect(kills).toBeGreaterThan(10)
    const files = await unpack(ada, exportId)
    expect(linesOf(files[`patterns-${ada.organizationId}-live.ndjson`])).toHaveLength(3)
    await server.mails()
    expect(
      (await server.mails()).filter(({ to, subject }) => to === ada.email && /export/.test(subject)),
    ).toHaveLength(1)
  })

  it('F2 an attempt that was taken for dead writes nothing into the one that took over', async () => {
    const ada = await newUser(server)
    const exportId = await request(ada)
    const id = { userId: ada.userId, exportId }
    const { build: paused } = (await store.claim(queries, id)) as store.Attempt
    expect(await store.insertPart(queries, id, paused, { part: 0, data: new Uint8Array(9) })).toBe(true)
    // As long as it may be alive nobody takes over.
    await expect(buildExport(exportContext(), id)).rejects.toThrow('Another process is building this export')
    await asTenant(queries, { userId: ada.userId }, (trx) =>
      // Less than until an event whose worker died is handed out again.
      sql`update app.exports set active_at = now() - interval '30 seconds'`.execute(trx),
    )
    await buildExport(exportContext(), id)
    const files = await unpack(ada, exportId)
    expect(await store.insertPart(queries, id, paused, { part: 1, data: new Uint8Array(9) })).toBe(false)
    const finished = await asTenant(queries, { userId: ada.userId }, (trx) =>
      store.finish(trx, id, paused, 18),
    )
    expect(finished).toBeUndefined()
    await asTenant(queries, { userId: ada.userId }, (trx) => store.fail(trx, id, paused))
    expect(await unpack(ada, exportId)).toEqual(files)
  })

  it('F2 an attempt that writes nothing for long is not taken for dead while its process lives', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const ada = await newUser(server)
      const id = { userId: ada.userId, exportId: await request(ada) }
      const isActive = () =>
        asTenant(queries, { userId: ada.userId }, (trx) =>
          sql<{
            is: boolean
          }>`select active_at > now() - interval '10 minutes' as is from app.exports`.execute(trx),
        ).then(({ rows }) => rows[0]?.is)
      const context = exportContext()
      const slow: typeof context.exportPatterns = async function* (...of) {
        await asTenant(queries, { userId: ada.userId }, (trx) =>
          sql`update app.exports set active_at = now() - interval '1 hour'`.execute(trx),
        )
        vi.advanceTimersByTime(store.renewEveryMs)
        await until(isActive, 'the renewal')
        await expect(buildExport(context, id)).rejects.toThrow('Another process is building this export')
        yield* context.exportPatterns(...of)
      }
      await buildExport({ ...context, exportPatterns: slow }, id)
      expect((await ada.get(`/v1/users/me/exports/${id.exportId}`)).body.status).toBe('ready')
    } finally {
      vi.useRealTimers()
    }
  })

  it('goes on however often memories are erased meanwhile, and holds none of these', async () => {
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: ada.organizationId })
    const stored = await key.store(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
    const id = { userId: ada.userId, exportId: await request(ada) }
    for (const erased of stored.slice(0, 7)) {
      const context = exportContext()
      const erasing: typeof context.exportPatterns = async function* (...of) {
        await key.delete(`/v1/memory/patterns/${erased}`)
        yield* context.exportPatterns(...of)
      }
      const built = buildExport({ ...context, exportPatterns: erasing }, id)
      await expect(built).rejects.toThrow('taken this export over')
    }
    // None of these counts as an attempt that failed.
    await expect(buildExport(exportContext(withoutAudit()), id)).rejects.toThrow('the disk is gone')
    await buildExport(exportContext(), id)
    const lines = linesOf((await unpack(ada, id.exportId))[`patterns-${ada.organizationId}-live.ndjson`])
    expect(lines).toHaveLength(1)
  })

  it('has nothing that was stored since it began, and so does not begin anew when this is erased', async () => {
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: ada.organizationId })
    await key.store(['one'])
    const id = { userId: ada.userId, exportId: await request(ada) }
    const context = exportContext()
    const ofKey = (await key.post('/v1/memory/text/embed', { text: 'by its key' })).body.embedding
    let later = ''
    const erasing: typeof context.exportPatterns = async function* (
      queries,
      organizationId,
      environment,
      at,
    ) {
      const [erased = '', of = ''] = environment === 'live' ? await key.store(['two', 'three']) : []
      yield* context.exportPatterns(queries, organizationId, environment, at)
      if (environment !== 'live') return
      later = of
      await key.store(['by its key'])
      for (const path of ['pattern', `patterns/${erased}`]) {
        expect((await key.delete(`/v1/memory/${path}`, path === 'pattern' ? ofKey : undefined)).status).toBe(
          200,
        )
      }
    }
    await buildExport({ ...context, exportPatterns: erasing }, id)
    const texts = async () =>
      linesOf((await unpack(ada, id.exportId))[`patterns-${ada.organizationId}-live.ndjson`]).map(
        ({ text }) => text,
      )
    expect(await texts()).toEqual(['one'])
    expect((await key.delete(`/v1/memory/patterns/${later}`)).status).toBe(200)
    expect(await texts()).toEqual(['one'])
  })

  // The embedded database has one connection, on which nobody waits for another.
  it.runIf(onPostgres)('waits for who is erasing a memory just then, and has none of it', async () => {
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: ada.organizationId })
    await key.store(['one', 'two'])
    const id = { userId: ada.userId, exportId: await request(ada) }
    const spaceId = await spaceOf(ada.organizationId)
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const erasing = asTenant(queries, { organizationId: ada.organizationId, spaceId }, async (trx) => {
      await lockSpace(trx, spaceId)
      await revokeExports(trx)
      await sql`delete from app.patterns where text = 'one'`.execute(trx)
      begun.resolve()
      await end.promise
    })
    await Promise.race([begun.promise, erasing])
    const built = buildExport(exportContext(), id)
    await until(async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_locks l join pg_stat_activity a using (pid)
          where not l.granted and a.datname = current_database()`.execute(queries)
      return rows[0]?.waiting !== 0
    }, 'the export to wait').finally(() => end.resolve())
    await Promise.all([erasing, built])
    const lines = linesOf((await unpack(ada, id.exportId))[`patterns-${ada.organizationId}-live.ndjson`])
    expect(lines.map(({ text }) => text)).toEqual(['two'])
  })

  /** Checks that the export has failed, and that a mail says so. */
  async function expectFailed(user: User, exportId: string) {
    const shown = await user.get(`/v1/users/me/exports/${exportId}`)
    expect(shown.body).toMatchObject({ status: 'failed', download_url: null })
    expect(server.logLines.join('')).toContain('export given up')
    const mails = (await server.mails()).filter(
      ({ to, subject }) => to === user.email && /export/.test(subject),
    )
    expect(mails.map(({ subject }) => subject)).toEqual(['Your data export failed'])
  }

  it('gives up where it has begun anew for a week, and says so', async () => {
    const ada = await newUser(server)
    const exportId = await request(ada)
    await asTenant(queries, { userId: ada.userId }, (trx) =>
      sql`update app.exports set created_at = now() - interval '170 hours'`.execute(trx),
    )
    await buildExport(exportContext(), { userId: ada.userId, exportId })
    await expectFailed(ada, exportId)
  })

  it('gives up after five attempts, says so, and lets the user ask again', async () => {
    const ada = await newUser(server)
    const exportId = await request(ada)
    const id = { userId: ada.userId, exportId }
    const failing = withoutAudit()
    for (let attempt = 1; attempt < 5; attempt++) {
      await expect(buildExport(exportContext(failing), id)).rejects.toThrow('the disk is gone')
    }
    await buildExport(exportContext(failing), id)
    await expectFailed(ada, exportId)
    expect(await newExport(ada)).not.toBe(exportId)
  })
})

describe('the archive', () => {
  it('is written in parts of about the size asked for, whatever the size of its texts', async () => {
    const parts: Uint8Array[] = []
    const archive = new Archive(async (part) => void parts.push(part), {
      partBytes: 50_000,
      mtime: new Date(),
    })
    // Random text, which does not get smaller.
    const noise = Array.from({ length: 4_000 }, () => `${randomUUID()}\n`)
    await archive.add('small.txt', noise)
    await archive.add('large.txt', [noise.join('')])
    await archive.add('empty.txt', [])
    const bytes = await archive.finish()
    const whole = Buffer.concat(parts)
    expect(whole.length).toBe(bytes)
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) expect(part.length).toBeLessThan(150_000)
    const files = unzipSync(whole)
    expect(strFromU8(files['small.txt'] as Uint8Array)).toBe(noise.join(''))
    expect(strFromU8(files['large.txt'] as Uint8Array)).toBe(noise.join(''))
    expect(files['empty.txt']).toHaveLength(0)
  })
})

async function spaceOf(organizationId: string): Promise<string> {
  const { id } = await asTenant(queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('spaces')
      .select('id')
      .where('environment', '=', 'live')
      .executeTakeFirstOrThrow(),
  )
  return id
}
