import { constants, existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { takeDataDirectory } from '../data-directory.ts'
import type { Database } from '../database/database.ts'
import { openEmbedded } from '../database/embedded.ts'
import { sync, syncFolder } from '../sync-files.ts'
import { BackupError, explainedRestore } from './backup-error.ts'
import { type Backup, bringLedger, databaseIn } from './backup-folder.ts'
import { readCopiedFacts } from './copied-facts.ts'
import { differencesOf } from './facts.ts'
import { asideName, replacedFolder, restoringFolder } from './restoring.ts'

export interface Restore {
  /** A backup whose checksums have been compared. */
  backup: Backup
  dataDir: string
  /** Whether to move aside a database that is there, instead of refusing. */
  force: boolean
  /** Called with the restored database, brought up to this release, before it counts as restored. */
  complete(database: Database): Promise<void>
}

/**
 * Restores the embedded database of a data folder that nobody uses. Its folder gets its name only when all is done.
 * @returns where the database that was there lies now; undefined when there was none
 * @throws BackupError for what an operator can put right; then all is as it was
 */
export async function restoreEmbedded({
  backup,
  dataDir,
  force,
  complete,
}: Restore): Promise<string | undefined> {
  const directory = takeDataDirectory(dataDir)
  const database = join(directory.path, 'database')
  const draft = join(directory.path, restoringFolder)
  try {
    await settle(directory.path)
    const isOccupied = (await readdir(database).catch((): string[] => [])).length > 0
    if (isOccupied && !force) {
      throw new BackupError(
        `${database} holds a database already: set MEMORY_DATA_DIR to another folder, or say --force, which moves it aside.`,
      )
    }
    await rm(draft, { recursive: true, force: true })
    await fill(draft, backup)
    await bringLedger(backup, directory.path)
    const restored = await openEmbedded(draft)
    try {
      await complete(restored)
    } finally {
      await restored.close()
    }
    // Snapshots of what was there before are newer than the backup.
    await rm(join(directory.path, 'index'), { recursive: true, force: true })
    if (!isOccupied) await rm(database, { recursive: true, force: true })
    return await putInPlace(directory.path, isOccupied)
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {})
    throw explainedRestore(error, directory.path)
  } finally {
    directory.release()
  }
}

/** Puts back, or aside, what a restore was replacing when it was killed. */
async function settle(dataDir: string): Promise<void> {
  const [database, replaced] = [join(dataDir, 'database'), join(dataDir, replacedFolder)]
  if (!existsSync(replaced)) return
  await rename(replaced, existsSync(database) ? asideName(database, new Date()) : database)
}

/**
 * Gives the restored database its place. Where that fails, what was there is there again; where it is killed in between,
 * `refuseUnfinished` and `settle` find what was there by its name.
 * @returns where that lies now; undefined when there was nothing
 */
export async function putInPlace(dataDir: string, isOccupied: boolean): Promise<string | undefined> {
  const [database, replaced] = [join(dataDir, 'database'), join(dataDir, replacedFolder)]
  if (isOccupied) await rename(database, replaced)
  try {
    await rename(join(dataDir, restoringFolder), database)
  } catch (error) {
    if (isOccupied) await rename(replaced, database)
    throw error
  }
  const aside = isOccupied ? asideName(database, new Date()) : undefined
  if (aside !== undefined) await rename(replaced, aside)
  await sync(dataDir)
  return aside
}

/** Copies the backup's database, and counts its rows again. @throws BackupError when they differ */
async function fill(draft: string, { folder, manifest }: Backup): Promise<void> {
  const name = databaseIn.embedded
  await mkdir(draft, { mode: 0o700 })
  await cp(join(folder, name), draft, { recursive: true, mode: constants.COPYFILE_FICLONE })
  for (const each of manifest.folders) {
    if (each.startsWith(`${name}/`)) await mkdir(join(draft, each.slice(name.length)), { recursive: true })
  }
  await syncFolder(draft)
  requireSame(manifest.tables, (await readCopiedFacts(draft)).tables)
}

/** @throws BackupError unless each table has the rows that it should */
export function requireSame(expected: Record<string, number>, found: Record<string, number>): void {
  const differences = differencesOf(expected, found)
  if (differences.length === 0) return
  throw new BackupError(
    `What was restored is not what was backed up: ${differences.join(', ')}. It is not used; take another backup.`,
  )
}
