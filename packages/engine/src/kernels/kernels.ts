import { accel } from '@memory/accel'
import type { Kernels } from './interface.ts'
import { javascriptKernels } from './javascript.ts'
import type { IsVectorPlace, ParseJson } from './vector-parse.ts'
import * as vectorParse from './vector-parse.ts'

export * from './interface.ts'
export * from './matrix.ts'

/** The kernels of this process: the native ones where they were built, unless ACCEL=js. */
export const kernels: Kernels = accel ?? javascriptKernels

/** JSON in which arrays of at least `least` numbers become Float32Arrays, natively where it can; `parse` reads the rest. */
export function parseVectors(
  text: Uint8Array,
  least: number,
  isVectorPlace: IsVectorPlace,
  parse?: ParseJson,
): unknown {
  return vectorParse.parseVectors(text, least, isVectorPlace, accel?.splitVectors, parse)
}
