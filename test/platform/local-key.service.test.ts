import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newApiKey } from '@memory/identity/keys/api-key'
import { bootstrap, localOrganizationId, readLocalKey } from '@memory/identity/keys/bootstrap'
import { createKey, listKeys, revokeKey } from '@memory/identity/keys/service'
import type { Database } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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

  it('is kept by further starts, also where somebody has revoked it', async () => {
    const key = kept()
    expect(await start()).toBe(key)
    const found = await listKeys(database.queries, localOrganizationId)
    const { id } = found.find(({ key_prefix }) => key.startsWith(key_prefix))!
    await revokeKey(database.queries, localOrganizationId, id)
    expect(await start()).toBe(key)
    // As after 90 days.
    await asOwner(database.queries, (trx) => sql`delete from app.api_keys where id = ${id}`.execute(trx))
    expect(await start()).toBe(key)
    expect(await prefixes()).toEqual([])
  })

  it('may be a key of another organization', async () => {
    const { organizationId } = await newOrganization(database.queries)
    const { key } = await createKey(database.queries, organizationId, {
      name: 'mine',
      environment: 'live',
      scopes: null,
      expiresAt: null,
    })
    keep(key)
    expect(await start()).toBe(key)
  })
})
