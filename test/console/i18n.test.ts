import i18next from 'i18next'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startI18n } from '../../apps/console/src/i18n.ts'
import { durationOf } from '../../apps/console/src/parts/duration.ts'

beforeEach(() => {
  vi.stubGlobal('navigator', { languages: ['de-DE', 'en-IN', 'en'] })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('document', { documentElement: {} })
})
afterEach(() => void vi.unstubAllGlobals())

it('writes numbers in texts as the reader’s country does', async () => {
  await startI18n()
  expect(i18next.t('forget.wouldGo', { count: 100_000 })).toBe('1,00,000 memories would go')
})

it.each([
  [1, '1 second'],
  [60, '60 seconds'],
  [61, '2 minutes'],
  [43_210, '13 hours'],
  [90_000, '2 days'],
])('says of %d seconds that they are %s', (seconds, said) => {
  expect(durationOf(seconds, 'en')).toBe(said)
})
