import { authenticateSession, type SessionAuthCache } from '@memory/identity/accounts/authentication'
import { hashApiKey } from '@memory/identity/keys/api-key'
import { AuthBatcher, type KeyAuthCache } from '@memory/identity/keys/auth-batcher'
import { createKey } from '@memory/identity/keys/service'
import { AuthCache } from '@memory/identity/security/auth-cache'
import type { Database, Queries } from '@memory/shared/platform/database/database'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asOwner, newOrganization, openTestDatabase } from '../platform/open-database.ts'
import { until } from '../support/until.ts'

const origin = { requestId: 'req_1', ip: null, userAgent: null, isLocal: false }
const kid = 'signer'

let database: Database
let statements = 0
let counting: Queries
let knownKeys: KeyAuthCache | undefined
let knownSessions: SessionAuthCache | undefined
let ada: { organizationId: string; keyHash: string }
let ben: { organizationId: string; keyHash: string }
let claims: { userId: string; sessionId: string; kid: string }

beforeAll(async () => {
  database = await openTestDatabase()
  counting = database.queries.withPlugin({
    transformQuery: ({ node }) => {
      statements++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  knownKeys = await AuthCache.open(database)
  knownSessions = await AuthCache.open(database)
  await change(`insert into app.signing_keys (kid, public_key, private_key, signs_from)
    values ('${kid}', '{}', '\\x00', now())`)
})

afterAll(() => database.close())

beforeEach(async () => {
  ;[ada, ben] = [await newCaller(), await newCaller()]
  const [userId, sessionId] = [crypto.randomUUID(), crypto.randomUUID()]
  claims = { userId, sessionId, kid }
  await change(
    `insert into app.users (id, email, password_hash) values ('${userId}', '${userId}@example.com', '')`,
  )
  await change(`insert into app.memberships (organization_id, user_id, role)
    values ('${ada.organizationId}', '${userId}', 'owner')`)
  await change(`insert into app.sessions (user_id, id, expires_at)
    values ('${userId}', '${sessionId}', now() + interval '1 day')`)
})

async function newCaller() {
  const { organizationId } = await newOrganization(database.queries)
  const { key } = await createKey(database.queries, organizationId, {
    name: 'a key',
    environment: 'live',
    scopes: null,
    expiresAt: null,
  })
  return { organizationId, keyHash: hashApiKey(key) }
}

/** What is left of a day is told in seconds. */
const noon = new Date('2026-11-25T12:00:00Z')

/** By a connection of the owner: whoever makes a change, it is told. */
const change = (statement: string) =>
  asOwner(database.queries, (trx) => sql.raw(statement).execute(trx)).then(() => {})

/** As soon as nothing runs in the same turn of the event loop, what a key and a session are good for. */
async function judge(isKnown: boolean) {
  // What is left of a day's queries is the database's to say each time.
  await change('delete from app.query_counts')
  const authentication = new AuthBatcher(counting, isKnown ? knownKeys : undefined)
  const known = isKnown ? knownSessions : undefined
  const session = async (organizationId: string | undefined, count: number) => {
    try {
      return await authenticateSession(
        { queries: counting, known, now: noon },
        claims,
        { organizationId, environment: 'live', count },
        origin,
      )
    } catch (error) {
      return { refused: String(error) }
    }
  }
  return {
    read: await authentication.authenticate(ada.keyHash, 'memory:read', 1),
    readFree: await authentication.authenticate(ada.keyHash, 'memory:read', 0),
    write: await authentication.authenticate(ada.keyHash, 'memory:write', 0),
    other: await authentication.authenticate(ben.keyHash, 'memory:read', 1),
    own: await session(undefined, 1),
    named: await session(ada.organizationId, 0),
  }
}

describe('what is known of callers', () => {
  it('takes no statement until something changes, in the one process of an embedded database', async () => {
    const asked = async (isKnown: boolean) => {
      const before = statements
      await judge(isKnown)
      return statements - before
    }
    const all = await asked(false)
    expect(await asked(true)).toBe(all)
    expect(await asked(true)).toBe(database.kind === 'embedded' ? 0 : all)
    const ofBen = `organization_id = '${ben.organizationId}'`
    await change(`update app.api_keys set expires_at = now() + interval '1 day' where ${ofBen}`)
    // The others are as they were.
    expect(await asked(true)).toBe(database.kind === 'embedded' ? 1 : all)
    await change(
      `update app.spaces set version = version + 1, engine_version = engine_version + 1 where ${ofBen}`,
    )
    // Its versions were told.
    expect(await asked(true)).toBe(database.kind === 'embedded' ? 0 : all)
    expect(await judge(true)).toEqual(await judge(false))
  })

  const ofAda = () => `organization_id = '${ada.organizationId}'`
  const changes: Record<string, () => string> = {
    'a key is used': () => `update app.api_keys set last_used_at = now() where ${ofAda()}`,
    'a key is revoked': () => `update app.api_keys set revoked_at = now() where ${ofAda()}`,
    'a key is good again': () =>
      `update app.api_keys set revoked_at = null, expires_at = null where ${ofAda()}`,
    'a key expires': () => `update app.api_keys set expires_at = now() - interval '1 s' where ${ofAda()}`,
    'a key has other scopes': () => `update app.api_keys set scopes = '{memory:write}' where ${ofAda()}`,
    'a key is no more': () => `delete from app.api_keys where ${ofAda()}`,
    'an organization is on a plan with limits': () =>
      `update app.organizations set plan = 'free' where id = '${ada.organizationId}'`,
    'an organization is on a plan without': () =>
      `update app.organizations set plan = 'pro' where id = '${ada.organizationId}'`,
    'an organization is deleted': () =>
      `update app.organizations set deleted_at = now() where id = '${ada.organizationId}'`,
    'an organization is back': () =>
      `update app.organizations set deleted_at = null where id = '${ada.organizationId}'`,
    'a space has changed': () => `update app.spaces set version = version + 1 where ${ofAda()}`,
    'a space has learned': () => `update app.spaces set engine_version = engine_version + 1 where ${ofAda()}`,
    'a pattern is yet to become valid': () =>
      `update app.spaces set next_entry = now() + interval '1 h', version = version + 1 where ${ofAda()}`,
    'a pattern has become valid': () =>
      `update app.spaces set next_entry = now() - interval '1 s', version = version + 1 where ${ofAda()}`,
    'no pattern is yet to become valid': () => `update app.spaces set next_entry = null where ${ofAda()}`,
    'a session is used': () =>
      `update app.sessions set last_active_at = now() where id = '${claims.sessionId}'`,
    'a session is revoked': () =>
      `update app.sessions set revoked_at = now() where id = '${claims.sessionId}'`,
    'a session expires': () =>
      `update app.sessions set expires_at = now() - interval '1 s' where id = '${claims.sessionId}'`,
    'a session is good again': () =>
      `update app.sessions set revoked_at = null, expires_at = now() + interval '1 h'
        where id = '${claims.sessionId}'`,
    'a user is suspended': () => `update app.users set status = 'suspended' where id = '${claims.userId}'`,
    'a user is back': () => `update app.users set status = 'active' where id = '${claims.userId}'`,
    'a user has another address': () =>
      `update app.users set email = gen_random_uuid() || '@example.com', email_verified_at = now()
        where id = '${claims.userId}'`,
    'a user is an admin': () => `update app.users set is_platform_admin = true where id = '${claims.userId}'`,
    'a member is only that': () =>
      `update app.memberships set role = 'member' where user_id = '${claims.userId}'`,
    'a member leaves': () => `delete from app.memberships where user_id = '${claims.userId}'`,
    'a member comes': () =>
      `insert into app.memberships (organization_id, user_id, role)
        values ('${ben.organizationId}', '${claims.userId}', 'admin') on conflict do nothing`,
    'a signing key is retired': () => `update app.signing_keys set retired_at = now() where kid = '${kid}'`,
    'a signing key is good again': () => `update app.signing_keys set retired_at = null where kid = '${kid}'`,
    'a plan allows more': () =>
      "update app.plans set patterns = patterns + 1 where name in ('pro', 'enterprise')",
  }

  it.each(Object.keys(changes))('is found anew when %s', async (name) => {
    await judge(true)
    await change(changes[name]?.() ?? '')
    expect(await judge(true)).toEqual(await judge(false))
    await change(`update app.signing_keys set retired_at = null where kid = '${kid}'`)
  })

  it('is what the database would say, whatever changes in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.keys(changes)), { minLength: 2, maxLength: 8 }),
        async (names) => {
          ;[ada, ben] = [await newCaller(), await newCaller()]
          for (const name of names) {
            await judge(true)
            // What is asked while a change is under way may see it or not, and is not kept if it did not.
            const [seen] = await Promise.all([judge(true), change(changes[name]?.() ?? '')])
            expect(seen.other.outcome).toBe('ok')
            expect(await judge(true)).toEqual(await judge(false))
          }
        },
      ),
      { numRuns: 20 },
    )
    await change(`update app.signing_keys set retired_at = null where kid = '${kid}'`)
  })

  it('ends when a key expires, though nothing changes then', async () => {
    await change(`update app.api_keys set expires_at = now() + interval '300 ms' where ${ofAda()}`)
    await change(
      `update app.sessions set expires_at = now() + interval '300 ms' where id = '${claims.sessionId}'`,
    )
    await judge(true)
    await until(async () => (await judge(false)).read.outcome === 'unknown_key', 'the end of the key')
    const seen = await judge(true)
    expect(seen.read.outcome).toBe('unknown_key')
    expect(seen.own).toEqual({ refused: expect.stringContaining('revoked') })
  })

  it('is nothing that a transaction changed and took back', async () => {
    const before = await judge(true)
    await asOwner(database.queries, async (trx) => {
      await sql.raw(`update app.api_keys set revoked_at = now() where ${ofAda()}`).execute(trx)
      throw new Error('no')
    }).catch(() => {})
    expect(await judge(true)).toEqual(before)
  })
})
