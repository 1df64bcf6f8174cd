import { parameters } from '@memory/engine/parameters'
import { passagesOf } from '@memory/engine/recall/passages'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const { passageCharacters, passageMin } = parameters.recall

const codePoints = (text: string, from: number, to?: number) => Array.from(text).slice(from, to).join('')
const repeated = (sentence: string, length: number) =>
  sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length)

/** Sentences of many scripts, white space of many kinds, and what no sentence ends in. */
const parts = fc.oneof(
  fc.constantFrom(
    'Ada moved to Lisbon in May. ',
    'Dr. Ray paid 3.50 for it!\n\n',
    '她五月搬到了里斯本。',
    'どこですか？',
    'انتقلت آدا إلى لشبونة. ',
    'वह मई में लिस्बन चली गई। ',
    'เธอย้ายไปลิสบอนในเดือนพฤษภาคม',
    '그녀는 리스본으로 이사했다. ',
    '😀👩‍👩‍👧',
    '𝒜𝒹𝒶 ',
    `${' '.repeat(900)}\t`,
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.nat(1_200).map((length) => 'x'.repeat(length)),
  fc.nat(700).map((length) => '😀'.repeat(length)),
)
const texts = fc.array(parts, { maxLength: 120 }).map((all) => all.join('').slice(0, 10_000).toWellFormed())

describe('passagesOf', () => {
  it('gives a text none that is hardly longer than a passage', () => {
    for (const length of [0, 1, passageCharacters, passageMin - 1]) {
      expect(passagesOf(repeated('Ada lives in Lisbon. ', length))).toEqual([])
    }
    expect(passagesOf(`Ada. ${' '.repeat(5_000)}`)).toEqual([])
  })

  it('cuts at sentence ends, and begins with the last sentence of the passage before', () => {
    const sentence = (i: number) => `This is sentence number ${i}, and it says a little of Ada and Lisbon. `
    const text = Array.from({ length: 140 }, (_, i) => sentence(100 + i)).join('')
    const passages = passagesOf(text)
    expect(passages.length).toBeGreaterThan(10)
    for (const [i, passage] of passages.entries()) {
      expect(passage.text).toMatch(/^This is.*Lisbon\. $/s)
      expect(passage.text.length).toBeLessThanOrEqual(passageCharacters)
      const before = passages[i - 1]
      const overlap = before && before.end - passage.start
      if (passage !== passages.at(-1)) expect([undefined, sentence(100).length]).toContain(overlap)
    }
    // The last has as much of the one before as fits.
    expect(passages.at(-1)?.text.length).toBeGreaterThan(passageCharacters - sentence(100).length)
  })

  it.each([
    ['Chinese', '她五月搬到了里斯本，现在住在河边。'],
    ['Hindi', 'वह मई में लिस्बन चली गई। '],
    ['Arabic', 'انتقلت آدا إلى لشبونة في مايو؟ '],
  ])('knows where sentences end: %s', (_, sentence) => {
    const passages = passagesOf(repeated(sentence, 3 * passageMin - ((3 * passageMin) % sentence.length)))
    expect(passages.length).toBeGreaterThan(1)
    for (const { text } of passages) expect(text.length % sentence.length).toBe(0)
  })

  it('cuts a sentence without an end at white space, and a word without an end anywhere', () => {
    const words = passagesOf(repeated('abcde fghij ', 3_000))
    for (const { text } of words.slice(0, -1)) expect(text).toMatch(/\s$/)
    expect(words.length).toBeGreaterThan(2)
    const word = passagesOf('x'.repeat(3_000))
    expect(word.slice(0, 2).map(({ start, end }) => [start, end])).toEqual([
      [0, passageCharacters],
      [passageCharacters, 2 * passageCharacters],
    ])
    expect(word.at(-1)?.end).toBe(3_000)
  })

  it('counts code points, as every other count of characters', () => {
    const text = repeated('😀', 4_000)
    for (const { start, end, text: passage } of passagesOf(text)) {
      expect(codePoints(text, start, end)).toBe(passage)
    }
  })

  it('has all of any text but white space, in order, none empty, and cuts no character', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const passages = passagesOf(text)
        let covered = 0
        let begun = -1
        for (const passage of passages) {
          expect(passage.start).toBeGreaterThan(begun)
          expect(passage.end).toBeGreaterThan(covered)
          if (passage.start > covered) expect(codePoints(text, covered, passage.start)).toMatch(/^\s*$/u)
          expect(passage.text).toBe(codePoints(text, passage.start, passage.end))
          expect(passage.text).toMatch(/\S/u)
          expect(passage.text.isWellFormed()).toBe(true)
          expect(passage.text.length).toBeLessThanOrEqual(passageCharacters)
          begun = passage.start
          covered = passage.end
        }
        if (passages.length > 0) expect(codePoints(text, covered)).toMatch(/^\s*$/u)
        expect(passages.length).not.toBe(1)
      }),
      { numRuns: 300 },
    )
  })
})
