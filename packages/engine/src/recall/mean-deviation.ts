/** Mean and standard deviation of a head's values over a space. */
export interface MeanDeviation {
  mean: number
  deviation: number
}

/** For a head that has nothing to say: a deviation of 0 switches it off. */
export const noSignal: MeanDeviation = { mean: 0, deviation: 0 }

/** Mean and deviation of values; `noSignal` without any. */
export function meanDeviation(values: readonly number[]): MeanDeviation {
  if (values.length === 0) return noSignal
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(spread / values.length) }
}

/** Mean and deviation of values that each stand for `count` patterns (West's online algorithm). */
export function weightedMeanDeviation(values: Iterable<{ value: number; count: number }>): MeanDeviation {
  let total = 0
  let mean = 0
  let spread = 0
  for (const { value, count } of values) {
    if (count <= 0) continue
    total += count
    const before = value - mean
    mean += (before * count) / total
    spread += count * before * (value - mean)
  }
  return { mean, deviation: total === 0 ? 0 : Math.sqrt(Math.max(0, spread / total)) }
}

/** Mean and deviation over several groups together, from those of each group of `count` patterns. */
export function pooledMeanDeviation(groups: readonly (MeanDeviation & { count: number })[]): MeanDeviation {
  const means = weightedMeanDeviation(groups.map(({ mean, count }) => ({ value: mean, count })))
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  const within = groups.reduce((sum, { deviation, count }) => sum + count * deviation ** 2, 0)
  const deviation = total === 0 ? 0 : Math.sqrt(means.deviation ** 2 + within / total)
  return { mean: means.mean, deviation }
}
