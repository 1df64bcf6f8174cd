import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

export interface Deletion {
  outcome: 'ok' | 'not_active' | 'last_owner'
  restorable_until: Date
}

/** Marks the tenant's user as deleted, and also those organizations that have no other member. */
export async function deleteAccount(trx: Trx, userId: string): Promise<Deletion> {
  const { rows } = await sql<Deletion>`select * from app.delete_account(${userId})`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('Deleting an account gave no row.')
  return row
}

export type Restoration = 'ok' | 'not_found' | 'not_deleted'

export async function restoreAccount(trx: Trx, userId: string): Promise<Restoration> {
  const { rows } = await sql<{ outcome: Restoration }>`
    select app.restore_account(${userId}) as outcome`.execute(trx)
  return rows[0]?.outcome ?? 'not_found'
}
