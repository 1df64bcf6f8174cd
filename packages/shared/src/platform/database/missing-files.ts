import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { MigrationConnection } from './migration-connection.ts'

interface Relation {
  name: string
  path: string
  /** Files of full length before the last one, by the pages that were counted last. */
  fullFiles: number
}

/**
 * The tables, indexes and sequences of which a file is not in the folder of the database, as after an incomplete copy.
 * PostgreSQL itself looks for a file when somebody asks for what is in it, and takes the file before one that is missing
 * for the end.
 *
 * What is larger than one file (1 GiB) goes on in `PATH.1`, `PATH.2` and so on, which PostgreSQL empties and keeps when it
 * becomes smaller. How many there should be it writes down nowhere: known are those before one that is there, and those
 * that the last vacuum, analyze or making of an index has counted. A file at the end that was begun since is not missed.
 * @returns their names with the schema
 */
export async function findMissingFiles(
  directory: string,
  connection: Pick<MigrationConnection, 'query'>,
): Promise<string[]> {
  // Those of a session that is gone have been removed, although the catalog names them yet.
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

/** The highest number among the files of each path that has several. */
function lastNumbers(files: Iterable<string>): Map<string, number> {
  const last = new Map<string, number>()
  for (const file of files) {
    const [, path, number] = /^(.+\/\d+)\.(\d+)$/.exec(file) ?? []
    if (path !== undefined) last.set(path, Math.max(last.get(path) ?? 0, Number(number)))
  }
  return last
}
