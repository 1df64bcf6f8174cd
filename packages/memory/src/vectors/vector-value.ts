import { toUnitMagnitude } from '@memory/engine/kernels/magnitude'
import { unproject } from '@memory/engine/kernels/rotation'
import { vectorText } from '@memory/shared/platform/database/vector-array'

/** A value as it is stored: null where it equals the key, which then stands for both. */
export function unlessEqual(value: Float32Array, key: Float32Array): Float32Array | null {
  return value.length === key.length && value.every((number, i) => number === key[i]) ? null : value
}

/**
 * A value brought to the dimension of the query that found it: by the transpose of the projection where the pattern was
 * projected down from that dimension, else padded with zeros or cut.
 * @param value JSON text of an array of numbers
 * @param sourceDim what the pattern was projected down from
 * @returns JSON text of an array of `dimensions` numbers
 */
export function toNativeDimension(value: string, sourceDim: number | null, dimensions: number): string {
  const numbers = JSON.parse(value) as number[]
  if (numbers.length === dimensions) return value
  if (sourceDim === dimensions && numbers.length < dimensions) {
    const { vector, exponent } = toUnitMagnitude(Float32Array.from(numbers))
    const native = unproject(vector, dimensions)
    const wide = Array.from(native, (number) => number * 2 ** exponent)
    // A long value has numbers here that are too large for float32.
    const fits = wide.every((number) => Number.isFinite(Math.fround(number)))
    return fits ? vectorText(Float32Array.from(wide)) : JSON.stringify(wide)
  }
  return JSON.stringify(Array.from({ length: dimensions }, (_, i) => numbers[i] ?? 0))
}
