import type { Database } from '@memory/shared/platform/database/database'
import { createLog } from '@memory/shared/platform/log'
import { startRelay } from '@memory/shared/platform/outbox/relay'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('a relay whose database is away says so once, and once that it works again', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  let isAway = true
  const execute = vi.fn(async () => {
    if (isAway) throw new Error('away')
    return []
  })
  const database = {
    queries: { transaction: () => ({ execute }) },
    listen: async () => async () => {},
  } as unknown as Database
  const relay = await startRelay(database, async () => {}, log)
  await vi.advanceTimersByTimeAsync(10_000)
  isAway = false
  await vi.advanceTimersByTimeAsync(5_000)
  await relay.stop()
  expect(execute.mock.calls.length).toBeGreaterThan(10)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'taking events from the outbox failed', err: { message: 'away' } },
    { msg: 'taking events from the outbox works again', failures: 11 },
  ])
})
