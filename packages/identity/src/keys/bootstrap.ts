import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { ensureOrganization, isOrganization } from '../organizations/service.ts'
import { hashApiKey } from './api-key.ts'
import { createKey, KeyRefused } from './service.ts'
import * as store from './store.ts'

/** The organization of a service that one person runs for themselves. Its id is fixed, so that there is only one. */
export const localOrganizationId = '00000000-0000-4000-8000-000000000001'

/** The local organization's key is in this file; or why it can't have one now, a sentence. */
export type Bootstrapped = { keyFile: string } | { refusal: string }

/**
 * Makes the local organization, on the Enterprise plan, and an API key for it, unless they exist. The key is written to a file
 * that only this user may read. When the file is lost, or its key is not in the database (as after a restore), the next start
 * makes another key. A key that was revoked or has expired is not replaced: somebody decided that. An organization that can't
 * have a key, since it is deleted or its plan allows no more, keeps no service from starting, which others use too.
 */
export async function bootstrap(queries: Queries, dataDir: string): Promise<Bootstrapped> {
  const created = await ensureOrganization(queries, {
    id: localOrganizationId,
    name: 'Local',
    plan: 'enterprise',
  })
  const keyFile = localKeyFile(dataDir)
  const kept = created ? undefined : await readKey(keyFile)
  if (kept !== undefined && !(await isStale(queries, kept))) return { keyFile }
  const key = await makeKey(queries)
  if (key instanceof KeyRefused) return { refusal: await explain(queries, key) }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(`${keyFile}.new`, `${key}\n`, { mode: 0o600 })
  await rename(`${keyFile}.new`, keyFile)
  return { keyFile }
}

function makeKey(queries: Queries): Promise<string | KeyRefused> {
  const request = { name: 'local', environment: 'live', scopes: null, expiresAt: null } as const
  return createKey(queries, localOrganizationId, request).then(
    ({ key }) => key,
    (error: unknown) => {
      if (error instanceof KeyRefused) return error
      throw error
    },
  )
}

async function explain(queries: Queries, { message }: KeyRefused): Promise<string> {
  return (await isOrganization(queries, localOrganizationId))
    ? `${message}: revoke one and start again.`
    : 'It is deleted: restore the account that it was deleted with. The first start after its erasure makes another.'
}

/** Whether a key is not in the database, although the local organization has an active key there. */
const isStale = (queries: Queries, key: string) =>
  asTenant(
    queries,
    { organizationId: localOrganizationId },
    async (trx) =>
      (await store.countActive(trx, localOrganizationId)) > 0 && !(await store.isKnown(trx, hashApiKey(key))),
  )

const localKeyFile = (dataDir: string) => join(dataDir, 'local-api-key')

/** The key of the local organization and its file; undefined when there is none. */
export async function readLocalKey(dataDir: string): Promise<{ key: string; file: string } | undefined> {
  const file = localKeyFile(dataDir)
  const key = await readKey(file)
  return key === undefined ? undefined : { key, file }
}

async function readKey(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').then(
    (text) => text.trim() || undefined,
    () => undefined,
  )
}
