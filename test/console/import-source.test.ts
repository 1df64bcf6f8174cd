import { parseTimestamp } from '@memory/shared/catalogue/fields-parsing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { guess, parseLine } from '../../apps/console/src/pages/data/import-source.ts'

function kindOf(item: object, now: number): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ text: 'A fact.', ...item }))
  return parseLine({ number: 1, end: bytes.length, bytes }, now).kind
}

const instant = Date.parse('2026-05-01T12:00:00Z')

describe('what a file is read as', () => {
  const line = (value: object) => `${JSON.stringify(value)}\n{"text":"Another."}\n`

  it.each([
    line({ text: 'A fact.', metadata: { namespace: ['a'] } }),
    line({ pattern_id: 'pat_1', pattern_idx: 0, text: null, key: [0.5, 1], value: null }),
    // Of an export with the vectors, so long that its end was not read.
    line({ pattern_id: 'pat_1', text: 'A fact.' }).slice(0, 30),
    line({ subject: 'ada', text: 'A fact.' }),
    line({ metadata: { user: 'ada' }, key: [0.5, 1], value: [1, 0] }),
    '{ "text": "A fact." }\n',
    '\uFEFF{"occurred_at":"2026-01-01","text":"A fact."}\r\n{"text":"Another."}',
  ])('is lines as an export writes them: %s', (start) => expect(guess(start)).toBe('lines'))

  it.each([
    ['json', line({ id: 7, text: 'A fact.', user: 'ada' })],
    ['json', '{\n  "text": "A fact."\n}'],
    ['json', '[{"subject":"ada","text":"A fact."}]'],
    ['csv', 'text,subject\nA fact.,ada\n'],
  ])('is %s of others: %s', (format, start) => expect(guess(start)).toBe(format))
})

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
