import {
  type ContradictionReason,
  findContradiction,
  readComparable,
} from '@memory/engine/contradiction/contradiction'
import { languages } from '@memory/engine/contradiction/languages'
import { lexiconOf } from '@memory/engine/contradiction/words'
import { parameters } from '@memory/engine/parameters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

describe('findContradiction', () => {
  it.each<[string, string, ContradictionReason]>([
    ['Three cats and two dogs live here', 'Two cats and three dogs live here', 'number'],
    ['My mail is jo.smith@example.com', 'My mail is jo.smyth@example.com', 'name'],
    ['Version 1.2.3 is installed', 'Version 1.3.2 is installed', 'number'],
    ['Release 2.1 is installed on web1', 'Release 2.10 is installed on web1', 'number'],
    ['Python 3.1 is installed', 'Python 3.10 is installed', 'number'],
    ['Section 4.1 is about birds', 'Section 4.10 is about birds', 'number'],
    ['Das Update auf Version 2.1 läuft', 'Das Update auf Version 2.10 läuft', 'number'],
    ['The order is A1B2C3', 'The order is A1B2C4', 'number'],
    ['The area is 10² m', 'The area is 10³ m', 'number'],
    ['It takes 2 hours', 'It takes 2 days', 'unit'],
    ['I smoke and do not drink', 'I drink and do not smoke', 'negation'],
    ['I do smoke but do not drink', 'I do not smoke but do drink', 'negation'],
    ['My sister is happy', 'My sister is unhappy', 'opposite'],
    ['I work from home on monday', 'I work from home on friday', 'opposite'],
    ['John owes me 50 euros', 'I owe John 50 euros', 'direction'],
    ['i live in paris', 'i live in rome', 'name'],
  ])('finds in %j and %j another %s', (one, other, reason) => {
    expect(reasonOf(one, other)).toBe(reason)
    expect(reasonOf(other, one)).toBe(reason)
  })

  it.each([
    ['', 'anything'],
    ['Call me at 5', 'Call me at 5 pm'],
    ['It takes 90 minutes', 'It takes 1.5 hours'],
    ['It weighs 1 kg', 'It weighs 1000 g'],
    ['The pH of the pool is 7.0', 'The pH of the pool is 7'],
    ['The price of the tea is 4.50', 'The price of the tea is 4,50'],
    ['The grade average is 1.30', 'The grade average is 1,3'],
    ['My average is 3.5', 'My average is 3.50'],
    ['Version 2.0 is installed', 'Version 2 is installed'],
    ['I pay 1,200.50 euros', 'I pay 1200.5 €'],
    ['The meeting is on 2024-05-03', 'The meeting is on 03.05.2024'],
    ['Half of it: ½ cup', 'Half of it: 1/2 cup'],
    ['Smoking is forbidden', 'Smoking is not allowed'],
    ['Tom does not like cats', 'Tom hates cats'],
    ['Alice and Bob are married', 'Bob and Alice are married'],
    ['Ada has asthma', 'ADA HAS ASTHMA!'],
    ['Zoë went to São Paulo', 'Zoe went to Sao Paulo'],
    ['I have a cat', 'I have a cat and two dogs'],
    ['Mir geht es gut', 'Мне хорошо'],
  ])('finds none in %j and %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })

  it('finds none in a text and itself, whatever its case and white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        expect(reasonOf(text, text)).toBeUndefined()
        expect(reasonOf(`  ${text}  `, text)).toBeUndefined()
      }),
    )
  })

  it.each([
    ['one character', '一'.repeat(998), '二三', '三二'],
    ['two characters', '一二'.repeat(499), '三四', '四三'],
    ['Thai', 'กขค'.repeat(330), 'งจ', 'จง'],
    ['a sentence', '今天天气很好我们去公园'.repeat(90), '北京', '上海'],
  ])('compares long texts of %s in about the time of others', (_, repeated, first, last) => {
    const others = fc.sample(fc.constantFrom(...'天地玄黄宇宙洪荒日月盈昃กขคงจฉชซ'), {
      numRuns: repeated.length,
      seed: 1,
    })
    let [ofRepeated, ofOthers] = [0, 0]
    for (let n = 0; n < 10; n++) {
      for (const text of [repeated, others.join('')]) {
        const began = performance.now()
        expect(reasonOf(`${text}${first}${n}`, `${last}${text}${n}`)).not.toBe('direction')
        if (text === repeated) ofRepeated += performance.now() - began
        else ofOthers += performance.now() - began
      }
    }
    // Fifty times as much where every beginning was compared with every end.
    expect(ofRepeated).toBeLessThan(10 * ofOthers)
  })

  it('finds blocks that have changed places in a text without white space', () => {
    expect(reasonOf('小明打了小红', '小红打了小明')).toBe('direction')
    expect(reasonOf('从北京飞到上海', '从上海飞到北京')).toBe('direction')
  })

  it('looks at the beginning of long texts, in bounded work', () => {
    const { textCharacters } = parameters.contradiction
    const long = 'a different word '.repeat(1_000)
    expect(reasonOf(long, `${long} 5`)).toBeUndefined()
    expect(readComparable(long).reading.text.length).toBeLessThanOrEqual(textCharacters)
    expect(() => reasonOf('x'.repeat(10_000), '不'.repeat(10_000))).not.toThrow()
  })
})

describe('languages', () => {
  it.each(Object.keys(languages))('%s has words for every number, and opposites with two sides', (code) => {
    const { numbers, opposites, negations } = lexiconOf(code)
    const values = new Set(numbers.values())
    for (const value of [2, 12, 13, 19, 20, 90, 100, 1000]) expect(values, String(value)).toContain(value)
    expect(negations.length).toBeGreaterThan(3)
    for (const group of opposites) {
      expect(group.length).toBeGreaterThan(1)
      for (const forms of group) expect(forms.every(({ text }) => text !== '')).toBe(true)
    }
  })
})
