import { beliefFeatures } from '@memory/engine/belief/features'
import { classify } from '@memory/engine/belief/model'
import { answerFeatures, statedProbability } from '@memory/engine/explain/confidence'
import type { Candidate } from '@memory/engine/explain/select'
import { parameters } from '@memory/engine/parameters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const encoder = { knows: () => true, cosineOf: async () => 0.5 }

const found = (idx: number, text: string, cosine: number, vector = [idx + 1, 1 - idx, 1]): Candidate => ({
  idx,
  text,
  cosine,
  vector: Float32Array.from(vector),
})
const vector = Float32Array.of(1, 0, 0)

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

  it('of a question is the logistic function of what its features weigh', async () => {
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
    expect(await statedProbability({ text: question, vector }, candidates, 2, encoder)).toBeCloseTo(
      expected,
      12,
    )
  })

  it('of a statement is what belief gives: stated, and half of put together', async () => {
    const statement = { text: 'Ada has a cat and Bob is old.', vector }
    const { exact_match, composition } = classify(beliefFeatures(statement, candidates, 2))
    expect(await statedProbability(statement, candidates, 2, encoder)).toBeCloseTo(
      exact_match + composition / 2,
      12,
    )
  })

  it('of a statement with a word for another of what it is put together of is that of something new', async () => {
    const texts = ['Ada plays the lute.', 'Ben has a peanut allergy.']
    const [one, other] = [
      found(0, texts[0] as string, 0.7, [1, 0, 0]),
      found(1, texts[1] as string, 0.7, [0, 1, 0]),
    ]
    const statement = {
      text: 'Ada plays the sitar, and Ben has a peanut allergy.',
      vector: Float32Array.of(1, 1, 0),
    }
    const probabilityFor = (cosine: number) =>
      statedProbability(statement, [one, other], 2, { ...encoder, cosineOf: async () => cosine })
    expect(await probabilityFor(0.5)).toBeLessThan(0.1)
    expect(await probabilityFor(0.99)).toBeGreaterThan(0.4)
  })

  it('of a request is that of the question in it', async () => {
    const probabilityOf = (text: string) => statedProbability({ text, vector }, candidates, 2, encoder)
    expect(await probabilityOf('I want to know who has a cat')).toBe(await probabilityOf('who has a cat'))
    expect(await probabilityOf('Tell me who has a cat')).toBe(await probabilityOf('who has a cat'))
  })

  it('is small where the nearest tells the opposite of what is asked', async () => {
    const gym = [found(0, 'The gym closes at 22:00.', 0.7)]
    const probabilityOf = (text: string) => statedProbability({ text, vector }, gym, 1, encoder)
    expect(await probabilityOf('when does the gym close?')).toBeGreaterThan(0.9)
    expect(await probabilityOf('when does the gym open?')).toBeLessThanOrEqual(0.2)
  })

  it('is a probability for any texts and cosines, and 0 without any text', async () => {
    expect(await statedProbability({ text: 'Who?', vector }, [], 0, encoder)).toBe(0)
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('Who?'))
    const cosine = fc.double({ min: -1, max: 1, noNaN: true })
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.tuple(text, cosine), { maxLength: 6 }),
        fc.nat(),
        async (query, list, n) => {
          const all = list.toSorted(([, a], [, b]) => b - a).map(([text, cos], i) => found(i, text, cos))
          const p = await statedProbability({ text: query, vector }, all, n, encoder)
          expect(p).toBeGreaterThanOrEqual(0)
          expect(p).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})
