import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

export interface ExpiringKey {
  id: string
  organizationId: string
  expiresAt: Date
}

/**
 * Takes keys that expire within 7 days and of which nobody has been told yet, and marks them as told. Row level security shows
 * the task no other keys.
 */
export async function takeExpiring(trx: Trx, count: number): Promise<ExpiringKey[]> {
  const { rows } = await sql<ExpiringKey>`
    with expiring as (
      select organization_id, id from app.api_keys
        where expiry_told_at is null and revoked_at is null and expires_at between now() and now() + interval '7 days'
        order by expires_at limit ${count} for update skip locked
    )
    update app.api_keys k set expiry_told_at = now() from expiring e
      where k.organization_id = e.organization_id and k.id = e.id
      returning k.id, k.organization_id as "organizationId", k.expires_at as "expiresAt"`.execute(trx)
  return rows
}
