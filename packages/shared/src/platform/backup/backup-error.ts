import { dirname } from 'node:path'
import { ConfigError } from '../config.ts'

/** A backup that can't be made or restored; the message says to the operator why, and what to do. */
export class BackupError extends ConfigError {
  override name = 'BackupError'
}

/** The same error, or where a file system refuses what can be done about it. @param folder of the backup */
export function explained(error: unknown, folder: string): unknown {
  const place = dirname(folder)
  const reasons: Record<string, string> = {
    ENOSPC: `The disk of ${place} is full, so there is no backup: free some space, or name a folder on another disk.`,
    EDQUOT: `The quota of ${place} is used up, so there is no backup: name a folder elsewhere.`,
    EACCES: `${place} can't be written to by the user that makes the backup: name another folder, or change its rights.`,
    EROFS: `${place} can only be read: name another folder.`,
  }
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
  return reason === undefined ? error : new BackupError(reason)
}
