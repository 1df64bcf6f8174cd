import type * as binding from './binding.cjs'

export type * from './binding.cjs'

/** The kernels in Rust, and the indexes that only they have. */
export type Accel = typeof binding

/** The native kernels: built here, or else of the package for this platform; null where there is neither, or ACCEL=js. */
export const accel: Accel | null
