import type { Accel } from '@memory/accel'
import { einsum, type Tensor } from '../engine/kernels/einsum.ts'
import { bindCircular, bundle } from '../engine/kernels/hdc.ts'
import { type Hits, type Matrix, RowFlag } from '../engine/kernels/interface.ts'
import { javascriptKernels, norm } from '../engine/kernels/javascript.ts'
import { type ByteMatrix, nearestBytes, quantizeBytes } from '../engine/kernels/quantize.ts'
import { slerp } from '../engine/kernels/slerp.ts'
import { softmax } from '../engine/kernels/softmax.ts'
import { hitsAgree, numbersAgree } from './agreement.ts'

/** What the native kernels and the JavaScript ones are compared in. */
export const operations = [
  'cosine',
  'einsum',
  'hdc_bind',
  'top_k',
  'hopfield',
  'quantized_top_k',
  'slerp',
] as const

export type OperationName = (typeof operations)[number]

/** One computation on one set of data, by either implementation. */
export interface Workload {
  javascript(): unknown
  /** Absent without the addon. */
  native?: () => unknown
  /** Whether two answers are the same but for rounding. */
  agree(a: unknown, b: unknown): boolean
}

/** Numbers in [0, 1). */
export type Random = () => number

/** The functions of either implementation that the workloads call. */
type Functions = Pick<
  Accel,
  'cosine' | 'einsum' | 'bindCircular' | 'nearest' | 'nearestBytes' | 'softmax' | 'bundle' | 'slerp'
>

const javascript: Functions = {
  ...javascriptKernels,
  einsum,
  bindCircular,
  nearestBytes,
  softmax,
  bundle,
  slerp,
}

/** Of the service's embeddings. */
const dimensions = 384
/** Rows of a small space. */
const rows = 1_000
const k = 10
/** Candidates of a quantised scan for each row that is asked for. */
const oversampling = 4
/** Patterns that one Hopfield iteration weighs. */
const memories = 256
/** Separates memories 0.25 apart in cosine (Ramsauer et al., ICLR 2021, with the margin of the energy pathway). */
const beta = (Math.log(memories) + 3) / 0.25
const everyRow = { requiredFlags: RowFlag.alive }

/** Makes the data of an operation; both implementations get the same. */
export function prepare(operation: OperationName, random: Random, native: Accel | null): Workload {
  switch (operation) {
    case 'cosine': {
      const [a, b] = [randomRow(random), randomRow(random)]
      return workload(native, (by) => Float64Array.of(by.cosine(a, b)), numbersAgree)
    }
    case 'einsum': {
      const [queries, keys] = [randomTensor(random, 8), randomTensor(random, 128)]
      return workload(native, (by) => by.einsum('bd,nd->bn', queries, keys).values, numbersAgree)
    }
    case 'hdc_bind': {
      const [a, b] = [randomRow(random), randomRow(random)]
      return workload(native, (by) => by.bindCircular(a, b), numbersAgree)
    }
    case 'top_k': {
      const [matrix, query] = [matrixOf(randomRow(random, rows)), randomRow(random)]
      return workload(native, (by) => by.nearest(matrix, query, k, -1, everyRow), hitsAgree)
    }
    case 'hopfield': {
      const [keys, state] = [randomTensor(random, memories), unit(randomRow(random))]
      return workload(native, (by) => hopfieldStep(by, keys, state), numbersAgree)
    }
    case 'quantized_top_k': {
      const [matrix, query] = [matrixOf(randomRow(random, rows)), randomRow(random)]
      const codes = codesOf(matrix)
      return workload(native, (by) => quantizedTopK(by, matrix, codes, query), hitsAgree)
    }
    case 'slerp': {
      const [a, b] = [randomRow(random), randomRow(random)]
      return workload(native, (by) => by.slerp(a, b, 0.3).vector, numbersAgree)
    }
  }
}

function workload<Answer>(
  native: Accel | null,
  compute: (by: Functions) => Answer,
  agree: (a: Answer, b: Answer) => boolean,
): Workload {
  return {
    javascript: () => compute(javascript),
    ...(native === null ? {} : { native: () => compute(native) }),
    agree: (a, b) => agree(a as Answer, b as Answer),
  }
}

/** One iteration of modern Hopfield retrieval: normalise(softmax(beta K xi) K). */
function hopfieldStep(by: Functions, keys: Tensor, state: Float32Array): Float32Array {
  const products = by.einsum('nd,d->n', keys, { shape: [dimensions], values: state })
  const weights = by.softmax(Float64Array.from(products.values), beta)
  return unit(by.bundle(keys.values, dimensions, weights))
}

/** The nearest rows by their bytes, put in order by their float32 values. */
function quantizedTopK(by: Functions, matrix: Matrix, codes: ByteMatrix, query: Float32Array): Hits {
  const { labels } = by.nearestBytes(codes, query, oversampling * k, -1, everyRow)
  const values = new Float32Array(labels.length * dimensions)
  const inverseNorms = new Float64Array(labels.length)
  for (const [at, row] of labels.entries()) {
    values.set(matrix.values.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions)
    inverseNorms[at] = matrix.inverseNorms[row] as number
  }
  const candidates = { ...matrix, count: labels.length, values, inverseNorms, labels }
  return by.nearest(candidates, query, k, -1, everyRow)
}

function randomRow(random: Random, count = 1): Float32Array {
  const values = new Float32Array(count * dimensions)
  for (let at = 0; at < values.length; at++) values[at] = random() * 2 - 1
  return values
}

function randomTensor(random: Random, count: number): Tensor {
  return { shape: [count, dimensions], values: unitRows(randomRow(random, count)) }
}

function unitRows(values: Float32Array): Float32Array {
  for (let at = 0; at < values.length; at += dimensions)
    values.set(unit(values.subarray(at, at + dimensions)), at)
  return values
}

function unit(vector: Float32Array): Float32Array {
  const length = norm(vector)
  return vector.map((value) => value / length)
}

/** A row's label is its number. */
function matrixOf(values: Float32Array): Matrix {
  const count = values.length / dimensions
  const labels = Int32Array.from({ length: count }, (_, row) => row)
  const inverseNorms = Float64Array.from(
    labels,
    (row) => 1 / norm(values.subarray(row * dimensions, (row + 1) * dimensions)),
  )
  return {
    dimensions,
    count,
    values,
    inverseNorms,
    labels,
    flags: new Uint8Array(count).fill(RowFlag.alive),
  }
}

function codesOf(matrix: Matrix): ByteMatrix {
  const { codes, inverseNorms } = quantizeBytes(matrix.values, dimensions)
  return { ...matrix, values: codes, inverseNorms }
}
