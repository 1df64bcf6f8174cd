import type { Matrix } from '../../packages/engine/src/kernels/kernels.ts'

/** What the second thread of a search is given; all but the rows' names are in memory that both share. */
export interface Half {
  matrix: Matrix
  query: Float32Array
  k: number
  /** See `Control`. */
  control: Int32Array
  /** The k best of the last search. */
  labels: Int32Array
  scores: Float64Array
}

/** Places in `control`: whether there is anything to wait for, and the numbers of the last search asked for and done. */
export const Control = { awake: 0, asked: 1, answered: 2, length: 3 } as const
