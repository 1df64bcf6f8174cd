import { DDSketch } from '@datadog/sketches-js'

/** Relative error of a quantile at most: half of the 2 % that answers promise, which are rounded as well. */
const relativeAccuracy = 0.01
/** Nothing is answered faster than the clock can tell, and nothing is waited for longer than a day. */
const leastMs = 0.001
const mostMs = 86_400_000

/** The bins of a sketch that hold something, ascending. Adding up the counts of equal bins merges sketches. */
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

  /** A time that is no number counts as the least. */
  add(ms: number): void {
    this.#sketch.accept(ms > leastMs ? Math.min(ms, mostMs) : leastMs)
  }

  addBin(bin: number, count: number): void {
    if (count > 0) this.#sketch.accept(this.#sketch.mapping.value(bin), count)
  }

  /** Bin by bin: the library's own merge makes a count NaN for some ranges that reach beyond each other's. */
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
   * The least value that `q` of all values are not above (the nearest rank), so that of few values a high quantile is the
   * slowest; 0 without values. @param q 0 to 1
   */
  quantile(q: number): number {
    const { count } = this.#sketch
    if (count === 0) return 0
    // A product such as 0.07 times 100 is a little more than the whole number that it should be.
    const rank = Math.max(0, Math.ceil(q * count - 1e-9) - 1)
    // The library takes the rank `floor(q (n - 1))`: half a rank more, so that no rounding falls below the one that is meant.
    return this.#sketch.getValueAtQuantile(count === 1 ? 0 : Math.min(1, (rank + 0.5) / (count - 1)))
  }
}
