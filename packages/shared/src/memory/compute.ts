import type { Hits, Matrix, Selection } from '../engine/kernels/kernels.ts'

/** What a search asks of a matrix. */
export interface Search {
  matrix: Matrix
  k: number
  minScore: number
  selection: Selection
}

/** The heavy work, wherever it runs: encoding texts and searching matrices. */
export interface Compute {
  /** Length of every text's embedding. */
  readonly dimensions: number
  /** Names the encoder that made an embedding. */
  readonly modelId: string
  /**
   * Unit vector of a text.
   * @param tenant whose text it is: what is remembered of it must not show, by its speed, in another's requests
   */
  embed(tenant: string, text: string): Promise<Float32Array>
  /** Embeds a text and searches with it. */
  searchText(tenant: string, text: string, search: Search): Promise<Hits>
}
