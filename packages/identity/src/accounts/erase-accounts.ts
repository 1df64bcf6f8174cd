import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import { type ReceiptAuthority, ReceiptIssuer } from '@memory/shared/receipts/receipt'
import { listSpaces } from '../organizations/service.ts'
import { type Erasure, ErasureLedger } from './erasure-ledger.ts'
import * as store from './erasure-store.ts'

export interface ErasureContext {
  queries: Queries
  clock: Clock
  log: Log
  dataDir: string
  receipts: ReceiptAuthority
  /** Fires when the process is to end: erasing stops after the current statement. */
  signal: AbortSignal
  /** Drops everything of a space from this process's memory. */
  forgetSpace: (spaceId: string) => void
  /** The snapshot files of spaces in the data directory. */
  snapshots: { discard(spaceId: string): Promise<void> }
}

/** Patterns removed in one transaction, which must neither block others for long nor exceed the time limit. */
const patternsAtOnce = 1_000
const dueAtOnce = 100
/** Entries of the audit log that users are taken out of in one transaction. */
const entriesAtOnce = 10_000

export interface Erased {
  organizations: number
  users: number
}

/**
 * Erases the organizations and users that can't be restored any more. It may be killed at any point, and several processes may
 * run it at once: whatever is left is found by the next run. One that can't be erased holds up no other.
 * @param again when those were erased that are erased again now: what was made since under their ids is not to be taken for them
 * @throws what the first of those failed with, after all others
 */
export async function eraseDue(
  context: ErasureContext,
  again: ReadonlyMap<string, string> = new Map(),
): Promise<Erased> {
  const erased = { organizations: 0, users: 0 }
  const note = noteIn(context, again)
  const failures = new Map<string, unknown>()
  const each = async (ids: readonly string[], erase: (id: string) => Promise<void>) => {
    for (const id of ids) {
      await erase(id).catch((error: unknown) => {
        context.log.error({ err: error, id }, 'erasure failed')
        failures.set(id, error)
      })
    }
    return ids.filter((id) => !failures.has(id)).length
  }
  for (;;) {
    const due = await store.listDue(context.queries, [...failures.keys()], dueAtOnce)
    const organizations = await each(due.organizations, (id) => eraseOrganization(context, id, note))
    const after = await takeOutOfAudit(context, due.users, note)
    const users = await each(due.users, (id) => eraseUser(context, id, after))
    if (context.signal.aborted) return erased
    erased.organizations += organizations
    erased.users += users
    if (Math.max(due.organizations.length, due.users.length) < dueAtOnce) break
  }
  for (const failure of failures.values()) throw failure
  return erased
}

async function eraseOrganization(context: ErasureContext, id: string, note: Note): Promise<void> {
  const { queries, clock, snapshots, log, receipts, signal, forgetSpace } = context
  if (signal.aborted) return
  await note('organization', id)
  for (const spaceId of await listSpaces(queries, id)) {
    forgetSpace(spaceId)
    await snapshots.discard(spaceId)
  }
  while ((await store.erasePatterns(queries, id, patternsAtOnce)) > 0) if (signal.aborted) return
  await store.eraseOrganization(queries, id, await ReceiptIssuer.open(receipts, clock))
  log.info({ organizationId: id }, 'organization erased')
}

/** Takes users out of the audit log, which may be of any length. @returns the id of an entry up to which that is done */
async function takeOutOfAudit(
  context: ErasureContext,
  userIds: readonly string[],
  note: Note,
): Promise<number> {
  if (context.signal.aborted || userIds.length === 0) return 0
  for (const id of userIds) await note('user', id)
  let done = 0
  for (let last: number | undefined = 0; last !== undefined && !context.signal.aborted; ) {
    done = last
    last = await store.pseudonymise(context.queries, userIds, last, entriesAtOnce)
  }
  // Entries get their ids before they can be read: among the last there may be some by now that weren't there.
  return Math.max(0, done - entriesAtOnce)
}

async function eraseUser(context: ErasureContext, id: string, after: number): Promise<void> {
  if (context.signal.aborted) return
  await store.eraseUser(context.queries, id, after)
  context.log.info({ userId: id }, 'user erased')
}

/** Notes an erasure before it is done: one that is not in the ledger would be undone by restoring an older backup. */
type Note = (kind: Erasure['kind'], id: string) => Promise<void>

const noteIn =
  ({ dataDir, clock }: ErasureContext, again: ReadonlyMap<string, string>): Note =>
  (kind, id) =>
    new ErasureLedger(dataDir).add({ kind, id, at: again.get(id) ?? clock.now().toISOString() })

export interface Reapplied {
  /** How many users and organizations the ledgers name. */
  noted: number
  /** How many of them existed again. */
  found: number
}

/**
 * After a backup was restored: erases again everything in the data directory's ledger, of each id what was there before its last
 * erasure.
 * @param others what the ledgers of other processes say, which have data directories of their own
 */
export async function reapplyErasures(
  context: ErasureContext,
  others: readonly Erasure[] = [],
): Promise<Reapplied> {
  const own = await new ErasureLedger(context.dataDir).list(context.log)
  const inOrder = [...own, ...others].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const latest = new Map(inOrder.map(({ id, at }) => [id, at]))
  const noted = [...latest].map(([id, at]) => ({ id, at }))
  const found: string[] = []
  for (let from = 0; from < noted.length; from += dueAtOnce) {
    found.push(...(await store.makeDue(context.queries, noted.slice(from, from + dueAtOnce))))
  }
  const again = new Map(found.map((id) => [id, latest.get(id) as string]))
  if (noted.length > 0) await eraseDue(context, again)
  return { noted: noted.length, found: found.length }
}
