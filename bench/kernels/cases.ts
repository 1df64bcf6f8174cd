import { accel } from '../../crates/accel/index.js'
import { javascriptKernels } from '../../packages/engine/src/kernels/javascript.ts'
import type { Kernels } from '../../packages/engine/src/kernels/kernels.ts'
import { alive, dimensions, newMatrix, randomVector } from './matrix.ts'

/** Something that both implementations compute. */
export interface Case {
  name: string
  run: (kernels: Kernels) => unknown
  /** What a search reads at least. */
  reads?: Float32Array
}

/** Searches of so many rows, and every other operation on vectors of 384 numbers, or what its name says. */
export function cases(): Case[] {
  return [
    ...[1_000, 10_000, 100_000].flatMap(searches),
    ...manyQueries(),
    ...texts(),
    ...vectors(),
    ...hyperdimensional(384),
    ...hyperdimensional(10_000),
  ]
}

/** Made when they are measured: of a million rows they take 2 GB. */
export function searches(rows: number): Case[] {
  const matrix = newMatrix(rows)
  const query = randomVector(dimensions)
  const bytes = javascriptKernels.quantizeBytes(matrix.values, dimensions)
  const byteMatrix = { ...matrix, values: bytes.codes, inverseNorms: bytes.inverseNorms }
  const of = `of ${rows.toLocaleString('en')}`
  return [
    {
      name: `10 nearest ${of}`,
      run: (kernels) => kernels.nearest(matrix, query, 10, -1, alive),
      reads: matrix.values,
    },
    {
      name: `10 nearest ${of}, int8`,
      run: (kernels) => kernels.nearestBytes(byteMatrix, query, 10, -1, alive),
    },
  ]
}

function manyQueries(): Case[] {
  const rows = 10_000
  const queries = 64
  const matrix = newMatrix(rows)
  const many = randomVector(queries * dimensions)
  const a = { shape: [queries, dimensions], values: many }
  const b = { shape: [rows, dimensions], values: matrix.values }
  const heads = { shape: [32, 8, 48], values: randomVector(32 * 8 * 48) }
  const weights = { shape: [8, 48, 48], values: randomVector(8 * 48 * 48) }
  const state = randomVector(dimensions)
  const few = newMatrix(256)
  return [
    {
      name: '10 nearest of 10,000 for each of 64 queries',
      run: (kernels) => kernels.nearestMany(matrix, many, 10, -1, alive),
    },
    { name: "einsum 'bd,nd->bn', 64 x 10,000", run: (kernels) => kernels.einsum('bd,nd->bn', a, b) },
    {
      name: "einsum 'bhd,hde->bhe', 32 x 8 x 48 x 48",
      run: (kernels) => kernels.einsum('bhd,hde->bhe', heads, weights),
    },
    {
      name: 'Hopfield step over 256 keys',
      run: (kernels) => kernels.hopfieldStep(few.values, few.inverseNorms, state, 34),
    },
    {
      name: 'Hopfield step over 10,000 keys',
      run: (kernels) => kernels.hopfieldStep(matrix.values, matrix.inverseNorms, state, 49),
    },
    { name: 'norms of 10,000', run: (kernels) => kernels.norms(matrix.values, dimensions) },
  ]
}

function texts(): Case[] {
  const values = randomVector(100 * dimensions)
  const rows = Array.from({ length: 100 }, (_, row) =>
    Array.from(values.subarray(row * dimensions, (row + 1) * dimensions)),
  )
  const one = Buffer.from(JSON.stringify({ key: rows[0] }))
  const many = Buffer.from(JSON.stringify({ queries: rows }))
  const parse = (body: Buffer) => (kernels: Kernels) => {
    const split = kernels.name === 'native' ? accel?.splitVectors(body, 16) : undefined
    return split == null ? readNumbers(JSON.parse(body.toString())) : [JSON.parse(split.rest), split.values]
  }
  // As what parses without the native kernels does.
  const readNumbers = (value: object): unknown =>
    Object.values(value).map((field) =>
      typeof field[0] === 'number' ? Float32Array.from(field) : readNumbers(field),
    )
  return [
    { name: 'text of 100 vectors', run: (kernels) => kernels.vectorTexts(values, dimensions) },
    { name: 'parsing a body of 1 vector', run: parse(one) },
    { name: 'parsing a body of 100 vectors', run: parse(many) },
  ]
}

function vectors(): Case[] {
  const a = randomVector(dimensions)
  const b = randomVector(dimensions)
  const scores = Float64Array.from(randomVector(1_000))
  return [
    { name: 'cosine', run: (kernels) => kernels.cosine(a, b) },
    { name: 'slerp', run: (kernels) => kernels.slerp(a, b, 0.3) },
    { name: 'softmax of 1,000', run: (kernels) => kernels.softmax(scores, 20) },
    { name: 'rotation', run: (kernels) => kernels.rotate(a) },
    { name: 'rotation of 1,536', run: (kernels) => kernels.rotate(long) },
  ]
}

const long = randomVector(1_536)

function hyperdimensional(length: number): Case[] {
  const a = randomVector(length)
  const b = randomVector(length)
  const rows = randomVector(16 * length)
  const weights = new Float64Array(16).fill(1)
  const of = `of ${length.toLocaleString('en')}`
  return [
    { name: `product binding ${of}`, run: (kernels) => kernels.bindProduct(a, b) },
    { name: `circular convolution ${of}`, run: (kernels) => kernels.bindCircular(a, b) },
    { name: `bundle of 16 vectors ${of}`, run: (kernels) => kernels.bundle(rows, length, weights) },
  ]
}
