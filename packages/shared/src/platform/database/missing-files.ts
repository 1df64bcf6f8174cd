import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { MigrationConnection } from './migration-connection.ts'

interface Relation {
  name: string
  path: string
  /** The number of full files before the last one, by the page count of the last vacuum or analyze. */
  fullFiles: number
}

/**
 * Finds tables, indexes and sequences of which a file is missing, as after an incomplete copy. PostgreSQL itself notices a
 * missing file only when it needs it; and when a later file of a large table is missing, it takes the one before for the end.
 *
 * A relation of more than 1 GiB continues in the files `PATH.1`, `PATH.2` and so on, which are emptied but kept when it shrinks.
 * PostgreSQL does not record how many there should be. Known to be needed are all files before an existing one, and those
 * counted by the last vacuum, analyze or index build. So a missing file at the end that is newer than that goes unnoticed.
 * @returns names with their schema
 */
export async function findMissingFiles(
  directory: string,
  connection: Pick<MigrationConnection, 'query'>,
): Promise<string[]> {
  // Without temporary relations: their files are removed with the session, although the catalog may still list them.
  const relations = await connection.query<Relation>(
    `select * from (
       select format('%s.%s', relnamespace::regnamespace, relname) as name, pg_relation_filepath(oid) as path,
           greatest(relpages - 1, 0) / (select setting::int from pg_settings where name = 'segment_size') as "fullFiles"
         from pg_catalog.pg_class where relpersistence <> 't'
     ) as relations where path is not null order by name`,
  )
  const folders = [...new Set(relations.map(({ path }) => path.slice(0, path.lastIndexOf('/'))))]
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(directory, folder))
      return names.map((name) => `${folder}/${name}`)
    }),
  )
  const files = new Set(listed.flat())
  const lastThere = lastNumbers(files)
  return relations
    .filter(({ path, fullFiles }) => {
      const last = Math.max(fullFiles, lastThere.get(path) ?? 0)
      return Array.from({ length: last + 1 }, (_, n) => fileName(path, n)).some((name) => !files.has(name))
    })
    .map(({ name }) => name)
}

const fileName = (path: string, number: number) => (number === 0 ? path : `${path}.${number}`)

/** The highest file number of each path that has several files. */
function lastNumbers(files: Iterable<string>): Map<string, number> {
  const last = new Map<string, number>()
  for (const file of files) {
    const [, path, number] = /^(.+\/\d+)\.(\d+)$/.exec(file) ?? []
    if (path !== undefined) last.set(path, Math.max(last.get(path) ?? 0, Number(number)))
  }
  return last
}
