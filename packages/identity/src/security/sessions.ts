import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import { parseUuid } from '@memory/shared/catalogue/fields-parsing'
import type { Output, SignedIn } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { deviceOf } from './device.ts'
import type { ListSessions, RevokeSession, Session } from './schema.ts'
import * as store from './session-store.ts'

/** Lists the caller's sessions, last used first. */
export async function listSessions(
  { queries }: { queries: Queries },
  { userId, sessionId }: SignedIn,
): Promise<Output<typeof ListSessions>> {
  const rows = await asTenant(queries, { userId }, (trx) => store.list(trx, userId))
  return rows.map((row) => toSession(row, sessionId))
}

const toSession = (row: store.SessionRow, currentId: string): Session => ({
  id: row.id,
  device: deviceOf(row.user_agent),
  ip_address: row.ip_address ?? '',
  location: 'Unknown',
  last_active: row.last_active_at.toISOString(),
  created_at: row.created_at.toISOString(),
  is_current: row.id === currentId,
  ...(row.client !== null && { client: row.client.name }),
})

/** Ends one of the caller's sessions, which may be the current one. @throws ApiError session_not_found */
export async function revokeSession(
  { queries }: { queries: Queries },
  caller: SignedIn,
  id: string,
): Promise<Output<typeof RevokeSession>> {
  const { userId } = caller
  const parsed = parseUuid(id)
  if (!('value' in parsed)) throw new ApiError('session_not_found')
  await asTenant(queries, { userId }, async (trx) => {
    if (!(await store.revoke(trx, userId, parsed.value))) throw new ApiError('session_not_found')
    await recordAudit(trx, {
      action: 'session_revoked',
      actor: actorOf(caller),
      origin: caller.origin,
      userId,
      target: parsed.value,
    })
  })
  return { message: 'Session revoked' }
}
