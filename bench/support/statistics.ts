/** Nearest-rank quantile of samples in any order; `q` from 0 to 1. */
export function quantile(samples: readonly number[], q: number): number {
  if (samples.length === 0) return Number.NaN
  const sorted = Float64Array.from(samples).sort()
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] as number
}

/** The share of pairs of which the first is greater; ties count half. */
export function auc(first: readonly number[], second: readonly number[]): number {
  let greater = 0
  for (const a of first) for (const b of second) greater += a > b ? 1 : a === b ? 0.5 : 0
  return greater / (first.length * second.length)
}

/** What a list of timings says, in the unit of the samples. */
export interface Summary {
  n: number
  best: number
  p50: number
  p99: number
}

export function summarize(samples: readonly number[]): Summary {
  return {
    n: samples.length,
    best: quantile(samples, 0),
    p50: quantile(samples, 0.5),
    p99: quantile(samples, 0.99),
  }
}

/** One figure over the rounds of a run. */
export interface Spread {
  min: number
  median: number
  max: number
}

export function spread(values: readonly number[]): Spread {
  return { min: quantile(values, 0), median: quantile(values, 0.5), max: quantile(values, 1) }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Three significant digits without exponent: 0.123, 1.23, 12.3, 123, 1234. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '-'
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 1e-3))))
  return value.toFixed(Math.min(3, decimals))
}

/** `median (min to max)`, or the one value there is. */
export function showSpread({ min, median, max }: Spread): string {
  return min === max || Number.isNaN(median)
    ? digits(median)
    : `${digits(median)} (${digits(min)} to ${digits(max)})`
}
