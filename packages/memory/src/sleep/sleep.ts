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
 * Patterns per transaction. Each locks out the space's other writers and, in the embedded database, makes all queries wait: if
 * all 40 patterns are weakened and change tier it takes about 20 ms; 1,000 took 600 ms.
 */
const stepPatterns = 40

/**
 * The sleep operation: one run of `sleepOnce`. If recording the run fails afterwards, the answer is given all the same, since the
 * work is done.
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

/** Whether the space's regime says not to consolidate. */
export async function isBypassed(
  { learning, clock }: Pick<MemoryContext, 'learning' | 'clock'>,
  spaceId: string,
): Promise<boolean> {
  const { modulation } = await learning.read(spaceId)
  return policyOf(advanceTo(modulation, clock.now().getTime()).state).bypassConsolidation
}

/** Counts of what a run of sleep has done. */
export type SleepCounts = Record<keyof typeof nothing, number>

/**
 * One run of sleep: replay, compositions, then weakening, merging and tiers step by step over up to `runPatterns` patterns, then
 * conflicts. The next run goes on where this one stops (`lease.progress`). Each step is a transaction of its own, so a run can be
 * interrupted at any time.
 * @param batchSize how many patterns to replay; 0 for a run that continues a sleep
 * @param done counts, updated as work is done
 * @param onStep called in a transaction after each step, with the number consolidated so far
 * @returns whether the run reached the end of the space
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
  const { progress } = lease

  const { index, learned } = await readSpace(context, space)
  // Taken once the space is read: one that takes longer to read than a run may take would have one step done by each.
  const deadline = performance.now() + runMs
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
  // At least one step is done even past the deadline, so that every run makes progress.
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
    // Reads the moved patterns into this process's copy step by step: all at once would be one long read.
    if (moved > 0) await spaces.refresh(spaceId)
    at += count
    progress.nextIdx = at
    await lease.keep(onStep && ((trx) => onStep(trx, done.consolidated)))
  }
  const looked = await findConflicts(context, space, lease, deadline, (count) => {
    done.conflicts += count
  })
  if (looked === 'full') context.log.warn({ spaceId }, 'as many conflicts are open as may be: texts wait')
  const isWhole = looked !== 'unfinished' && progress.nextIdx >= (await getNextIdx(queries, spaceId))
  if (isWhole) progress.nextIdx = 0
  return isWhole
}

/** Counts of a run that did nothing. */
export const nothing = {
  consolidated: 0,
  compositions_discovered: 0,
  patterns_strengthened: 0,
  patterns_weakened: 0,
  conflicts: 0,
}
