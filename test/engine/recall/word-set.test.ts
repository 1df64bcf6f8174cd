import { sharedAtMost, sharedCount, spacelessShareOf, wordSetOf } from '@memory/engine/recall/word-set'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const size = (text: string, sizeMin?: number) => wordSetOf(text, sizeMin).words.length

describe('the words of a text', () => {
  it.each([
    ['', 0],
    ['…!?', 0],
    ['The door, the DOOR and the doors.', 4],
    ['don’t o_k', 4],
    ['3.5 12:21 21:12 1.1 1.1.1 2024-05-03 v2.10 3. 5', 10],
    ['v2.1 2.1', 2],
    ['第2.1章 2.1', 3],
    ['東京タワー 東京', 5],
    ['Zürich ZURICH zürich', 1],
  ])('of %j are %i', (text, count) => {
    expect(size(text)).toBe(count)
  })

  it('may be those of some length only', () => {
    expect(size('a bb ccc dddd', 3)).toBe(2)
  })

  it('are the same whatever else the text is written in', () => {
    const plain = wordSetOf('the blue door')
    expect(sharedCount(plain, wordSetOf('The BLUE door of 東京, café'))).toBe(3)
    expect(sharedCount(plain, wordSetOf('The BLUE dóor'))).toBe(3)
  })
})

describe('words in common', () => {
  const text = fc
    .array(
      fc.oneof(fc.constantFrom('door', 'blue', 'the', 'кот', '東京'), fc.stringMatching(/^[a-z]{1,3}$/)),
      {
        maxLength: 300,
      },
    )
    .map((words) => words.join(' '))

  it('are counted the same from both sides, and their bits never promise fewer', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [ofA, ofB] = [wordSetOf(a), wordSetOf(b)]
        const shared = sharedCount(ofA, ofB)
        expect(sharedCount(ofB, ofA)).toBe(shared)
        expect(sharedAtMost(ofA, ofB)).toBeGreaterThanOrEqual(shared)
        expect(sharedCount(ofA, ofA)).toBe(ofA.words.length)
      }),
    )
  })

  it('are told from bits alone where few are', () => {
    const numbered = (from: number) => Array.from({ length: 20 }, (_, i) => `word${from + i}`).join(' ')
    expect(sharedAtMost(wordSetOf(numbered(0)), wordSetOf(numbered(100)))).toBeLessThan(10)
  })
})

it.each([
  ['', 0],
  ['!?…', 0],
  ['Where is Ada?', 0],
  ['她住在里斯本。', 1],
  ['タワー', 1],
  ['Ada住在里斯', 4 / 7],
  ['나는 리스본에 산다', 0],
])('of %j is so much written without white space: %d', (text, share) => {
  expect(spacelessShareOf(text)).toBeCloseTo(share, 12)
})
