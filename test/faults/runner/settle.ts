import { join } from 'node:path'
import { asTenant, type Database } from '@memory/shared/platform/database/database'
import { openEmbedded } from '@memory/shared/platform/database/embedded'
import { openPostgres } from '@memory/shared/platform/database/postgres'
import { sql } from 'kysely'
import { silent } from '../../platform/open-database.ts'
import type { Cluster } from './cluster.ts'
import type { Differences } from './model.ts'
import type { Tenant } from './tenant.ts'
import type { Writer } from './writer.ts'

/** Sends what was not answered again, and compares every tenant's memory with its model. The load must be halted. */
export async function settle(tenants: readonly Tenant[], writers: readonly Writer[]): Promise<Differences> {
  for (const writer of writers) await writer.settle()
  const found: Differences = { lost: 0, duplicated: 0, foreign: 0, halves: 0, details: [] }
  for (const tenant of tenants) {
    const differences = tenant.model.compare(await tenant.list())
    for (const key of ['lost', 'duplicated', 'foreign', 'halves'] as const) found[key] += differences[key]
    found.details.push(...differences.details)
  }
  return found
}

/** @returns a sentence for each space whose counters are not what a recount gives. No API process may hold the database */
export async function recount({ settings }: Cluster, tenants: readonly Tenant[]): Promise<string[]> {
  const database: Database =
    settings.DATABASE_URL === undefined
      ? await openEmbedded(join(settings.MEMORY_DATA_DIR as string, 'database'))
      : openPostgres(settings.DATABASE_URL, 1, silent)
  try {
    const wrong: string[] = []
    for (const { name, organizationId } of tenants) {
      const counts = await countersOf(database, organizationId)
      if (!counts.used || !counts.bytes || !counts.idx) wrong.push(`${name}: ${JSON.stringify(counts)}`)
    }
    return wrong
  } finally {
    await database.close()
  }
}

interface Counters {
  used: boolean
  bytes: boolean
  idx: boolean
}

async function countersOf({ queries }: Database, organizationId: string): Promise<Counters> {
  const spaceId = await asTenant(queries, { organizationId }, async (trx) => {
    const { rows } = await sql<{ id: string }>`select id from app.spaces where environment = 'live'`.execute(
      trx,
    )
    return rows[0]?.id as string
  })
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<Counters>`select s.patterns_used = count(p.idx) as used,
      s.storage_bytes = coalesce(sum(p.bytes), 0) as bytes, s.next_idx > coalesce(max(p.idx), -1) as idx
      from app.spaces s left join app.patterns p on p.space_id = s.id where s.id = ${spaceId} group by s.id`.execute(
      trx,
    )
    return rows[0] as Counters
  })
}
