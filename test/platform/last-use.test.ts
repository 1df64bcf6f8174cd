import { LastUse, type Use } from '@memory/shared/platform/last-use'
import { expect, it } from 'vitest'

it('uses are written once in a minute, and after the clock was set back', async () => {
  let now = Date.UTC(2026, 0, 1)
  const written: Use[] = []
  const log = new LastUse(async (uses) => void written.push(...uses), { now: () => new Date(now) })
  const useAfter = async (ms: number) => {
    now += ms
    log.record('owner', 'key')
    await log.flush()
    return written.length
  }
  expect(await useAfter(0)).toBe(1)
  expect(await useAfter(59_999)).toBe(1)
  expect(await useAfter(1)).toBe(2)
  expect(await useAfter(-3_600_000)).toBe(3)
})
