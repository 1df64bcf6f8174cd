import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@memory/shared/platform/database/database'
import { asService } from '@memory/shared/platform/database/embedded'
import type { Answer, EmbeddedSession } from '@memory/shared/platform/database/embedded-session'
import { EmbeddedStatements } from '@memory/shared/platform/database/embedded-statements'
import { upkeepGrant } from '@memory/shared/platform/database/embedded-upkeep'
import { ThreadSession } from '@memory/shared/platform/database/thread-session'
import { plant } from './plant.ts'

/** Stands for the watch over the disk, which a lent database does without. */
const reserve = { isLow: false }

/** An embedded database that services of this process have one after the other, each as if it were new. */
interface Lent {
  session: ThreadSession
  directory: string
  /** The state (`readState`) when nobody had used it. */
  untouched: string
  /** The tables that the migrations have filled. */
  kept: string[]
  /** A statement that puts back what the database knows of the sizes of tables and indexes, by which it plans statements. */
  sizes: string
}

/** Databases that nobody uses at present. */
const free: Lent[] = []

/** A lent session. When it is closed the database is given back, and whatever the service sends after that is refused. */
class Loan implements EmbeddedSession {
  readonly #lent: Lent
  readonly #sent = new Set<Promise<unknown>>()
  isClosed = false

  constructor(lent: Lent) {
    this.#lent = lent
  }

  send(messages: Uint8Array, putsOff: boolean): Promise<Answer> {
    if (this.isClosed) return Promise.reject(new Error('The database is closed.'))
    const answer = this.#lent.session.send(messages, putsOff)
    this.#sent.add(answer)
    void answer.finally(() => this.#sent.delete(answer)).catch(() => {})
    return answer
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    await Promise.allSettled(this.#sent)
    free.push(this.#lent)
  }
}

/**
 * Lends an embedded database that is as a new one: to open one takes longer than most tests. It is emptied when the next
 * service asks for it; where more was changed than rows, such as a table's columns, it is not lent again.
 */
export async function lendDatabase(): Promise<Database> {
  const lent = (await takeFree()) ?? (await open())
  return asService(new Loan(lent), reserve, lent.directory)
}

async function takeFree(): Promise<Lent | undefined> {
  const lent = free.pop()
  if (lent === undefined) return undefined
  await empty(lent)
  if ((await readState(lent.session, lent.kept)) === lent.untouched) return lent
  await lent.session.close()
  return takeFree()
}

async function open(): Promise<Lent> {
  const directory = join(mkdtempSync(join(tmpdir(), 'memory-lent-')), 'database')
  plant(directory)
  const session = await ThreadSession.open(directory)
  await (await asOwner(session)).exec(upkeepGrant)
  const kept = await listFilled(session)
  const sizes = await readSizes(session)
  return { session, directory, kept, sizes, untouched: await readState(session, kept) }
}

/** As the owner of all tables, with nothing that the service before has prepared, set or listens to. */
async function asOwner(session: ThreadSession): Promise<EmbeddedStatements> {
  const statements = new EmbeddedStatements(session, reserve)
  // The service before may have left a transaction open.
  await statements.exec('rollback')
  await statements.exec('discard all')
  return statements
}

async function query<Row>(session: ThreadSession, text: string): Promise<Row[]> {
  const statements = await asOwner(session)
  return (await statements.run<Row>(text, [], false)).rows
}

/**
 * Empties all tables but those that the migrations have filled. It truncates them: deleting rows takes less time, but leaves
 * indexes as large as they have grown, by which statements are planned.
 */
async function empty({ session, kept, sizes }: Lent): Promise<void> {
  const used = (await listFilled(session)).filter((name) => !kept.includes(name))
  const statements = await asOwner(session)
  if (used.length > 0) await statements.exec(`truncate ${used.join(', ')} restart identity cascade`)
  await statements.exec(
    "select setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences where last_value is not null",
  )
  await statements.exec(sizes)
  // Without a checkpoint the write-ahead log grows with each service that has the database.
  await statements.exec('checkpoint')
}

async function listFilled(session: ThreadSession): Promise<string[]> {
  const tables = await query<{ name: string }>(
    session,
    `select c.oid::regclass::text as name from pg_class c where c.relkind = 'r' and c.oid >= 16384 and pg_relation_size(c.oid) > 0`,
  )
  return tables.map(({ name }) => name)
}

async function readSizes(session: ThreadSession): Promise<string> {
  const rows = await query<{ row: string }>(
    session,
    `select format('(%s, %s, %s)', oid, relpages, reltuples) as row from pg_class where oid >= 16384 and relkind in ('r', 'i', 't')`,
  )
  return `update pg_class c set relpages = v.relpages, reltuples = v.reltuples, relallvisible = 0, relallfrozen = 0
    from (values ${rows.map(({ row }) => row).join(', ')}) as v (oid, relpages, reltuples)
    where c.oid = v.oid and (c.relpages, c.reltuples) is distinct from (v.relpages, v.reltuples)`
}

/**
 * What a test may have changed beside rows that it added: tables, functions, policies, rights, statistics, and rows that
 * the migrations made.
 */
async function readState(session: ThreadSession, kept: readonly string[]): Promise<string> {
  const state = await query<{ state: string | null }>(
    session,
    [
      ...kept.map((name) => `select md5(string_agg(t::text, ',' order by t::text)) as state from ${name} t`),
      `select md5(string_agg(concat(oid, relname, relowner, relacl, relrowsecurity, reloptions, relnatts), ',' order by oid))
        from pg_class where oid >= 16384`,
      `select md5(string_agg(concat(oid, xmin, prosrc), ',' order by oid)) from pg_proc where oid >= 16384`,
      ...['pg_trigger', 'pg_policy', 'pg_constraint', 'pg_authid', 'pg_attrdef'].map(
        (name) => `select md5(string_agg(t::text, ',' order by t.oid)) from ${name} t where t.oid >= 10`,
      ),
      `select md5(string_agg(t::text, ',' order by t::text)) from pg_db_role_setting t`,
      `select count(*)::text from pg_statistic where starelid >= 16384`,
      `select count(last_value)::text from pg_sequences`,
    ].join(' union all '),
  )
  return JSON.stringify([state, (await listFilled(session)).toSorted()])
}
