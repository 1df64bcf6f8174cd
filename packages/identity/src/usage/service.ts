import { ApiError } from '@memory/shared/catalogue/errors'
import type { Caller, Output } from '@memory/shared/catalogue/operation'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import { nameKeys } from '../keys/service.ts'
import { asMember, requireAdministrator } from '../organizations/membership.ts'
import { listSpaces } from '../organizations/service.ts'
import { dayMs, floorTo, monthOf } from './calendar.ts'
import type { ReadOrganizationUsage, SummarizeUsage } from './schema.ts'
import * as store from './store.ts'
import type { UsageLog } from './usage-log.ts'

/** What is needed to read usage. */
export interface UsageContext {
  queries: Queries
  clock: Clock
  log: UsageLog
}

/** The use of the caller's space in the current month. */
export async function summarizeUsage(
  { queries, clock, log }: UsageContext,
  { spaceId, patternsLimit }: Caller,
): Promise<Output<typeof SummarizeUsage>> {
  await log.flushForReader([spaceId])
  const now = clock.now()
  const month = monthOf(now)
  const { held, calls } = await store.readCalls(queries, spaceId, month.start)
  const sum = (name: keyof store.Calls) => calls.reduce((total, each) => total + each[name], 0)
  const counted = {
    stores: sum('stores'),
    retrieves: sum('retrieves'),
    recalls: sum('recalls'),
    explains: sum('explains'),
    consolidations: sum('consolidations'),
    other: sum('other'),
  }
  const queriesOfDays = new Map<number, number>()
  for (const { at, queries } of calls) {
    const day = floorTo(at, dayMs)
    queriesOfDays.set(day, (queriesOfDays.get(day) ?? 0) + queries)
  }
  return {
    period: toPeriod(month),
    patterns: {
      used: held.patterns,
      limit: patternsLimit,
      percentage: percentageOf(held.patterns, patternsLimit),
    },
    api_calls: { total: Object.values(counted).reduce((total, each) => total + each, 0), ...counted },
    storage_mb: megabytes(held.storageBytes),
    rate_limit: {
      current: queriesOfDays.get(floorTo(now, dayMs)) ?? 0,
      peak_usage: Math.max(0, ...queriesOfDays.values()),
    },
  }
}

/**
 * The use of an organization in the current month, divided by caller.
 * @throws ApiError organization_not_found also for an organization of others; organization_admin_required
 */
export async function readOrganizationUsage(
  { queries, clock, log }: UsageContext,
  caller: Caller,
  organizationId: string,
): Promise<Output<typeof ReadOrganizationUsage>> {
  await requireReader(queries, caller, organizationId)
  const spaces = await listSpaces(queries, organizationId)
  await log.flushForReader(spaces)
  const month = monthOf(clock.now())
  const calls = new Map<string, number>()
  let [patterns, storageBytes] = [0, 0]
  for (const id of spaces) {
    const { held, callers } = await store.readCallers(queries, id, month.start)
    patterns += held.patterns
    storageBytes += held.storageBytes
    for (const each of callers) calls.set(each.caller, (calls.get(each.caller) ?? 0) + each.calls)
  }
  const names = await nameKeys(queries, organizationId)
  const total = [...calls.values()].reduce((sum, count) => sum + count, 0)
  return {
    org_id: organizationId,
    period: toPeriod(month),
    totals: {
      api_calls: total,
      patterns,
      storage_mb: megabytes(storageBytes),
    },
    by_key: [...calls]
      .map(([caller, count]) => ({
        ...describeCaller(caller, names),
        api_calls: count,
        percentage: percentageOf(count, total),
      }))
      .sort((a, b) => b.api_calls - a.api_calls || (a.key_id < b.key_id ? -1 : 1)),
  }
}

/** Checks that the caller may read an organization's usage: a key that of its own, a user that of those they administer. */
async function requireReader(queries: Queries, caller: Caller, organizationId: string): Promise<void> {
  const { actor } = caller
  if (actor.kind === 'key') {
    if (caller.organizationId !== organizationId) throw new ApiError('organization_not_found')
    return
  }
  await asMember(
    queries,
    { userId: actor.userId, organization: null },
    organizationId,
    async (_trx, { role }) => requireAdministrator(role),
  )
}

/** A caller's name in answers. */
export function describeCaller(
  caller: string,
  names: ReadonlyMap<string, string>,
): { key_id: string; name: string } {
  if (caller === store.sessionCaller) return { key_id: 'key_session', name: 'User sessions' }
  return { key_id: `key_${caller}`, name: names.get(caller) ?? '' }
}

const toPeriod = ({ start, end }: { start: Date; end: Date }) => ({
  start: start.toISOString(),
  end: end.toISOString(),
})

/** Megabytes of 10^6 bytes, so that no byte is lost to rounding. */
export const megabytes = (bytes: number): number => bytes / 1_000_000

/** A percentage from 0 to 100 with two decimals; 0 when the whole is 0 or unlimited (-1). */
export function percentageOf(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 100 : 0
}
