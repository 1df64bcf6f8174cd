import type { Matrix } from '@memory/engine/kernels/kernels'
import { type Random, randomNormal } from '@memory/engine/random'

/** A random direction, at length 1. */
export function randomUnit(dimensions: number, random: Random): Float32Array {
  return unit(Float32Array.from({ length: dimensions }, () => randomNormal(random)))
}

export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map((value) => value / length)
}

/** The direction of a weighted sum. */
export const blend = (...parts: [number, Float32Array][]): Float32Array =>
  unit(
    (parts[0] as [number, Float32Array])[1].map((_, i) =>
      parts.reduce((sum, [weight, vector]) => sum + weight * (vector[i] as number), 0),
    ),
  )

/** Keys whose cosine with each other is about `cosine`: a common direction, and one of their own each. */
export function mixtureOf(count: number, cosine: number, dimensions: number, random: Random): Float32Array[] {
  const common = randomUnit(dimensions, random)
  return Array.from({ length: count }, () =>
    blend([Math.sqrt(cosine), common], [Math.sqrt(1 - cosine), randomUnit(dimensions, random)]),
  )
}

/** Keys as rows, labelled by their place. */
export function matrixOf(keys: readonly Float32Array[]): Matrix {
  const dimensions = keys[0]?.length ?? 0
  const values = new Float32Array(keys.length * dimensions)
  for (const [row, key] of keys.entries()) values.set(key, row * dimensions)
  return {
    dimensions,
    count: keys.length,
    values,
    inverseNorms: Float64Array.from(keys, (key) => 1 / Math.hypot(...key)),
    labels: Int32Array.from(keys.keys()),
    flags: new Uint8Array(keys.length).fill(1),
  }
}
