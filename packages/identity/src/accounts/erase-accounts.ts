import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import { type ReceiptAuthority, ReceiptIssuer } from '@memory/shared/receipts/receipt'
import { ErasureLedger } from './erasure-ledger.ts'
import * as store from './erasure-store.ts'

export interface ErasureContext {
  queries: Queries
  clock: Clock
  log: Log
  dataDir: string
  receipts: ReceiptAuthority
  /** Ends it after the statement under way. */
  signal: AbortSignal
  /** Drops what this process holds of a space in memory. */
  forgetSpace: (spaceId: string) => void
  /** Files that the data directory has of spaces. */
  snapshots: { discard(spaceId: string): Promise<void> }
}

/** Patterns removed in one transaction: it must not hold others up, or run out of time. */
const patternsAtOnce = 1_000
const dueAtOnce = 100

export interface Erased {
  organizations: number
  users: number
}

/**
 * Erases the organizations and users whose time to be restored is over. It may be killed anywhere, and several may run
 * at once: what is left is found again.
 */
export async function eraseDue(context: ErasureContext): Promise<Erased> {
  const erased = { organizations: 0, users: 0 }
  for (;;) {
    const due = await store.listDue(context.queries, dueAtOnce)
    for (const id of due.organizations) await eraseOrganization(context, id)
    for (const id of due.users) await eraseUser(context, id)
    if (context.signal.aborted) return erased
    erased.organizations += due.organizations.length
    erased.users += due.users.length
    if (Math.max(due.organizations.length, due.users.length) < dueAtOnce) return erased
  }
}

async function eraseOrganization(context: ErasureContext, id: string): Promise<void> {
  const { queries, clock, snapshots, log, receipts, signal, forgetSpace } = context
  if (signal.aborted) return
  await note(context, 'organization', id)
  for (const spaceId of await store.listSpaces(queries, id)) {
    forgetSpace(spaceId)
    await snapshots.discard(spaceId)
  }
  while ((await store.erasePatterns(queries, id, patternsAtOnce)) > 0) if (signal.aborted) return
  await store.eraseOrganization(queries, id, await ReceiptIssuer.open(receipts, clock))
  log.info({ organizationId: id }, 'organization erased')
}

async function eraseUser(context: ErasureContext, id: string): Promise<void> {
  if (context.signal.aborted) return
  await note(context, 'user', id)
  await store.eraseUser(context.queries, id)
  context.log.info({ userId: id }, 'user erased')
}

/** Before it is done: what is erased and not noted would come back with an older backup. */
function note({ dataDir, clock }: ErasureContext, kind: 'user' | 'organization', id: string): Promise<void> {
  return new ErasureLedger(dataDir).add({ kind, id, at: clock.now().toISOString() })
}

/**
 * Erases again what a backup has brought back, by the ledger in the data directory.
 * @returns how many of the noted users and organizations were there
 */
export async function reapplyErasures(context: ErasureContext): Promise<number> {
  const noted = await new ErasureLedger(context.dataDir).list()
  const ids = [...new Set(noted.map(({ id }) => id))]
  let found = 0
  for (let at = 0; at < ids.length; at += dueAtOnce) {
    found += await store.makeDue(context.queries, ids.slice(at, at + dueAtOnce))
    await eraseDue(context)
  }
  return found
}
