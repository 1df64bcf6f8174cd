import {
  contiguityOf,
  type Neighbouring,
  type Placed,
  type StoreOrder,
} from '@memory/engine/recall/contiguity'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const weak = (idx: number): Placed => ({ idx, score: 0, asks: false, characters: 40 })

/** Two speakers take turns, and store order is trusted. */
const talk = { coherence: 1, turns: 1 }
/** Neighbours are about the same, and nobody answers anybody. */
const topics = { coherence: 1, turns: 0 }

/** Round values, which the numbers below were worked out with. */
const neighbouring: Neighbouring = { turnCharacters: 400, groupShare: 0.45, groupMax: 0.9 }
const gainsOf = (patterns: readonly Placed[], order: StoreOrder) =>
  contiguityOf(patterns, order, neighbouring)

describe('contiguityOf', () => {
  it('is empty for no patterns', () => {
    expect(gainsOf([], talk)).toEqual(new Float64Array())
  })

  it('passes on what exceeds one deviation, less with the lag, both ways and no further than four places', () => {
    const patterns = Array.from({ length: 11 }, (_, idx) => weak(idx))
    patterns[5] = { ...weak(5), score: 3 }
    const passed = [...gainsOf(patterns, talk)]
    const expected = [0, 0.4, 0.4, 0.8, 0.8, 0, 0.8, 0.8, 0.4, 0.4, 0]
    expect(passed).toEqual(expected.map((value) => expect.closeTo(value, 12)))
  })

  it('counts lags in idx, not in the order given', () => {
    const strong = { ...weak(7), score: 2 }
    expect([...gainsOf([weak(6), strong, weak(30)], talk)]).toEqual([0.4, 0, 0])
    expect([...gainsOf([weak(30), weak(6), strong], talk)]).toEqual([0, 0.4, 0])
  })

  it('takes what follows a question for its answer', () => {
    const asked = { ...weak(1), score: 2, asks: true }
    expect([...gainsOf([weak(0), asked, weak(2)], talk)]).toEqual([0.4, 0, expect.closeTo(1.1, 12)])
    expect(gainsOf([weak(0), asked, { ...weak(2), asks: true }], talk)[2]).toBeCloseTo(0.55, 12)
  })

  it('calls only the 48 best strong where many are', () => {
    const strong = Array.from({ length: 60 }, (_, i) => ({ ...weak(10 * i), score: 100 - i }))
    const neighbours = strong.map(({ idx }) => weak(idx + 1))
    const passed = gainsOf([...strong, ...neighbours], talk).subarray(strong.length)
    expect(passed[0]).toBeCloseTo(0.4 * 47, 9)
    expect(passed[46]).toBeCloseTo(0.4 * 1, 9)
    expect([...passed.subarray(47)]).toEqual(Array(13).fill(0))
  })

  it('is the same read backwards where nothing asks', () => {
    const scores = fc.array(fc.double({ min: -2, max: 9, noNaN: true }), { maxLength: 80 })
    fc.assert(
      fc.property(scores, fc.constantFrom(talk, topics), (values, order) => {
        const placed = (all: number[]) => all.map((score, idx) => ({ ...weak(idx), score }))
        const forward = gainsOf(placed(values), order)
        const backward = gainsOf(placed(values.toReversed()), order).reverse()
        forward.forEach((value, i) => {
          expect(value).toBeCloseTo(backward[i] as number, 9)
        })
      }),
    )
  })
  it.each([
    [0, 0.8],
    [1, 0.8],
    [400, 0.8],
    [800, 0.4],
    [4_000, 0.08],
  ])('gives a turn of %i characters %d: a long one says by itself what it is about', (characters, gained) => {
    const patterns = [
      { ...weak(4), score: 3 },
      { ...weak(5), characters },
    ]
    expect(gainsOf(patterns, talk)[1]).toBeCloseTo(gained, 12)
    // Where nobody takes turns its length says nothing.
    expect(gainsOf(patterns, topics)[1]).toBeCloseTo(0.45 * 0.8, 12)
  })

  it('lets a long turn pass on less, also where it asks', () => {
    const gainOf = (asks: boolean, order: StoreOrder) =>
      gainsOf([{ ...weak(4), score: 3, asks, characters: 1_600 }, weak(5)], order)[1]
    expect(gainOf(false, talk)).toBeCloseTo(0.25 * 0.4 * 2, 12)
    expect(gainOf(true, talk)).toBeCloseTo(0.25 * (0.4 + 0.7) * 2, 12)
    expect(gainOf(false, topics)).toBeCloseTo(0.45 * 0.4 * 2, 12)
  })

  it('bounds what neighbours pass on where nobody takes turns, and takes no question for one', () => {
    const gainOf = (score: number, asks: boolean) =>
      gainsOf([{ ...weak(4), score, asks }, weak(5)], topics)[1]
    expect(gainOf(3, false)).toBeCloseTo(0.45 * 0.4 * 2, 12)
    expect(gainOf(3, true)).toBeCloseTo(0.45 * 0.4 * 2, 12)
    // 0.45 of 0.4 of 5 deviations is 0.9: no more than that.
    expect(gainOf(6, false)).toBeCloseTo(0.9, 12)
    expect(gainOf(900, false)).toBe(0.9)
  })

  it('lies between both as far as speakers take turns, and counts as far as store order is trusted', () => {
    const patterns = [{ ...weak(4), score: 900, asks: true }, weak(5)]
    const [all, none] = [talk, topics].map((order) => gainsOf(patterns, order)[1] as number)
    expect(all).toBeCloseTo(1.1 * 899, 9)
    const mixed = gainsOf(patterns, { coherence: 0.5, turns: 0.25 })[1]
    expect(mixed).toBeCloseTo(0.5 * (0.25 * (all as number) + 0.75 * (none as number)), 9)
    expect([...gainsOf(patterns, { coherence: 0, turns: 1 })]).toEqual([0, 0])
  })

  it('is finite and at least 0, and at most 0.9 where nobody takes turns', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    const patterns = fc.uniqueArray(
      fc.record({
        idx: fc.nat({ max: 300 }),
        score: fc.double({ min: -2_000, max: 2_000, noNaN: true }),
        asks: fc.boolean(),
        characters: fc.nat({ max: 65_535 }),
      }),
      { selector: ({ idx }) => idx, maxLength: 120 },
    )
    fc.assert(
      fc.property(patterns, share, share, (placed, coherence, turns) => {
        const gains = gainsOf(placed, { coherence, turns })
        expect(gains).toHaveLength(placed.length)
        expect(gains.every((gain) => Number.isFinite(gain) && gain >= 0)).toBe(true)
        expect(gainsOf(placed, { coherence, turns: 0 }).every((gain) => gain <= 0.9)).toBe(true)
      }),
    )
  })
})
