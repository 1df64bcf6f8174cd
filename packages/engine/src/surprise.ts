import { parameters } from './parameters.ts'

const { rate, startMean, startStd, stdMin, statisticsClip, recentMin } = parameters.surprise

/** Running mean and standard deviation of the surprises that a space has seen: what is usual there. */
export interface Calibration {
  mean: number
  std: number
}

/** The statistics of a space that has seen nothing yet. */
export const startCalibration: Calibration = { mean: startMean, std: startStd }

/** `value` within [-bound, bound]. */
export const clip = (value: number, bound: number): number => Math.max(-bound, Math.min(bound, value))

/** A surprise as the statistics take it, in [0, 1]; what is no number counts as entirely new. */
export const boundedSurprise = (surprise: number): number =>
  Number.isNaN(surprise) ? 1 : Math.max(0, Math.min(1, surprise))

/**
 * How new a query or a key is: its angle to the nearest key as a share of a right angle, arccos(cosine) / (pi / 2).
 * 0 is known, 1 orthogonal to all that is known; what points away from it is no newer than that.
 * @param cosine that of the nearest key; undefined in an empty space, where everything is new
 */
export function geometricSurprise(cosine: number | undefined): number {
  if (cosine === undefined) return 1
  return boundedSurprise(Math.acos(clip(cosine, 1)) / (Math.PI / 2))
}

/** How unusual a surprise is, in standard deviations from the mean: positive for more new than usual. */
export function standardScore(surprise: number, { mean, std }: Calibration): number {
  return (boundedSurprise(surprise) - mean) / Math.max(stdMin, std)
}

/**
 * The statistics with one more surprise in them: exponentially weighted mean and variance (Finch, Incremental
 * Calculation of Weighted Mean and Variance, 2009), where a deviation counts for two standard deviations at most
 * (Huber's psi), so that outliers move what is usual slowly. For a normal distribution that makes the deviation 6 %
 * too small.
 */
export function updateCalibration(calibration: Calibration, surprise: number): Calibration {
  const { mean, std } = calibration
  const difference = std * clip(standardScore(surprise, calibration), statisticsClip)
  const variance = (1 - rate) * (std * std + rate * difference * difference)
  return { mean: mean + rate * difference, std: Math.max(stdMin, Math.sqrt(variance)) }
}

/** Mean and sample standard deviation of surprises; those of the start when there are too few to tell. */
export function estimateCalibration(surprises: readonly number[]): Calibration {
  const count = surprises.length
  if (count < recentMin) return startCalibration
  const mean = surprises.reduce((sum, each) => sum + each, 0) / count
  const squares = surprises.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  return { mean, std: Math.max(stdMin, Math.sqrt(squares / (count - 1))) }
}
