import { hashApiKey, newApiKey } from '@memory/identity/keys/api-key'
import { AuthBatcher } from '@memory/identity/keys/auth-batcher'
import { createKey } from '@memory/identity/keys/service'
import { createOrganization } from '@memory/identity/organizations/service'
import { plans } from '@memory/shared/catalogue/plans'
import type { Database } from '@memory/shared/platform/database/database'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../platform/open-database.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

const scope = 'memory:read'
const allowed = plans.free.queriesPerDay

/** A key of a new organization whose plan limits its queries. */
async function newKeyHash(): Promise<string> {
  const organization = await createOrganization(database.queries, 'Test', 'free')
  const { key } = await createKey(database.queries, organization, {
    name: 'a key',
    environment: 'live',
    scopes: [scope],
    expiresAt: null,
  })
  return hashApiKey(key)
}

/** Authenticates on the database, and how many statements that took. */
function newAuthentication() {
  const statements = { count: 0 }
  const counting = database.queries.withPlugin({
    transformQuery: ({ node }) => {
      statements.count++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { authentication: new AuthBatcher(counting), statements }
}

it('requests of a moment with one key share a statement, and each is told its own count', async () => {
  const { authentication, statements } = newAuthentication()
  const [ada, ben] = [await newKeyHash(), await newKeyHash()]
  const asked = [
    authentication.authenticate(ada, scope, 1),
    authentication.authenticate(ben, scope, 0),
    authentication.authenticate(ada, scope, 5),
  ] as const
  const [first, other, second] = await Promise.all(asked)
  expect(statements.count).toBe(2)
  expect([first, other, second].map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok'])
  expect([first, other, second].map((row) => row.queries_counted)).toEqual([1, 0, 5])
  expect(first.organization_id).toBe(second.organization_id)
  expect(first.organization_id).not.toBe(other.organization_id)
})

it('another scope is judged by itself, and an unknown key is unknown to all who present it', async () => {
  const { authentication } = newAuthentication()
  const ada = await newKeyHash()
  const unknown = hashApiKey(newApiKey('live'))
  const rows = await Promise.all([
    authentication.authenticate(ada, scope, 1),
    authentication.authenticate(ada, 'memory:write', 1),
    authentication.authenticate(unknown, scope, 1),
    authentication.authenticate(unknown, scope, 1),
  ])
  expect(rows.map(({ outcome }) => outcome)).toEqual(['ok', 'missing_scope', 'unknown_key', 'unknown_key'])
})

it('what the day has room for is counted as if the requests had come one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 12 }),
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 12 }),
      async (room, counts) => {
        const { authentication } = newAuthentication()
        const key = await newKeyHash()
        await authentication.authenticate(key, scope, allowed - room)
        const rows = await Promise.all(counts.map((count) => authentication.authenticate(key, scope, count)))
        let left = room
        const expected = counts.map((count) => {
          if (count > left) return { outcome: 'queries_exhausted', queries_counted: 0 }
          left -= count
          return { outcome: 'ok', queries_counted: count }
        })
        expect(rows.map(({ outcome, queries_counted }) => ({ outcome, queries_counted }))).toEqual(expected)
      },
    ),
    { numRuns: 25 },
  )
})

it('all of them hear of a failed statement, and the next are asked anew', async () => {
  const broken = await openTestDatabase()
  await broken.close()
  const authentication = new AuthBatcher(broken.queries)
  const ask = () => authentication.authenticate(hashApiKey(newApiKey('live')), scope, 1)
  expect((await Promise.allSettled([ask(), ask()])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ])
  await expect(ask()).rejects.toThrow()
})
