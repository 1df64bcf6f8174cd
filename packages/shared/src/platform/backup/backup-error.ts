import { dirname } from 'node:path'
import { ConfigError } from '../config.ts'

/** A backup that can't be made or restored; the message says to the operator why, and what to do. */
export class BackupError extends ConfigError {
  override name = 'BackupError'
}

/** In place of an error of the file system, one that says what to do; any other error as it is. @param folder of the backup */
export function explained(error: unknown, folder: string): unknown {
  const place = dirname(folder)
  return withReason(error, {
    ENOSPC: `The disk of ${place} is full, so there is no backup: free some space, or name a folder on another disk.`,
    EDQUOT: `The quota of ${place} is used up, so there is no backup: name a folder elsewhere.`,
    EACCES: `${place} can't be written to by the user that makes the backup: name another folder, or change its rights.`,
    EROFS: `${place} can only be read: name another folder.`,
  })
}

/** As `explained`, for the folder of a backup itself, which has to be made. */
export function explainedFolder(error: unknown, folder: string): unknown {
  const known = explained(error, folder)
  const { code } = error as NodeJS.ErrnoException
  if (known !== error || code === undefined) return known
  return new BackupError(`No folder can be made in ${dirname(folder)} (${code}): name another one.`)
}

/** As `explained`, for a restore into a data folder. */
export function explainedRestore(error: unknown, dataDir: string): unknown {
  const full = `The disk of ${dataDir} is full, so nothing was restored: free some space, or set MEMORY_DATA_DIR to a folder on another disk.`
  return withReason(error, { ENOSPC: full, EDQUOT: full })
}

function withReason(error: unknown, reasons: Record<string, string>): unknown {
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
  return reason === undefined ? error : new BackupError(reason)
}
