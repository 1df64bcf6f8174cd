import { cpSync } from 'node:fs'
import { defaultSeedFolder } from '@memory/shared/platform/database/embedded'

/**
 * Puts a migrated, empty embedded database where there is none. The service would do the same, and bring each of a
 * thousand files to the disk.
 */
export function plant(directory: string): void {
  cpSync(defaultSeedFolder(), directory, { recursive: true })
}
