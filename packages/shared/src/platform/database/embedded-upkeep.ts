import { BackupError } from '../backup/backup-error.ts'
import type { MigrationConnection } from './migration-connection.ts'
import { ageMax, type TableUse, tableUpkeep } from './table-upkeep.ts'

/**
 * Log that may gather before a checkpoint: a start after a crash reads about so much, and so much stays on the disk. The
 * first change of each page after one is logged whole: at 64 MB 100,000 stores took 86 s instead of 65 (one run, on a busy
 * machine).
 */
const defaultWalMaxMiB = 256
const tablesEveryMs = 60_000
/**
 * Log after which tables are looked at sooner, some hundred facts, twice as much each time: a new installation grows
 * within a minute, and statements that were planned while its tables were empty read the whole of a space for each row.
 */
const grownBytes = 2n ** 20n

/** What is set when the database starts. A server sizes its log by the same; here checkpoints are made by `keep`. */
export const upkeepSettings = [
  `max_wal_size=${defaultWalMaxMiB}MB`,
  'min_wal_size=32MB',
  // A tenth of the sample: statistics of 100,000 x 384 take 70 to 110 ms instead of 300 to 580, in which no other statement runs.
  'default_statistics_target=10',
]

/** What the application role may do beyond its tables for `EmbeddedUpkeep`; repeating it changes nothing. */
export const upkeepGrant = 'grant pg_maintain, pg_checkpoint to memory_app'

/**
 * Drops the databases that PostgreSQL would make others of, which nobody does here. A table that is never vacuumed holds back
 * how old transactions may be, in them too, and after two thousand million of these the database would not open any more
 * (PostgreSQL's manual, "Preventing Transaction ID Wraparound Failures"). Half the files of a new data directory would be theirs.
 * @param connection as the owner; where they are gone nothing is changed
 */
export async function dropTemplates(connection: MigrationConnection): Promise<void> {
  const templates = await connection.query<{ name: string }>(
    "select datname::text as name from pg_database where datname in ('template0', 'template1')",
  )
  for (const { name } of templates) {
    await connection.exec(`update pg_database set datistemplate = false where datname = '${name}'`)
    await connection.exec(`drop database ${name}`)
  }
}

/**
 * What a PostgreSQL server's checkpointer and autovacuum do in processes of their own, which the embedded database
 * lacks: without it the log grows until the next clean stop, rows that were deleted stay in the files, and queries are
 * planned for empty tables.
 */
export class EmbeddedUpkeep {
  readonly #connection: MigrationConnection
  readonly #walMaxBytes: number
  #checkpointAt: bigint | undefined
  #startedAt: number | undefined
  #tablesAt: number | undefined
  /** Where the log is when tables are looked at sooner. */
  #soonerAt: bigint | undefined
  #soonerBytes = grownBytes
  #isLogHeld = false

  /** @param connection as the application role */
  constructor(connection: MigrationConnection, walMaxBytes = defaultWalMaxMiB * 2 ** 20) {
    this.#connection = connection
    this.#walMaxBytes = walMaxBytes
  }

  /**
   * Does what is due, statement by statement, so that requests come between.
   * @param nowMs of a clock that never goes back
   * @returns what was done, in the words of SQL
   */
  async keep(nowMs: number): Promise<string[]> {
    const logEnd = await this.#logEnd()
    const done = (await this.#shortenLog(logEnd)) ? ['checkpoint'] : []
    this.#startedAt ??= nowMs
    const isDue = nowMs - (this.#tablesAt ?? this.#startedAt) >= tablesEveryMs
    if (isDue || this.#hasGrown(logEnd)) {
      const due = await this.#listDueTables(nowMs - this.#startedAt, isDue && this.#tablesAt === undefined)
      if (isDue) this.#tablesAt = nowMs
      for (const command of due) await this.#connection.exec(command)
      done.push(...due)
    }
    return done
  }

  #hasGrown(logEnd: bigint): boolean {
    this.#soonerAt ??= logEnd + this.#soonerBytes
    if (logEnd < this.#soonerAt) return false
    this.#soonerBytes *= 2n
    this.#soonerAt = logEnd + this.#soonerBytes
    return true
  }

  /**
   * Runs `work`, which needs the log that is written meanwhile: without a checkpoint nothing of it goes.
   * @throws BackupError while other such work runs
   */
  async holdLog<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isLogHeld) throw new BackupError('Another backup is being made: wait until it is done.')
    this.#isLogHeld = true
    try {
      return await work()
    } finally {
      this.#isLogHeld = false
    }
  }

  async #listDueTables(sinceStartMs: number, isFirst: boolean): Promise<string[]> {
    const tables = await this.#readTables(isFirst)
    return tables.flatMap(({ name, vacuumedMsAgo, ...use }) => {
      const command = tableUpkeep({ ...use, keptMsAgo: vacuumedMsAgo ?? sinceStartMs }, isFirst)
      return command === undefined ? [] : [`${command} ${name}`]
    })
  }

  /** Makes a checkpoint when so much log has gathered since the last that was made. @returns whether it did */
  async #shortenLog(at: bigint): Promise<boolean> {
    this.#checkpointAt ??= at
    if (this.#isLogHeld || at - this.#checkpointAt < this.#walMaxBytes) return false
    await this.#connection.exec('checkpoint')
    this.#checkpointAt = at
    return true
  }

  async #logEnd(): Promise<bigint> {
    const [row] = await this.#connection.query<{ bytes: string }>(
      "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as bytes",
    )
    return BigInt(row?.bytes ?? 0)
  }

  /** @param isFirst whether sizes are looked at: each is a look at the files, all together 20 to 60 ms of everybody's time */
  #readTables(
    isFirst: boolean,
  ): Promise<(Omit<TableUse, 'keptMsAgo'> & { name: string; vacuumedMsAgo: number | null })[]> {
    return this.#connection.query(
      `select format('%I.%I', s.schemaname, s.relname) as name, s.n_live_tup::float8 as live,
              s.n_dead_tup::float8 as dead, s.n_mod_since_analyze::float8 as changed,
              age(c.relfrozenxid) as age,
              case when $2 then pg_relation_size(c.oid) + coalesce(pg_relation_size(c.reltoastrelid), 0)
                else 0 end::float8 as bytes,
              (extract(epoch from now() - s.last_vacuum) * 1000)::float8 as "vacuumedMsAgo"
         from pg_stat_all_tables s join pg_class c on c.oid = s.relid
         where c.relkind = 'r' and c.relpersistence = 'p'
           and (s.schemaname !~ '^(pg_catalog|information_schema)$' or age(c.relfrozenxid) > $1)
         order by c.relpages`,
      [ageMax, isFirst],
    )
  }
}
