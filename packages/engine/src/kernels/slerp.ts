import { norm } from './dot.ts'
import { finiteResult, requireFinite } from './finite.ts'

/** A point on the way from one vector to another. */
export interface Blend {
  vector: Float32Array
  /** Angle between the two vectors in radians. */
  angle: number
  /** `antipodal`: they point away from each other, so that the way leads through a fixed orthogonal direction. */
  type: 'spherical' | 'linear' | 'antipodal'
}

/** In radians: nearer than this to 0 or pi, an angle's sine is too small to divide by. */
const smallAngle = 1e-4

/**
 * Spherical interpolation (Shoemake 1985) of the directions, linear interpolation of the lengths.
 * @param a as many finite values as `b`, not all zero, like `b`
 * @param alpha 0 gives a, 1 gives b
 * @throws RangeError for vectors of two lengths or without direction, what is not finite, and a result beyond float32
 */
export function slerp(a: Float32Array, b: Float32Array, alpha: number): Blend {
  if (a.length !== b.length) throw new RangeError(`the vectors have ${a.length} and ${b.length} dimensions`)
  requireFinite('a', a)
  requireFinite('b', b)
  requireFinite('alpha', Float64Array.of(alpha))
  const lengthA = norm(a)
  const lengthB = norm(b)
  if (!(lengthA > 0) || !(lengthB > 0)) throw new RangeError('a vector that is all zero has no direction')
  const from = divided(a, lengthA)
  const to = divided(b, lengthB)
  const angle = angleBetween(from, to)
  const length = (1 - alpha) * lengthA + alpha * lengthB
  const checked = (type: Blend['type'], vector: Float32Array): Blend => ({
    vector: finiteResult({}, vector),
    angle,
    type,
  })
  const blend = (type: Blend['type'], direction: Float64Array) =>
    checked(type, Float32Array.from(sum(direction, length, direction, 0)))
  if (angle < smallAngle) return blend('linear', unit(sum(from, 1 - alpha, to, alpha)))
  if (angle <= Math.PI - smallAngle) return blend('spherical', arc(from, to, angle, alpha))
  if (a.length === 1) {
    const value = (1 - alpha) * (a[0] as number) + alpha * (b[0] as number)
    return checked('linear', Float32Array.of(value))
  }
  const corner = orthogonal(from)
  if (alpha <= 0.5) return blend('antipodal', arc(from, corner, Math.PI / 2, 2 * alpha))
  return blend('antipodal', arc(corner, to, angleBetween(corner, to), 2 * alpha - 1))
}

/** The angle between two unit vectors in radians, by Kahan's formula, which is exact near 0 and pi too. */
function angleBetween(a: Float64Array, b: Float64Array): number {
  return 2 * Math.atan2(norm(sum(a, 1, b, -1)), norm(sum(a, 1, b, 1)))
}

function arc(a: Float64Array, b: Float64Array, angle: number, alpha: number): Float64Array {
  const sine = Math.sin(angle)
  return sum(a, Math.sin((1 - alpha) * angle) / sine, b, Math.sin(alpha * angle) / sine)
}

/** The direction at right angles to `a` that is nearest to the first axis that `a` has least of. */
function orthogonal(a: Float64Array): Float64Array {
  let axis = 0
  for (let i = 1; i < a.length; i++) if (Math.abs(a[i] as number) < Math.abs(a[axis] as number)) axis = i
  const part = a[axis] as number
  return unit(a.map((value, i) => (i === axis ? 1 : 0) - part * value))
}

function unit(a: Float64Array): Float64Array {
  return divided(a, norm(a))
}

function divided(a: Float32Array | Float64Array, divisor: number): Float64Array {
  const result = Float64Array.from(a)
  for (let i = 0; i < result.length; i++) result[i] = (result[i] as number) / divisor
  return result
}

function sum(a: Float64Array, weightA: number, b: Float64Array, weightB: number): Float64Array {
  const result = new Float64Array(a.length)
  for (let i = 0; i < a.length; i++) result[i] = weightA * (a[i] as number) + weightB * (b[i] as number)
  return result
}
