import { ApiError } from '@memory/shared/catalogue/errors'
import { regardless } from '@memory/shared/platform/asker'
import type { Clock } from '@memory/shared/platform/clock'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { sumCounts } from '../sum-counts.ts'
import { newRunId } from './run-id.ts'
import { type Counts, findUnfinished, type RunRow, saveRun } from './run-store.ts'
import type { RunKind } from './schema.ts'

/** What is known of a run when it starts. */
export interface RunStart {
  kind: RunKind
  cause: RunRow['cause']
  /** Whether it continues a run that is recorded as unfinished. */
  goesOn?: boolean
  /** Updated by the run as it works; recorded if it fails. */
  soFar?: Counts
}

/** Records what a run has done, in the transaction of its last step. */
export type Recording = (trx: Trx, counts: Counts, end?: { isWhole: boolean }) => Promise<void>

/**
 * Calls `run`, which must record what it did by the function that it is given. If it throws, the error and the counts so far are
 * recorded in a transaction of its own.
 * @throws whatever `run` throws
 */
export async function recordingRun<T>(
  { queries, clock }: { queries: Queries; clock: Clock },
  spaceId: string,
  { kind, cause, goesOn = false, soFar = {} }: RunStart,
  run: (record: Recording) => Promise<T>,
): Promise<T> {
  const began_at = clock.now()
  const start = { id: newRunId(began_at), kind, cause, began_at, error: null }
  try {
    return await run(async (trx, counts, { isWhole } = { isWhole: true }) => {
      const earlier = goesOn ? await findUnfinished(trx, spaceId, kind) : undefined
      await saveRun(trx, spaceId, {
        ...(earlier ?? start),
        ended_at: isWhole ? clock.now() : null,
        counts: earlier === undefined ? counts : sumCounts(earlier.counts, counts),
      })
    })
  } catch (error) {
    const failed = { ...start, ended_at: clock.now(), counts: soFar, error: codeOf(error) }
    await regardless(() =>
      asTenant(queries, { spaceId }, (trx) => saveRun(trx, spaceId, failed)).catch(() => {
        // The caller gets the error of the run instead.
      }),
    )
    throw error
  }
}

const codeOf = (error: unknown): string => (error instanceof ApiError ? error.code : 'internal')
