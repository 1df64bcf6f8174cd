import { beliefFeatures } from '@memory/engine/belief/features'
import { classify } from '@memory/engine/belief/model'
import { answerFeatures, isQuestion, statedProbability } from '@memory/engine/explain/confidence'
import type { Candidate } from '@memory/engine/explain/select'
import { parameters } from '@memory/engine/parameters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const found = (idx: number, text: string, cosine: number, vector = [idx + 1, 1 - idx, 1]): Candidate => ({
  idx,
  text,
  cosine,
  vector: Float32Array.from(vector),
})
const vector = Float32Array.of(1, 0, 0)

describe('isQuestion', () => {
  it.each([
    'Where does Ada live?',
    'where does ada live',
    'Ada lives in Lisbon?',
    '“Is it so?”',
    '¿Dónde vive Ada?',
    '猫はどこですか？',
    'أين تسكن؟',
    'Où habite Ada',
    'Qu’est-ce que Léa aime',
    'est-ce que j’ai un chat',
    'comment va Léa',
  ])('is true of %j', (text) => {
    expect(isQuestion(text)).toBe(true)
  })

  it.each(['Ada lives in Lisbon.', 'Ada habite à Lisbonne', 'Whatever it takes', 'dentist', '', '猫', '"'])(
    'is false of %j',
    (text) => {
      expect(isQuestion(text)).toBe(false)
    },
  )
})

describe('answerFeatures', () => {
  it('are cosine, lead over what says something else, ln n, and the share of 4-grams', () => {
    const same = found(1, 'Ada has a cat!', 0.79, [1, 1, 1.01])
    const other = found(2, 'Bob is old.', 0.5, [1, -1, 0])
    const [cosine, lead, logPatterns, shared] = answerFeatures(
      'Ada cat',
      [found(0, 'Ada has a cat.', 0.8, [1, 1, 1]), same, other],
      10,
    )
    expect([cosine, lead, logPatterns]).toEqual([0.8, expect.closeTo(0.3, 12), Math.log(10)])
    // " ada", "ada ", " cat", "cat " are all in the text.
    expect(shared).toBe(1)
  })

  it('are finite where there is little to compare', () => {
    expect(answerFeatures('x', [], 0)).toEqual([0, 0, 0, 0])
    expect(answerFeatures('?', [found(0, '', 0.4)], 0)).toEqual([0.4, expect.closeTo(0.05, 10), 0, 0])
  })
})

describe('statedProbability', () => {
  const candidates = [found(0, 'Ada has a grey cat.', 0.7), found(1, 'Bob is old.', 0.3)]

  it('of a question is the logistic function of what its features weigh', () => {
    const question = 'Who has a cat?'
    const [cosine, lead, logPatterns, shared] = answerFeatures(question, candidates, 2)
    const { answered } = parameters.explain
    const logit =
      answered.intercept +
      answered.cosine * cosine +
      answered.lead * lead +
      answered.logPatterns * logPatterns +
      answered.sharedGrams * shared
    const expected = Math.exp(logit) / (1 + Math.exp(logit))
    expect(statedProbability({ text: question, vector }, candidates, 2)).toBeCloseTo(expected, 12)
  })

  it('of a statement is what belief gives: stated, and half of put together', () => {
    const statement = { text: 'Ada has a cat and Bob is old.', vector }
    const { exact_match, composition } = classify(beliefFeatures(statement, candidates, 2))
    expect(statedProbability(statement, candidates, 2)).toBeCloseTo(exact_match + composition / 2, 12)
  })

  it('is a probability for any texts and cosines, and 0 without any text', () => {
    expect(statedProbability({ text: 'Who?', vector }, [], 0)).toBe(0)
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('Who?'))
    const cosine = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(text, fc.array(fc.tuple(text, cosine), { maxLength: 6 }), fc.nat(), (query, list, n) => {
        const all = list.toSorted(([, a], [, b]) => b - a).map(([text, cos], i) => found(i, text, cos))
        const p = statedProbability({ text: query, vector }, all, n)
        expect(p).toBeGreaterThanOrEqual(0)
        expect(p).toBeLessThanOrEqual(1)
      }),
    )
  })
})
