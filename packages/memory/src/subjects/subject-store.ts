import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { type RawBuilder, sql } from 'kysely'

/** What is stored of an end user, in figures. */
export interface SubjectRow {
  subject: string
  patterns: number
  bytes: number
  first_stored: Date
  last_stored: Date
}

/**
 * Condition: a pattern `p` is of a subject. Written as a range so that, ordered by subject and idx, the query planner reads the
 * patterns by the index of subjects instead of scanning the space.
 */
export const isOfSubject = (subject: string): RawBuilder<boolean> =>
  sql<boolean>`p.subject between ${subject} and ${subject}`

/** Up to `count` subjects after a name, in the order of their names. */
export async function listSubjects(
  queries: Queries,
  spaceId: string,
  { after, prefix, count }: { after: string | undefined; prefix: string | undefined; count: number },
): Promise<SubjectRow[]> {
  const { rows } = await sql<SubjectRow>`
    select * from app.list_subjects(${spaceId}, ${after ?? null}, ${prefix ?? null}, ${count})`.execute(
    queries,
  )
  return rows
}

export interface SubjectSummary extends SubjectRow {
  texts: number
  /** Null if the organization does not limit them, since they are not counted then. */
  queries_this_month: number | null
}

/** Figures of one end user. @returns undefined if nothing is stored of them */
export async function summarizeSubject(
  queries: Queries,
  spaceId: string,
  subject: string,
): Promise<SubjectSummary | undefined> {
  const { rows } = await sql<SubjectSummary>`
    select * from app.subject_summary(${spaceId}, ${subject})`.execute(queries)
  return rows[0]
}

/**
 * Removes what is stored of a subject beside its patterns.
 * @param actor the hash (hex) that the subject's actors in learned data begin with, see `actorOf`
 * @returns the number of rows removed, by their kind
 */
export async function eraseBesideSubject(
  trx: Trx,
  spaceId: string,
  subject: string,
  actor: string,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ counts: Record<string, number> }>`
    select app.erase_beside_subject(${spaceId}, ${subject}, decode(${actor}, 'hex')) as counts`.execute(trx)
  return rows[0]?.counts ?? {}
}

/** Counts queries of a subject. @returns false, counting nothing, if they exceed what the organization allows a subject a day */
export async function takeQueries(
  queries: Queries,
  { organizationId, spaceId }: { organizationId: string; spaceId: string },
  subject: string,
  count: number,
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select app.take_subject_queries(${organizationId}, ${spaceId}, ${subject}, ${count}) as taken`.execute(
    queries,
  )
  return rows[0]?.taken === true
}

/** Takes back queries that were counted. */
export async function returnQueries(
  queries: Queries,
  spaceId: string,
  subject: string,
  count: number,
): Promise<void> {
  await sql`select app.return_subject_queries(${spaceId}, ${subject}, ${count})`.execute(queries)
}
