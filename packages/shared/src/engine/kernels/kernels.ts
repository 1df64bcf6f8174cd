import type { Kernels } from './interface.ts'
import { javascriptKernels } from './javascript.ts'

export * from './interface.ts'

/** The kernels of this process. */
export const kernels: Kernels = javascriptKernels
