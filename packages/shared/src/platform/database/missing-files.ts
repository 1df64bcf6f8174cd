import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { MigrationConnection } from './migration-connection.ts'

/**
 * The tables, indexes and sequences whose file is not in the folder of the database, as after an incomplete copy.
 * PostgreSQL itself looks for a file when somebody asks for what is in it.
 * @returns their names with the schema
 */
export async function findMissingFiles(
  directory: string,
  connection: Pick<MigrationConnection, 'query'>,
): Promise<string[]> {
  // Those of a session that is gone have been removed, although the catalog names them yet.
  const relations = await connection.query<{ name: string; path: string }>(
    `select * from (
       select format('%s.%s', relnamespace::regnamespace, relname) as name, pg_relation_filepath(oid) as path
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
  return relations.filter(({ path }) => !files.has(path)).map(({ name }) => name)
}
