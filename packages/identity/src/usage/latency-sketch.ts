import { DDSketch } from '@datadog/sketches-js'

/** The greatest relative error of a quantile: half of the 2 % that answers promise, since those are rounded too. */
const relativeAccuracy = 0.01
/** Bounds to which times are clamped: the resolution of the clock, and a day. */
const leastMs = 0.001
const mostMs = 86_400_000

/** The non-empty bins of a sketch, ascending. Sketches are merged by adding the counts of equal bins. */
export interface SketchBins {
  bins: number[]
  counts: number[]
}

/**
 * Quantiles of times, in ms (DDSketch: Masson, Rim and Lee, 2019). A value falls into the bin
 * `ceil(log(value) / log(gamma))`, `gamma = (1 + a) / (1 - a)` for the relative accuracy `a`; merging loses nothing.
 */
export class LatencySketch {
  readonly #sketch = new DDSketch({ relativeAccuracy })

  static of({ bins, counts }: SketchBins): LatencySketch {
    const sketch = new LatencySketch()
    for (const [i, bin] of bins.entries()) sketch.addBin(bin, counts[i] ?? 0)
    return sketch
  }

  get count(): number {
    return this.#sketch.count
  }

  /** Adds a time. NaN counts as the shortest time. */
  add(ms: number): void {
    this.#sketch.accept(ms > leastMs ? Math.min(ms, mostMs) : leastMs)
  }

  addBin(bin: number, count: number): void {
    if (count > 0) this.#sketch.accept(this.#sketch.mapping.value(bin), count)
  }

  /** Merges another sketch, bin by bin: the library's own merge gives NaN counts for some partly overlapping ranges. */
  merge(other: LatencySketch): void {
    const { bins, counts } = other.toBins()
    for (const [i, bin] of bins.entries()) this.addBin(bin, counts[i] ?? 0)
  }

  toBins(): SketchBins {
    const { bins: dense, offset } = this.#sketch.store
    const bins: number[] = []
    const counts: number[] = []
    for (const [i, count] of dense.entries()) {
      if (count === 0) continue
      bins.push(i + offset)
      counts.push(count)
    }
    return { bins, counts }
  }

  /**
   * The quantile `q` by the nearest rank: the smallest value such that a share `q` of all values is not above it. So among few
   * values, a high quantile is the slowest one. 0 without values. @param q 0 to 1
   */
  quantile(q: number): number {
    const { count } = this.#sketch
    if (count === 0) return 0
    // Subtracts a little, since in floating point a product such as 0.07 * 100 is slightly above the whole number.
    const rank = Math.max(0, Math.ceil(q * count - 1e-9) - 1)
    // The library uses the rank `floor(q (n - 1))`. Half a rank is added so that rounding can't give the rank below.
    return this.#sketch.getValueAtQuantile(count === 1 ? 0 : Math.min(1, (rank + 0.5) / (count - 1)))
  }
}
