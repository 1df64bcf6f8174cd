import type { MigrationConnection } from './migration-connection.ts'
import { queueSchema } from './queue-schema.ts'

/** The migrating user and the database, as quoted SQL names. */
interface Who {
  user: string
  database: string
}

/** Something that migrations need, and that the migrating user may lack the rights to set up. */
interface Right {
  /** An SQL expression: whether it is present. */
  present: string
  /** The SQL statement that sets it up, if the user has the rights; undefined: none does. */
  statement: string | undefined
  /** Says what is missing. */
  missing: (who: Who) => string
  /** The SQL that a superuser should run in that database. */
  remedy: (who: Who) => string
}

const rights: Right[] = [
  {
    present: `to_regnamespace('app') is not null and to_regnamespace('${queueSchema}') is not null
      or has_database_privilege(current_database(), 'CREATE')`,
    statement: undefined,
    missing: ({ user }) => `${user} may not create schemas`,
    remedy: ({ user, database }) => `GRANT CREATE ON DATABASE ${database} TO ${user};`,
  },
  {
    present: "exists (select from pg_extension where extname = 'vector')",
    statement: 'create extension if not exists vector',
    missing: () => 'the extension vector is not created',
    remedy: () => 'CREATE EXTENSION vector;',
  },
  {
    present: "to_regrole('memory_app') is not null",
    statement: 'create role memory_app nologin',
    missing: () => 'there is no role memory_app',
    remedy: () => 'CREATE ROLE memory_app NOLOGIN;',
  },
  {
    present: "coalesce(pg_has_role(current_user, to_regrole('memory_app')::oid, 'SET'), false)",
    statement: 'grant memory_app to current_user',
    missing: ({ user }) => `${user} is no member of memory_app`,
    remedy: ({ user }) => `GRANT memory_app TO ${user};`,
  },
]

/** PostgreSQL's codes insufficient_privilege, and undefined_object for a role that does not exist yet. */
const refusals = ['42501', '42704']

/**
 * Sets up whatever migrations need besides tables, as far as the user's rights allow.
 * @returns one sentence that lists what is still missing and the SQL for a superuser; undefined when nothing is missing
 */
export async function missingRights(connection: MigrationConnection): Promise<string | undefined> {
  const lost = await lostRights(connection)
  if (lost !== undefined) return lost
  const missing: Right[] = []
  for (const right of rights) if (!(await obtain(connection, right))) missing.push(right)
  if (missing.length === 0) return undefined
  const who = await readWho(connection)
  const what = missing.map((right) => right.missing(who)).join(', ')
  const remedies = missing.map((right) => right.remedy(who)).join(' ')
  return `The database ${who.database} can't be migrated as ${who.user} (${what}): run in it, as a superuser, ${remedies}`
}

/**
 * Finds problems that can't be fixed here: tables of another owner, or tables restored before the role memory_app existed, to
 * which the dump would have granted its rights.
 */
async function lostRights(connection: MigrationConnection): Promise<string | undefined> {
  const [found] = await connection.query<{ owner: string | null; granted: boolean }>(
    `select min(quote_ident(pg_get_userbyid(c.relowner)))
              filter (where not pg_has_role(current_user, c.relowner, 'USAGE')) as owner,
            count(*) = 0 or to_regrole('memory_app') is not null as granted
       from pg_class c
      where c.relnamespace in (to_regnamespace('app'), to_regnamespace('${queueSchema}')) and c.relkind in ('r', 'p')`,
  )
  const { user, database } = await readWho(connection)
  if (found?.owner != null) {
    return `The tables in the database ${database} belong to ${found.owner}: let DATABASE_URL name that user instead of ${user}, or restore them as ${user} with pg_restore --no-owner.`
  }
  if (found?.granted) return undefined
  return `The tables in the database ${database} were restored before the server had the role memory_app to grant rights on them to: run CREATE ROLE memory_app NOLOGIN; GRANT memory_app TO ${user}; as a superuser and restore them again into an empty database.`
}

async function readWho(connection: MigrationConnection): Promise<Who> {
  const [who] = await connection.query<Who>(
    'select quote_ident(current_user) as user, quote_ident(current_database()) as database',
  )
  return who as Who
}

/** Sets up `right`. @returns false when the user lacks the rights to do so @throws any other error */
async function obtain(connection: MigrationConnection, { present, statement }: Right): Promise<boolean> {
  if (await isTrue(connection, present)) return true
  if (statement === undefined) return false
  try {
    await connection.exec(statement)
    return true
  } catch (error) {
    // Roles belong to the whole server: a process that migrates another database may have created it just now.
    if (await isTrue(connection, present)) return true
    if (refusals.includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

async function isTrue(connection: MigrationConnection, expression: string): Promise<boolean> {
  const [row] = await connection.query<{ true: boolean }>(`select ${expression} as true`)
  return row?.true === true
}
