import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository } from '../support/environment.ts'
import { randomFrom } from '../support/random.ts'

/** An organization with patterns in its live space. */
export interface Tenant {
  key: string
  /** Near to a pattern that it has. */
  vector: number[]
}

/** Where the service will find what is filled in here. */
export interface Place {
  dataDir: string
  databaseUrl?: string | undefined
  /** Folder of the checkout whose service it will be. */
  checkout?: string | undefined
}

export interface Filling {
  organizations: number
  /** Patterns of each. */
  each: number
  dimensions: number
}

const noLimit = -1
const keyPrefixChars = 16

/**
 * Makes organizations, each with a key and patterns, by the functions that the service's own requests end in: 5,000
 * registrations, whose passwords take 25 ms of processor time each, would take minutes.
 */
export async function fillTenants(
  place: Place,
  { organizations, each, dimensions }: Filling,
): Promise<Tenant[]> {
  const service = await functionsOf(place.checkout ?? repository)
  const database = await service.open(place)
  const random = randomFrom(5)
  const makeOne = () => {
    const organizationId = randomUUID()
    const key = service.newApiKey('live')
    const patterns = Array.from({ length: each }, (_, i) => ({
      id: service.newPatternId(new Date()),
      text: null,
      metadata: { i },
      key: Float32Array.from({ length: dimensions }, () => Math.fround(random() - 0.5)),
      value: Float32Array.of(i),
      sourceDim: null,
      textHash: null,
      category: null,
      protected: false,
      expiresAt: null,
      occurredAt: null,
    }))
    return service.asTenant(database.queries, { organizationId }, async (trx) => {
      await service.sql`set local synchronous_commit = off`.execute(trx)
      await service.insertOrganization(trx, { id: organizationId, name: 'Bench', plan: 'enterprise' })
      await service.insertKey(trx, {
        organizationId,
        name: 'bench',
        environment: 'live',
        key,
        prefix: key.slice(0, keyPrefixChars),
        hash: service.hashApiKey(key),
        scopes: null,
        expiresAt: null,
        createdBy: null,
      })
      const { id } = await trx
        .withSchema('app')
        .selectFrom('spaces')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('environment', '=', 'live')
        .executeTakeFirstOrThrow()
      if (each > 0) await service.insertPatterns(trx, id, noLimit, 'none', patterns)
      return { key, vector: Array.from(patterns[0]?.key ?? [], (value) => value + 0.1 * (random() - 0.5)) }
    })
  }
  const tenants: Tenant[] = []
  try {
    while (tenants.length < organizations) tenants.push(await makeOne())
  } finally {
    await database.close()
  }
  return tenants
}

/** Where releases up to 0.5.0 had everything. */
const before = 'packages/shared/src'

/** What is used of a checkout's packages, where this release has it or where the one before had it. */
async function functionsOf(checkout: string) {
  const load = (...places: string[]) => {
    const place = places.map((name) => join(checkout, name)).find(existsSync)
    if (place === undefined) throw new Error(`${checkout} has no ${places.join(', nor ')}.`)
    return import(pathToFileURL(place).href)
  }
  const [{ sql }, { asTenant }, embedded, postgres, organizations, keys, apiKey, patternId, store, log] =
    (await Promise.all([
      load('node_modules/kysely/dist/index.js'),
      load('packages/shared/src/platform/database/database.ts'),
      load('packages/shared/src/platform/database/embedded.ts'),
      load('packages/shared/src/platform/database/postgres.ts'),
      load('packages/identity/src/organizations/store.ts', `${before}/organizations/store.ts`),
      load('packages/identity/src/keys/store.ts', `${before}/keys/store.ts`),
      load('packages/identity/src/keys/api-key.ts', `${before}/keys/api-key.ts`),
      load('packages/memory/src/patterns/pattern-id.ts', `${before}/memory/patterns/pattern-id.ts`),
      load('packages/memory/src/store.ts', `${before}/memory/store.ts`),
      load('packages/shared/src/platform/log.ts'),
    ])) as [
      typeof import('kysely'),
      typeof import('../../packages/shared/src/platform/database/database.ts'),
      typeof import('../../packages/shared/src/platform/database/embedded.ts'),
      typeof import('../../packages/shared/src/platform/database/postgres.ts'),
      typeof import('../../packages/identity/src/organizations/store.ts'),
      typeof import('../../packages/identity/src/keys/store.ts'),
      typeof import('../../packages/identity/src/keys/api-key.ts'),
      typeof import('../../packages/memory/src/patterns/pattern-id.ts'),
      typeof import('../../packages/memory/src/store.ts'),
      typeof import('../../packages/shared/src/platform/log.ts'),
    ]
  return {
    sql,
    asTenant,
    insertOrganization: organizations.insert,
    insertKey: keys.insert,
    newApiKey: apiKey.newApiKey,
    hashApiKey: apiKey.hashApiKey,
    newPatternId: patternId.newPatternId,
    insertPatterns: store.insertPatterns,
    open: async ({ dataDir, databaseUrl }: Place) => {
      if (databaseUrl === undefined) return embedded.openDataDirectory(dataDir)
      await postgres.migratePostgres(databaseUrl)
      return postgres.openPostgres(databaseUrl, 2, log.createLog('warn'))
    },
  }
}
