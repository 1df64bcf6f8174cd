import { contiguityOf, type Placed } from '@memory/engine/recall/contiguity'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const weak = (idx: number): Placed => ({ idx, score: 0, asks: false })

describe('contiguityOf', () => {
  it('is empty for no patterns', () => {
    expect(contiguityOf([])).toEqual(new Float64Array())
  })

  it('passes on what exceeds one deviation, less with the lag, both ways and no further than four places', () => {
    const patterns = Array.from({ length: 11 }, (_, idx) => weak(idx))
    patterns[5] = { idx: 5, score: 3, asks: false }
    const passed = [...contiguityOf(patterns)]
    const expected = [0, 0.4, 0.4, 0.8, 0.8, 0, 0.8, 0.8, 0.4, 0.4, 0]
    expect(passed).toEqual(expected.map((value) => expect.closeTo(value, 12)))
  })

  it('counts lags in idx, not in the order given', () => {
    const strong = { idx: 7, score: 2, asks: false }
    expect([...contiguityOf([weak(6), strong, weak(30)])]).toEqual([0.4, 0, 0])
    expect([...contiguityOf([weak(30), weak(6), strong])]).toEqual([0, 0.4, 0])
  })

  it('takes what follows a question for its answer', () => {
    const asked = { idx: 1, score: 2, asks: true }
    expect([...contiguityOf([weak(0), asked, weak(2)])]).toEqual([0.4, 0, expect.closeTo(1.1, 12)])
    expect(contiguityOf([weak(0), asked, { ...weak(2), asks: true }])[2]).toBeCloseTo(0.55, 12)
  })

  it('calls only the 48 best strong where many are', () => {
    const strong = Array.from({ length: 60 }, (_, i) => ({ idx: 10 * i, score: 100 - i, asks: false }))
    const neighbours = strong.map(({ idx }) => weak(idx + 1))
    const passed = contiguityOf([...strong, ...neighbours]).subarray(strong.length)
    expect(passed[0]).toBeCloseTo(0.4 * 47, 9)
    expect(passed[46]).toBeCloseTo(0.4 * 1, 9)
    expect([...passed.subarray(47)]).toEqual(Array(13).fill(0))
  })

  it('is the same read backwards where nothing asks', () => {
    const scores = fc.array(fc.double({ min: -2, max: 9, noNaN: true }), { maxLength: 80 })
    fc.assert(
      fc.property(scores, (values) => {
        const placed = (all: number[]) => all.map((score, idx) => ({ idx, score, asks: false }))
        const forward = contiguityOf(placed(values))
        const backward = contiguityOf(placed(values.toReversed())).reverse()
        forward.forEach((value, i) => {
          expect(value).toBeCloseTo(backward[i] as number, 9)
        })
      }),
    )
  })
})
