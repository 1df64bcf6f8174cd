import { type SqlBool, sql } from 'kysely'
import type { AuditAction } from '../catalogue/audit-actions.ts'
import { spellingsOf } from '../catalogue/mailbox.ts'
import { inIndexOrder, type Queries, type Trx } from '../platform/database/database.ts'

export interface NewEntry {
  action: AuditAction
  success: boolean
  organization_id: string | null
  user_id: string | null
  actor: 'user' | 'key' | 'system'
  actor_id: string | null
  actor_email: string | null
  session_id: string | null
  ip: string | null
  user_agent: string | null
  request_id: string | null
  target: string | null
  details: string | null
}

/** Adds an entry. For a key it looks up who made it: the email that the entry is under, where it names none. */
export async function insert(trx: Trx, entry: NewEntry): Promise<void> {
  const { actor, actor_id, actor_email, organization_id } = entry
  await trx
    .withSchema('app')
    .insertInto('audit_log')
    .values({
      ...entry,
      actor_email:
        actor !== 'key'
          ? actor_email
          : sql<string | null>`app.email_of_creator(${organization_id}, ${actor_id})`,
    })
    .execute()
}

/** Whose entries are listed: an organization's, a user's, or both together. */
export interface Readers {
  organizationId: string | undefined
  userId: string
}

/** Which entries are wanted; undefined for whatever it is. */
export interface WhichEntries {
  action: AuditAction | undefined
  success: boolean | undefined
  actorEmail: string | undefined
  since: Date | undefined
  until: Date | undefined
}

/** Entries, newest first. */
export async function list(
  trx: Trx,
  { organizationId, userId }: Readers,
  { action, success, actorEmail, since, until }: WhichEntries,
  offset: number,
  limit: number,
) {
  const table = trx.withSchema('app')
  const entries = () =>
    table
      .selectFrom('audit_log')
      .select([
        'id',
        'at',
        'action',
        'organization_id',
        'actor',
        'actor_id',
        'actor_email',
        'ip',
        'user_agent',
        'details',
        'success',
      ])
      .$if(action !== undefined, (query) => query.where('action', '=', action as AuditAction))
      .$if(success !== undefined, (query) => query.where('success', '=', success as boolean))
      .$if(actorEmail !== undefined, (query) =>
        query.where(sql<SqlBool>`lower(actor_email) = any (${spellingsOf(actorEmail as string)}::text[])`),
      )
      .$if(since !== undefined, (query) => query.where('at', '>=', since as Date))
      .$if(until !== undefined, (query) => query.where('at', '<', until as Date))
      .orderBy('id', 'desc')
      .limit(offset + limit)
  const part = (query: ReturnType<typeof entries>) => table.selectFrom(query.as('part')).selectAll()
  const own = part(entries().where('user_id', '=', userId))
  // Each part is the newest of one index; a condition with "or", or one against what both have, would be looked for in
  // all that there is.
  const all =
    organizationId === undefined
      ? own
      : own.union(part(entries().where('organization_id', '=', organizationId)))
  // Else all entries of a tenant are collected and sorted: 1.1 s of half a million, 5 ms in the order of the index.
  await sql`select ${inIndexOrder}`.execute(trx)
  return table
    .selectFrom(all.as('entries'))
    .selectAll()
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

export type EntryRow = Awaited<ReturnType<typeof list>>[number]

/** Entries removed in one transaction. */
const purgedAtOnce = 5_000

/** Removes entries that are older. @returns how many */
export async function purge(queries: Queries, days: number): Promise<number> {
  for (let purged = 0; ; ) {
    const { rows } = await sql<{ removed: number }>`
      select app.purge_audit_log(${days}, ${purgedAtOnce}) as removed`.execute(queries)
    const removed = rows[0]?.removed ?? 0
    purged += removed
    if (removed < purgedAtOnce) return purged
  }
}
