import { parameters } from '@memory/engine/parameters'
import { type HeadWeights, headNames, startWeights } from '@memory/engine/recall/heads'
import { noSignal } from '@memory/engine/recall/mean-deviation'
import {
  type Candidate,
  combineHeads,
  type Fusion,
  type Seen,
  type SpaceHeads,
  type View,
} from '@memory/engine/recall/score'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** A pattern, of which the one view of the query says `seen`. */
const pattern = (
  idx: number,
  { cosine = 0, centreCosine = 0, lexical = 0, ...values }: Partial<Candidate & Seen> = {},
): Candidate => ({
  idx,
  seen: [{ cosine, centreCosine, lexical }],
  associative: 0,
  salience: 0,
  ...values,
})

/** Cosines of mean 0 and deviation 0.1, and no words. */
const view: View = {
  share: 1,
  centreNorm: 0,
  semantic: { mean: 0, deviation: 0.1 },
  lexical: noSignal,
  fullScore: 0,
}

/** A space of conversations in which no head but the semantic one speaks. */
const plain: SpaceHeads = {
  views: [view],
  associative: noSignal,
  salience: noSignal,
  coherence: 1,
  turns: 1,
}

/** The same with other values of the only view. */
const seenAs = (values: Partial<View>): SpaceHeads => ({ ...plain, views: [{ ...view, ...values }] })

/** Round values, which the numbers below were worked out with. */
const fusion: Fusion = {
  ...parameters.recall,
  turnCharacters: 400,
  groupShare: 0.45,
  groupMax: 0.9,
  coverageFull: 0.25,
  spacelessFull: 0.75,
  foreignShare: 2.5,
  everyWord: 0,
  unlikeCosine: -2,
  likeCosine: -1,
}
const combine = (candidates: readonly Candidate[], space: SpaceHeads, weights: HeadWeights = startWeights) =>
  combineHeads(candidates, space, weights, fusion)

/** How much nearer than its text a passage must be before that counts. */
const { passageMargin } = parameters.recall

const zOf = (z: readonly number[], head: (typeof headNames)[number]) => z[headNames.indexOf(head)]

describe('startWeights', () => {
  it('lie on the simplex, and only the head that has to earn its weight has none', () => {
    const weights = Object.values(startWeights)
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12)
    expect(headNames.filter((head) => !(startWeights[head] > 0))).toEqual(['associative'])
    expect(startWeights.associative).toBe(0)
  })
})

