import { advanceTo, policyOf } from '@memory/engine/modulation'
import { parameters } from '@memory/engine/parameters'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { nextSlice, regardless } from '@memory/shared/platform/asker'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { findConflicts } from '../conflicts/find-conflicts.ts'
import type { MemoryContext } from '../context.ts'
import type { Exploration } from '../exploration/explore.ts'
import { recordingRun } from '../runs/record-run.ts'
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

/**
 * Consolidates a space as `sleepOnce` does, for somebody who asks. What is answered was done, also where the run could
 * not be written down after it.
 * @throws ApiError consolidation_running, abandoned after the step in which whoever asked hung up
 */
export async function sleep(
  context: Exploration,
  caller: Caller,
  { batch_size }: Input<typeof schema.Sleep>['body'],
): Promise<Output<typeof schema.Sleep>> {
  if (await isBypassed(context, caller.spaceId)) return { ...nothing, bypassed: true }
  const { spaceId } = caller
  const done = { ...nothing }
  return withLease(context, spaceId, (lease) =>
    recordingRun(context, spaceId, { kind: 'sleep', cause: 'asked', soFar: done }, async (record) => {
      await sleepOnce(context, caller, lease, batch_size, done)
      await regardless(() =>
        asTenant(context.queries, { spaceId }, (trx) => record(trx, done)).catch((err: unknown) => {
          context.log.warn({ err, spaceId }, 'sleep not recorded')
        }),
      )
      return done
    }),
  )
}

/** Whether the space's regime has consolidation bypassed. */
export async function isBypassed(
  { learning, clock }: Pick<MemoryContext, 'learning' | 'clock'>,
  spaceId: string,
): Promise<boolean> {
  const { modulation } = await learning.read(spaceId)
  return policyOf(advanceTo(modulation, clock.now().getTime()).state).bypassConsolidation
}

/** What a run of sleep has done. */
export type SleepCounts = Record<keyof typeof nothing, number>

/**
 * One run of sleep, step by step; what it does not come to is for the next. Each step is a transaction, so that one that
 * is cut off, or that nobody waits for any more, leaves the space as the last whole step did.
 * @param batchSize patterns that are replayed; 0 for a run that goes on with one that has replayed
 * @param done counts what it does, as it does it
 * @param onStep hears, in a transaction, what was consolidated so far
 * @returns whether it came to the end of the space
 */
export async function sleepOnce(
  context: Exploration,
  space: OpenSpace,
  lease: Lease,
  batchSize: number,
  done: SleepCounts,
  onStep?: (trx: Trx, consolidated: number) => Promise<void>,
): Promise<boolean> {
  const { queries, clock, spaces } = context
  const { spaceId, signal } = space
  const deadline = performance.now() + runMs
  const { progress } = lease

  const { index, learned } = await readSpace(context, space)
  if (batchSize > 0) {
    const rehearsal = await replay(context, space, { index, learned }, batchSize)
    await strengthenReplayed(context, space, lease, rehearsal, (count) => {
      done.patterns_strengthened += count
    })
  }
  done.compositions_discovered = await composeValidated(context, spaceId, lease, index)
  done.consolidated += done.compositions_discovered

  const first = progress.nextIdx
  const end = Math.min(first + runPatterns, await getNextIdx(queries, spaceId))
  // However late, one step is done: a run always comes forward.
  for (let at = first; at < end && (at === first || performance.now() < deadline); ) {
    await nextSlice(signal)
    const count = Math.min(stepPatterns, end - at)
    done.patterns_weakened += await weakenUnused(context, spaceId, lease, at, count)
    await nextSlice(signal)
    done.consolidated += await mergeDuplicates(context, spaceId, lease, at, count)
    await nextSlice(signal)
    const { moved } = await migrateTiers(context.queries, spaceId, clock.now(), at, count)
    done.consolidated += moved
    await nextSlice(signal)
    // What this process holds learns of it now: all at once would be one long read.
    if (moved > 0) await spaces.refresh(spaceId)
    at += count
    progress.nextIdx = at
    await lease.keep(onStep && ((trx) => onStep(trx, done.consolidated)))
  }
  const isCompared = await findConflicts(context, space, lease, deadline, (count) => {
    done.conflicts += count
  })
  const isWhole = isCompared && progress.nextIdx >= (await getNextIdx(queries, spaceId))
  if (isWhole) progress.nextIdx = 0
  return isWhole
}

export const nothing = {
  consolidated: 0,
  compositions_discovered: 0,
  patterns_strengthened: 0,
  patterns_weakened: 0,
  conflicts: 0,
}
