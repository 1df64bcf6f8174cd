import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { hasEnded, makeFolders, nameOfThisProcess } from '../data-directory.ts'
import type { Database } from '../database/database.ts'
import { sync, syncFolder } from '../sync-files.ts'
import { packageVersion } from '../version.ts'
import { BackupError, explained, explainedFolder } from './backup-error.ts'
import type { BackupsFolderState } from './backups-folder-state.ts'
import { copyIfThere, unfinished } from './embedded-copy.ts'
import type { DatabaseFacts } from './facts.ts'

/** A path below the backup's folder: a forged manifest must not lead out of it. */
const Inside = z.string().regex(/^(?!.*(?:^|\/)\.\.?(?:\/|$))[^/\\][^\\]*$/)
const count = z.int().nonnegative()

/** What lies in a backup beside the data, as `manifest.json`. */
const Manifest = z.object({
  format: z.literal(1),
  /** Of the release that made it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  database: z.enum(['embedded', 'postgres']),
  serverVersion: z.string(),
  migration: z.string(),
  masterKeys: z.array(z.string()),
  tables: z.record(z.string(), count),
  /** All folders within the backup, since some ways of copying lose empty ones. */
  folders: z.array(Inside),
  files: z.record(Inside, z.object({ bytes: count, sha256: z.string().length(64) })),
})
export type Manifest = z.output<typeof Manifest>

/** The manifest of a later release, in a form that this one can't read. */
const LaterManifest = z.object({ format: z.int().min(2), version: z.string() })

/** A whole backup. */
export interface Backup {
  folder: string
  manifest: Manifest
}

const manifestName = 'manifest.json'
const ledgerName = 'erasures.ndjson'
/** Where the embedded database's files, or the dump of PostgreSQL, lie within a backup. */
export const databaseIn = { embedded: 'database', postgres: 'database.dump' } as const

/** What is done for a backup, one after the other. */
export type BackupStep = 'copy' | 'rows' | 'checksums'

/** Called with how far a step has come, in bytes. @param total undefined when that is unknown */
export type OnStep = (step: BackupStep, done: number, total: number | undefined) => void

interface NewBackup {
  /** The backup's folder, which is not there yet. */
  target: string
  database: Database['kind']
  /** The data folder, whose ledger of erasures is copied along. */
  dataDir: string
  onStep: OnStep
}

/**
 * Makes a backup: a folder that has its name only when all of it is on the disk.
 * @param write puts the database into the place it is given
 * @throws BackupError for what an operator can put right; then nothing is left of it
 */
