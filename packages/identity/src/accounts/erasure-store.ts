import { asTask, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { idsHash, type ReceiptIssuer } from '@memory/shared/receipts/receipt'
import { sql } from 'kysely'

/** Ids of what can't be restored any more and is to be erased, deleted longest ago first. */
export interface Due {
  organizations: string[]
  users: string[]
}

/** @param without ids that are left out @param count the most ids of each kind */
export function listDue(queries: Queries, without: readonly string[], count: number): Promise<Due> {
  return asTask(queries, 'erase-account', async (trx) => {
    const list = async (table: 'organizations' | 'users') => {
      const rows = await trx
        .withSchema('app')
        .selectFrom(table)
        .select('id')
        .where(sql<boolean>`app.is_erasable(deleted_at) and id <> all (${without}::uuid[])`)
        .orderBy('deleted_at')
        .limit(count)
        .execute()
      return rows.map(({ id }) => id)
    }
    return { organizations: await list('organizations'), users: await list('users') }
  })
}

/** Removes some of the patterns of an organization that is due. @returns how many; 0 when none is left */
export async function erasePatterns(
  queries: Queries,
  organizationId: string,
  count: number,
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    select app.erase_patterns(${organizationId}, ${count}) as removed`.execute(queries)
  return rows[0]?.removed ?? 0
}

/** What the receipt says of an organization to be erased, whose patterns are already removed. */
interface DueOrganization {
  deleted_at: Date
  /** How many patterns and other things were removed before. */
  counts: Record<string, number> | null
  spaces: string[]
}

/** Removes an organization that is due, with everything of it, and issues a receipt, which stays. */
export async function eraseOrganization(
  queries: Queries,
  organizationId: string,
  receipts: ReceiptIssuer,
): Promise<void> {
  await withoutHaste(queries, async (trx) => {
    await sql`select set_config('app.organization_id', ${organizationId}, true)`.execute(trx)
    const { rows } = await sql<DueOrganization>`
      select o.deleted_at, (select e.counts from app.erasures_under_way e where e.organization_id = o.id) as counts,
          array(select s.id from app.spaces s where s.organization_id = o.id order by s.id) as spaces
        from app.organizations o where o.id = ${organizationId} and app.is_erasable(o.deleted_at) for update`.execute(
      trx,
    )
    const [due] = rows
    if (due === undefined) return
    await receipts.issue(trx, {
      organizationId,
      spaceId: null,
      selector: { organization: organizationId },
      idsSha256: idsHash([organizationId, ...due.spaces]),
      counts: { ...due.counts, spaces: due.spaces.length, organizations: 1 },
      requestedAt: due.deleted_at,
    })
    await sql`select app.erase_organization(${organizationId})`.execute(trx)
  })
}

/**
 * Takes those of the users that are due out of the next `count` entries of the audit log.
 * @param after the id of the entry before them
 * @returns the id of the last of these entries; undefined when there are none
 */
export async function pseudonymise(
  queries: Queries,
  userIds: readonly string[],
  after: number,
  count: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`
    select app.pseudonymise_audit(${userIds}::uuid[], ${after}, ${count})::float8 as last`.execute(queries)
  return rows[0]?.last ?? undefined
}

/**
 * Removes a user who is due, with everything of theirs.
 * @param after the id of an entry of the audit log up to which the user was taken out before
 */
export async function eraseUser(queries: Queries, userId: string, after: number): Promise<void> {
  await withoutHaste(queries, (trx) => sql`select app.erase_user(${userId}, ${after})`.execute(trx))
}

const unhurriedMs = 10 * 60_000

/** Runs `work` with a long time limit, since the audit log that it reads may be of any length. */
function withoutHaste<T>(queries: Queries, work: (trx: Trx) => Promise<T>): Promise<T> {
  return asTask(queries, 'erase-account', async (trx) => {
    await sql`set local statement_timeout = ${sql.raw(String(unhurriedMs))}`.execute(trx)
    return work(trx)
  })
}

/**
 * Makes users and organizations that a backup has brought back due for erasure at once. One that was made after the erasure is
 * another that has its id, as the local organization and its operator have fixed ones: it stays.
 * @param erasures each id once @returns the ids that were found
 */
export function makeDue(
  queries: Queries,
  erasures: readonly { id: string; at: string }[],
): Promise<string[]> {
  return asTask(queries, 'administer-accounts', async (trx) => {
    const { rows } = await sql<{ id: string }>`
      with erased as (
        select * from unnest(${erasures.map(({ id }) => id)}::uuid[], ${erasures.map(({ at }) => at)}::timestamptz[]) as e (id, at)
      ), due as (
        select now() - interval '31 days' as at
      ), users as (
        update app.users u set status = 'deleted', deleted_at = due.at from due, erased e
          where u.id = e.id and u.created_at < e.at returning u.id
      ), organizations as (
        update app.organizations o set deleted_at = due.at from due, erased e
          where o.id = e.id and o.created_at < e.at returning o.id
      )
      select id from users union all select id from organizations`.execute(trx)
    return rows.map(({ id }) => id)
  })
}
