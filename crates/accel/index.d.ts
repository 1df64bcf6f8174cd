/** Vectors of one length, row after row. All arrays may be longer than `count` rows and shared between threads. */
export interface Matrix {
  dimensions: number
  count: number
  values: Float32Array
  /** 1 / Euclidean norm of each row. */
  inverseNorms: Float64Array
  labels: Int32Array
  flags: Uint8Array
}

export interface Selection {
  requiredFlags: number
  allowed?: Uint8Array | undefined
}

export interface Hits {
  labels: Int32Array
  scores: Float64Array
}

export interface Blend {
  vector: Float32Array
  /** Angle between the two vectors in radians. */
  angle: number
  type: 'spherical' | 'linear' | 'antipodal'
}

export interface HopfieldStep {
  /** The next state, of norm 1. */
  state: Float32Array
  /** Of the state that the step started from. */
  energy: number
  /** softmax(beta K xi), a row each. */
  weights: Float64Array
}

export interface Split {
  /** The text with `[1e999,i]` in place of array i, which no other number of the text reads like. */
  rest: string
  /** The numbers of all these arrays. */
  values: Float32Array
  /** Where each array ends in `values`. */
  ends: Uint32Array
}

/** An array of several dimensions, row-major. */
export interface Tensor {
  shape: number[]
  values: Float32Array
}

/** Rows of bytes: about value = code * scale of its row. */
export interface ByteCodes {
  codes: Int8Array
  scales: Float64Array
  /** 1 / Euclidean norm of each row's codes; 0 for a row of zeros. */
  inverseNorms: Float64Array
}

/** `values` are the codes, `inverseNorms` those of the codes. */
export type ByteMatrix = Omit<Matrix, 'values'> & { values: Int8Array }

/** What a row of a shard keeps in memory: 0 hot (float32), 1 warm (bytes), 2 cold (sign codes only). */
export type TierNumber = 0 | 1 | 2

/**
 * Best first, the lower label on equal scores. Where `exact` is 0 the score is an estimate: replace these by cosines
 * of the stored keys, sort anew and keep k.
 */
export interface ShardHits extends Hits {
  exact: Uint8Array
}

export interface ShardStats {
  /** Rows by tier. */
  hot: number
  warm: number
  cold: number
  /** Deleted and replaced rows whose memory is not free yet. */
  dead: number
  /** Memory of all rows and the map of labels. */
  bytes: number
  segments: number
  /** Rows that are sorted into lists. */
  listed: number
}

/**
 * An index of the keys of one space and dimension. Only the thread that made it changes it; every thread can search
 * it by `id` until it is collected, and never waits for a change.
 */
export interface Shard {
  readonly id: number
  /** What `save` was given, for a loaded shard; else 0. */
  readonly version: number
  readonly dimensions: number
  /** Adds or replaces rows: `keys` is labels x dimensions, flags have the bit `alive`. Visible as a whole. */
  put(labels: Int32Array, keys: Float32Array, flags: Uint8Array, tier: TierNumber): void
  /** How many rows there were. */
  remove(labels: Int32Array): number
  /** The float32 keys that are in memory: `held` is 1 for each. */
  keysOf(labels: Int32Array): { keys: Float32Array; held: Uint8Array }
  /**
   * Cosines of labels to queries (a row of `dimensions` values each), the same bits as a search gives: a row of one for
   * each query; `held` is 0 where the float32 key is not in memory, and the row zeros.
   */
  cosinesOf(labels: Int32Array, queries: Float32Array): { cosines: Float64Array; held: Uint8Array }
  /** The labels of all rows, in no order. */
  labels(): Int32Array
  stats(): ShardStats
  /**
   * Sorts all rows into lists, so that a search of a large shard looks at those only that its query may find something
   * in; worth it again when many were put since. In the background; false while it or `demote` is under way.
   */
  buildLists(): Promise<boolean>
  /** Ends what builds lists, within milliseconds and for good: `buildLists` gives false then. */
  interruptLists(): void
  /** Moves all rows of warmer tiers to this one, in the background; `stats` counts their bytes as moved at once. */
  demote(tier: TierNumber): Promise<void>
  /** Replaces the file when the new one is whole and on the disk. */
  save(path: string, version: number): Promise<void>
}

/** Best first, the lower label on equal scores: only documents with a term of the query. */
export interface LexicalHits extends Hits {
  /** Documents that have a term of the query. */
  matched: number
  /** Of the scores of all documents looked at, those that are 0 too; 0 where there is none. */
  mean: number
  /** The same: their standard deviation. */
  deviation: number
}

export interface LexiconStats {
  documents: number
  /** Distinct ones. */
  terms: number
  /** Memory of all documents and terms. */
  bytes: number
}

/**
 * A BM25 index of texts. Only the thread that made it changes it; every thread can search it by `id` until it is collected.
 * A search waits for at most 64 documents that are being written, or as many as one `put` or `remove` has.
 */
export interface Lexicon {
  readonly id: number
  /** Adds or replaces documents; of a label given twice the last counts. */
  put(labels: Int32Array, texts: string[]): void
  /** The same in the background. What is written to a label after this call stays. */
  putMany(labels: Int32Array, texts: string[]): Promise<void>
  /** How many documents there were. Nothing is left of them. */
  remove(labels: Int32Array): number
  stats(): LexiconStats
}

