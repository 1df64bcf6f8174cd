import type { Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { asOwner } from '../platform/open-database.ts'

/** @param when such as `after delete on app.mails for each row` @param body in PL/pgSQL */
async function withTrigger<T>(
  queries: Queries,
  when: string,
  body: string,
  work: () => Promise<T>,
): Promise<T> {
  await asOwner(queries, async (trx) => {
    await sql`create function app.of_test() returns trigger language plpgsql as ${sql.lit(`begin ${body} end`)}`.execute(
      trx,
    )
    await sql`create trigger of_test ${sql.raw(when)} execute function app.of_test()`.execute(trx)
  })
  try {
    return await work()
  } finally {
    await asOwner(queries, (trx) => sql`drop function app.of_test() cascade`.execute(trx))
  }
}

/**
 * Runs `work` while a statement fails that changes more than `most` rows of a table, as it does by its time limit where rows
 * are many.
 */
export function withShortStatements<T>(
  queries: Queries,
  { table, change, most }: { table: string; change: 'update' | 'delete'; most: number },
  work: () => Promise<T>,
): Promise<T> {
  return withTrigger(
    queries,
    `after ${change} on app.${table} referencing old table as changed for each statement`,
    `if (select count(*) from changed) > ${most} then
       raise exception 'canceling statement due to statement timeout' using errcode = '57014';
     end if;
     return null;`,
    work,
  )
}

/** Runs `work` while changes of a space fail, as they do while somebody holds its lock. */
export function withLockedSpace<T>(queries: Queries, spaceId: string, work: () => Promise<T>): Promise<T> {
  return withTrigger(
    queries,
    'before update on app.spaces for each row',
    `if new.id = '${spaceId}' then
       raise exception 'canceling statement due to lock timeout' using errcode = '55P03';
     end if;
     return new;`,
    work,
  )
}
