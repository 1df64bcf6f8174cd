import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

describe('what an encoder may not be able to read', () => {
  it.each([
    [
      'My sister is called 李垚 and lives in a big house',
      'My sister is called 李炘 and lives in a big house',
    ],
    ['My friend ⵜⵉⴼⵉ lives in Rabat', 'My friend ⵜⵉⴼⵓ lives in Rabat'],
    ['My friend ߒߞߏ lives in Bamako', 'My friend ߒߞߐ lives in Bamako'],
    ['My friend ދިވެހި lives in Malé', 'My friend ދިވެހު lives in Malé'],
    ['My friend राम lives in Delhi', 'My friend रिम lives in Delhi'],
    ['김뷁 lives in Seoul with his dog', '김뷂 lives in Seoul with his dog'],
    ['김뷁은 서울에 산다', '김뷂은 서울에 산다'],
    ['垚是我的老师，他很好', '炘是我的老师，他很好'],
    ['ⵜⵉⴼⵉ ⵜⵣⴷⵖ ⴳ ⵔⴱⴰⵟ', 'ⵜⵉⴼⵓ ⵜⵣⴷⵖ ⴳ ⵔⴱⴰⵟ'],
    ['The password of the wifi is 🫨 and nothing else', 'The password of the wifi is 🫠 and nothing else'],
    ['Our family comes from 🇫🇷', 'Our family comes from 🇫🇮'],
    ['She is 👩🏻 in the chat', 'She is 👩🏿 in the chat'],
    ['Our sign is 👨‍👩‍👧', 'Our sign is 👨‍👩‍👦'],
    ['Take the 🍎 to work', 'Take the 🍏 to work'],
    ['The team with 🟥 won', 'The team with 🟦 won'],
    ['His piece is ♔ now', 'His piece is ♕ now'],
    ['The letter is ⠁', 'The letter is ⠃'],
  ])('%j is not %j', (one, other) => {
    expect(reasonOf(one, other)).toBe('name')
    expect(reasonOf(other, one)).toBe('name')
  })

  it.each([
    ['Happy birthday 🎉', 'Happy birthday'],
    ['Happy birthday 🎉🎂', 'Happy birthday 🎉'],
    ['I love Rome ❤️', 'I love Rome ❤'],
    ['I met Пётр in Berlin', 'I met Петр in Berlin'],
    ['我身高 180 cm', '我身高 180 厘米'],
    ['김뷁은 서울에 산다', '김뷁이 서울에 살아요'],
    ['আমার বোন ঢাকায় থাকে', 'আমার বোন ঢাকাতে বাস করে'],
    ['Sheryl Crow说自己得了良性脑瘤。', 'Sheryl Crow患有良性脑肿瘤'],
  ])('%j is %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })

  it('reads a sentence by its own words, whatever the script of a name in it', () => {
    expect(
      reasonOf('My sister 李垚 loves tea in the morning', 'My sister 李垚 hates tea in the morning'),
    ).toBe('opposite')
    expect(
      reasonOf('Ada works at 東京ガス as an engineer', 'Ada does not work at 東京ガス as an engineer'),
    ).toBe('negation')
  })
})
