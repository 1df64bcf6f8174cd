import { beliefFeatures, featureNames } from '@memory/engine/belief/features'
import { type Belief, beliefClasses, classify, fittedModel, mostProbable } from '@memory/engine/belief/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** A query at some cosine to a pattern that shares no word with it, in the plane of both. */
const beliefAt = (cosine: number, query: string, match: string, patterns = 100): Belief => {
  const vector = Float32Array.of(1, 0, 0)
  const at = (x: number) => Float32Array.of(x, Math.sqrt(1 - x * x), 0)
  const candidates = [cosine, 0.1].map((x, i) => ({
    vector: at(x),
    text: i ? 'something else' : match,
    cosine: x,
  }))
  return classify(beliefFeatures({ text: query, vector }, candidates, patterns))
}

describe('classify', () => {
  it('gives probabilities whose sum is 1, whatever the features', () => {
    const anyNumber = fc.double({ noNaN: true })
    const anyFeatures = fc.array(anyNumber, {
      minLength: featureNames.length,
      maxLength: featureNames.length,
    })
    fc.assert(
      fc.property(anyFeatures, (numbers) => {
        const belief = classify(Float64Array.from(numbers))
        const probabilities = Object.values(belief)
        expect(probabilities.every((p) => p >= 0 && p <= 1)).toBe(true)
        expect(probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
        expect(Math.max(...probabilities)).toBe(belief[mostProbable(belief)])
      }),
    )
  })

  it('is the softmax of the weighted sums', () => {
    const model = {
      features: ['a', 'b'],
      ...{ least: [-10, 0], greatest: [10, 4], means: [1, 2], deviations: [2, 0.5] },
      weights: [
        [0.1, 1, 0],
        [0.2, 0, 1],
        [0, -1, 0.5],
      ],
    }
    // Standardised: (5 - 1) / 2 = 2, and 9, which counts as 4: (4 - 2) / 0.5 = 4.
    const exponentials = [0.1 + 2, 0.2 + 4, -2 + 0.5 * 4].map(Math.exp)
    const total = exponentials.reduce((a, b) => a + b)
    const belief = classify(Float64Array.of(5, 9), model)
    expect(beliefClasses.map((name) => belief[name])).toEqual(
      exponentials.map((each) => expect.closeTo(each / total, 12)),
    )
  })

  it('does not believe in a composition where one text says everything, nor in a match without likeness', () => {
    expect(beliefAt(1, 'Ada moved to Lisbon.', 'Ada moved to Lisbon.').exact_match).toBeGreaterThan(0.95)
    expect(beliefAt(0, 'Ada moved to Lisbon.', 'Photosynthesis needs light.').novel).toBeGreaterThan(0.95)
  })

  it('believes the more in a match, and the less in news, the more similar the texts are', () => {
    let last = beliefAt(0.3, 'Ada moved to Lisbon.', 'She relocated to Portugal.')
    for (let cosine = 0.35; cosine < 1; cosine += 0.05) {
      const belief = beliefAt(cosine, 'Ada moved to Lisbon.', 'She relocated to Portugal.')
      expect(belief.exact_match).toBeGreaterThan(last.exact_match)
      expect(belief.novel).toBeLessThan(last.novel)
      last = belief
    }
  })

  it('believes less in a match when a number differs', () => {
    const [same, other] = ['The rent is 900 euros.', 'The rent is 950 euros.'].map((text) =>
      beliefAt(0.85, 'Rent: 900 euros.', text),
    )
    expect(other?.exact_match).toBeLessThan((same?.exact_match ?? 0) - 0.05)
  })
})

describe('the fitted model', () => {
  it('has finite numbers for every feature by name and order', () => {
    expect(fittedModel.features).toEqual(featureNames)
    const { least, greatest, means, deviations, weights } = fittedModel
    for (const each of [least, greatest, means, deviations, ...weights.map((row) => row.slice(1))]) {
      expect(each).toHaveLength(featureNames.length)
      expect(each.every(Number.isFinite)).toBe(true)
    }
    expect(deviations.every((each) => each > 0)).toBe(true)
    expect(weights).toHaveLength(beliefClasses.length)
  })
})
