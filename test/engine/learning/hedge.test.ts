import { learnWeights } from '@memory/engine/learning/hedge'
import { parameters } from '@memory/engine/parameters'
import { type HeadName, headNames, startWeights } from '@memory/engine/recall/heads'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const { hedgeFloor, hedgeRate, hedgeShare } = parameters.learning

/** z-scores by head; 0 for those that are not named. */
const z = (values: Partial<Record<HeadName, number>>): number[] => headNames.map((head) => values[head] ?? 0)

const sum = (weights: object) => Object.values(weights).reduce((a: number, b: number) => a + b, 0)

/** Steps after which a pattern that only one head speaks for has proved useful again and again. */
function taught(steps: number, head: HeadName, from = startWeights) {
  const useful = z({ [head]: 2 })
  const other = z({ semantic: 1, lexical: 1, contiguity: 1, [head]: 0 })
  let weights = from
  for (let i = 0; i < steps; i++) weights = learnWeights(weights, useful, [other, useful], 1)
  return weights
}

describe('learnWeights', () => {
  it.each(['semantic', 'lexical', 'contiguity'] as const)(
    'raises the head that spoke for the useful one: %s',
    (head) => {
      const weights = taught(1, head)
      for (const each of ['semantic', 'lexical', 'contiguity'] as const) {
        if (each === head) expect(weights[each]).toBeGreaterThan(startWeights[each])
        else expect(weights[each]).toBeLessThan(startWeights[each])
      }
      expect(taught(20, head)[head]).toBeGreaterThan(weights[head])
    },
  )

  it('is a step of exponentiated gradient up the likelihood of the useful one', () => {
    const returned = [
      z({ semantic: 1, lexical: 0.5 }),
      z({ contiguity: 2 }),
      z({ semantic: -1, salience: 1 }),
    ]
    const [useful] = returned as [number[]]
    // The likelihood's derivatives by differences, and then the definition.
    const likelihood = (weights: readonly number[]) => {
      const scores = returned.map((one) =>
        one.reduce((total, value, h) => total + value * (weights[h] as number), 0),
      )
      return (scores[0] as number) - Math.log(scores.reduce((total, score) => total + Math.exp(score), 0))
    }
    const start = headNames.map((head) => startWeights[head])
    const step = 1e-6
    const moved = (h: number, by: number) => likelihood(start.map((w, i) => (i === h ? w + by : w)))
    const raised = start.map(
      (w, h) => w * Math.exp((hedgeRate * (moved(h, step) - moved(h, -step))) / (2 * step)),
    )
    const content = ['semantic', 'lexical', 'contiguity'] as const
    const total = (of: readonly number[]) =>
      content.reduce((all, head) => all + (of[headNames.indexOf(head)] as number), 0)
    const weights = learnWeights(startWeights, useful, returned, 1)
    for (const head of content) {
      const share = ((raised[headNames.indexOf(head)] as number) * total(start)) / total(raised)
      expect(weights[head]).toBeCloseTo((1 - hedgeShare) * share + hedgeShare * startWeights[head], 9)
    }
  })

  it('learns next to nothing where the useful one was clearly first', () => {
    const first = z({ semantic: 40, lexical: 5 })
    const weights = learnWeights(startWeights, first, [first, z({})], 1)
    for (const head of headNames) expect(weights[head]).toBeCloseTo(startWeights[head], 3)
  })

  it('leaves salience alone, which speaks of what use has taught', () => {
    const useful = z({ salience: 3 })
    const { salience } = learnWeights(startWeights, useful, [z({ semantic: 1 }), useful], 1)
    expect(salience).toBe(startWeights.salience)
  })

  it('raises associations from 0 where they speak for what is useful, and only there', () => {
    const useful = z({ associative: 2 })
    const other = z({})
    const one = learnWeights(startWeights, useful, [useful, other], 1)
    // With a weight of 0 both are as likely, so it was 1 deviation ahead; b sinh(g) of 0.85, then 0.99 of it.
    const step = hedgeFloor * Math.sinh(hedgeRate)
    const mass = 1 - startWeights.salience
    expect(one.associative).toBeCloseTo(((1 - hedgeShare) * mass * step) / (mass + step), 9)
    expect(taught(20, 'associative').associative).toBeGreaterThan(10 * one.associative)
    expect(learnWeights(startWeights, other, [useful, other], 1).associative).toBe(0)
    let weights = one
    for (let i = 0; i < 20; i++) weights = learnWeights(weights, other, [useful, other], 1)
    expect(weights.associative).toBe(0)
  })

  it('forgets what is not seen again, and loses no head for good', () => {
    const often = taught(2_000, 'lexical')
    expect(often.lexical).toBeGreaterThan(0.5)
    for (const head of headNames.filter((head) => startWeights[head] > 0)) {
      expect(often[head]).toBeGreaterThan(0)
    }
    // From there an answer that says nothing of the heads leads back.
    let weights = often
    for (let i = 0; i < 1_000; i++) weights = learnWeights(weights, z({}), [z({}), z({})], 1)
    for (const head of headNames) expect(weights[head]).toBeCloseTo(startWeights[head], 3)
    expect(taught(200, 'semantic', often).semantic).toBeGreaterThan(startWeights.semantic)
  })

  it('needs two patterns to compare, and moves less at a lower rate', () => {
    const useful = z({ lexical: 2 })
    expect(learnWeights(startWeights, useful, [], 1)).toBe(startWeights)
    expect(learnWeights(startWeights, useful, [useful], 1)).toBe(startWeights)
    const slow = learnWeights(startWeights, useful, [useful, z({})], 0.1)
    const fast = learnWeights(startWeights, useful, [useful, z({})], 1)
    expect(slow.lexical).toBeGreaterThan(startWeights.lexical)
    expect(slow.lexical).toBeLessThan(fast.lexical)
  })

  it('stays on the simplex whatever it is given', () => {
    const value = fc.double({ min: -1_000, max: 1_000, noNaN: true })
    const scores = fc.array(value, { minLength: headNames.length, maxLength: headNames.length })
    const lesson = fc.record({
      useful: scores,
      others: fc.array(scores, { maxLength: 10 }),
      rate: fc.double({ min: 0, max: 1.5, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(lesson, { maxLength: 30 }), (lessons) => {
        let weights = startWeights
        for (const { useful, others, rate } of lessons) {
          weights = learnWeights(weights, useful, [useful, ...others], rate)
        }
        expect(sum(weights)).toBeCloseTo(1, 9)
        for (const head of headNames) {
          if (startWeights[head] > 0) expect(weights[head]).toBeGreaterThan(0)
          else expect(weights[head]).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})
