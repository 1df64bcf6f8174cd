import { parseTimestamp } from '@memory/shared/catalogue/fields-parsing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseLine } from '../../apps/console/src/pages/data/import-source.ts'

function kindOf(item: object, now: number): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ text: 'A fact.', ...item }))
  return parseLine({ number: 1, end: bytes.length, bytes }, now).kind
}

const instant = Date.parse('2026-05-01T12:00:00Z')

describe.each(['America/New_York', 'Asia/Tokyo', 'UTC'])('a line that is imported in %s', (zone) => {
  beforeEach(() => void vi.stubEnv('TZ', zone))
  afterEach(() => void vi.unstubAllEnvs())

  it.each([
    '2026-05-01T12:00:00',
    '2026-05-01 12:00',
    '2026-05-01_12:00:00,000',
    '2026-05-01T12:00:00.000000000',
    '2026-05-01t12:00:00z',
    '2026-05-01T12:00:00Z',
    '2026-05-01T14:00:00+02:00',
    '2026-05-01T14:00+02',
    '2026-05-01 06:30:00-0530',
    '2026-05-01 06:30:00\u22120530',
  ])('expires when the service says: %s', (expires_at) => {
    expect(parseTimestamp(expires_at)).toEqual({ value: new Date(instant) })
    expect(kindOf({ expires_at }, instant - 1)).toBe('item')
    expect(kindOf({ expires_at }, instant)).toBe('expired')
  })

  it('expires at midnight of UTC on a date', () => {
    const midnight = Date.parse('2026-05-01T00:00:00Z')
    expect(kindOf({ expires_at: '2026-05-01' }, midnight - 1)).toBe('item')
    expect(kindOf({ expires_at: '2026-05-01' }, midnight)).toBe('expired')
  })

  it('is the service’s to refuse where the service reads no time', () => {
    for (const expires_at of [
      'May 1, 2020',
      '2020',
      '2020-05-01T12',
      '2020-05-01T12:00 UTC',
      1_500_000_000,
    ]) {
      expect(kindOf({ expires_at }, instant)).toBe('item')
    }
  })

  it('is compared by times of which only one has an offset', () => {
    const valid = (valid_from: string, valid_to: string) => kindOf({ valid_from, valid_to }, instant)
    expect(valid('2026-05-01T12:00:00', '2026-05-01T12:00:01Z')).toBe('item')
    expect(valid('2026-05-01T11:59:59Z', '2026-05-01T12:00:00')).toBe('item')
    expect(valid('2026-05-01T12:00:00', '2026-05-01T12:00:00Z')).toBe('invalid')
    expect(valid('2026-05-01T12:00:00Z', '2026-05-01T12:00:00')).toBe('invalid')
  })
})