describe('combineHeads', () => {
  it('has nothing to order without candidates', () => {
    expect(combine([], plain)).toEqual([])
  })

  it('orders by cosine where no other head speaks, and lower idx first where cosines are equal', () => {
    const scored = combine(
      [pattern(90, { cosine: 0.1 }), pattern(50, { cosine: 0.3 }), pattern(10, { cosine: 0.1 })],
      plain,
    )
    expect(scored.map(({ idx }) => idx)).toEqual([50, 10, 90])
    expect(scored.map(({ cosine }) => cosine)).toEqual([0.3, 0.1, 0.1])
  })

  it('raises a text by its nearest passage, not its cosine, nor its neighbours, and never lowers one', () => {
    const texts = [pattern(0, { cosine: 0.3 }), pattern(1, { cosine: 0.1 }), pattern(2, { cosine: 0.1 })]
    const without = combine(texts, plain)
    const [first, second, third] = texts as [Candidate, Candidate, Candidate]
    const passages = [
      { ...first, passage: { cosine: 0.2, view: 0 } },
      { ...second, passage: { cosine: 0.9, view: 0 } },
      third,
    ]
    const scored = combine(passages, plain)
    expect(scored.map(({ idx, cosine }) => [idx, cosine])).toEqual([
      [1, 0.1],
      [0, 0.3],
      [2, 0.1],
    ])
    for (const idx of [0, 2]) {
      expect(scored.find((one) => one.idx === idx)).toEqual(without.find((one) => one.idx === idx))
    }
    expect(zOf(scored[0]?.z ?? [], 'semantic')).toBeCloseTo((0.9 - passageMargin) / 0.1, 9)
    const silent = seenAs({ semantic: noSignal })
    expect(combine(passages, silent)).toEqual(combine(texts, silent))
  })

  it('is the weighted mean of z-scores over the heads that say something', () => {
    const space = seenAs({ lexical: { mean: 1, deviation: 2 } })
    const [scored] = combine([pattern(0, { cosine: 0.05, lexical: 4 })], space)
    const { semantic, lexical, contiguity, salience } = startWeights
    const own = (semantic * 0.5 + lexical * 1.5) / (semantic + lexical)
    expect(scored?.score).toBeCloseTo((1 - contiguity - salience) * own, 12)
    expect([...(scored?.z ?? [])]).toEqual([expect.closeTo(0.5, 12), 1.5, 0, 0, 0])
  })

  it('counts cosines from the centre', () => {
    const space = seenAs({ centreNorm: 0.5 })
    const near = pattern(1, { cosine: 0.2, centreCosine: 0 })
    const common = pattern(2, { cosine: 0.6, centreCosine: 1 })
    const scored = combine([common, near], space)
    expect(scored.map(({ idx }) => idx)).toEqual([1, 2])
    expect(zOf(scored[0]?.z as number[], 'semantic')).toBeCloseTo(2, 12)
    expect(zOf(scored[1]?.z as number[], 'semantic')).toBeCloseTo(1, 12)
  })

  it('lets a pattern gain from the strong one it was stored next to, as far as store order is trusted', () => {
    const candidates = [pattern(4, { cosine: 0.6 }), pattern(5), pattern(500, { cosine: 0.05 })]
    const first = combine(candidates, plain)
    expect(first.map(({ idx }) => idx)).toEqual([4, 5, 500])
    // 6 deviations, 5 more than the least strong one; 0.4 of it one place further.
    expect(zOf(first[1]?.z as number[], 'contiguity')).toBeCloseTo(0.4 * 5, 12)
    const half = combine(candidates, { ...plain, coherence: 0.5 })
    expect(zOf(half[1]?.z as number[], 'contiguity')).toBeCloseTo(0.2 * 5, 12)
    const none = combine(candidates, { ...plain, coherence: 0 })
    expect(none.map(({ idx }) => idx)).toEqual([4, 500, 5])
  })

  it('lets what was said after a question gain more than what was said before it', () => {
    const question = pattern(4, { cosine: 0.6, asks: true })
    const scored = combine([pattern(3), question, pattern(5)], plain)
    expect(scored.map(({ idx }) => idx)).toEqual([4, 5, 3])
    expect(zOf(scored[1]?.z as number[], 'contiguity')).toBeCloseTo((0.4 + 0.7) * 5, 12)
  })

  it('adds salience to each by itself, not to its neighbours', () => {
    const space = { ...plain, salience: { mean: 0, deviation: 0.5 } }
    const scored = combine([pattern(6), pattern(5), pattern(4, { salience: 0.75 })], space)
    expect(scored.map(({ idx, score }) => [idx, score])).toEqual([
      [4, expect.closeTo(startWeights.salience * 1.5, 12)],
      [5, 0],
      [6, 0],
    ])
    expect(zOf(scored[1]?.z as number[], 'contiguity')).toBe(0)
  })

  it('does not let one association outweigh all words', () => {
    const space = {
      ...seenAs({ lexical: { mean: 0, deviation: 1 } }),
      associative: { mean: 1e-4, deviation: 0.01 },
    }
    const scored = combine([pattern(100, { associative: 1 }), pattern(200, { lexical: 1 })], space)
    expect(scored.map(({ idx }) => idx)).toEqual([200, 100])
    expect(zOf(scored[1]?.z as number[], 'associative')).toBe(3)
  })

  it('says nothing where all patterns are alike', () => {
    const alike = { cosine: 0.1 + 0.2, centreCosine: 0.7 }
    const space = seenAs({ centreNorm: 0.3, semantic: { mean: 0.09, deviation: 1e-12 } })
    const scored = combine([pattern(2, alike), pattern(1, alike)], space)
    expect(scored.map(({ idx, score }) => [idx, score])).toEqual([
      [1, 0],
      [2, 0],
    ])
  })

  it('gives finite scores, the sums of their parts, best first, of each candidate once, whatever it is given', () => {
    const anything = fc.oneof(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.constantFrom(0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, -1e300),
    )
    const seen = fc.record({ cosine: anything, centreCosine: anything, lexical: anything })
    const candidates = fc.uniqueArray(
      fc.record({
        idx: fc.nat({ max: 60 }),
        // Fewer or more than there are views, too.
        seen: fc.array(seen, { maxLength: 3 }),
        passage: fc.option(fc.record({ cosine: anything, view: fc.nat({ max: 3 }) }), { nil: undefined }),
        associative: anything,
        salience: anything,
        asks: fc.boolean(),
        characters: fc.nat({ max: 65_535 }),
        isForeign: fc.boolean(),
        isUntold: fc.boolean(),
      }),
      { selector: ({ idx }) => idx, maxLength: 60 },
    )
    const meanDeviation = fc.record({ mean: anything, deviation: anything })
    const seenFrom = fc.record({
      centreNorm: anything,
      semantic: meanDeviation,
      lexical: meanDeviation,
      fullScore: anything,
    })
    const views = fc
      .tuple(seenFrom, fc.option(seenFrom, { nil: undefined }), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([whole, focus, share]) =>
        focus === undefined
          ? [{ ...whole, share: 1 }]
          : [
              { ...whole, share: 1 },
              { ...focus, share },
            ],
      )
    const space = fc.record({
      views,
      associative: meanDeviation,
      salience: meanDeviation,
      coherence: anything,
      turns: anything,
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
        const scored = combine(given, heads, shares)
        expect(new Set(scored.map(({ idx }) => idx))).toEqual(new Set(given.map(({ idx }) => idx)))
        for (const [i, { score, boost, z, parts }] of scored.entries()) {
          expect(Number.isFinite(score) && Number.isFinite(boost)).toBe(true)
          expect([...z, ...parts].every(Number.isFinite)).toBe(true)
          expect(parts).toHaveLength(headNames.length)
          expect(parts.reduce((sum, part) => sum + part, 0)).toBe(score)
          if (i > 0) expect(scored[i - 1]?.score).toBeGreaterThanOrEqual(score)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('the words of a query', () => {
  // Shares of the heads that compare with the query: 0.27 and 0.145 of 0.415.
  const { semantic, lexical, contiguity, salience } = startWeights
  const related = 1 - contiguity - salience
  const ofMeaning = semantic / (semantic + lexical)
  const ofWords = lexical / (semantic + lexical)
  const space = seenAs({ lexical: { mean: 0, deviation: 0.5 }, fullScore: 10 })

  it.each([
    // 0.1 of the full score: 0.4 of a quarter, so 0.16 of 2 deviations.
    [1, 0.32],
    [1.25, 0.625],
    // A quarter and more counts in full.
    [2.5, 5],
    [10, 20],
    [30, 60],
    [0, 0],
  ])('count by how much of it a text has: BM25 %d is %d', (bm25, expected) => {
    const [scored] = combine([pattern(0, { lexical: bm25 })], space)
    expect(zOf(scored?.z ?? [], 'lexical')).toBeCloseTo(expected, 12)
    expect(scored?.score).toBeCloseTo(related * ofWords * expected, 12)
  })

  it.each([
    // 0.25 of the full score: a third of three quarters, so a third of 5 deviations; and half of 0.5, to the power of 1.5, where half
    // is so written.
    [1, 2.5, 5 / 3],
    [1, 7.5, 15],
    [0.5, 2.5, 5 * 0.5 ** 1.5],
    [0, 2.5, 5],
  ])(
    'of which %d is written without white space count when a text has more: BM25 %d is %d',
    (spaceless, bm25, expected) => {
      const heads = {
        ...space,
        views: space.views.map((one) => ({ ...one, wording: { spaceless, asks: true, characters: 100 } })),
      }
      const [scored] = combine([pattern(0, { lexical: bm25 })], heads)
      expect(zOf(scored?.z ?? [], 'lexical')).toBeCloseTo(expected, 12)
    },
  )

  it.each([
    ['asked as a question', { asks: true }, 100, 5],
    ['asked of longer texts', { characters: 40 }, 100, 5],
    ['of a statement as long as the texts', {}, 100, 5 * fusion.statementWords],
    ['of a statement longer than the texts', { characters: 300 }, 100, 5 * fusion.statementWords],
  ])(
    '%s count as they are, or less where what says the same is wanted',
    (_name, given, characters, expected) => {
      const wording = { spaceless: 0, asks: false, characters: 100, ...given }
      const heads = { ...space, views: space.views.map((one) => ({ ...one, wording })) }
      const [scored] = combine([pattern(0, { lexical: 2.5, characters }), pattern(1, { characters })], heads)
      expect(zOf(scored?.z ?? [], 'lexical')).toBeCloseTo(expected, 12)
    },
  )

  it('can be in no text of another language, whose meaning counts in their place', () => {
    const near = { cosine: 0.2 }
    const scored = combine(
      [pattern(200, { ...near, isForeign: true }), pattern(100, { isUntold: true })],
      space,
    )
    // 2 deviations of meaning, and 2.5 times as many for words.
    const { score, z } = scored.find(({ idx }) => idx === 200) as (typeof scored)[number]
    expect(score).toBeCloseTo(related * (ofMeaning * 2 + ofWords * 5), 12)
    expect(zOf(z, 'semantic')).toBeCloseTo(2, 12)
  })

  it.each([
    ['as near', 0, 2],
    ['half as near', 0, 1],
    ['half as near, of which as much is for its language alone', 1, 1],
  ])(
    'count as much in a text of another language as in one of the query’s, by nearness: %s',
    (_, lag, nearness) => {
      const heads = { ...space, views: space.views.map((one) => ({ ...one, foreignLag: 0.1 * lag })) }
      // 2 deviations of meaning; words of full coverage.
      const native = pattern(100, { cosine: 0.2, lexical: 1.5 })
      const scored = combine([native, pattern(200, { cosine: 0.1 * nearness, isForeign: true })], heads)
      const wordsOf = (idx: number) => {
        const { score, z } = scored.find((one) => one.idx === idx) as (typeof scored)[number]
        return score / related - ofMeaning * (zOf(z, 'semantic') as number)
      }
      expect(wordsOf(200)).toBeCloseTo((wordsOf(100) * (nearness + lag)) / 2, 6)
    },
  )

  it('make no difference of languages where no text has any', () => {
    const near = { cosine: 0.2 }
    const [own] = combine([pattern(1, near)], plain)
    const [foreign] = combine([pattern(1, { ...near, isForeign: true })], plain)
    expect(foreign).toEqual(own)
  })

  it('lift a text of another language past none in the query’s that is nearer in meaning by a margin', () => {
    const { foreignMargin } = fusion
    const orderOf = (nearer: number, lag = 0) => {
      const heads = { ...space, views: space.views.map((one) => ({ ...one, foreignLag: 0.1 * lag })) }
      const cosine = 0.2 + 0.1 * nearer
      const natives = [pattern(1, { cosine }), pattern(2, { cosine: cosine + 0.1, lexical: 100 })]
      return combine([...natives, pattern(3, { cosine: 0.2, isForeign: true })], heads).map(({ idx }) => idx)
    }
    expect(orderOf(foreignMargin + 0.01)).toEqual([2, 1, 3])
    expect(orderOf(foreignMargin - 0.01).indexOf(3)).toBeLessThan(orderOf(foreignMargin - 0.01).indexOf(1))
    // What texts of other languages are further away for their language alone is no reason.
    expect(orderOf(foreignMargin + 0.01, 1)).not.toEqual([2, 1, 3])
    expect(orderOf(foreignMargin + 1.01, 1)).toEqual([2, 1, 3])
  })

  it('say that a text in the query’s language is nearer, so that none in another passes it', () => {
    const { foreignMargin, queryWords } = fusion
    const foreign = pattern(2, { cosine: 0.2, isForeign: true })
    // All texts have words of the query: they say little of which answers.
    const common = seenAs({ lexical: { mean: 0, deviation: 50 }, fullScore: 10 })
    // This one has all of them, and is about something else.
    const other = pattern(3, { cosine: 0, lexical: 100 })
    /** A text as near in meaning, with so much of the query's words. */
    const isFirst = (covered: number) => {
      const native = pattern(1, { cosine: 0.2, lexical: 10 * covered })
      const order = combine([native, foreign, other], common).map(({ idx }) => idx)
      return order.indexOf(1) < order.indexOf(2)
    }
    const enough = foreignMargin / queryWords
    expect(isFirst(enough + 0.01)).toBe(true)
    expect(isFirst(enough - 0.01)).toBe(false)
  })

  it('say nothing against a text in another language that has the same ones', () => {
    const heads = seenAs({ lexical: { mean: 0, deviation: 50 }, fullScore: 10 })
    const native = pattern(1, { cosine: 0.2, lexical: 10 })
    const other = pattern(3, { cosine: 0, lexical: 100 })
    const isFirst = (lexical: number) => {
      const foreign = pattern(2, { cosine: 0.2, lexical, isForeign: true })
      const order = combine([native, foreign, other], heads).map(({ idx }) => idx)
      return order.indexOf(2) < order.indexOf(1)
    }
    expect(isFirst(0)).toBe(false)
    expect(isFirst(10)).toBe(true)
  })

  it('say so the more, the nearer a text is to having all of them', () => {
    const heads = seenAs({ lexical: { mean: 0, deviation: 2 }, fullScore: 10 })
    const foreign = pattern(2, { cosine: 0.35, isForeign: true })
    /** Whether a text with so much of the words, which is further away, stays ahead. */
    const isFirst = (covered: number, everyWord: number) => {
      const native = pattern(1, { cosine: 0.2, lexical: 10 * covered })
      const order = combineHeads([native, foreign], heads, startWeights, { ...fusion, everyWord })
      return order.findIndex(({ idx }) => idx === 1) < order.findIndex(({ idx }) => idx === 2)
    }
    expect(isFirst(1, 0)).toBe(false)
    expect(isFirst(1, 4)).toBe(true)
    expect(isFirst(0.5, 4)).toBe(false)
  })

  it('are missed in a text of another language the less, the less it is like the query, also where nothing is more', () => {
    const scoreOf = (cosine: number, unlike: Partial<Fusion>) =>
      combineHeads([pattern(0, { cosine, isForeign: true })], space, startWeights, {
        ...fusion,
        ...unlike,
      })[0]?.score as number
    const full = (cosine: number) => scoreOf(cosine, {})
    const without = (cosine: number) => scoreOf(cosine, { foreignShare: 0 })
    const limits = { unlikeCosine: 0.1, likeCosine: 0.3 }
    expect(scoreOf(0.35, limits)).toBeCloseTo(full(0.35), 12)
    expect(scoreOf(0.2, limits)).toBeCloseTo((full(0.2) + without(0.2)) / 2, 12)
    expect(scoreOf(0.1, limits)).toBeCloseTo(without(0.1), 12)
  })

  it('are held against the nearest passage of a long text, not its mean', () => {
    const heads = seenAs({ lexical: { mean: 0, deviation: 50 }, fullScore: 10 })
    const foreign = pattern(2, { cosine: 0.3, isForeign: true })
    const native = pattern(1, { cosine: 0.05, lexical: 5 })
    const first = (passage?: { cosine: number; view: number }) =>
      combine([{ ...native, passage }, foreign], heads)[0]?.idx
    expect(first()).toBe(2)
    expect(first({ cosine: 0.5, view: 0 })).toBe(1)
  })

  it('leave texts of another language that are held back by one text in their own order', () => {
    const near = [0.2, 0.23, 0.21].map((cosine, i) => pattern(10 + i, { cosine, isForeign: true }))
    const native = pattern(1, { cosine: 0.5, lexical: 1 })
    expect(combine([native, ...near], space).map(({ idx }) => idx)).toEqual([1, 11, 12, 10])
  })

  it('lift a text of another language past none in the query’s that is nearer by what its neighbours pass on', () => {
    const heads = { ...space, turns: 0 }
    const native = pattern(1, { cosine: 0.35, lexical: 0 })
    const foreign = (idx: number, cosine: number) => pattern(idx, { cosine, isForeign: true })
    const gainOf = (nearer: boolean) => {
      const scored = combine([foreign(50, 0.3), foreign(51, 0.12), ...(nearer ? [native] : [])], heads)
      const one = scored.find(({ idx }) => idx === 51)
      return { gained: one?.parts[headNames.indexOf('contiguity')] ?? 0, order: scored.map(({ idx }) => idx) }
    }
    expect(gainOf(false).gained).toBeGreaterThan(0)
    expect(gainOf(true).order.indexOf(51)).toBeGreaterThan(gainOf(true).order.indexOf(1))
  })

  it('make texts of another language that are less like the query than most no better', () => {
    const scored = combine(
      [pattern(100, { cosine: -0.1 }), pattern(200, { cosine: -0.1, isForeign: true })],
      space,
    )
    expect(scored.map(({ idx }) => idx)).toEqual([100, 200])
  })

  it('are missed in a text whose language nobody can tell as far as others are in another language', () => {
    const near = { cosine: 0.2 }
    const others = [pattern(1, { isForeign: true }), pattern(2, { isForeign: true }), pattern(3), pattern(4)]
    const scoreOf = (of: Partial<Candidate & Seen>, among = others) =>
      combine([pattern(100, { ...near, ...of }), ...among], space).find(({ idx }) => idx === 100)?.score
    const asOwn = related * ofMeaning * 2
    // 2.5 times as many deviations as of meaning, for one in two.
    expect(scoreOf({ isUntold: true })).toBeCloseTo(asOwn + related * ofWords * 2.5, 12)
    expect(scoreOf({ isUntold: true }, [pattern(3), pattern(4)])).toBeCloseTo(asOwn, 12)
    const unlike = { isUntold: true, cosine: -0.1 }
    expect(scoreOf(unlike)).toBeCloseTo(scoreOf({ cosine: -0.1 }) as number, 12)
  })

  it('count in a text whose language nobody can tell where they say more than its meaning in their place', () => {
    const others = [pattern(1, { isForeign: true }), pattern(2, { isForeign: true })]
    const scoreOf = (lexical: number, isUntold: boolean) =>
      combine([pattern(100, { cosine: 0.2, lexical, isUntold }), ...others], space).find(
        ({ idx }) => idx === 100,
      )?.score as number
    expect(scoreOf(20, true)).toBe(scoreOf(20, false))
    expect(scoreOf(0, true)).toBeGreaterThan(scoreOf(0, false))
    // Few words: what both say together is what the meaning says in their place.
    expect(scoreOf(1, true)).toBeCloseTo(scoreOf(0, true), 12)
  })
})

describe('a query that is seen by its sentences too', () => {
  const seen = (cosine: number, lexical: number): Seen => ({ cosine, centreCosine: 0, lexical })
  const whole: View = { ...view, share: 1, lexical: { mean: 0, deviation: 1 }, fullScore: 8 }
  const sentence: View = {
    ...view,
    share: 0.75,
    semantic: { mean: 0.1, deviation: 0.2 },
    lexical: { mean: 1, deviation: 2 },
    fullScore: 4,
  }

  it('is scored by the mean of both by share, and keeps the cosine of the whole', () => {
    const candidate = { ...pattern(0), seen: [seen(0.4, 1), seen(0.5, 5)] }
    const [scored] = combine([candidate], { ...plain, views: [whole, sentence] })
    // Meaning: 4 deviations of the whole and 2 of the sentence. Words: a quarter of 1, since 1 of 8 is half of a quarter, and 2.
    const [meaning, words] = [0.25 * 4 + 0.75 * 2, 0.25 * 0.25 + 0.75 * 2]
    expect(zOf(scored?.z ?? [], 'semantic')).toBeCloseTo(meaning, 12)
    expect(zOf(scored?.z ?? [], 'lexical')).toBeCloseTo(words, 12)
    expect(scored?.cosine).toBe(0.4)
  })

  it('is scored by the sentence that brings most, by its weight', () => {
    const candidate = { ...pattern(0), seen: [seen(0, 0), seen(0.5, 0), seen(0.3, 0), seen(0.7, 0)] }
    // As near to each sentence.
    const other = { ...pattern(50), seen: [seen(0, 0), seen(0.7, 0), seen(0.7, 0), seen(0.7, 0)] }
    const views = [whole, sentence, sentence, { ...sentence, weight: 0.5 }]
    const scored = combine([candidate, other], { ...plain, views }).find(({ idx }) => idx === 0)
    // 2 deviations in full, 1, and half of 3.
    expect(zOf(scored?.z ?? [], 'semantic')).toBeCloseTo(0.75 * 2, 12)
  })

  it('goes little by a sentence that all texts are far from', () => {
    const smallTalk: View = { ...sentence, semantic: { mean: 0, deviation: 0.03 } }
    const unlike = { ...pattern(0), seen: [seen(0.1, 0), seen(0.15, 0), seen(0.1, 0)] }
    const answer = { ...pattern(50), seen: [seen(0.3, 0), seen(0, 0), seen(0.7, 0)] }
    const order = combine([unlike, answer], { ...plain, views: [whole, smallTalk, sentence] })
    expect(order.map(({ idx }) => idx)).toEqual([50, 0])
  })

  it('orders texts that are less like it than most by the sentence that they are least unlike', () => {
    const request: View = { ...sentence, semantic: { mean: 0.3, deviation: 0.1 } }
    const smallTalk: View = { ...request, weight: 0.85 }
    const views = [{ ...request, share: 1 }, request, smallTalk]
    const near = { ...pattern(50), seen: [seen(0.2, 0), seen(0.27, 0), seen(-0.05, 0)] }
    const far = { ...pattern(0), seen: [seen(0.2, 0), seen(0.05, 0), seen(0.02, 0)] }
    expect(combine([far, near], { ...plain, views }).map(({ idx }) => idx)).toEqual([50, 0])
  })

  it('is raised by a passage no further than that makes its sentence the one that brings most', () => {
    const candidate = { ...pattern(0), seen: [seen(0, 0), seen(0.1, 0), seen(0.5, 0)] }
    const views = [whole, sentence, sentence]
    const meaningOf = (cosine: number) =>
      zOf(
        combine([{ ...candidate, passage: { cosine, view: 1 } }], { ...plain, views })[0]?.z ?? [],
        'semantic',
      )
    expect(meaningOf(0.3)).toBe(meaningOf(0.1))
    expect(meaningOf(0.9)).toBeGreaterThan(meaningOf(0.1) as number)
  })

  it('is raised by the passage that is nearest to a sentence, by its share', () => {
    const candidate = { ...pattern(0), seen: [seen(0.4, 0), seen(0.3, 0)] }
    const score = (cosine?: number) => {
      const space = { ...plain, views: [whole, sentence] }
      const passage = cosine === undefined ? undefined : { cosine, view: 1 }
      return combine([{ ...candidate, passage }], space)[0]
    }
    // 0.2 nearer than the text is to the sentence, whose deviation is 0.2.
    expect(zOf(score(0.5)?.z ?? [], 'semantic')).toBeCloseTo(
      0.25 * 4 + 0.75 * (1 + (0.2 - passageMargin) / 0.2),
      12,
    )
    expect(score(0.3)).toEqual(score())
  })

  it('has words where only one of them has any', () => {
    const candidate = { ...pattern(0), seen: [seen(0, 5), seen(0.1, 5)] }
    const views = [{ ...whole, lexical: noSignal, fullScore: 0 }, sentence]
    const [scored] = combine([candidate], { ...plain, views })
    expect(zOf(scored?.z ?? [], 'lexical')).toBeCloseTo(0.75 * 2, 12)
    expect(scored?.parts[headNames.indexOf('lexical')]).toBeGreaterThan(0)
  })

  it('is finite where the nearest text in the language of the query is nearer than most by next to nothing', () => {
    const foreign = [
      pattern(0, { cosine: -0.5, isForeign: true }),
      pattern(1, { cosine: 0.5, isForeign: true }),
    ]
    const scored = combine([...foreign, pattern(2, { cosine: Number.MIN_VALUE, lexical: 5 })], {
      ...plain,
      views: [{ ...whole, semantic: { mean: 0, deviation: 1 } }],
    })
    for (const { score } of scored) expect(Number.isFinite(score)).toBe(true)
  })

  it('is what one view is where both are the same', () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true })
    const candidates = fc.uniqueArray(
      fc.record({
        idx: fc.nat({ max: 60 }),
        cosine: value,
        centreCosine: value,
        lexical: fc.double({ min: 0, max: 20, noNaN: true }),
        isForeign: fc.boolean(),
        isUntold: fc.boolean(),
        asks: fc.boolean(),
      }),
      { selector: ({ idx }) => idx, maxLength: 30 },
    )
    const one: View = { ...whole, share: 1, centreNorm: 0.4 }
    fc.assert(
      fc.property(candidates, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
        const single = given.map(({ idx, ...values }) => pattern(idx, values))
        const twice = single.map((candidate) => ({
          ...candidate,
          seen: [...candidate.seen, ...candidate.seen],
        }))
        const views = [one, { ...one, share }]
        const expected = combine(single, { ...plain, views: [one] })
        const byIdx = new Map(expected.map(({ idx, score }) => [idx, score]))
        for (const { idx, score } of combine(twice, { ...plain, views })) {
          const same = byIdx.get(idx) as number
          expect(Math.abs(score - same)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(same)))
        }
      }),
    )
  })
})

describe('a score', () => {
  it('is the sum of what each head adds to it', () => {
    const space = {
      ...seenAs({ lexical: { mean: 0, deviation: 1 } }),
      associative: { mean: 0, deviation: 0.1 },
      salience: { mean: 0, deviation: 1 },
    }
    const weights = { semantic: 0.3, lexical: 0.2, associative: 0.1, contiguity: 0.25, salience: 0.15 }
    const scored = combine(
      [pattern(7, { cosine: 0.3, lexical: 2, associative: 0.1, salience: -1 }), pattern(8, { cosine: 0.6 })],
      space,
      weights,
    )
    const own = scored.find(({ idx }) => idx === 7)
    // 3, 2 and 1 deviations by halves, thirds and sixths of 0.6; the other is 3 deviations, 2 more than is strong.
    const parts = [0.3 * 3, 0.2 * 2, 0.1 * 1, 0.25 * 0.4 * 2, 0.15 * -1]
    expect(own?.parts).toEqual(parts.map((part) => expect.closeTo(part, 12)))
    expect(own?.score).toBeCloseTo(
      parts.reduce((sum, part) => sum + part),
      12,
    )
  })

  it('gains for the time that is named, beside its parts and unheard by its neighbours', () => {
    const candidates = [
      pattern(7, { cosine: 0.5 }),
      pattern(8, { cosine: 0.1 }),
      pattern(30, { cosine: 0.1 }),
    ]
    const scoresOf = (ofTime: readonly number[]) =>
      new Map(
        combine(
          candidates.map((one) => ({ ...one, isOfTime: ofTime.includes(one.idx) })),
          plain,
        ).map((one) => [one.idx, one]),
      )
    const [none, some] = [scoresOf([]), scoresOf([7, 30])]
    for (const [idx, { score, parts, time }] of some) {
      const gain = idx === 8 ? 0 : fusion.timeGain
      expect(time).toBe(gain)
      expect(parts).toEqual(none.get(idx)?.parts)
      expect(score).toBeCloseTo((none.get(idx)?.score ?? Number.NaN) + gain, 12)
    }
  })

  it('gains nothing for that time where most are more like the query and others are far nearer', () => {
    const timeOf = (cosine: number, nearest: number) =>
      combine([pattern(1, { cosine, isOfTime: true }), pattern(2, { cosine: nearest })], plain).find(
        ({ idx }) => idx === 1,
      )?.time
    expect([-0.1, -0.01, 0, 0.1].map((cosine) => timeOf(cosine, 0.8))).toEqual(
      [0, 0, 1, 1].map((share) => share * fusion.timeGain),
    )
    expect(timeOf(-0.1, 0.1)).toBe(fusion.timeGain)
  })

  it('has what a passage adds in the part of meaning', () => {
    const [plainly] = combine([pattern(7, { cosine: 0.1 })], plain)
    const [raised] = combine([{ ...pattern(7, { cosine: 0.1 }), passage: { cosine: 0.4, view: 0 } }], plain)
    const at = headNames.indexOf('semantic')
    const added = (raised?.parts[at] ?? 0) - (plainly?.parts[at] ?? 0)
    expect(added).toBeCloseTo(
      ((0.3 - passageMargin) / 0.1) * (1 - startWeights.contiguity - startWeights.salience),
      12,
    )
    expect((raised?.score ?? 0) - (plainly?.score ?? 0)).toBeCloseTo(added, 12)
  })
})
