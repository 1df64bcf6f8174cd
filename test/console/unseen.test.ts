import { expect, it } from 'vitest'
import { unseen } from '../../apps/console/src/parts/unseen.ts'

it.each([
  [
    'is seen: signs over numbers and words',
    '\u0600\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}',
    0,
  ],
  [
    'is unseen: marks of direction, joiners, controls, ends of lines',
    '\u061c\u200b\u202e\u2069\ufeff\u00ad\r\u2028\u{e0041}',
    9,
  ],
])('%s', (_, text, count) => {
  expect(text.match(unseen) ?? []).toHaveLength(count)
  expect(text.replaceAll(unseen, '')).toBe(count === 0 ? text : '')
})
