import type { Caller, Input, Output } from '../../catalogue/operation.ts'
import { policyOf, settle } from '../../engine/modulation.ts'
import { parameters } from '../../engine/parameters.ts'
import { migrateTiers } from '../migrate-tiers.ts'
import { getNextIdx } from '../tier-store.ts'
import { composeValidated } from './compose.ts'
import { type Exploration, readSpace } from './explore.ts'
import { withLease } from './lease.ts'
import { mergeDuplicates } from './merge.ts'
import { replay, strengthenReplayed } from './replay.ts'
import type * as schema from './schema.ts'
import { weakenUnused } from './weaken.ts'

const { runPatterns, runMs } = parameters.sleep

/** Patterns of one transaction: it locks the space's other writers out. */
const stepPatterns = 1_000

/**
 * Consolidates a space, step by step; what one run does not come to is for the next. Each step is a transaction, so
 * that one that is cut off leaves the space as the last whole step did.
 * @throws ApiError consolidation_running
 */
export async function sleep(
  context: Exploration,
  caller: Caller,
  { batch_size }: Input<typeof schema.Sleep>['body'],
): Promise<Output<typeof schema.Sleep>> {
  const { queries, learning, clock } = context
  const { spaceId } = caller
  const { modulation } = await learning.read(spaceId)
  if (policyOf(settle(modulation, clock.now().getTime()).state).bypassConsolidation) {
    return { ...nothing, bypassed: true }
  }
  return withLease(queries, spaceId, async (lease) => {
    const deadline = performance.now() + runMs
    const isLate = () => performance.now() > deadline
    const { progress } = lease
    const done = { ...nothing }

    const space = await readSpace(context, caller)
    const rehearsal = await replay(context, caller, space, batch_size)
    const strengthened = await strengthenReplayed(context, spaceId, lease, rehearsal)
    done.patterns_strengthened = strengthened.length

    const first = progress.nextIdx
    const end = Math.min(first + runPatterns, await getNextIdx(queries, spaceId))
    let weakenedTo = first
    // However late, one step is done: a run always comes forward.
    while (weakenedTo < end && (weakenedTo === first || !isLate())) {
      const count = Math.min(stepPatterns, end - weakenedTo)
      done.patterns_weakened += await weakenUnused(context, spaceId, lease, weakenedTo, count)
      weakenedTo += count
    }

    done.compositions_discovered = await composeValidated(context, spaceId, lease, space.index)
    done.consolidated = done.compositions_discovered

    // What was weakened is also merged and moved, so that one place is kept for all of it.
    let at = first
    while (at < weakenedTo && (at === first || !isLate())) {
      const count = Math.min(stepPatterns, weakenedTo - at)
      done.consolidated += await mergeDuplicates(context, spaceId, lease, at, count)
      done.consolidated += (await migrateTiers(context, spaceId, clock.now(), at, count)).moved
      at += count
      progress.nextIdx = at
    }
    if (at >= (await getNextIdx(queries, spaceId))) progress.nextIdx = 0
    return done
  })
}

const nothing = {
  consolidated: 0,
  compositions_discovered: 0,
  patterns_strengthened: 0,
  patterns_weakened: 0,
}
