import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { asTask, type Queries } from './database/database.ts'
import { insertProof, listVersions, readProofs } from './database/sealed-values.ts'
import { SealError, Secrets } from './secrets.ts'

/** A fixed text, sealed under each master key in use. A key that can't open it is the wrong key. */
const proof = new TextEncoder().encode('This master key belongs to this database.')

/** Where the master keys come from. */
export interface MasterKeySettings {
  /** In base64: the key that seals, then those that only open. Undefined: the key is made and kept in the data directory. */
  masterKeys: readonly string[] | undefined
  dataDir: string
}

/**
 * The secrets of this database, after checking that the master keys open everything sealed in it.
 * @throws ConfigError for a key that can't be used or is the wrong one
 */
export async function openSecrets(queries: Queries, settings: MasterKeySettings): Promise<Secrets> {
  return await asTask(queries, 'keep-secrets', async (trx) => {
    const known = await readProofs(trx)
    const sealed = await listVersions(trx)
    const isNew = known.length === 0 && sealed.length === 0
    const secrets = secretsOf(settings.masterKeys ?? localKeys(settings.dataDir, isNew))
    const { version } = secrets
    const open = known.every((row) => opens(secrets, row.proof, row.version))
    if (!open || !sealed.every((each) => secrets.knows(each))) throw wrongKey()
    if (!known.some((row) => row.version === version))
      await insertProof(trx, { version, proof: secrets.seal(proof, placeOf(version)) })
    return secrets
  })
}

const secretsOf = (keys: readonly string[]) => new Secrets(keys.map((text) => Buffer.from(text, 'base64')))

const placeOf = (version: string) => ({ purpose: 'master-key-proof' as const, id: version })

function opens(secrets: Secrets, sealed: Uint8Array, version: string): boolean {
  try {
    return Buffer.compare(secrets.open(sealed, placeOf(version)), proof) === 0
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}

const wrongKey = () =>
  new ConfigError(
    'The master key is not the one that this database’s secrets were sealed under: set MASTER_KEY to that key (after a change, to the new key, a comma and the old one).',
  )

/** Versions (see `Secrets.version`) of the master keys that are in use, for `requireKeysOf`. */
async function masterKeysOf(queries: Queries): Promise<string[]> {
  const proofs = await asTask(queries, 'keep-secrets', readProofs)
  return proofs.map(({ version }) => version)
}

/**
 * Checks that secrets sealed under these master keys can be opened, for when there is no database yet to try it on, such as
 * before restoring a backup. Never makes a key.
 * @param versions of the master keys (see `Secrets.version`)
 * @throws ConfigError when a key is missing, can't be used or is the wrong one
 */
export function requireKeysOf(versions: readonly string[], { masterKeys, dataDir }: MasterKeySettings): void {
  if (versions.length === 0) return
  const secrets = secretsOf(masterKeys ?? localKeys(dataDir, false))
  if (!versions.every((version) => secrets.knows(version))) throw wrongKey()
}

/** The result of `checkKey`, in the form of the other checks of `doctor`. */
export interface KeyCheck {
  name: 'key'
  state: 'ok' | 'fail'
  text: string
  remedy?: string
}

/**
 * Checks that the next start will find the right master key: a running process keeps the one that it read at its start, so it
 * would not notice. Never makes a key.
 */
export async function checkKey(queries: Queries, settings: MasterKeySettings): Promise<KeyCheck> {
  const name = 'key'
  try {
    requireKeysOf(await masterKeysOf(queries), settings)
    return { name, state: 'ok', text: 'The master key opens the secrets of the database.' }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { name, state: 'fail', text: error.message, remedy: error.message }
  }
}

/**
 * The master keys in the data directory, in the form of MASTER_KEY.
 * @param isNew whether the database holds no sealed value yet: then a missing key is made
 */
function localKeys(dataDir: string, isNew: boolean): string[] {
  const file = join(dataDir, 'master-key')
  if (!existsSync(file)) {
    if (!isNew) {
      throw new ConfigError(
        `There is no master key, and the database’s secrets open with it alone: put the key that was kept apart into ${file}, or set MASTER_KEY to it.`,
      )
    }
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.new`, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  return readKeys(file)
}

/** @throws ConfigError for a file that can't be read or contains something else */
function readKeys(file: string): string[] {
  const keys = textOf(file)
    .split(',')
    .map((text) => text.trim())
  if (keys.every((key) => Buffer.from(key, 'base64').length === 32)) return keys
  throw new ConfigError(
    `The file ${file} holds no master key (32 bytes in base64): restore it from a backup, because the database’s secrets open with it alone.`,
  )
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Docker creates a folder at a path that it is to mount and does not find.
    const reason = code === 'EISDIR' ? 'is a folder' : `can't be read (${code ?? error})`
    throw new ConfigError(
      `The master key ${file} ${reason}: put the file with the key there, as this user may read it, or set MASTER_KEY to the key.`,
    )
  }
}
