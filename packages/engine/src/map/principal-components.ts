import { kernels } from '../kernels/kernels.ts'
import { type Random, randomNormal } from '../random.ts'
import { orthonormalise, symmetricEigenvectors } from './small-matrices.ts'

/** Directions of greatest variance, and the point that they go through. */
export interface Components {
  mean: Float64Array
  /** A row of `dimensions` numbers of length 1 for each, by descending variance. */
  directions: Float64Array
  variances: Float64Array
}

/** Directions computed beyond those wanted, and passes over the rows: with these the first two are exact to the fourth digit. */
const oversampling = 8
const passes = 3

/**
 * The first principal components of rows, by randomised subspace iteration (Halko, Martinsson & Tropp, Finding Structure
 * with Randomness, SIAM Review 53(2), 2011). Each direction's largest number is positive, so that the same rows always
 * give the same ones. Directions without variance are 0.
 */
export function principalComponents(
  rows: Float32Array,
  dimensions: number,
  wanted: number,
  random: Random,
): Components {
  const count = rows.length / dimensions
  const mean = meanOf(rows, dimensions)
  const size = Math.min(dimensions, count, wanted + oversampling)
  const centred = { shape: [count, dimensions], values: less(rows, mean) }
  const basis = Float64Array.from({ length: size * dimensions }, () => randomNormal(random))
  orthonormalise(basis, dimensions)
  orthonormalise(basis, dimensions)
  const directionsOf = () => ({ shape: [size, dimensions], values: Float32Array.from(basis) })
  for (let pass = 0; pass < passes; pass++) {
    const along = kernels.einsum('bd,nd->bn', centred, directionsOf())
    basis.set(kernels.einsum('bn,bd->nd', along, centred).values)
    orthonormalise(basis, dimensions)
  }
  const seen = kernels.einsum('bd,nd->bn', centred, directionsOf())
  const covariance = kernels.einsum('ba,bc->ac', seen, seen).values
  const { vectors, values } = symmetricEigenvectors(
    Float64Array.from(covariance, (product) => product / count),
    size,
  )
  const kept = Math.min(wanted, size)
  const directions = new Float64Array(wanted * dimensions)
  for (let n = 0; n < kept; n++) {
    const direction = directions.subarray(n * dimensions, (n + 1) * dimensions)
    if ((values[n] as number) <= 1e-12) continue
    for (let from = 0; from < size; from++) {
      const share = vectors[n * size + from] as number
      for (let i = 0; i < dimensions; i++) {
        direction[i] = (direction[i] as number) + share * (basis[from * dimensions + i] as number)
      }
    }
    const largest = direction.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0)
    if (largest < 0) for (let i = 0; i < dimensions; i++) direction[i] = -(direction[i] as number)
  }
  return { mean, directions, variances: Float64Array.from({ length: wanted }, (_, n) => values[n] ?? 0) }
}

/** The coordinates of rows along components: a row for each, with a number for each direction. */
export function projectOnto(
  rows: Float32Array,
  { mean, directions }: Pick<Components, 'mean' | 'directions'>,
): Float32Array {
  const dimensions = mean.length
  return kernels.einsum(
    'bd,nd->bn',
    { shape: [rows.length / dimensions, dimensions], values: less(rows, mean) },
    { shape: [directions.length / dimensions, dimensions], values: Float32Array.from(directions) },
  ).values
}

/** Rows less the mean. */
function less(rows: Float32Array, mean: Float64Array): Float32Array {
  const dimensions = mean.length
  const centred = new Float32Array(rows.length)
  for (let start = 0; start < rows.length; start += dimensions) {
    for (let i = 0; i < dimensions; i++)
      centred[start + i] = (rows[start + i] as number) - (mean[i] as number)
  }
  return centred
}

function meanOf(rows: Float32Array, dimensions: number): Float64Array {
  const mean = new Float64Array(dimensions)
  const count = rows.length / dimensions
  for (let start = 0; start < rows.length; start += dimensions) {
    for (let i = 0; i < dimensions; i++) mean[i] = (mean[i] as number) + (rows[start + i] as number) / count
  }
  return mean
}
