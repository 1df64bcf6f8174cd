import { resolve } from 'node:path'
import type { Input, Output } from '../catalogue/operation.ts'
import { nameCursors, pageOf, startOf } from '../catalogue/pages.ts'
import { backupNames, type FoundBackup, inspectBackup } from '../platform/backup/backup-folder.ts'
import type { ListBackups } from './backups-schema.ts'

/** A page of the backups in a folder, for a platform admin. @throws ValidationError for an invalid cursor */
export async function listBackups(
  backupDir: string,
  { cursor, limit }: Input<typeof ListBackups>['query'],
): Promise<Output<typeof ListBackups>> {
  const after = startOf(cursor, cursors.decode)
  const folder = resolve(backupDir)
  const { state, names } = await backupNames(folder)
  const left = after === undefined ? names : names.filter((name) => name < after)
  const { page, next_cursor } = pageOf(left.slice(0, limit + 1), limit, cursors.encode)
  const found = await Promise.all(page.map((name) => inspectBackup(folder, name)))
  return {
    folder,
    folder_state: state,
    backups: found.filter((each) => each !== undefined).map(describe),
    next_cursor,
  }
}

function describe({
  name,
  state,
  problem,
  manifest,
}: FoundBackup): Output<typeof ListBackups>['backups'][number] {
  const files = manifest === null ? undefined : Object.values(manifest.files)
  return {
    ...{ name, state, problem },
    created_at: manifest?.createdAt ?? null,
    version: manifest?.version ?? null,
    database: manifest?.database ?? null,
    migration: manifest?.migration ?? null,
    bytes: files?.reduce((sum, { bytes }) => sum + bytes, 0) ?? null,
    patterns: manifest?.tables['app.patterns'] ?? null,
  }
}

/** A folder's name has at most 255 bytes. */
const cursors = nameCursors('backup', 255)
