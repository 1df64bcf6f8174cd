import { type RawBuilder, sql } from 'kysely'
import { asTask, type Queries, type Task } from './database.ts'

/** The most rows that one statement takes: it ends long before the time limit of statements, however many there are. */
export const rowsAtOnce = 5_000

/** For rows with much in them, or that others go with. */
export const largeRowsAtOnce = 1_000

/** Repeats what takes up to `atOnce` rows, and says how many it took, until it finds fewer. @returns how many it took in all */
export async function untilFewer(atOnce: number, take: () => Promise<number>): Promise<number> {
  for (let all = 0; ; ) {
    const taken = await take()
    all += taken
    if (taken < atOnce) return all
  }
}

/**
 * Deletes the rows of a table (named `t` in the condition) that a task sees: at most `atOnce` in a transaction, so that what is done
 * stays done, and a table with more of them than one statement could delete in time becomes smaller. Those that somebody else
 * has locked are left to the next time.
 */
export async function purgeRows(
  queries: Queries,
  task: Task,
  table: string,
  condition: RawBuilder<unknown>,
  atOnce: number = rowsAtOnce,
): Promise<void> {
  const name = sql.table(`app.${table}`)
  await untilFewer(atOnce, async () => {
    const { numAffectedRows = 0n } = await asTask(queries, task, (trx) =>
      // Joined, not looked for in an array: for each row that a policy shows, that would be looked through.
      sql`with old as materialized (
          select t.ctid from ${name} t where ${condition} limit ${atOnce} for update skip locked
        )
        delete from ${name} t using old where t.ctid = old.ctid`.execute(trx),
    )
    return Number(numAffectedRows)
  })
}