/** Functions throw an Error with code InvalidArg for arguments that do not fit, or are not finite. */
export interface Accel {
  name: 'native'
  /**
   * The k rows of greatest cosine to `query` that reach `minScore`, best first, the lower label on equal scores.
   */
  nearest(matrix: Matrix, query: Float32Array, k: number, minScore: number, selection: Selection): Hits
  /** `nearest` for each row of `queries`, with the same results, in one pass over the matrix. */
  nearestMany(
    matrix: Matrix,
    queries: Float32Array,
    k: number,
    minScore: number,
    selection: Selection,
  ): Hits[]
  /** Cosine of two vectors of equal length, in [-1, 1]; NaN where one is all zero or has no dimensions. */
  cosine(a: Float32Array, b: Float32Array): number
  /** Euclidean length of each row. */
  norms(values: Float32Array, dimensions: number): Float64Array
  /** normalise(sum_i softmax(beta K xi)_i k_i), k_i a row times its inverse norm, xi the state at norm 1. */
  hopfieldStep(
    values: Float32Array,
    inverseNorms: Float64Array,
    state: Float32Array,
    beta: number,
  ): HopfieldStep
  /** The largest magnitude of each row becomes 127. */
  quantizeBytes(values: Float32Array, dimensions: number): ByteCodes
  /** The k rows whose codes have the greatest cosine to the query's. */
  nearestBytes(
    matrix: ByteMatrix,
    query: Float32Array,
    k: number,
    minScore: number,
    selection: Selection,
  ): Hits
  /** Spherical interpolation of the directions, linear interpolation of the lengths. */
  slerp(a: Float32Array, b: Float32Array, alpha: number): Blend
  softmax(scores: Float64Array, beta: number): Float64Array
  logSumExp(scores: Float64Array, beta: number): number
  /** Element by element a * b. */
  bindProduct(a: Float32Array, b: Float32Array): Float32Array
  /** Circular convolution. */
  bindCircular(a: Float32Array, b: Float32Array): Float32Array
  /** Circular correlation of `bound` with `a`. */
  unbindCircular(bound: Float32Array, a: Float32Array): Float32Array
  /** Weighted sum of rows. */
  bundle(values: Float32Array, dimensions: number, weights: Float64Array): Float32Array
  /** Einstein summation over two operands, as 'bd,nd->bn'; sums are in float32. */
  einsum(spec: string, a: Tensor, b: Tensor): Tensor
  /** The service's fixed rotation of vectors of its dimension, 1 to 8192; lengths and angles stay. */
  rotate(vector: Float32Array): Float32Array
  /** Undoes `rotate`. */
  rotateBack(rotated: Float32Array): Float32Array
  /** The first `kept` coordinates of the rotated vector: a projection with orthonormal rows. */
  project(vector: Float32Array, kept: number): Float32Array
  /** The transpose of `project`. */
  unproject(projected: Float32Array, dimensions: number): Float32Array
  /** Each row as a JSON array, in the shortest digits that read back as the same float32. */
  vectorTexts(values: Float32Array, dimensions: number): string[]
  /**
   * A JSON text without its arrays of at least `least` numbers that are finite in float32; null where there are none or
   * the text could be misread.
   */
  splitVectors(text: Uint8Array, least: number): Split | null
  /** Sum of all values: how fast memory can be read, for benchmarks. */
  sum(values: Float32Array): number
  /** 1 to 8,192 dimensions. */
  Shard: new (
    dimensions: number,
  ) => Shard
  /** Rejects a file that is torn, damaged or foreign. */
  loadShard(path: string): Promise<Shard>
  /**
   * The rows of greatest cosine to the query with all the flags, in tiers of the mask `tiers` (bit 0 hot, 1 warm, 2
   * cold); bit l % 8 of byte l / 8 of `allowed` lets label l in. The best `exactK` of them are found as a search for these
   * alone finds them, of the others nine of ten at least; absent: all as exactly.
   */
  searchShard(
    id: number,
    query: Float32Array,
    k: number,
    minScore: number,
    requiredFlags: number,
    allowed: Uint8Array | undefined,
    tiers: number,
    exactK?: number,
  ): ShardHits
  /** The same for several queries, row after row, in one pass. */
  searchShardMany(
    id: number,
    queries: Float32Array,
    k: number,
    minScore: number,
    requiredFlags: number,
    allowed: Uint8Array | undefined,
    tiers: number,
    exactK?: number,
  ): ShardHits[]
  /** The same on another thread; the shard may be collected meanwhile, and the arrays changed. */
  searchShardLater(
    id: number,
    queries: Float32Array,
    k: number,
    minScore: number,
    requiredFlags: number,
    allowed: Uint8Array | undefined,
    tiers: number,
    exactK?: number,
  ): Promise<ShardHits[]>
  /** Has at most 16,777,216 documents. */
  Lexicon: new () => Lexicon
  /**
   * The k documents of greatest BM25 score (k1 = 1.2, b = 0.75); a term counts as often as the query has it, up to three
   * times. Bit l % 8 of byte l / 8 of `allowed` lets label l in; the weights of terms are those of all documents.
   */
  searchLexicon(id: number, query: string, k: number, allowed: Uint8Array | undefined): LexicalHits
  /** The BM25 scores of documents; 0 for unknown labels. */
  scoreLexicon(id: number, query: string, labels: Int32Array): Float64Array
  /** The terms that a lexicon takes a text apart into, in order. */
  terms(text: string): string[]
  /** `instructionSet`: avx512+vnni+vpopcntdq, avx512+vnni, avx512f, avx2+fma, neon or scalar. */
  features(): { instructionSet: string }
  /** Throws: what native code does that panics. Only in an addon built for tests, with ACCEL_PANICS=1. */
  panicNow?(): never
  /** Rejects: the same in the background. */
  panicLater?(): Promise<never>
}

/** The native kernels, or null where the addon was not built or ACCEL=js. */
export const accel: Accel | null
