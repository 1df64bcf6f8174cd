import { accel } from '@memory/accel'
import type { Kernels } from './interface.ts'
import { javascriptKernels } from './javascript.ts'

export * from './interface.ts'

/** The kernels of this process: the native ones where they were built, unless ACCEL=js. */
export const kernels: Kernels = accel ?? javascriptKernels
