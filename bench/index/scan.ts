/** The service's kernels without its index, in a process of their own: a scan of all float32 rows, or of their bytes. */
import { kernels, RowFlag } from '../../packages/engine/src/kernels/kernels.ts'
import { type Answer, type Asked, type Index, k, serve } from './serve.ts'

/** Rows with the best bytes, whose cosines are then computed from their float32 keys. */
const candidates = [10, 20, 40, 80]
const alive = { requiredFlags: RowFlag.alive }

await serve(build)

function build({ kind, dimensions, rows }: Asked): Index {
  const count = rows.length
  const [{ buffer, byteOffset }] = rows as [Float32Array]
  const values = new Float32Array(buffer, byteOffset, count * dimensions)
  const labels = Int32Array.from({ length: count }, (_, row) => row)
  const flags = new Uint8Array(count).fill(RowFlag.alive)
  if (kind === 'float32') {
    const inverseNorms = kernels.norms(values, dimensions).map((norm) => 1 / norm)
    const matrix = { dimensions, count, values, inverseNorms, labels, flags }
    const search = (query: Float32Array): Answer => ({
      labels: Array.from(kernels.nearest(matrix, query, k, -1, alive).labels),
    })
    const ownBytes = values.byteLength + inverseNorms.byteLength
    return { settings: [{ setting: '', search }], ownBytes, readsRows: true }
  }
  const { codes, inverseNorms } = kernels.quantizeBytes(values, dimensions)
  const matrix = { dimensions, count, values: codes, inverseNorms, labels, flags }
  const search = (query: Float32Array, rescored: number): Answer => {
    const found = kernels.nearestBytes(matrix, query, rescored, -1, alive).labels
    const scored = Array.from(found, (label) => ({
      label,
      score: kernels.cosine(query, rows[label] as Float32Array),
    }))
    scored.sort((a, b) => b.score - a.score || a.label - b.label)
    return { labels: scored.slice(0, k).map(({ label }) => label) }
  }
  return {
    settings: candidates.map((rescored) => ({
      setting: `${rescored} rescored`,
      search: (query) => search(query, rescored),
    })),
    ownBytes: codes.byteLength + inverseNorms.byteLength,
    readsRows: true,
  }
}
