import { advanceTo, policyOf } from '@memory/engine/modulation'
import { parameters } from '@memory/engine/parameters'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { Trx } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { findConflicts } from '../conflicts/find-conflicts.ts'
import type { MemoryContext } from '../context.ts'
import type { Exploration } from '../exploration/explore.ts'
import { type Lease, withLease } from '../schedule/lease.ts'
import { type OpenSpace, readSpace } from '../spaces/open-space.ts'
import { migrateTiers } from '../tiers/migrate-tiers.ts'
import { getNextIdx } from '../tiers/tier-store.ts'
import { composeValidated } from './compose.ts'
import { mergeDuplicates } from './merge.ts'
import { replay, strengthenReplayed } from './replay.ts'
import type * as schema from './schema.ts'
import { weakenUnused } from './weaken.ts'

const { runPatterns, runMs } = parameters.sleep

/**
 * Patterns of one transaction. It locks the space's other writers out, and the embedded database works in the thread
 * that answers: 40 patterns that all grow weaker and move take it about 20 ms, 1,000 took 600.
 */
const stepPatterns = 40

/** Consolidates a space as `sleepOnce` does, for somebody who asks. @throws ApiError consolidation_running */
export async function sleep(
  context: Exploration,
  caller: Caller,
  { batch_size }: Input<typeof schema.Sleep>['body'],
): Promise<Output<typeof schema.Sleep>> {
  if (await isBypassed(context, caller.spaceId)) return { ...nothing, bypassed: true }
  return withLease(context.queries, caller.spaceId, async (lease) => {
    const { isWhole, ...done } = await sleepOnce(context, caller, lease, batch_size)
    return done
  })
}

/** Whether the space's regime has consolidation bypassed. */
export async function isBypassed(
  { learning, clock }: Pick<MemoryContext, 'learning' | 'clock'>,
  spaceId: string,
): Promise<boolean> {
  const { modulation } = await learning.read(spaceId)
  return policyOf(advanceTo(modulation, clock.now().getTime()).state).bypassConsolidation
}

/** What one run of sleep did. */
export interface Slept {
  consolidated: number
  compositions_discovered: number
  patterns_strengthened: number
  patterns_weakened: number
  conflicts: number
  /** Whether it came to the end of the space. */
  isWhole: boolean
}

/**
 * One run of sleep, step by step; what it does not come to is for the next. Each step is a transaction, so that one that
 * is cut off leaves the space as the last whole step did.
 * @param batchSize patterns that are replayed; 0 for a run that goes on with one that has replayed
 * @param onStep hears, in a transaction, what was consolidated so far
 */
export async function sleepOnce(
  context: Exploration,
  space: OpenSpace,
  lease: Lease,
  batchSize: number,
  onStep?: (trx: Trx, consolidated: number) => Promise<void>,
): Promise<Slept> {
  const { queries, clock, spaces } = context
  const { spaceId } = space
  const deadline = performance.now() + runMs
  const { progress } = lease
  const done = { ...nothing }

  const { index, learned } = await readSpace(context, space)
  if (batchSize > 0) {
    const rehearsal = await replay(context, space, { index, learned }, batchSize)
    done.patterns_strengthened = (await strengthenReplayed(context, spaceId, lease, rehearsal)).length
  }
  done.compositions_discovered = await composeValidated(context, spaceId, lease, index)
  done.consolidated = done.compositions_discovered

  const first = progress.nextIdx
  const end = Math.min(first + runPatterns, await getNextIdx(queries, spaceId))
  // However late, one step is done: a run always comes forward.
  for (let at = first; at < end && (at === first || performance.now() < deadline); ) {
    await yieldToEventLoop()
    const count = Math.min(stepPatterns, end - at)
    done.patterns_weakened += await weakenUnused(context, spaceId, lease, at, count)
    await yieldToEventLoop()
    done.consolidated += await mergeDuplicates(context, spaceId, lease, at, count)
    await yieldToEventLoop()
    const { moved } = await migrateTiers(context.queries, spaceId, clock.now(), at, count)
    done.consolidated += moved
    await yieldToEventLoop()
    // What this process holds learns of it now: all at once would be one long read.
    if (moved > 0) await spaces.refresh(spaceId)
    at += count
    progress.nextIdx = at
    await lease.keep(onStep && ((trx) => onStep(trx, done.consolidated)))
  }
  const { found, isWhole: isCompared } = await findConflicts(context, space, lease, deadline)
  done.conflicts = found
  const isWhole = isCompared && progress.nextIdx >= (await getNextIdx(queries, spaceId))
  if (isWhole) progress.nextIdx = 0
  return { ...done, isWhole }
}

const nothing = {
  consolidated: 0,
  compositions_discovered: 0,
  patterns_strengthened: 0,
  patterns_weakened: 0,
  conflicts: 0,
}
