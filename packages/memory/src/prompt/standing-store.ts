import type { Caller } from '@memory/shared/catalogue/operation'
import type { Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import type { SubjectSelector } from '../subjects/narrow.ts'

/** A text that stands, its first characters. */
export interface StandingRow {
  idx: number
  id: string
  external_id: string | null
  text: string
  is_cut: boolean
  /** In ms since 1970. */
  at: number
}

/** Whose texts stand for a caller, as the database is told: null for everybody's; a null among them, those of nobody. */
export function standingSubjects(
  { subject: binding }: Pick<Caller, 'subject'>,
  selector: SubjectSelector,
): (string | null)[] | null {
  if (selector === null) return [null]
  if (selector !== undefined) return typeof selector === 'string' ? [selector] : [...selector]
  if (binding === undefined) return null
  return binding.isShared ? [binding.name, null] : [binding.name]
}

/**
 * Texts that stand now, those that matter most first.
 * @param looked how many at most @param chars of each text at most
 */
export async function findStanding(
  queries: Queries,
  spaceId: string,
  { subjects, looked, chars }: { subjects: (string | null)[] | null; looked: number; chars: number },
): Promise<StandingRow[]> {
  const { rows } = await sql<StandingRow>`
    select * from app.standing_texts(${spaceId}, ${subjects}::text[], ${looked}, ${chars})`.execute(queries)
  return rows
}

/** The idx of patterns whose validity has ended since a time, the last first, of subjects as `findStanding` has them. */
export async function findEnded(
  queries: Queries,
  spaceId: string,
  { subjects, since, count }: { subjects: (string | null)[] | null; since: Date; count: number },
): Promise<number[]> {
  const { rows } = await sql<{ idx: number }>`
    select idx from app.ended_since(${spaceId}, ${subjects}::text[], ${since.toISOString()}::timestamptz, ${count}) as idx`.execute(
    queries,
  )
  return rows.map(({ idx }) => idx)
}

/** Those of some patterns that are texts and not yet to become valid, in no order. */
export async function findTextsAmong(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ idx: number }>`
    select idx from app.texts_among(${spaceId}, ${indexes}::int[]) as idx`.execute(queries)
  return rows.map(({ idx }) => idx)
}
