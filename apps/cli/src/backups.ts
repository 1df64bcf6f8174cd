import type { Manifest } from '@memory/shared/platform/backup/backup-folder'
import { mebibytes } from './backup-steps.ts'
import { count, counted } from './format.ts'

/** `memory-20261125T150000Z` */
export const newBackupName = (now: Date): string =>
  `memory-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`

/** What a backup holds, in words. */
export function backupTotals({ database, tables, files, serverVersion }: Manifest): string {
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
  const bytes = sum(Object.values(files).map((file) => file.bytes))
  const of = database === 'embedded' ? 'the embedded database' : `PostgreSQL ${serverVersion}`
  return `Backup of ${of}: ${count(sum(Object.values(tables)))} rows of ${counted(Object.keys(tables).length, 'table')}, ${counted(tables['app.patterns'] ?? 0, 'pattern')} among them, ${count(mebibytes(bytes))} MiB`
}
