import { activationsOf, faded, Strengthening } from '@memory/engine/learning/association'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const day = 86_400_000

describe('activationsOf', () => {
  it('is softmax(20 cosine) scaled so that the largest is 1', () => {
    const answer = [
      { idx: 4, cosine: 0.8 },
      { idx: 7, cosine: 0.75 },
      { idx: 1, cosine: 0.7 },
    ]
    const total = answer.reduce((sum, { cosine }) => sum + Math.exp(20 * cosine), 0)
    const shares = answer.map(({ cosine }) => Math.exp(20 * cosine) / total)
    const activations = activationsOf(answer)
    expect(activations.map(({ idx }) => idx)).toEqual([4, 7, 1])
    activations.forEach(({ activation }, i) => {
      expect(activation).toBeCloseTo((shares[i] as number) / (shares[0] as number), 12)
    })
  })

  it('takes the most active first, whatever order they were answered in, and the lower idx of equal ones', () => {
    const answer = [
      { idx: 9, cosine: 0.5 },
      { idx: 2, cosine: 0.6 },
      { idx: 5, cosine: 0.6 },
    ]
    expect(activationsOf(answer).map(({ idx }) => idx)).toEqual([2, 5, 9])
  })

  it('leaves out what is 0.1 or less as active as the first: ln(10)/20 of cosine', () => {
    const edge = Math.log(10) / 20
    const answer = [0, edge - 1e-6, edge + 1e-6].map((behind, idx) => ({ idx, cosine: 0.9 - behind }))
    expect(activationsOf(answer).map(({ idx }) => idx)).toEqual([0, 1])
  })

  it('is of the eight most active at most', () => {
    const answer = Array.from({ length: 20 }, (_, idx) => ({ idx, cosine: 0.5 + idx / 1_000 }))
    expect(activationsOf(answer).map(({ idx }) => idx)).toEqual([19, 18, 17, 16, 15, 14, 13, 12])
  })

  it('is of nothing where there is no answer, or none with a cosine', () => {
    expect(activationsOf([])).toEqual([])
    for (const cosine of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(activationsOf([{ idx: 0, cosine }])).toEqual([])
    }
  })
})

const step = fc.record({
  one: fc.integer({ min: 0, max: 4 }),
  other: fc.integer({ min: 0, max: 4 }),
  a: fc.double({ min: 0, max: 1, noNaN: true }),
  b: fc.double({ min: 0, max: 1, noNaN: true }),
  rate: fc.double({ min: 0, max: 1.5, noNaN: true }),
})

const strengthen = (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
  const strengthening = new Strengthening()
  for (const { one, other, a, b, rate } of steps) {
    strengthening.add({ idx: one, activation: a }, { idx: other, activation: b }, rate)
  }
  return new Map(strengthening.pairs.map(({ a, b, kept }) => [`${a}-${b}`, kept]))
}

describe('Strengthening', () => {
  it('gives what one step after the other gives: w <- w + 0.1 a b rate (1 - w)', () => {
    fc.assert(
      fc.property(fc.array(step), fc.double({ min: 0, max: 1, noNaN: true }), (steps, start) => {
        const stepwise = new Map<string, number>()
        for (const { one, other, a, b, rate } of steps) {
          if (one === other) continue
          const pair = `${Math.min(one, other)}-${Math.max(one, other)}`
          const w = stepwise.get(pair) ?? start
          stepwise.set(pair, w + 0.1 * rate * a * b * (1 - w))
        }
        const kept = strengthen(steps)
        expect([...kept.keys()].toSorted()).toEqual([...stepwise.keys()].toSorted())
        for (const [pair, w] of stepwise) {
          expect(1 - (1 - start) * (kept.get(pair) as number)).toBeCloseTo(w, 10)
        }
      }),
    )
  })

  it('gives the same in any order, and in any two parts that are written one after the other', () => {
    fc.assert(
      fc.property(fc.array(step), fc.nat(), (steps, at) => {
        const whole = strengthen(steps)
        const reversed = strengthen(steps.toReversed())
        const [first, second] = [strengthen(steps.slice(0, at)), strengthen(steps.slice(at))]
        for (const [pair, kept] of whole) {
          expect(reversed.get(pair)).toBeCloseTo(kept, 12)
          expect((first.get(pair) ?? 1) * (second.get(pair) ?? 1)).toBeCloseTo(kept, 12)
        }
      }),
    )
  })

  it('keeps a weight in [0, 1], also after a million steps', () => {
    const strengthening = new Strengthening()
    const [one, other] = [
      { idx: 0, activation: 1 },
      { idx: 1, activation: 1 },
    ]
    for (let i = 0; i < 1_000_000; i++) strengthening.add(one, other, 1.5)
    expect(strengthening.pairs).toEqual([{ a: 0, b: 1, kept: expect.any(Number) }])
    expect(strengthening.pairs[0]?.kept).toBeGreaterThanOrEqual(0)
    expect(strengthening.pairs[0]?.kept).toBeLessThan(1e-300)
  })

  it('associates nothing with itself', () => {
    const strengthening = new Strengthening()
    strengthening.add({ idx: 3, activation: 1 }, { idx: 3, activation: 1 }, 1)
    expect(strengthening.pairs).toEqual([])
  })
})

describe('faded', () => {
  it('halves in 30 days', () => {
    expect(faded(0.8, 0, 30 * day)).toBeCloseTo(0.4, 12)
    expect(faded(0.8, 0, 90 * day)).toBeCloseTo(0.1, 12)
    expect(faded(0.8, 5 * day, 5 * day)).toBe(0.8)
  })

  it('does not grow where clocks differ, and ends at 0', () => {
    expect(faded(0.8, 10 * day, 0)).toBe(0.8)
    expect(faded(0.8, 0, 1e6 * day)).toBe(0)
  })
})
