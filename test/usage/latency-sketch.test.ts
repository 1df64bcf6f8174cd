import { LatencySketch } from '@memory/identity/usage/latency-sketch'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const quantiles = [0, 0.5, 0.75, 0.9, 0.95, 0.99, 1]
/** From a microsecond to an hour, as many of each order of magnitude. */
const latency = fc.double({ min: -3, max: 6.5, noNaN: true }).map((exponent) => 10 ** exponent)
const latencies = fc.array(latency, { minLength: 1, maxLength: 500 })

function sketchOf(values: readonly number[]): LatencySketch {
  const sketch = new LatencySketch()
  for (const value of values) sketch.add(value)
  return sketch
}

/** By the nearest rank. */
const exact = (sorted: readonly number[], q: number) =>
  sorted[Math.max(0, Math.ceil(q * sorted.length - 1e-9) - 1)] as number

describe('LatencySketch', () => {
  it('gives every quantile within 2 %', () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const sketch = sketchOf(values)
        const sorted = values.toSorted((a, b) => a - b)
        for (const q of quantiles) {
          const expected = exact(sorted, q)
          expect(Math.abs(sketch.quantile(q) - expected)).toBeLessThanOrEqual(0.02 * expected)
        }
      }),
    )
  })

  it('gives the percentiles of 10,000 times that follow each distribution within 2 %', () => {
    const uniform = Array.from({ length: 10_000 }, (_, i) => (i + 0.5) / 10_000)
    const distributions = {
      uniform: uniform.map((u) => 1 + 99 * u),
      exponential: uniform.map((u) => -20 * Math.log(1 - u)),
      pareto: uniform.map((u) => 2 / (1 - u) ** (1 / 1.5)),
      bimodal: uniform.map((u) => (u < 0.9 ? 3 + u : 1_500 + 1_000 * u)),
    }
    for (const [name, sorted] of Object.entries(distributions)) {
      const sketch = sketchOf(sorted.toReversed())
      for (const q of quantiles) {
        const error = Math.abs(sketch.quantile(q) / exact(sorted, q) - 1)
        expect(error, `${name} ${q}`).toBeLessThan(0.02)
      }
    }
  })

  it('gives the slowest of few values as their highest quantiles', () => {
    const sketch = sketchOf([10, 10, 10, 9_000])
    expect(sketch.quantile(0.5) / 10).toBeCloseTo(1, 1)
    expect(sketch.quantile(0.75) / 10).toBeCloseTo(1, 1)
    for (const q of [0.9, 0.95, 0.99]) expect(sketch.quantile(q) / 9_000).toBeCloseTo(1, 1)
  })

  it('loses nothing by being merged, and by being written as bins', () => {
    fc.assert(
      fc.property(latencies, latencies, (first, second) => {
        const whole = sketchOf([...first, ...second])
        const merged = sketchOf(first)
        merged.merge(sketchOf(second))
        const read = LatencySketch.of(whole.toBins())
        for (const sketch of [merged, read]) {
          expect(sketch.count).toBe(whole.count)
          expect(sketch.toBins()).toEqual(whole.toBins())
          for (const q of quantiles) expect(sketch.quantile(q)).toBe(whole.quantile(q))
        }
      }),
      { examples: [[[0.5945102424183376], [1, 0.010050294488842287]]] },
    )
  })

  it('has ascending bins, none empty, whose counts add up', () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const { bins, counts } = sketchOf(values).toBins()
        expect(bins).toEqual(bins.toSorted((a, b) => a - b))
        expect(new Set(bins).size).toBe(bins.length)
        expect(counts.every((count) => count > 0)).toBe(true)
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values.length)
      }),
    )
  })

  it('is 0 without values, and never NaN', () => {
    expect(new LatencySketch().quantile(0.5)).toBe(0)
    expect(new LatencySketch().toBins()).toEqual({ bins: [], counts: [] })
    expect(LatencySketch.of({ bins: [], counts: [] }).count).toBe(0)
    const sketch = sketchOf([Number.NaN, -1, 0, Number.POSITIVE_INFINITY])
    expect(sketch.count).toBe(4)
    expect(sketch.quantile(0)).toBeCloseTo(0.001, 4)
    expect(sketch.quantile(1) / 86_400_000).toBeCloseTo(1, 1)
  })
})
