import { type Accel, accel } from '@memory/accel'
import { javascriptKernels, type Kernels } from './javascript.ts'
import type { Matrix, Selection } from './matrix.ts'
import type { ParseOptions } from './vector-parse.ts'
import * as vectorParse from './vector-parse.ts'

export type { Kernels } from './javascript.ts'
export * from './matrix.ts'

/** The native kernels, or null where the addon was not built or ACCEL=js. */
export const nativeKernels: Kernels | null = accel && toKernels(accel)

/** The kernels of this process: the native ones where there are some. */
export const kernels: Kernels = nativeKernels ?? javascriptKernels

/** `parseVectors` of `vector-parse.ts`; the long arrays are read natively where there are native kernels. */
export function parseVectors(text: Uint8Array, options: ParseOptions): Promise<unknown> {
  return vectorParse.parseVectors(text, accel?.splitVectors(text, options.least) ?? null, options)
}

/**
 * `parseVectors` that reads the long arrays in one of libuv's threads where there are native kernels. Rejects with what that
 * throws.
 */
export async function parseVectorsLater(text: Uint8Array, options: ParseOptions): Promise<unknown> {
  const found = accel === null ? null : await accel.splitVectorsLater(text, options.least)
  return vectorParse.parseVectors(text, found, options)
}

function toKernels(native: Accel): Kernels {
  return {
    ...native,
    name: 'native',
    nearest: byNames(native.nearest),
    nearestMany: byNames(native.nearestMany),
    nearestBytes: byNames(native.nearestBytes),
    einsum: (spec, a, b) => native.einsum(spec, a.values, a.shape, b.values, b.shape),
  }
}

/** Passes each field as an argument: the addon takes longer to read an object's fields than a small search takes. */
function byNames<Values, Found>(
  search: (
    dimensions: number,
    count: number,
    values: Values,
    inverseNorms: Float64Array,
    labels: Int32Array,
    flags: Uint8Array,
    query: Float32Array,
    k: number,
    minScore: number,
    requiredFlags: number,
    allowed: Uint8Array | undefined,
  ) => Found,
) {
  return (
    matrix: Omit<Matrix, 'values'> & { values: Values },
    query: Float32Array,
    k: number,
    minScore: number,
    { requiredFlags, allowed }: Selection,
  ): Found =>
    search(
      matrix.dimensions,
      matrix.count,
      matrix.values,
      matrix.inverseNorms,
      matrix.labels,
      matrix.flags,
      query,
      k,
      minScore,
      requiredFlags,
      allowed,
    )
}
