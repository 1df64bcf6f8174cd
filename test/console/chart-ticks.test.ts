import { expect, it } from 'vitest'
import { daySteps, dayTicks, tickTexts, valueSteps } from '../../apps/console/src/parts/chart-ticks.ts'

const seconds = (iso: string) => Date.parse(iso) / 1_000
const [day = 0] = daySteps

it('marks days at midnight of UTC and says which they are, wherever the reader is', () => {
  const ticks = dayTicks(seconds('2026-12-30T00:00Z'), seconds('2027-01-02T00:00Z'), day)
  expect(ticks.map((tick) => new Date(tick * 1_000).toISOString().slice(0, 16))).toEqual([
    '2026-12-30T00:00',
    '2026-12-31T00:00',
    '2027-01-01T00:00',
    '2027-01-02T00:00',
  ])
  const texts = ['Dec 30\n2026', 'Dec 31', 'Jan 1\n2027', 'Jan 2']
  expect(tickTexts(ticks, day, { language: 'en', timeZone: 'UTC' })).toEqual(texts)
  expect(tickTexts(ticks.slice(0, 1), day, { language: 'fr', timeZone: 'UTC' })).toEqual(['30 déc.\n2026'])
  // Where there is no place for a mark, and between two midnights, there is none.
  expect(dayTicks(0, day, 0)).toEqual([])
  expect(dayTicks(1, day - 1, day)).toEqual([])
})

it('writes times within a day as the language does, with the day where it is another', () => {
  const ticks = ['2026-11-27T18:00Z', '2026-11-27T21:00Z', '2026-11-28T00:00Z'].map(seconds)
  const shown = { language: 'fr', timeZone: 'UTC' } as const
  expect(tickTexts(ticks, 3 * 3_600, shown)).toEqual(['18:00\n27 nov. 2026', '21:00', '00:00\n28 nov. 2026'])
  expect(tickTexts(ticks.slice(0, 1), 1, shown)).toEqual(['18:00:00\n27 nov. 2026'])
  const [at = 0] = ticks
  expect(tickTexts([at, at + 0.5], 0.5, shown)).toEqual(['18:00:00,0\n27 nov. 2026', '18:00:00,5'])
  expect(tickTexts([at, at + 0.002], 0.002, shown)).toEqual(['18:00:00,000\n27 nov. 2026', '18:00:00,002'])
})

it('has no steps between values that would be written alike', () => {
  expect(valueSteps(0).slice(0, 5)).toEqual([1, 2, 5, 10, 20])
  expect(valueSteps(2).slice(0, 4)).toEqual([0.01, 0.02, 0.05, 0.1])
})
