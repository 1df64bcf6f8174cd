import { excerptOf } from '@memory/engine/explain/excerpt'
import { contentWords } from '@memory/engine/explain/terms'
import { parameters } from '@memory/engine/parameters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const { quoteChars } = parameters.explain
const excerpt = (text: string, query = '') => excerptOf(text, contentWords(query, 'en'), 'en')

describe('excerptOf', () => {
  it('is the whole of a text that is not long', () => {
    const text = 'One. Two!  Three?\nFour “five”.'
    expect(excerpt(`  ${text}\n`)).toEqual({ text, sentences: 1, of: 1 })
  })

  it('is whole sentences of a long text, from the one that has most words of the query', () => {
    const filler = Array.from({ length: 40 }, (_, i) => `Sentence number ${i} is dull.`)
    const text = [...filler, 'Peanuts are bad.', 'Peanuts make Ada ill.', ...filler].join(' ')
    const found = excerpt(text, 'Does Ada eat peanuts?')
    expect(found.text).toMatch(/^Peanuts make Ada ill\. Sentence number 0 is dull\. .* is dull\.$/)
    expect(text).toContain(found.text)
    expect(found.text.length).toBeLessThanOrEqual(quoteChars)
    expect(found.text.length).toBeGreaterThan(quoteChars - 40)
    expect(found).toMatchObject({ of: 82, sentences: found.text.match(/\./g)?.length })
  })

  it('is of a passage what tells most in it, or all of it where no word does, and counts the sentences of the whole', () => {
    const filler = Array.from({ length: 30 }, (_, i) => `Sentence number ${i} is dull.`).join(' ')
    const passage = `${filler} Peanuts are bad.`
    const whole = `Peanuts. ${passage} ${filler}`
    const of = (query: string, text: string) => excerptOf(text, contentWords(query, 'en'), 'en', whole)
    expect(of('Does Ada eat peanuts?', passage)).toEqual({ text: 'Peanuts are bad.', sentences: 1, of: 62 })
    expect(of('Mag Ada Nüsse?', passage)).toEqual({ text: passage, sentences: 31, of: 62 })
    expect(of('Mag Ada Nüsse?', 'Peanuts are bad. ')).toEqual({
      text: 'Peanuts are bad.',
      sentences: 1,
      of: 62,
    })
  })

  it('never cuts a sentence, however long', () => {
    const long = `Word ${'word '.repeat(400)}end.`
    expect(excerpt(long).text).toBe(long)
    expect(excerpt(`Short. ${long} Short.`, 'word')).toEqual({ text: long, sentences: 1, of: 3 })
  })

  it('counts no sentence where a passage begins or ends within one', () => {
    const sentence = `One ${'word '.repeat(400)}end.`
    const whole = `First. ${sentence} Last.`
    const of = (text: string) => excerptOf(text, contentWords('', 'en'), 'en', whole)
    expect(of(`First. ${sentence.slice(0, 300)}`)).toMatchObject({ sentences: 0, of: 3 })
    expect(of(`${sentence.slice(-300)} Last.`)).toMatchObject({ sentences: 0, of: 3 })
    expect(of('Last.')).toMatchObject({ sentences: 1, of: 3 })
    expect(excerptOf('word word', contentWords('', 'en'), 'en', sentence)).toMatchObject({
      sentences: 0,
      of: 1,
    })
  })

  it('is part of the text, character by character, whatever the text', () => {
    const piece = fc.constantFrom(
      'a',
      'Ada ',
      '. ',
      '! ',
      '\n',
      '👩‍👩‍👧 ',
      '猫。',
      'é',
      ' ',
      '? ',
      '<b>',
      '\r\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 2_000 }), (pieces) => {
        const text = pieces.join('')
        const found = excerpt(text, 'Ada 猫')
        expect(text).toContain(found.text)
        expect(found.text === '').toBe(text.trim() === '')
        expect(found.sentences).toBeLessThanOrEqual(found.of)
        if (found.sentences === found.of) expect(found.text).toBe(text.trim())
      }),
      { numRuns: 50 },
    )
  })
})
