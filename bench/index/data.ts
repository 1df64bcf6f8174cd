import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEncoder } from '../../packages/engine/src/encoder/encoder.ts'
import { kernels, RowFlag } from '../../packages/engine/src/kernels/kernels.ts'
import { repository } from '../support/environment.ts'
import { randomFrom } from '../support/random.ts'
import { Mixture } from '../vectors/mixture.ts'
import type { Data } from './candidate.ts'

export const dimensions = 384
const k = 10

/** Vectors with the queries that are asked of them, none of which is among them. */
export interface DataSet extends Data {
  name: string
  count: number
  /** Numbers of the ten nearest rows of each query, by the definition. */
  nearest: number[][]
}

/** Unit vectors in clusters of about a hundred, as embeddings lie. */
export function mixture(folder: string, count: number, queries: number): DataSet {
  const source = new Mixture(dimensions, Math.max(1, Math.round(count / 100)), 1)
  // Into one array at once: a million rows as arrays of their own would take as much again.
  const values = new Float32Array(count * dimensions)
  for (let row = 0; row < count; row++) values.set(source.next(), row * dimensions)
  return dataSet(
    folder,
    'mixture',
    values,
    Array.from({ length: queries }, () => source.next()),
  )
}

/**
 * Embeddings of all distinct sentences in files of comma-separated values, by the service's own encoder. Those that are
 * encoded already are read from `kept`.
 */
export async function sentences(
  folder: string,
  paths: readonly string[],
  queries: number,
  kept: string | undefined,
): Promise<DataSet> {
  const vectors = readKept(kept) ?? (await encode(paths))
  if (kept !== undefined) writeFileSync(kept, joined(vectors))
  const random = randomFrom(2)
  const shuffled = vectors
    .map((vector) => ({ vector, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ vector }) => vector)
  return dataSet(folder, 'sentences', joined(shuffled.slice(queries)), shuffled.slice(0, queries))
}

async function encode(paths: readonly string[]): Promise<Float32Array[]> {
  const encoder = await openEncoder(join(repository, 'models'))
  const texts = new Set(paths.flatMap((path) => sentencesIn(readFileSync(path, 'utf8'))))
  const vectors: Float32Array[] = []
  for (const text of texts) {
    vectors.push(Float32Array.from(await encoder.encode(text)))
    if (vectors.length % 1_000 === 0) console.error(`${vectors.length} of ${texts.size} sentences encoded`)
  }
  await encoder.close()
  return vectors
}

/** The columns of comma-separated values that are texts, quoted or not. */
function sentencesIn(csv: string): string[] {
  const fields = csv.matchAll(/"((?:[^"]|"")*)"|[^,\n]+/g)
  return Array.from(fields, ([field, quoted]) => (quoted ?? field).replaceAll('""', '"').trim()).filter(
    (text) => /\p{L}/u.test(text),
  )
}

function readKept(path: string | undefined): Float32Array[] | undefined {
  try {
    return path === undefined ? undefined : rowsOf(readFileSync(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function rowsOf({ buffer, byteOffset, byteLength }: Buffer): Float32Array[] {
  const all = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
  return Array.from({ length: all.length / dimensions }, (_, row) =>
    all.slice(row * dimensions, (row + 1) * dimensions),
  )
}

function dataSet(folder: string, name: string, values: Float32Array, queries: Float32Array[]): DataSet {
  const count = values.length / dimensions
  const path = (what: string) => join(folder, `${name}-${count}-${what}.f32`)
  writeFileSync(path('rows'), values)
  writeFileSync(path('queries'), joined(queries))
  const matrix = {
    dimensions,
    count,
    values,
    inverseNorms: kernels.norms(values, dimensions).map((norm) => 1 / norm),
    labels: Int32Array.from({ length: count }, (_, row) => row),
    flags: new Uint8Array(count).fill(RowFlag.alive),
  }
  const nearest = queries.map((query) =>
    Array.from(kernels.nearest(matrix, query, k, -1, { requiredFlags: RowFlag.alive }).labels),
  )
  return { name, count, rows: path('rows'), queries: path('queries'), dimensions, nearest }
}

function joined(rows: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(rows.length * dimensions)
  for (const [row, vector] of rows.entries()) all.set(vector, row * dimensions)
  return all
}
