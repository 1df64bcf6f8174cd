import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

export type EndedKind = 'key' | 'webhook' | 'invitation' | 'member'

/** Something of an account that ended because nobody had shown its address to be theirs. */
export interface Ended {
  /** Where it was. */
  organization_id: string
  kind: EndedKind
  /** Its id. */
  target: string
  details: Record<string, unknown>
}

/** Ends what was set up under the user's address, unless it is verified; see `app.end_unproven`. */
export async function endUnproven(trx: Trx, userId: string): Promise<Ended[]> {
  const { rows } = await sql<Ended>`select * from app.end_unproven(${userId})`.execute(trx)
  return rows
}
