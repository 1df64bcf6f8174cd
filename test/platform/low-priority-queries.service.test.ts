import { asTenant, type Database } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { newOrganization, openTestDatabase } from './open-database.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase(2)
})
afterAll(() => database.close())

const ask = (queries: Database['queries']) => sql`select 1`.execute(queries)

describe('queries of low priority', () => {
  it('see the rows of their tenant, and no others', async () => {
    const { organizationId } = await newOrganization(database.queries)
    await newOrganization(database.queries)
    const rows = await asTenant(database.lowPriorityQueries, { organizationId }, (trx) =>
      trx.withSchema('app').selectFrom('spaces').select('organization_id').distinct().execute(),
    )
    expect(rows).toEqual([{ organization_id: organizationId }])
  })

  it('let the next one in when one fails', async () => {
    const { lowPriorityQueries } = database
    const failure = new Error('the work failed')
    const failed = lowPriorityQueries.transaction().execute(() => Promise.reject(failure))
    const broken = sql`select 1 / 0`.execute(lowPriorityQueries)
    const last = ask(lowPriorityQueries)
    await expect(failed).rejects.toBe(failure)
    await expect(broken).rejects.toMatchObject({ code: '22012' })
    expect((await last).rows).toHaveLength(1)
  })

  it.skipIf(onPostgres)('let others pass that ask while many of them wait', async () => {
    const order: string[] = []
    let others: Promise<unknown> | undefined
    const late = Array.from({ length: 20 }, (_, i) =>
      database.lowPriorityQueries.transaction().execute(async (trx) => {
        others ??= Promise.all(
          Array.from({ length: 5 }, () => ask(database.queries).then(() => order.push('other'))),
        )
        await ask(trx)
        order.push(`late ${i}`)
      }),
    )
    await Promise.all(late)
    await others
    expect(order.slice(0, 7)).toEqual(['late 0', ...Array(5).fill('other'), 'late 1'])
    expect(order.slice(6)).toEqual(Array.from({ length: 19 }, (_, i) => `late ${i + 1}`))
  })
})
