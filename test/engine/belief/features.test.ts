import { beliefFeatures, type Candidate, featureNames } from '@memory/engine/belief/features'
import { differUnseen, textNgrams } from '@memory/engine/belief/text-ngrams'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveCosine, randomFrom, randomVector } from '../naive.ts'

const vectorOf = (...numbers: number[]) => Float32Array.from(numbers)
const candidate = (text: string, vector: Float32Array, query: Float32Array): Candidate => ({
  text,
  vector,
  cosine: naiveCosine(query, vector),
})
const named = (values: Float64Array) =>
  Object.fromEntries(featureNames.map((name, i) => [name, values[i] ?? 0]))

/** Features of a text beside others, the first of which is nearest. */
const featuresOf = (text: string, others: string[]) => {
  const query = vectorOf(1, 0, 0)
  const candidates = others.map((other, i) => candidate(other, vectorOf(1, i, 0), query))
  return named(beliefFeatures({ text, vector: query }, candidates, others.length))
}

describe('beliefFeatures', () => {
  it('are as many finite numbers as they have names, whatever the vectors and texts', () => {
    const anyVector = fc.array(fc.float(), { maxLength: 4 }).map((numbers) => Float32Array.from(numbers))
    const anyText = fc.string({ unit: 'binary', maxLength: 40 })
    const anyCandidate = fc.record({ vector: anyVector, text: anyText, cosine: fc.double() })
    fc.assert(
      fc.property(
        fc.record({ vector: anyVector, text: anyText }),
        fc.array(anyCandidate, { maxLength: 5 }),
        fc.double(),
        (query, candidates, patterns) => {
          const features = beliefFeatures(query, candidates, patterns)
          expect(features).toHaveLength(featureNames.length)
          expect(features.every((value) => Number.isFinite(value))).toBe(true)
        },
      ),
    )
  })

  it('are defined without candidates', () => {
    const features = named(beliefFeatures({ text: 'a text', vector: vectorOf(1, 0) }, [], 0))
    expect(features).toMatchObject({
      best_cosine: 0,
      gained_by_second: 0,
      query_in_match: 0,
      log_patterns: 0,
    })
  })

  it('measure the vectors by their definitions', () => {
    const random = randomFrom(3)
    const query = randomVector(random, 8, false)
    const candidates = Array.from({ length: 5 }, () => candidate('x', randomVector(random, 8, false), query))
    candidates.sort((a, b) => b.cosine - a.cosine)
    const [best = 0, second = 0] = candidates.map(({ cosine }) => cosine)
    expect(named(beliefFeatures({ text: 'x', vector: query }, candidates, 7))).toMatchObject({
      best_cosine: best,
      second_cosine: second,
      cosine_gap: expect.closeTo(best - second, 12),
      explained_by_one: expect.closeTo(best ** 2, 5),
      log_patterns: Math.log(7),
    })
  })

  it('see the same text through case, accents and punctuation', () => {
    for (const [text, other] of [
      ['Le café est fermé !', 'le cafe est ferme'],
      ['我搬到了里斯本。', '我搬到了里斯本'],
      ['Она живёт в Москве.', 'она живет в москве'],
    ] as const) {
      expect(featuresOf(text, [other])).toMatchObject({
        ...{ same_text: 1, query_in_match: 1, match_in_query: 1 },
        ...{ words_beyond_match: 0, words_beyond_query: 0, log_length_ratio: 0 },
      })
    }
    expect(featuresOf('The cat sleeps.', ['Sleeps the cat.'])).toMatchObject({
      ...{ same_text: 0, query_words_in_match: 1, query_pairs_in_match: 0.5 },
    })
  })

  it('see which part of a query two texts cover', () => {
    const [first, second] = ['Ada moved to Lisbon', 'The printer is out of toner']
    const both = featuresOf(`${first} ${second}`, [first, 'Nothing alike', second])
    const inFirst = textNgrams(first).size / textNgrams(`${first} ${second}`).size
    expect(both).toMatchObject({ match_in_query: 1, second_in_query: 1 })
    expect(both.query_in_match).toBeCloseTo(inFirst, 12)
    expect(both.query_in_second).toBeCloseTo(1 - inFirst, 12)
  })

  it('count the numbers that differ', () => {
    const count = (text: string, other: string) => featuresOf(text, [other]).numbers_differ
    expect(count('The train leaves at 9:30.', 'At 9.30 the train leaves.')).toBe(0)
    expect(count('1,000 people', '1000 people')).toBe(0)
    expect(count('The train leaves at 9:30.', 'The train leaves at 10:30.')).toBe(Math.log(3))
    expect(count('It rained.', 'It rained for 2 days.')).toBe(Math.log(2))
    expect(count('area is 10² m', 'area is 102 m')).toBe(Math.log(3))
  })
})

describe('differUnseen', () => {
  const knows = (character: string) => !'垚炘ᄀ\u{20000}'.includes(character)

  it.each([
    ['我妹妹叫李垚', '我妹妹叫李炘'],
    ['I like 🪿', 'I like 🫎'],
    ['👩🏽 left', '👩🏿 left'],
    ['flag 🇲🇻', 'flag 🇳🇵'],
    ['a \ue123', 'a \ue124'],
    ['area is 10² m', 'area is 102 m'],
    ['take 1½', 'take 11⁄2'],
    ['①②', '12'],
    ['the hotel has ★★★', 'the hotel has ★★★★★'],
    ['🎉🎉 yes', 'yes 🎉'],
    ['we are 👩‍👩‍👧', 'we are 👩 👩 👧'],
    ['李垚垚来了', '李垚来了'],
    ['¬p → q', 'p → q'],
    ['p → ¬q', '¬p → q'],
    ['p ∧ q', 'p ∨ q'],
    ['∀x P(x)', '∃x P(x)'],
    ['x ∉ A', 'x ∈ A'],
    ['x ≠ 5', 'x = 5'],
    ['x != 5', 'x == 5'],
    ['x ≮ 5', 'x < 5'],
  ])('tells %j from %j', (one, other) => {
    expect(differUnseen(one, other, knows)).toBe(true)
    expect(differUnseen(other, one, knows)).toBe(true)
    expect(differUnseen(one, one, knows)).toBe(false)
  })

  it.each([
    ['I live in Lisbon 🎉', 'I live in Lisbon'],
    ['🎉 yes 🎉', 'yes 🎉'],
    ['李垚来了', '李垚来了！'],
    ['李垚说李垚来了', '李垚说他来了'],
    ['x ≠ 5', 'x != 5'],
    ['a ≤ b', 'a <= b'],
    ['p → q', 'p -> q'],
    ['not p', '¬p'],
    ['2 × 3', '2 * 3'],
    ['Yes!=)', 'Yes =)'],
    ['half of it', '½ of it'],
    ['room １２', 'room 12'],
    ['Ada', 'Grace'],
  ])('leaves %j and %j to whoever compares words and embeddings', (one, other) => {
    expect(differUnseen(one, other, knows)).toBe(false)
    expect(differUnseen(other, one, knows)).toBe(false)
  })
})

describe('textNgrams', () => {
  it('are the 4-grams of words, and pairs of characters where words are not set apart', () => {
    expect([...textNgrams('A cat, Señor')]).toEqual([' a ', ' cat', 'cat ', ' sen', 'seno', 'enor', 'nor '])
    expect([...textNgrams('我在里斯本')]).toEqual(['我在', '在里', '里斯', '斯本'])
    expect([...textNgrams('iPhone手机')].slice(-1)).toEqual(['手机'])
    expect(textNgrams(' … !')).toEqual(new Set())
  })
})
