import type { AuditAction } from '../catalogue/audit-actions.ts'
import type { Actor, Origin, SignedIn } from '../catalogue/operation.ts'
import type { Queries, Trx } from '../platform/database/database.ts'
import * as store from './store.ts'

/** Who did something: a user or a key that sent a request, somebody who is not signed in yet, or the service itself. */
export type AuditActor =
  | Actor
  | { kind: 'user'; userId: string | null; sessionId?: string | undefined; email: string }
  | { kind: 'system' }

/** A signed-in user as an actor of the audit log. */
export function actorOf({ userId, sessionId, email }: SignedIn): AuditActor {
  return { kind: 'user', userId, sessionId, email }
}

/** One entry of the audit log. Nothing secret goes into `details`. */
export interface AuditEntry {
  action: AuditAction
  /** For a key, the entry also gets the email of the user who made it. */
  actor: AuditActor
  /** Where the request came from; undefined for what no request caused. */
  origin?: Origin | undefined
  /** The organization whose administrators see it, and the user who sees it. At least one must be the transaction's tenant. */
  organizationId?: string | undefined
  userId?: string | undefined
  success?: boolean
  /** The id of what was acted on. */
  target?: string | undefined
  details?: Record<string, unknown> | undefined
}

/** Writes an entry, in the transaction of what it records. Its organization or user must be the transaction's tenant. */
export function recordAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  return store.insert(trx, rowOf(entry))
}

/** Deletes entries that are older than `days`. @returns how many */
export function purgeAuditLog(queries: Queries, days: number): Promise<number> {
  return store.purge(queries, days)
}

/** An entry as a row of its table, for statements that write more than the entry. */
export function rowOf(entry: AuditEntry): store.NewEntry {
  const { actor, origin } = entry
  return {
    action: entry.action,
    success: entry.success ?? true,
    organization_id: entry.organizationId ?? null,
    user_id: entry.userId ?? null,
    actor: actor.kind,
    actor_id: actor.kind === 'system' ? null : actor.kind === 'key' ? actor.keyId : actor.userId,
    actor_email: actor.kind === 'user' ? actor.email : null,
    session_id: actor.kind === 'user' ? (actor.sessionId ?? null) : null,
    ip: origin?.ip ?? null,
    user_agent: origin?.userAgent == null ? null : printable(origin.userAgent),
    request_id: origin?.requestId ?? null,
    target: entry.target ?? null,
    details: entry.details === undefined ? null : JSON.stringify(entry.details),
  }
}

const userAgentChars = 512

/** The text of a header, shortened, without control characters and those that change the direction of text. */
function printable(text: string): string {
  return text.slice(0, userAgentChars).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd')
}
