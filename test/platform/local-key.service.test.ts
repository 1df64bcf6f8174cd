import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { newApiKey } from '@memory/identity/keys/api-key'
import { bootstrap, localOrganizationId, readLocalKey } from '@memory/identity/keys/bootstrap'
import { createKey, listKeys, purgeKeys, revokeKey } from '@memory/identity/keys/service'
import type { Database } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { welcome } from '../../apps/api/src/welcome.ts'
import { asOwner, newOrganization, openTestDatabase } from './open-database.ts'

let database: Database
let folder: string

beforeEach(async () => {
  database = await openTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'memory-local-key-'))
  await bootstrap(database.queries, folder)
})

afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const local = { name: 'local', environment: 'live', scopes: null, expiresAt: null } as const

/** The key that is kept after another start. */
async function start(): Promise<string | undefined> {
  await bootstrap(database.queries, folder)
  return (await readLocalKey(folder))?.key
}

const keep = (text: string) => writeFileSync(join(folder, 'local-api-key'), `${text}\n`)
const kept = () => readFileSync(join(folder, 'local-api-key'), 'utf8').trim()
const prefixes = async () =>
  (await listKeys(database.queries, localOrganizationId)).map(({ key_prefix }) => key_prefix)

describe('local-api-key', () => {
  it.each([
    ['a key that this database never had, as after a restore', newApiKey('live')],
    ['no key at all', 'garbage'],
  ])('is made anew where it holds %s', async (_, text) => {
    keep(text)
    const key = await start()
    expect(key).not.toBe(text)
    expect(await prefixes()).toContain(key?.slice(0, 16))
  })

  const revoke = async (key: string) => {
    const found = await listKeys(database.queries, localOrganizationId)
    const { id } = found.find(({ key_prefix }) => key.startsWith(key_prefix))!
    await revokeKey(database.queries, localOrganizationId, id)
    return id
  }

  it('is kept by further starts, also where somebody has revoked it', async () => {
    const key = kept()
    expect(await start()).toBe(key)
    const id = await revoke(key)
    expect(await start()).toBe(key)
    // As an earlier release did after 90 days.
    await asOwner(database.queries, (trx) => sql`delete from app.api_keys where id = ${id}`.execute(trx))
    expect(await start()).toBe(key)
    expect(await prefixes()).toEqual([])
  })

  it('is not replaced once it was revoked, however long ago and whatever other keys there are', async () => {
    const key = kept()
    await createKey(database.queries, localOrganizationId, { ...local, scopes: ['memory:read'] })
    const others = await prefixes()
    await revoke(key)
    await asOwner(database.queries, (trx) =>
      sql`update app.api_keys set revoked_at = now() - interval '91 days' where revoked_at is not null`.execute(
        trx,
      ),
    )
    await purgeKeys(database.queries)
    expect(await start()).toBe(key)
    expect(await prefixes()).toEqual(others.filter((prefix) => !key.startsWith(prefix)))
  })

  it.each([
    ['is deleted', sql`set deleted_at = now()`, 'It is deleted'],
    [
      'has as many keys as its plan allows',
      sql`set plan = 'free'`,
      'The free plan allows 2 API keys: revoke one',
    ],
  ])(
    'is missing where the organization %s, and the start says why and what to do',
    async (_, change, why) => {
      await createKey(database.queries, localOrganizationId, local)
      await asOwner(database.queries, (trx) =>
        sql`update app.organizations ${change} where id = ${localOrganizationId}`.execute(trx),
      )
      rmSync(join(folder, 'local-api-key'))
      const bootstrapped = await bootstrap(database.queries, folder)
      expect(bootstrapped).toEqual({ refusal: expect.stringContaining(why) })
      expect(await readLocalKey(folder)).toBeUndefined()
      const out = new PassThrough()
      const started = {
        url: 'http://127.0.0.1:8000',
        consoleLink: undefined,
        needsOrganization: false,
        needsWorker: false,
      }
      welcome({ ...started, bootstrapped }, out)
      const said = String(out.read())
      expect(said).toContain(why)
      expect(said).toContain('npm run keys -- create --new-organization')
      expect(said).not.toContain('local-api-key')
    },
  )

  it('may be a key of another organization', async () => {
    const { organizationId } = await newOrganization(database.queries)
    const { key } = await createKey(database.queries, organizationId, local)
    keep(key)
    expect(await start()).toBe(key)
  })
})
