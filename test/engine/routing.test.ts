import { parameters } from '@memory/engine/parameters'
import { observeUse, unknownReliability } from '@memory/engine/reliability'
import { decide, evaluatePathways, type PathwayView, pathways } from '@memory/engine/routing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const view = (scores: number[], cosines = scores, rest: Partial<PathwayView> = {}): PathwayView => ({
  scores: Float64Array.from(scores),
  cosines: Float64Array.from(cosines),
  reliability: unknownReliability,
  costMs: 1,
  ...rest,
})

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))

const anyNumber = fc.oneof(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double(),
  fc.constantFrom(0, 1, -1, 0.5),
)

const anyView: fc.Arbitrary<PathwayView> = fc.record({
  scores: fc.array(anyNumber, { maxLength: 40 }).map((scores) => Float64Array.from(scores)),
  cosines: fc.array(anyNumber, { maxLength: 40 }).map((cosines) => Float64Array.from(cosines)),
  reliability: fc.record({
    a: fc.double({ min: 1, max: 1e6, noNaN: true }),
    b: fc.double({ min: 1, max: 1e6, noNaN: true }),
  }),
  costMs: anyNumber,
})

describe('the expected free energy of pathways', () => {
  it('is what its formula gives', () => {
    const cosines = [0.9, 0.2, 0.1]
    const { exact } = evaluatePathways({
      exact: view(cosines, cosines, { reliability: { a: 3, b: 1 }, costMs: 2 }),
    })
    const mean = 0.4
    const deviation = Math.sqrt((0.5 ** 2 + 0.2 ** 2 + 0.3 ** 2) / 3)
    const powers = cosines.map((c) =>
      Math.exp((c - mean) / deviation / parameters.routing.temperatures.exact),
    )
    const q = powers.map((power) => power / powers.reduce((a, b) => a + b))
    const entropy = -q.reduce((sum, p) => sum + p * Math.log(p), 0)
    // Of Beta(3, 1): psi(5) = 25/12 - gamma, psi(4) = 11/6 - gamma, psi(2) = 1 - gamma.
    const expectedEntropy = 25 / 12 - (3 * (11 / 6) + 1) / 4
    const gain = -0.75 * Math.log(0.75) - 0.25 * Math.log(0.25) - expectedEntropy
    const { preferenceSlope, preferenceMiddle } = parameters.routing
    const preferred = cosines.map((c) => 0.75 * sigmoid(preferenceSlope * (c - preferenceMiddle)))
    const pragmatic = q.reduce((sum, p, i) => sum + p * Math.log(preferred[i] as number), 0) - 0.02
    expect(exact.epistemic).toBeCloseTo(Math.log(3) - entropy + gain, 10)
    expect(exact.pragmatic).toBeCloseTo(pragmatic, 10)
    expect(exact.efe).toBeCloseTo(-exact.epistemic - exact.pragmatic, 12)
  })

  it('without candidates is the same for all: nothing to learn, and the lowest preference', () => {
    const evaluations = evaluatePathways({
      exact: view([], [], { costMs: 1 }),
      energy: view([], [], { costMs: 5, reliability: { a: 4, b: 1 } }),
      attention: view([]),
    })
    const lowest = Math.log(
      sigmoid(parameters.routing.preferenceSlope * (-1 - parameters.routing.preferenceMiddle)),
    )
    for (const pathway of pathways) {
      expect(evaluations[pathway].epistemic).toBe(0)
      expect(evaluations[pathway].pragmatic).toBeCloseTo(lowest, 12)
    }
    const third = expect.closeTo(1 / 3, 12)
    expect(decide(evaluations)).toEqual({
      pathway: 'exact',
      scores: { exact: third, energy: third, attention: third },
      confidence: third,
    })
  })

  it('is numbers only, and the scores a distribution, whatever comes in', () => {
    fc.assert(
      fc.property(anyView, anyView, anyView, (exact, energy, attention) => {
        const evaluations = evaluatePathways({ exact, energy, attention })
        for (const { efe, epistemic, pragmatic } of Object.values(evaluations)) {
          expect(Number.isFinite(efe)).toBe(true)
          expect(epistemic).toBeGreaterThanOrEqual(0)
          expect(pragmatic).toBeLessThanOrEqual(0)
        }
        const { pathway, scores, confidence } = decide(evaluations)
        expect(scores.exact + scores.energy + scores.attention).toBeCloseTo(1, 9)
        expect(confidence).toBe(Math.max(...Object.values(scores)))
        expect(evaluations[pathway].efe).toBe(Math.min(...Object.values(evaluations).map(({ efe }) => efe)))
      }),
    )
  })

  it('does not depend on the scale of a pathway’s scores', () => {
    const scores = [3, 2.5, 0.1, -1]
    const cosines = [0.4, 0.5, 0.2, 0.1]
    const wide = scores.map((score) => 1_000 * score + 7)
    const [a, b] = [scores, wide].map(
      (each) => evaluatePathways({ attention: view(each, cosines) }).attention,
    )
    expect(a?.efe).toBeCloseTo(b?.efe as number, 9)
  })

  it('takes the pathway that is sure of an answer over one that is not', () => {
    const cosines = Array.from({ length: 64 }, (_, i) => 0.5 - 0.001 * i)
    const sure = cosines.map((_, i) => (i === 3 ? 12 : -0.01 * i))
    const evaluations = evaluatePathways({
      exact: view(cosines),
      attention: view(sure, cosines, { costMs: 3 }),
    })
    expect(decide(evaluations).pathway).toBe('attention')
  })

  it('takes the cheaper of two that say the same, and the one that proved useful', () => {
    const cosines = [0.9, 0.3, 0.2]
    const cheap = evaluatePathways(
      { exact: view(cosines), energy: view(cosines, cosines, { costMs: 9 }) },
      same,
    )
    expect(decide(cheap).pathway).toBe('exact')
    let reliability = unknownReliability
    for (let i = 0; i < 10; i++) reliability = observeUse(reliability, true, 0)
    let useless = unknownReliability
    for (let i = 0; i < 10; i++) useless = observeUse(useless, false, 0)
    const proved = evaluatePathways(
      {
        exact: view(cosines, cosines, { reliability: useless }),
        energy: view(cosines, cosines, { reliability }),
      },
      same,
    )
    expect(decide(proved).pathway).toBe('energy')
  })

  it('is overruled where the answer must be exact', () => {
    const cosines = [0.9, 0.3, 0.2]
    const evaluations = evaluatePathways({
      exact: view(cosines, cosines, { costMs: 500 }),
      attention: view(cosines),
    })
    expect(decide(evaluations).pathway).toBe('attention')
    const forced = decide(evaluations, { forceExact: true })
    expect(forced.pathway).toBe('exact')
    expect(forced.confidence).toBe(forced.scores.exact)
    expect(forced.confidence).toBeLessThan(0.5)
  })

  it('is defined for one candidate and for candidates that score the same', () => {
    const one = evaluatePathways({ exact: view([0.7]) }).exact
    expect(one.epistemic).toBeCloseTo(Math.LN2 - 0.5, 12)
    const equal = evaluatePathways({ exact: view([0.1 + 0.2, 0.3, 0.3]) }).exact
    expect(equal.epistemic).toBeCloseTo(Math.LN2 - 0.5, 9)
  })
})

const same = { exact: 1, energy: 1 }
