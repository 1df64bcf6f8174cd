import { ValidationError } from '../catalogue/errors.ts'
import { limits } from '../catalogue/limits.ts'
import type { Input, Output, SignedIn } from '../catalogue/operation.ts'
import { isAdministrator } from '../catalogue/roles.ts'
import { asTenant, type Queries } from '../platform/database/database.ts'
import type { AuditLogEntry, ReadAuditLog } from './schema.ts'
import * as store from './store.ts'

/** A page of the entries that the caller may see, newest first. @throws ValidationError for one too deep in the log */
export async function listAuditLog(
  { queries }: { queries: Queries },
  { userId, organization }: SignedIn,
  { page, limit, ...which }: Input<typeof ReadAuditLog>['query'],
): Promise<Output<typeof ReadAuditLog>> {
  // All entries before a page are read for it.
  if (page * limit > limits.auditDepth) {
    throw ValidationError.rule(
      ['query', 'page'],
      `page × limit must be at most ${limits.auditDepth}: narrow with since and until`,
      page,
    )
  }
  const readers = {
    userId,
    organizationId: organization !== null && isAdministrator(organization.role) ? organization.id : undefined,
  }
  // One entry more than the page shows whether another page follows.
  const rows = await asTenant(queries, readers, (trx) =>
    store.list(trx, readers, toWhich(which), (page - 1) * limit, limit + 1),
  )
  return {
    entries: rows.slice(0, limit).map((row) => toEntry(row, readers)),
    page,
    limit,
    has_more: rows.length > limit,
  }
}

function toWhich({
  action,
  success,
  actor_email,
  since,
  until,
}: Omit<Input<typeof ReadAuditLog>['query'], 'page' | 'limit'>): store.WhichEntries {
  return { action, success, actorEmail: actor_email, since, until }
}

/** An entry in the form of answers. Only administrators of the organization see from where another user did something. */
function toEntry(row: store.EntryRow, { organizationId, userId }: store.Readers) {
  const { action, actor, actor_id, actor_email, details, success, at } = row
  const isOfAnother = actor === 'user' && actor_id !== null && actor_id !== userId
  const isAdministered = organizationId !== undefined && row.organization_id === organizationId
  const isHidden = isOfAnother && !isAdministered
  const { ip, user_agent } = isHidden ? { ip: null, user_agent: null } : row
  return {
    action: action as AuditLogEntry['action'],
    actor_email: actor_email ?? '',
    ...(ip === null ? {} : { ip }),
    ...(user_agent === null ? {} : { user_agent }),
    ...(details === null ? {} : { details }),
    success,
    timestamp: at.toISOString(),
  }
}
