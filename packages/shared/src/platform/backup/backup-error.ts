import { ConfigError } from '../config.ts'

/** A backup that can't be made or restored; the message says to the operator why, and what to do. */
export class BackupError extends ConfigError {
  override name = 'BackupError'
}
