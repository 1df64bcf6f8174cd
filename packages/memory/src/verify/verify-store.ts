import { asTask, asTenant, type Queries } from '@memory/shared/platform/database/database'
import { lastMigration } from '@memory/shared/platform/database/migrations'
import { sql } from 'kysely'

/** A space by its size. */
export interface SizedSpace {
  id: string
  patterns: number
}

/** The spaces that hold something, the largest first; those not whose texts are being embedded anew. */
export async function listLargest(queries: Queries, count: number): Promise<SizedSpace[]> {
  const { rows } = await asTask(queries, 'schedule-spaces', (trx) =>
    sql<SizedSpace>`
      select id, patterns_used::float8 as patterns from app.spaces
        where patterns_used > 0 and text_model is distinct from '' order by patterns_used desc, id limit ${count}`.execute(
      trx,
    ),
  )
  return rows
}

/** The rows of a space that have not expired, and the version that they are of; undefined for a space that is gone. */
export async function countPatterns(
  queries: Queries,
  spaceId: string,
): Promise<{ version: number; patterns: number } | undefined> {
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<{ version: number; patterns: number }>`
      select s.version::float8 as version, (
        select count(*)::float8 from app.patterns p
          where p.space_id = s.id and app.is_current(p.expires_at, p.valid_to, p.enters_at)
      ) as patterns from app.spaces s where s.id = ${spaceId}`.execute(trx),
  )
  return rows[0]
}

/** Longer ones take seconds to encode. */
const sentenceChars = 300

/** Short texts among these patterns that one encoder has encoded. */
export async function readSentences(
  queries: Queries,
  spaceId: string,
  model: string,
  indexes: readonly number[],
  count: number,
): Promise<{ idx: number; text: string }[]> {
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<{ idx: number; text: string }>`
      select idx, text from app.named_patterns(${spaceId}, ${indexes}::int[])
        where model = ${model} and text_hash is not null and char_length(text) <= ${sentenceChars}
        order by idx limit ${count}`.execute(trx),
  )
  return rows
}

/** The versions of PostgreSQL and of its vectors, and the last migration. */
export async function readVersions(
  queries: Queries,
): Promise<{ postgres: string; pgvector: string; migration: string }> {
  const { rows } = await sql<{ postgres: string; pgvector: string }>`
    select current_setting('server_version') as postgres,
      (select extversion from pg_extension where extname = 'vector') as pgvector`.execute(queries)
  const migration = await lastMigration(
    async <Row>(statement: string) => (await sql.raw<Row>(statement).execute(queries)).rows,
  )
  return { ...(rows[0] as { postgres: string; pgvector: string }), migration: migration ?? '' }
}

/** What the database takes the time for, and when it was last migrated, in ms since 1970. */
export async function readTimes(queries: Queries): Promise<{ now: number; migrated: number }> {
  const { rows } = await sql<{ now: number; migrated: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      coalesce((select extract(epoch from max(applied_at)) * 1000 from app.migrations), 0)::float8 as migrated`.execute(
    queries,
  )
  return rows[0] as { now: number; migrated: number }
}
