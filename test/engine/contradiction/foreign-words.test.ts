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
    ['The password is 🫨', 'The password is 🫠'],
    ['密码是🫨', '密码是🫠'],
    ['비밀번호는 🫨', '비밀번호는 🫠'],
    ['Пароль — 🫨', 'Пароль — 🫠'],
    ['🍎 is my favourite', '🍏 is my favourite'],
    ['🍎', '🍏'],
    ['The film is rated ★★★', 'The film is rated ★★★★★'],
    ['p ∧ q', 'p ∨ q'],
    ['∀x P(x)', '∃x P(x)'],
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
    ['▪ Ana likes tea', '● Ana likes tea'],
    ['✔ Pay the rent', '✅ Pay the rent'],
    ['☎ 030 1234', '📞 030 1234'],
    ['📌 The code of the gate is 4711', '🔑 The code of the gate is 4711'],
    ['See you tomorrow 😊', 'See you tomorrow 😀'],
    ['See you tomorrow 😊! Bring cake', 'See you tomorrow 😀! Bring cake'],
    ['明天见😊', '明天见😀'],
    ['🎂 Ana has her birthday on 5 May', '🎉 Ana has her birthday on 5 May'],
  ])('%j is %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })

  it('tells a member from what is none', () => {
    expect(reasonOf('x ∈ A', 'x ∉ A')).toBe('opposite')
    expect(reasonOf('A ⊂ B', 'A ⊄ B')).toBe('opposite')
    expect(reasonOf('A ⊂ B', 'B ⊂ A')).toBe('opposite')
  })

  it('finds a number in another place than a sign that decorates', () => {
    expect(reasonOf('🔑 The code of the gate is 4711', '📌 The code of the gate is 4712')).toBe('number')
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
