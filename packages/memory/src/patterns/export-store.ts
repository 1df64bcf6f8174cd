import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { Environment } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'
import { isOfSubject } from '../subjects/subject-store.ts'
import { type PatternRow, shownLinks } from './pattern-store.ts'

/** A space, and where it ended when it was looked at. */
export interface SpaceExtent {
  id: string
  /** Idx of the pattern that is stored next. */
  nextIdx: number
}

/**
 * Waits for those that are changing the space: what they erase is not there any more afterwards. They may have looked for exports
 * that hold it before this one was begun.
 */
export function findSpace(
  queries: Queries,
  organizationId: string,
  environment: Environment,
): Promise<SpaceExtent | undefined> {
  return asTenant(queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .selectFrom('spaces')
      .select(['id', 'next_idx as nextIdx'])
      .where('organization_id', '=', organizationId)
      .where('environment', '=', environment)
      .forShare()
      .executeTakeFirst(),
  )
}

/** Everything that is kept of a pattern for its owner: as lists show it and beside; what is JSON, as text. */
export interface WholePattern extends PatternRow {
  key: string
  value: string | null
  category: string | null
  model: string | null
}

export interface ExportPage {
  after: number
  before: number
  count: number
  /** Whose patterns; all unless given. */
  subject?: string | undefined
  /** Only these; all unless given. */
  named?: readonly number[] | undefined
  storedBefore?: Date | undefined
}

/** Up to `count` unexpired patterns after one idx and before another, in idx order. */
export async function listWhole(
  queries: Queries,
  spaceId: string,
  { after, before, count, subject, named, storedBefore }: ExportPage,
): Promise<WholePattern[]> {
  const patterns =
    named === undefined ? sql`app.patterns` : sql`app.named_patterns(${spaceId}, ${named}::int[])`
  const [ofSubject, order] =
    subject === undefined ? [sql``, sql`p.idx`] : [sql`and ${isOfSubject(subject)}`, sql`p.subject, p.idx`]
  const inTime = storedBefore === undefined ? sql`` : sql`and p.created_at < ${storedBefore}`
  const list = (trx: Trx) =>
    sql<WholePattern>`
      select p.idx, p.id, p.text, p.metadata::text as metadata, p.key::text as key, p.value::text as value, p.source_dim,
          p.category, p.protected, p.asked_protected, p.tier, p.model, x.access_count, x.last_accessed, p.occurred_at, p.created_at,
          p.expires_at, p.external_id, p.subject, p.valid_from, p.valid_to, p.supersedes, p.superseded_by, p.revision,
          p.updated_at, ${sql.join(shownLinks(spaceId))}
        from ${patterns} p
        left join app.pattern_accesses x on x.space_id = p.space_id and x.idx = p.idx
        where p.space_id = ${spaceId} and p.idx > ${after} and p.idx < ${before}
          and (p.expires_at is null or p.expires_at > now()) ${ofSubject} ${inTime}
        order by ${order} limit ${count}`.execute(trx)
  const { rows } = await asTenant(queries, { spaceId }, list, { inOrder: true })
  return rows
}