export async function makeBackup(
  { target, database, dataDir, onStep }: NewBackup,
  write: (place: string) => Promise<DatabaseFacts>,
): Promise<Backup> {
  const folder = resolve(target)
  // No two backups write into the same draft, whatever their target.
  const draft = `${folder}.${nameOfThisProcess()}-${randomUUID().slice(0, 8)}${unfinished}`
  const removeDraft = () => {
    try {
      rmSync(draft, { recursive: true, force: true })
    } catch {
      // A service still copies into it. It removes the rest when it finds nobody waiting.
    }
  }
  await requireNone(folder)
  // Also when the process exits early: by a signal, or because the embedded database ends it.
  process.once('exit', removeDraft)
  try {
    await makeDraft(draft, folder).catch((error) => {
      throw explainedFolder(error, folder)
    })
    const facts = await write(join(draft, databaseIn[database]))
    await copyIfThere(join(dataDir, ledgerName), join(draft, ledgerName))
    const manifest: Manifest = {
      format: 1,
      version: packageVersion(),
      createdAt: new Date().toISOString(),
      database,
      ...facts,
      ...(await describeFiles(draft, onStep)),
    }
    await writeFile(join(draft, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    await syncFolder(draft)
    await rename(draft, folder).catch(async (error) => {
      // Another backup may have been made there meanwhile.
      await requireNone(folder)
      throw error
    })
    await sync(dirname(folder))
    return { folder, manifest }
  } catch (error) {
    // A failure to remove the draft must not hide the first error.
    await rm(draft, { recursive: true, force: true }).catch(() => {})
    throw explained(error, folder)
  } finally {
    process.off('exit', removeDraft)
  }
}

async function requireNone(folder: string): Promise<void> {
  if (await isThere(folder)) throw new BackupError(`${folder} is there already: name another folder.`)
}

async function makeDraft(draft: string, folder: string): Promise<void> {
  await removeDead(folder)
  makeFolders(dirname(draft))
  // It holds what the data folder holds, which is closed to others.
  await mkdir(draft, { mode: 0o700 })
}

/** Removes drafts of a backup whose processes have ended. */
async function removeDead(folder: string): Promise<void> {
  const start = `${basename(folder)}.`
  const names = await readdir(dirname(folder)).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    if (!name.startsWith(start) || !name.endsWith(unfinished)) continue
    const draft = join(dirname(folder), name)
    if (!hasEnded(name.slice(start.length, -unfinished.length), draft)) continue
    // A service may still copy into it, which is in nobody's way.
    await rm(draft, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Opens a backup and compares every file with its checksum.
 * @throws BackupError for a folder that is none, or that is damaged
 */
export async function openBackup(path: string): Promise<Backup> {
  const folder = resolve(path)
  const manifest = await readManifest(folder)
  const missing = await whatIsMissing(folder, manifest)
  if (missing !== undefined) throw damaged(folder, missing)
  for (const [name, expected] of Object.entries(manifest.files)) {
    if ((await hashOf(join(folder, name))) !== expected.sha256) {
      throw damaged(folder, `${name} has another checksum`)
    }
  }
  return { folder, manifest }
}

/** What a backup lacks of its files, by their sizes; undefined where all of them are there. */
async function whatIsMissing(folder: string, { files }: Manifest): Promise<string | undefined> {
  for (const [name, { bytes }] of Object.entries(files)) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found === undefined) return `${name} is missing`
    if (found.size !== bytes) return `${name} has ${found.size} bytes instead of ${bytes}`
  }
  return undefined
}

/** A folder among backups, as it is found there. */
export interface FoundBackup {
  name: string
  /** `complete`: all of its files are there, with their sizes; their checksums were not compared. */
  state: 'complete' | 'damaged' | 'unfinished'
  /** What is wrong with one that is damaged. */
  problem: string | null
  /** Null where it can't be read. */
  manifest: Manifest | null
}

const stateByCode: Partial<Record<string, BackupsFolderState>> = {
  ENOENT: 'missing',
  EACCES: 'not_allowed',
  EPERM: 'not_allowed',
  ENOTDIR: 'not_a_folder',
}

/**
 * The names of what lies in a folder of backups, the last one first: names that have dates then have the newest first.
 * None where it can't be read.
 */
export async function backupNames(parent: string): Promise<{ state: BackupsFolderState; names: string[] }> {
  try {
    const entries = await readdir(parent, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    return { state: 'readable', names: names.sort().reverse() }
  } catch (error) {
    return { state: stateByCode[(error as NodeJS.ErrnoException).code ?? ''] ?? 'failing', names: [] }
  }
}

/** Looks at a backup without reading its data. @returns undefined for a folder that is none */
export async function inspectBackup(parent: string, name: string): Promise<FoundBackup | undefined> {
  const folder = join(parent, name)
  const found = { name, problem: null, manifest: null }
  if (name.endsWith(unfinished)) return { ...found, state: 'unfinished' }
  const closed = await stat(join(folder, manifestName)).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code ?? '',
  )
  if (closed === 'ENOENT') return undefined
  // Only the user who made a backup can look into it, and the service may run as another one.
  if (closed !== undefined) {
    const problem = `The service can't read it (${closed}): run npm run backup as the user that the service runs as.`
    return { ...found, problem, state: 'damaged' }
  }
  try {
    const manifest = await readManifest(folder)
    const problem = (await whatIsMissing(folder, manifest)) ?? null
    return { name, manifest, problem, state: problem === null ? 'complete' : 'damaged' }
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    return { ...found, problem: error.message, state: 'damaged' }
  }
}

/** The newest backup among the folders within one; undefined where there is none. */
export async function newestBackup(parent: string): Promise<string | undefined> {
  const names = await readdir(parent).catch((): string[] => [])
  const dates: [at: string, folder: string][] = []
  for (const name of names) {
    const folder = join(parent, name)
    const manifest = name.endsWith(unfinished) ? undefined : await readManifest(folder).catch(() => undefined)
    if (manifest !== undefined) dates.push([manifest.createdAt, folder])
  }
  return dates.sort(([a], [b]) => (a < b ? -1 : 1)).at(-1)?.[1]
}

/**
 * Adds to the ledger of erasures of a data folder what the backup's has beside it. It is added at the end, so that whatever
 * interrupts this takes away nothing of what is there; when the restore is repeated, so is what is missing.
 */
export async function bringLedger({ folder }: Backup, dataDir: string): Promise<void> {
  const ledger = join(dataDir, ledgerName)
  const there = new Set(await linesOf(ledger))
  const missing = (await linesOf(join(folder, ledgerName))).filter((line) => !there.has(line))
  if (missing.length === 0) return
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // The last line that is there may have been cut short: what is added must not go on in it.
  await writeFile(ledger, `\n${missing.join('\n')}\n`, { flag: 'a', mode: 0o600, flush: true })
  await sync(dataDir)
}

/** The whole lines of a file; none where it is not there. */
async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '')
}

async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, manifestName)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined && !(await isThere(folder))) {
    throw new BackupError(`There is no ${folder}: name a folder that npm run backup has made.`)
  }
  if (text === undefined) {
    throw new BackupError(
      `${folder} is no whole backup: it has no ${manifestName}. Name a folder that npm run backup has made.`,
    )
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw damaged(folder, `${manifestName} is not JSON`)
  }
  const manifest = Manifest.safeParse(json)
  if (manifest.success) return manifest.data
  const { data: later } = LaterManifest.safeParse(json)
  if (later !== undefined) {
    throw new BackupError(
      `The backup ${basename(folder)} was made by version ${later.version}, in a form that this one can't read. Nothing was restored: restore it with that version or a later one.`,
    )
  }
  const { path = [], message = '' } = manifest.error.issues[0] ?? {}
  throw damaged(folder, `${manifestName} is not as this release writes it (${path.join('.')}: ${message})`)
}

const damaged = (folder: string, what: string) =>
  new BackupError(
    `The backup ${basename(folder)} is damaged: ${what}. Nothing was restored; take another one.`,
  )

async function describeFiles(folder: string, onStep: OnStep): Promise<Pick<Manifest, 'folders' | 'files'>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const nameOf = (path: string) => relative(folder, path).replaceAll(sep, '/')
  const folders: string[] = []
  const sizes: [path: string, bytes: number][] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) folders.push(nameOf(path))
    else sizes.push([path, (await stat(path)).size])
  }
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
  const files: Manifest['files'] = {}
  let done = 0
  for (const [path, bytes] of sizes) {
    files[nameOf(path)] = { bytes, sha256: await hashOf(path) }
    done += bytes
    onStep('checksums', done, total)
  }
  return { folders: folders.sort(), files }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), hash)
  return hash.digest('hex')
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
