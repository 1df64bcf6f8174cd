import type { MigrationConnection } from './migration-connection.ts'
import { queueSchema } from './queue-schema.ts'

/** Who migrates which database, as SQL names. */
interface Who {
  user: string
  database: string
}

/** Something that the migrating user needs and that only a user with more rights may be able to give it. */
interface Right {
  /** SQL: whether it is there. */
  present: string
  /** What brings it about, where the user may do that. */
  statement: string | undefined
  missing: (who: Who) => string
  /** What a superuser does in that database. */
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

/** Of PostgreSQL: insufficient_privilege; undefined_object, for a role that is not there yet. */
const refusals = ['42501', '42704']

/**
 * Sees to what migrations need beside tables: it makes what the user may make, so that a user with those rights needs no
 * preparation, and an owner without them only what is listed.
 * @returns one sentence on all that is missing, with what a superuser does about it; undefined when nothing is
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

/** What no statement of ours puts right: tables of another owner, or restored before there was the role to grant them to. */
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

/** @throws whatever else than a missing right keeps it from being made */
async function obtain(connection: MigrationConnection, { present, statement }: Right): Promise<boolean> {
  if (await isTrue(connection, present)) return true
  if (statement === undefined) return false
  try {
    await connection.exec(statement)
    return true
  } catch (error) {
    // Roles are the server's: whoever migrates another database may have been quicker.
    if (await isTrue(connection, present)) return true
    if (refusals.includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}

async function isTrue(connection: MigrationConnection, expression: string): Promise<boolean> {
  const [row] = await connection.query<{ true: boolean }>(`select ${expression} as true`)
  return row?.true === true
}
