import type { Response } from 'express'
import { expect, it, vi } from 'vitest'
import { CountedQueries } from '../../apps/api/src/http/counted-queries.ts'

it('queries are given back to the day that counted them, and not once it is over', async () => {
  const given = async (then: string) => {
    let now = new Date('2026-03-01T23:59:59.900Z')
    const database = { queries: new Proxy({}, { get: () => expect.fail('asked') }) }
    const log = { warn: vi.fn() }
    const authenticated = { spaceId: 'space', queriesCounted: 1_000, allowance: undefined }
    const context = { clock: { now: () => now }, database, log } as never
    const queries = new CountedQueries(context, authenticated as never, 1_000)
    now = new Date(then)
    await queries.giveBack({ headersSent: false } as Response)
    expect(queries.count).toBe(0)
    // The database, which is none here, was asked, and its failure logged.
    return log.warn.mock.calls.length
  }
  expect(await given('2026-03-01T23:59:59.950Z')).toBe(1)
  expect(await given('2026-03-02T00:00:00.000Z')).toBe(0)
})
