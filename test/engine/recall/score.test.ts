import { headNames, startWeights } from '@memory/engine/recall/heads'
import { noSignal } from '@memory/engine/recall/mean-deviation'
import { type Candidate, combineHeads, type SpaceHeads } from '@memory/engine/recall/score'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const pattern = (idx: number, values: Partial<Candidate> = {}): Candidate => ({
  idx,
  cosine: 0,
  centreCosine: 0,
  lexical: 0,
  associative: 0,
  salience: 0,
  ...values,
})

/** Cosines of mean 0 and deviation 0.1, and no head but the semantic one. */
const plain: SpaceHeads = {
  centreNorm: 0,
  semantic: { mean: 0, deviation: 0.1 },
  lexical: noSignal,
  associative: noSignal,
  salience: noSignal,
}

const zOf = (z: readonly number[], head: (typeof headNames)[number]) => z[headNames.indexOf(head)]

describe('startWeights', () => {
  it('lie on the simplex, and only the head that has to earn its weight has none', () => {
    const weights = Object.values(startWeights)
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12)
    expect(headNames.filter((head) => !(startWeights[head] > 0))).toEqual(['associative'])
    expect(startWeights.associative).toBe(0)
  })
})

describe('scoreCandidates', () => {
  it('has nothing to order without candidates', () => {
    expect(combineHeads([], plain, startWeights)).toEqual([])
  })

  it('orders by cosine where no other head speaks, and lower idx first where cosines are equal', () => {
    const scored = combineHeads(
      [pattern(90, { cosine: 0.1 }), pattern(50, { cosine: 0.3 }), pattern(10, { cosine: 0.1 })],
      plain,
      startWeights,
    )
    expect(scored.map(({ idx }) => idx)).toEqual([50, 10, 90])
    expect(scored.map(({ cosine }) => cosine)).toEqual([0.3, 0.1, 0.1])
  })

  it('raises a text by its nearest passage, not its cosine, nor its neighbours, and never lowers one', () => {
    const texts = [pattern(0, { cosine: 0.3 }), pattern(1, { cosine: 0.1 }), pattern(2, { cosine: 0.1 })]
    const without = combineHeads(texts, plain, startWeights)
    const [first, second, third] = texts as [Candidate, Candidate, Candidate]
    const passages = [{ ...first, passageCosine: 0.2 }, { ...second, passageCosine: 0.9 }, third]
    const scored = combineHeads(passages, plain, startWeights)
    expect(scored.map(({ idx, cosine }) => [idx, cosine])).toEqual([
      [1, 0.1],
      [0, 0.3],
      [2, 0.1],
    ])
    for (const idx of [0, 2]) {
      expect(scored.find((one) => one.idx === idx)).toEqual(without.find((one) => one.idx === idx))
    }
    expect(zOf(scored[0]?.z ?? [], 'semantic')).toBeCloseTo(9, 9)
    const silent = { ...plain, semantic: noSignal }
    expect(combineHeads(passages, silent, startWeights)).toEqual(combineHeads(texts, silent, startWeights))
  })

  it('is the weighted mean of z-scores over the heads that say something', () => {
    const space = { ...plain, lexical: { mean: 1, deviation: 2 } }
    const [scored] = combineHeads([pattern(0, { cosine: 0.05, lexical: 4 })], space, startWeights)
    const { semantic, lexical, contiguity, salience } = startWeights
    const own = (semantic * 0.5 + lexical * 1.5) / (semantic + lexical)
    expect(scored?.score).toBeCloseTo((1 - contiguity - salience) * own, 12)
    expect([...(scored?.z ?? [])]).toEqual([expect.closeTo(0.5, 12), 1.5, 0, 0, 0])
  })

  it('counts cosines from the centre', () => {
    const space = { ...plain, centreNorm: 0.5 }
    const near = pattern(1, { cosine: 0.2, centreCosine: 0 })
    const common = pattern(2, { cosine: 0.6, centreCosine: 1 })
    const scored = combineHeads([common, near], space, startWeights)
    expect(scored.map(({ idx }) => idx)).toEqual([1, 2])
    expect(zOf(scored[0]?.z as number[], 'semantic')).toBeCloseTo(2, 12)
    expect(zOf(scored[1]?.z as number[], 'semantic')).toBeCloseTo(1, 12)
  })

  it('lets a pattern gain from the strong one it was stored next to, as far as store order is trusted', () => {
    const candidates = [pattern(4, { cosine: 0.6 }), pattern(5), pattern(500, { cosine: 0.05 })]
    const first = combineHeads(candidates, plain, startWeights)
    expect(first.map(({ idx }) => idx)).toEqual([4, 5, 500])
    // 6 deviations, 5 more than the least strong one; 0.4 of it one place further.
    expect(zOf(first[1]?.z as number[], 'contiguity')).toBeCloseTo(0.4 * 5, 12)
    const half = combineHeads(candidates, { ...plain, sequenceCoherence: 0.5 }, startWeights)
    expect(zOf(half[1]?.z as number[], 'contiguity')).toBeCloseTo(0.2 * 5, 12)
    const none = combineHeads(candidates, { ...plain, sequenceCoherence: 0 }, startWeights)
    expect(none.map(({ idx }) => idx)).toEqual([4, 500, 5])
  })

  it('lets what was said after a question gain more than what was said before it', () => {
    const question = pattern(4, { cosine: 0.6, asks: true })
    const scored = combineHeads([pattern(3), question, pattern(5)], plain, startWeights)
    expect(scored.map(({ idx }) => idx)).toEqual([4, 5, 3])
    expect(zOf(scored[1]?.z as number[], 'contiguity')).toBeCloseTo((0.4 + 0.7) * 5, 12)
  })

  it('adds salience to each by itself, not to its neighbours', () => {
    const space = { ...plain, salience: { mean: 0, deviation: 0.5 } }
    const scored = combineHeads([pattern(6), pattern(5), pattern(4, { salience: 0.75 })], space, startWeights)
    expect(scored.map(({ idx, score }) => [idx, score])).toEqual([
      [4, expect.closeTo(startWeights.salience * 1.5, 12)],
      [5, 0],
      [6, 0],
    ])
    expect(zOf(scored[1]?.z as number[], 'contiguity')).toBe(0)
  })

  it('does not let one association outweigh all words', () => {
    const space = {
      ...plain,
      lexical: { mean: 0, deviation: 1 },
      associative: { mean: 1e-4, deviation: 0.01 },
    }
    const scored = combineHeads(
      [pattern(100, { associative: 1 }), pattern(200, { lexical: 1 })],
      space,
      startWeights,
    )
    expect(scored.map(({ idx }) => idx)).toEqual([200, 100])
    expect(zOf(scored[1]?.z as number[], 'associative')).toBe(3)
  })

  it('says nothing where all patterns are alike', () => {
    const alike = { cosine: 0.1 + 0.2, centreCosine: 0.7 }
    const space = { ...plain, centreNorm: 0.3, semantic: { mean: 0.09, deviation: 1e-12 } }
    const scored = combineHeads([pattern(2, alike), pattern(1, alike)], space, startWeights)
    expect(scored.map(({ idx, score }) => [idx, score])).toEqual([
      [1, 0],
      [2, 0],
    ])
  })

  it('gives finite scores, best first, of each candidate once, whatever it is given', () => {
    const anything = fc.oneof(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.constantFrom(0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, -1e300),
    )
    const candidates = fc.uniqueArray(
      fc.record({
        idx: fc.nat({ max: 60 }),
        cosine: anything,
        centreCosine: anything,
        lexical: anything,
        associative: anything,
        salience: anything,
        asks: fc.boolean(),
      }),
      { selector: ({ idx }) => idx, maxLength: 60 },
    )
    const meanDeviation = fc.record({ mean: anything, deviation: anything })
    const space = fc.record({
      centreNorm: anything,
      semantic: meanDeviation,
      lexical: meanDeviation,
      associative: meanDeviation,
      salience: meanDeviation,
      sequenceCoherence: fc.option(anything, { nil: undefined }),
    })
    const weights = fc
      .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 })
      .map((all) => {
        const total = all.reduce((sum, weight) => sum + weight, 0)
        const shares = all.map((weight) => (total > 0 ? weight / total : 0.2))
        return Object.fromEntries(headNames.map((head, h) => [head, shares[h]])) as typeof startWeights
      })
    fc.assert(
      fc.property(candidates, space, weights, (given, heads, shares) => {
        const scored = combineHeads(given, heads, shares)
        expect(new Set(scored.map(({ idx }) => idx))).toEqual(new Set(given.map(({ idx }) => idx)))
        for (const [i, { score, boost, z }] of scored.entries()) {
          expect(Number.isFinite(score) && Number.isFinite(boost)).toBe(true)
          expect(z.every(Number.isFinite)).toBe(true)
          if (i > 0) expect(scored[i - 1]?.score).toBeGreaterThanOrEqual(score)
        }
      }),
      { numRuns: 500 },
    )
  })
})
