import { BackupError } from '../backup/backup-error.ts'
import type { MigrationConnection } from './migration-connection.ts'
import { ageMax, type TableUse, tableUpkeep } from './table-upkeep.ts'

/**
 * A checkpoint is made when the log has grown by this much. A start after a crash has to read about this much log, and it
 * takes this much of the disk. Less would make stores slower, since the first change of each page after a checkpoint logs the
 * whole page: with 64 MB 100,000 stores took 86 s instead of 65 (one run, on a busy machine).
 */
const defaultWalMaxMiB = 256
/** How often tables are checked for whether they need a vacuum or an analyze. */
const tablesEveryMs = 60_000
/**
 * Tables are checked sooner when the log has grown by this much (some hundred stored texts), and then by twice as much each
 * time. A new installation may grow within a minute, and statements planned for empty tables would read the whole of a space
 * for each row.
 */
const grownBytes = 2n ** 20n

/** Settings with which the database starts. Unlike in a server, `max_wal_size` triggers no checkpoint: `keep` makes them. */
export const upkeepSettings = [
  `max_wal_size=${defaultWalMaxMiB}MB`,
  'min_wal_size=32MB',
  // A tenth of the default sample. An analyze, which blocks all other statements, takes 70 to 110 ms instead of 300 to 580 for
  // 100,000 vectors of 384.
  'default_statistics_target=10',
]

/** The rights that the application role needs for `EmbeddedUpkeep`. May be granted repeatedly. */
export const upkeepGrant = 'grant pg_maintain, pg_checkpoint to memory_app'

/**
 * Drops the template databases, from which PostgreSQL would create further databases: none are created here. Their tables would
 * never be vacuumed, and after two thousand million transactions the database could not be opened any more (PostgreSQL's
 * manual, "Preventing Transaction ID Wraparound Failures"). They also make up half the files of a new data directory.
 * @param connection of the owner; does nothing when the templates are gone already
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
 * Does what a PostgreSQL server's checkpointer and autovacuum processes do, which the embedded database lacks. Without it the
 * log would grow until the next clean stop, deleted rows would stay in the files, and queries would be planned for empty
 * tables.
 */
export class EmbeddedUpkeep {
  readonly #connection: MigrationConnection
  readonly #walMaxBytes: number
  #checkpointAt: bigint | undefined
  #startedAt: number | undefined
  #tablesAt: number | undefined
  /** The log position at which tables are checked before their regular time. */
  #soonerAt: bigint | undefined
  #soonerBytes = grownBytes
  #isLogHeld = false

  /** @param connection of the application role */
  constructor(connection: MigrationConnection, walMaxBytes = defaultWalMaxMiB * 2 ** 20) {
    this.#connection = connection
    this.#walMaxBytes = walMaxBytes
  }

  /**
   * Does what is due, one statement at a time, so that requests can run in between.
   * @param nowMs the time by a monotonic clock, in ms
   * @returns the SQL commands that were run
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
   * Runs a backup's `work`, which needs all log that is written meanwhile. No checkpoint is made until it is done, since that
   * would let PostgreSQL remove old log.
   * @throws BackupError while another backup is running
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
    return tables.flatMap(
      ({ name, vacuumedMsAgo, outsideLive, outsideDead, outsideVacuumedMsAgo, ...use }) => {
        const outside = {
          live: outsideLive,
          dead: outsideDead,
          keptMsAgo: outsideVacuumedMsAgo ?? sinceStartMs,
        }
        const commands = tableUpkeep({ ...use, outside, keptMsAgo: vacuumedMsAgo ?? sinceStartMs }, isFirst)
        return commands.map((command) => `${command} ${name}`)
      },
    )
  }

  /** Makes a checkpoint when the log has grown enough since the last one. @returns whether it did */
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

  /** @param isFirst whether to read the sizes of tables too: this looks at all files and blocks the database for 20 to 60 ms */
  #readTables(isFirst: boolean): Promise<ReadTable[]> {
    const sinceVacuum = (statistics: string) =>
      `(extract(epoch from now() - ${statistics}.last_vacuum) * 1000)::float8`
    return this.#connection.query(
      `select format('%I.%I', s.schemaname, s.relname) as name, s.n_live_tup::float8 as live,
              s.n_dead_tup::float8 as dead, s.n_mod_since_analyze::float8 as changed,
              s.n_ins_since_vacuum::float8 as added, age(c.relfrozenxid) as age,
              case when $2 then pg_relation_size(c.oid) + coalesce(pg_relation_size(c.reltoastrelid), 0)
                else 0 end::float8 as bytes,
              ${sinceVacuum('s')} as "vacuumedMsAgo", coalesce(o.n_live_tup, 0)::float8 as "outsideLive",
              coalesce(o.n_dead_tup, 0)::float8 as "outsideDead", ${sinceVacuum('o')} as "outsideVacuumedMsAgo"
         from pg_stat_all_tables s join pg_class c on c.oid = s.relid
         left join pg_stat_all_tables o on o.relid = c.reltoastrelid
         where c.relkind = 'r' and c.relpersistence = 'p'
           and (s.schemaname !~ '^(pg_catalog|information_schema)$' or age(c.relfrozenxid) > $1)
         order by c.relpages`,
      [ageMax, isFirst],
    )
  }
}

/** A table's statistics as they are read. */
interface ReadTable extends Omit<TableUse, 'keptMsAgo' | 'outside'> {
  name: string
  vacuumedMsAgo: number | null
  outsideLive: number
  outsideDead: number
  outsideVacuumedMsAgo: number | null
}
