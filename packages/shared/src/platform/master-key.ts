import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { asTask, type Queries } from './database/database.ts'
import { SealError, Secrets } from './secrets.ts'

/** Sealed once under each master key; a key that does not open it is another one. */
const proof = new TextEncoder().encode('This master key belongs to this database.')

/** Where the master keys come from. */
export interface MasterKeySettings {
  /** The key that seals, then those that only open; base64. Undefined: made and kept in the data directory. */
  masterKeys: readonly string[] | undefined
  dataDir: string
}

/**
 * The secrets of this database, once the master key has shown that it is the right one.
 * @throws ConfigError for a key that can't be used or is not the database's
 */
export async function openSecrets(queries: Queries, settings: MasterKeySettings): Promise<Secrets> {
  const texts = settings.masterKeys ?? [localKey(settings.dataDir)]
  const secrets = new Secrets(texts.map((text) => Buffer.from(text, 'base64')))
  await asTask(queries, 'keep-secrets', async (trx) => {
    const table = trx.withSchema('app')
    const { version } = secrets
    const known = await table
      .selectFrom('master_keys')
      .select(['version', 'proof'])
      .orderBy('created_at')
      .execute()
    const place = (version: string) => ({ purpose: 'master-key-proof' as const, id: version })
    for (const row of known) if (!opens(secrets, row.proof, place(row.version))) throw wrongKey()
    if (known.some((row) => row.version === version)) return
    await table
      .insertInto('master_keys')
      .values({ version, proof: secrets.seal(proof, place(version)) })
      .onConflict((conflict) => conflict.column('version').doNothing())
      .execute()
  })
  return secrets
}

function opens(secrets: Secrets, sealed: Uint8Array, place: Parameters<Secrets['open']>[1]): boolean {
  try {
    return Buffer.compare(secrets.open(sealed, place), proof) === 0
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}

const wrongKey = () =>
  new ConfigError(
    'The master key is not the one that this database’s secrets were sealed under: set MASTER_KEY to that key (after a change, to the new key, a comma and the old one).',
  )

/** The key that the data directory keeps, made when it has none. */
function localKey(dataDir: string): string {
  const file = join(dataDir, 'master-key')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const key = randomBytes(32).toString('base64')
  writeFileSync(`${file}.new`, `${key}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  return key
}
