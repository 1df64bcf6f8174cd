import { chmodSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { replacedFolder, restoringFolder } from './backup/restoring.ts'
import { ConfigError } from './config.ts'

/** The service's own folders and files in the data folder, which may contain other things too. */
const own = {
  folders: ['database', 'database.new', restoringFolder, replacedFolder, 'index', 'outbox'],
  files: ['master-key', 'local-api-key', 'operator.json', 'erasures.ndjson', 'memory.lock'],
}

const ofOthers = 0o077
const writableByAll = 0o002

/** Reads and changes permissions; tests replace it to imitate a file system without permissions. */
export interface Rights {
  /** Undefined where users have no numeric ids, as on Windows. */
  userId: number | undefined
  stat: (path: string) => Stats | undefined
  chmod: (path: string, mode: number) => void
}

const rightsHere: Rights = {
  userId: process.getuid?.(),
  stat: statOf,
  chmod: chmodSync,
}

/** @returns undefined for a path that is missing or can't be read; whoever uses the path reports that */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Removes all permissions of other users on the service's own folders and files in an existing data folder. The data folder
 * itself is not changed, since it may contain other things. Symbolic links are followed, so that the database is protected
 * wherever it is.
 * @returns warnings for what is left to do by hand: paths that belong to another user, and a data folder writable by all
 * @throws ConfigError when the permissions of a path that belongs to this user can't be changed
 */
export function keepPrivate(dataDir: string, rights = rightsHere): string[] {
  if (rights.userId === undefined) return []
  const left: string[] = []
  if (((rights.stat(dataDir)?.mode ?? 0) & writableByAll) !== 0) {
    left.push(
      `${dataDir} can be written to by all users, who could put other folders in the place of the service's: run chmod o-w on it.`,
    )
  }
  for (const { path, mode, isOwn } of openToOthers(dataDir, rights)) {
    if (isOwn) closeToOthers(rights, path, mode)
    else
      left.push(
        `${path} belongs to another user and is open to others: its owner should run chmod ${octal(mode)} on it.`,
      )
  }
  return left
}

/** What of the service's own in a data folder other users have rights to, and the rights that it should have. */
export function openToOthers(
  dataDir: string,
  { userId, stat }: Pick<Rights, 'userId' | 'stat'> = rightsHere,
): { path: string; mode: number; isOwn: boolean }[] {
  if (userId === undefined) return []
  const all = [
    ...own.folders.map((name) => ({ name, mode: 0o700 })),
    ...own.files.map((name) => ({ name, mode: 0o600 })),
  ]
  return all.flatMap(({ name, mode }) => {
    const path = join(dataDir, name)
    const found = stat(path)
    return found === undefined || (found.mode & ofOthers) === 0
      ? []
      : [{ path, mode, isOwn: found.uid === userId }]
  })
}

function closeToOthers({ stat, chmod }: Rights, path: string, mode: number): void {
  let reason = 'its file system keeps no rights'
  try {
    chmod(path, mode)
    if (((stat(path)?.mode ?? 0) & ofOthers) === 0) return
  } catch (error) {
    reason = (error as NodeJS.ErrnoException).code ?? String(error)
  }
  throw new ConfigError(
    `Other users of this machine can read ${path}, and its rights can't be changed to ${octal(mode)} (${reason}): change them, mount its file system so that it is closed to others, or set MEMORY_DATA_DIR to another folder.`,
  )
}

const octal = (mode: number) => mode.toString(8)
