import { expect, it } from 'vitest'
import { wordChanges } from '../../apps/console/src/parts/word-changes.ts'

it('tells two texts apart by their words', () => {
  const changes = wordChanges('The meeting is on Monday.', 'The meeting is on Friday.')
  expect(changes.map(({ at, value, added, removed }) => [at, value, added, removed])).toEqual([
    [0, 'The meeting is on ', false, false],
    [18, 'Monday', false, true],
    [24, 'Friday', true, false],
    [30, '.', false, false],
  ])
  expect(wordChanges('', 'new')).toEqual([{ at: 0, value: 'new', added: true, removed: false }])
})

/** As long as a text may be, with little of it in another that begins elsewhere. */
const long = (part: (n: number) => string, from: number) =>
  Array.from({ length: 10_000 }, (_, n) => part(n % 7 === 3 ? 0 : from + n))
    .join('')
    .slice(0, 10_000)
    .replace(/ \w*$/, '')

it.each([
  ['words', (n: number) => `w${n.toString(36)} `],
  ['characters', (n: number) => String.fromCodePoint(0x4e00 + n)],
])('shows two long texts that have few %s in common whole, the one after the other', (_kind, part) => {
  const [old, text] = [long(part, 1), long(part, 10_001)]
  expect(wordChanges(old, text)).toEqual([
    { at: 0, value: old, added: false, removed: true },
    { at: old.length, value: text, added: true, removed: false },
  ])
})

it('shows what both begin and end with as it stayed, where much between is another', () => {
  const [begin, end] = ['At the beginning. ', ' At the end.']
  const [old, added] = [
    long((n) => `w${n.toString(36)} `, 1).trim(),
    long((n) => `w${n.toString(36)} `, 10_001).trim(),
  ]
  expect(wordChanges(begin + old + end, begin + added + end).map(({ at: _, ...change }) => change)).toEqual([
    { value: begin, added: false, removed: false },
    { value: old, added: false, removed: true },
    { value: added, added: true, removed: false },
    { value: end, added: false, removed: false },
  ])
  const whole = [
    { value: old, added: false, removed: false },
    { value: `\n\n${added}`, added: true, removed: false },
  ]
  expect(wordChanges(old, `${old}\n\n${added}`).map(({ at: _, ...change }) => change)).toEqual(whole)
})
