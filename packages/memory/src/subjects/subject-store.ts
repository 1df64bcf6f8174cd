import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { type RawBuilder, sql } from 'kysely'

/** What is stored of an end user. */
export interface SubjectRow {
  subject: string
  patterns: number
  bytes: number
  first_stored: Date
  last_stored: Date
}

/**
 * That a pattern `p` is of a subject. As a range, of which there is an order: ordered by subject and idx, in index order,
 * the patterns are read by the index of subjects and by no other of the space.
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
  /** Null where the organization does not limit them: then they are not counted. */
  queries_this_month: number | null
}

/** @returns undefined for one of whom nothing is stored */
export async function summarizeSubject(
  queries: Queries,
  spaceId: string,
  subject: string,
): Promise<SubjectSummary | undefined> {
  const { rows } = await sql<SubjectSummary>`
    select * from app.subject_summary(${spaceId}, ${subject})`.execute(queries)
  return rows[0]
}

/** Every pattern of a subject, also what has expired and is not erased yet. @param trx a transaction of the space */
export async function listIndexes(trx: Trx, spaceId: string, subject: string): Promise<number[]> {
  const rows = await trx
    .withSchema('app')
    .selectFrom('patterns')
    .select('idx')
    .where('space_id', '=', spaceId)
    .where('subject', '=', subject)
    .orderBy('idx')
    .execute()
  return rows.map(({ idx }) => idx)
}

/**
 * Removes what there is of a subject beside its patterns.
 * @param actor whose use it is, as learning knows it: hex, with which actors of the subject begin @returns rows by what they were
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

/** Where a space ends now. */
export async function endOfSpace(queries: Queries, spaceId: string): Promise<number> {
  const { next_idx } = await asTenant(queries, { spaceId }, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('spaces')
      .select('next_idx')
      .where('id', '=', spaceId)
      .executeTakeFirstOrThrow(),
  )
  return next_idx
}

/** @returns false where they are more than the organization allows a subject a day */
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

export async function returnQueries(
  queries: Queries,
  spaceId: string,
  subject: string,
  count: number,
): Promise<void> {
  await sql`select app.return_subject_queries(${spaceId}, ${subject}, ${count})`.execute(queries)
}
