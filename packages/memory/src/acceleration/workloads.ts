import type { Tensor } from '@memory/engine/kernels/einsum'
import { javascriptKernels, norm } from '@memory/engine/kernels/javascript'
import type { Kernels } from '@memory/engine/kernels/kernels'
import { type Hits, type Matrix, RowFlag } from '@memory/engine/kernels/matrix'
import { type ByteMatrix, quantizeBytes } from '@memory/engine/kernels/quantize'
import type { Random } from '@memory/engine/random'
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
export function prepare(operation: OperationName, random: Random, native: Kernels | null): Workload {
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
      const [keys, state] = [matrixOf(randomRow(random, memories)), randomRow(random)]
      const step = (by: Kernels) => by.hopfieldStep(keys.values, keys.inverseNorms, state, beta).state
      return workload(native, step, numbersAgree)
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
  native: Kernels | null,
  compute: (by: Kernels) => Answer,
  agree: (a: Answer, b: Answer) => boolean,
): Workload {
  return {
    javascript: () => compute(javascriptKernels),
    ...(native === null ? {} : { native: () => compute(native) }),
    agree: (a, b) => agree(a as Answer, b as Answer),
  }
}

/** The nearest rows by their bytes, put in order by their float32 values. */
function quantizedTopK(by: Kernels, matrix: Matrix, codes: ByteMatrix, query: Float32Array): Hits {
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
  return { shape: [count, dimensions], values: randomRow(random, count) }
}

/** A row's label is its number. */
function matrixOf(values: Float32Array): Matrix {
  const count = values.length / dimensions
  const labels = Int32Array.from({ length: count }, (_, row) => row)
  const rowOf = (row: number) => values.subarray(row * dimensions, (row + 1) * dimensions)
  const inverseNorms = Float64Array.from(labels, (row) => 1 / norm(rowOf(row)))
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
