import { learnWeights } from '@memory/shared/engine/learning/hedge'
import { parameters } from '@memory/shared/engine/parameters'
import { type HeadWeights, headNames, startWeights } from '@memory/shared/engine/recall/heads'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const { hedgeRate, hedgeFloor } = parameters.learning

const values = (weights: HeadWeights) => headNames.map((head) => weights[head])
const zScores = (of: Partial<HeadWeights>) => headNames.map((head) => of[head] ?? 0)
const silence = zScores({})

describe('the weights of heads', () => {
  it('stay where heads say the same of all, however often', () => {
    let weights: HeadWeights = startWeights
    for (let lesson = 0; lesson < 1_000; lesson++) {
      weights = learnWeights(weights, silence, [silence, silence], 1)
    }
    for (const [h, weight] of values(weights).entries()) {
      expect(weight).toBeCloseTo(values(startWeights)[h] as number, 12)
    }
  })

  it('change by exp(eta (z - mean z)) against each other', () => {
    const positive = zScores({ lexical: 2 })
    const { lexical, semantic } = learnWeights(startWeights, positive, [positive, silence], 1)
    expect(lexical / semantic).toBeCloseTo(
      (startWeights.lexical / startWeights.semantic) * Math.exp(hedgeRate * (2 - 1)),
      12,
    )
  })

  it('move as far back as they came, where none was at its least', () => {
    const even: HeadWeights = {
      semantic: 0.2,
      lexical: 0.2,
      associative: 0.2,
      contiguity: 0.2,
      salience: 0.2,
    }
    const z = zScores({ semantic: 1, salience: -2 })
    const there = learnWeights(even, z, [z, silence], 1)
    for (const weight of values(learnWeights(there, silence, [z, silence], 1))) {
      expect(weight).toBeCloseTo(0.2, 12)
    }
  })

  it('are never under the least share, and 1 in sum', () => {
    const z = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 5, maxLength: 5 })
    const lessons = fc.array(fc.tuple(z, z), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(lessons, fc.double({ min: 0.1, max: 1.5, noNaN: true }), (taught, rate) => {
        let weights: HeadWeights = startWeights
        for (const [positive, other] of taught) {
          weights = learnWeights(weights, positive, [positive, other], rate)
        }
        expect(Math.min(...values(weights))).toBeGreaterThanOrEqual(hedgeFloor - 1e-12)
        expect(values(weights).reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 9)
      }),
    )
  })

  it('rise again from the least share', () => {
    const salient = zScores({ salience: 4 })
    const worded = zScores({ lexical: 6 })
    let weights: HeadWeights = startWeights
    for (let i = 0; i < 200; i++) weights = learnWeights(weights, worded, [worded, silence], 1)
    expect(weights.salience).toBeCloseTo(hedgeFloor, 12)
    for (let i = 0; i < 100; i++) weights = learnWeights(weights, salient, [salient, silence], 1)
    expect(weights.salience).toBeGreaterThan(0.5)
  })
})
