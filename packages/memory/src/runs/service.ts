import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { pageOf, startOf } from '@memory/shared/catalogue/pages'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { isoOrNull } from '../patterns/show-pattern.ts'
import { cursors } from './run-id.ts'
import * as store from './run-store.ts'
import type { ListRuns } from './schema.ts'

type Run = Output<typeof ListRuns>['runs'][number]

/** A page of the space's sleeps and explorations, newest first. @throws ValidationError for a cursor that no page gave */
export async function listRuns(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Caller,
  { cursor, limit, kind }: Input<typeof ListRuns>['query'],
): Promise<Output<typeof ListRuns>> {
  const before = startOf(cursor, cursors.decode)
  const list = (trx: Trx) => store.listRuns(trx, spaceId, { before, count: limit + 1, kind })
  const rows = await asTenant(queries, { spaceId }, list, { inOrder: true })
  const { page, next_cursor } = pageOf(rows, limit, ({ id }) => cursors.encode(id))
  return { runs: page.map(toRun), next_cursor }
}

const toRun = ({ id, kind, cause, began_at, ended_at, counts, error }: store.RunRow): Run => ({
  run_id: id,
  kind,
  cause,
  began_at: began_at.toISOString(),
  ended_at: isoOrNull(ended_at),
  sleep:
    kind === 'sleep'
      ? {
          consolidated: counts.consolidated ?? 0,
          compositions_discovered: counts.compositions_discovered ?? 0,
          patterns_strengthened: counts.patterns_strengthened ?? 0,
          patterns_weakened: counts.patterns_weakened ?? 0,
          conflicts: counts.conflicts ?? 0,
        }
      : null,
  exploration:
    kind === 'exploration'
      ? {
          total_explored: counts.total_explored ?? 0,
          compositions_valid: counts.compositions_valid ?? 0,
        }
      : null,
  error,
})
