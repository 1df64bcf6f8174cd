import { learnFrom, type Observation } from '@memory/engine/learning/learning-update'
import { initialState } from '@memory/engine/learning/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { now } from './experience.ts'

const idx = fc.integer({ min: 0, max: 12 })
const any = fc.oneof(fc.double(), fc.constantFrom(0, 1, -1, Number.NaN, Number.POSITIVE_INFINITY))
const cosine = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), any)
const patterns = fc.uniqueArray(
  fc.record({
    idx,
    cosine,
    z: fc.option(
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 5, maxLength: 5 }),
      { nil: undefined },
    ),
  }),
  { selector: (one) => one.idx, maxLength: 12 },
)
const at = fc.integer({ min: 0, max: 2 * 3_600_000 }).map((ms) => now + ms)
const actor = fc.constantFrom('ada', 'ben')
const pathway = fc.constantFrom('exact', 'energy', 'attention')
const surprise = fc.double({ min: 0, max: 1, noNaN: true })
const observation = fc.oneof(
  fc.record({ kind: fc.constant('search'), at, surprise }),
  fc.record({ kind: fc.constant('store'), at, surprise }),
  fc.record({
    kind: fc.constant('answer'),
    at,
    surprise: fc.option(surprise),
    actor,
    query: fc.constantFrom('p', 'q', 'r'),
    pathway,
    patterns,
  }),
  fc.record({
    kind: fc.constant('feedback'),
    at,
    actor,
    idx,
    useful: fc.boolean(),
    answer: fc.option(fc.record({ pathway, patterns }), { nil: undefined }),
  }),
) as fc.Arbitrary<Observation>

/** Every number anywhere in a value that is not of what was passed in. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

describe('any observations', () => {
  it('leave every number finite, weights and strengths in [0, 1], and head weights on the simplex', () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 40 }), fc.array(idx), (observations, gone) => {
        const update = learnFrom(initialState(now), new Map(), observations, (i) => !gone.includes(i))
        const { state, records, associations, transitions, strengths } = update
        expect(
          numbersIn({ state, records, associations, transitions, strengths }).filter(
            (n) => !Number.isFinite(n),
          ),
        ).toEqual([])
        for (const { a, b, kept } of associations) {
          expect(a).toBeLessThan(b)
          expect(kept).toBeGreaterThanOrEqual(0)
          expect(kept).toBeLessThanOrEqual(1)
        }
        for (const { strength } of strengths) {
          expect(strength).toBeGreaterThanOrEqual(0)
          expect(strength).toBeLessThanOrEqual(1)
        }
        for (const { count } of transitions) expect(count).toBeGreaterThanOrEqual(1)
        const weights = Object.values(state.headWeights)
        expect(weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 9)
        for (const weight of weights) expect(weight).toBeGreaterThanOrEqual(0)
        const mentioned = [
          ...associations.flatMap(({ a, b }) => [a, b]),
          ...transitions.flatMap(({ source, target }) => [source, target]),
          ...strengths.map((one) => one.idx),
        ]
        expect(mentioned.filter((i) => gone.includes(i))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
