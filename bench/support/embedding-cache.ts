import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Encoder } from '../../packages/engine/src/encoder/encoder.ts'

const hashBytes = 32

/**
 * Embeddings of texts, of which a file keeps those of earlier runs: records of a SHA-256 of model and text, then the
 * vector as float32.
 * @param path undefined keeps nothing
 */
export async function embedAll(
  encoder: Encoder,
  texts: readonly string[],
  path: string | undefined,
): Promise<Float32Array[]> {
  const known = path !== undefined && existsSync(path) ? readRecords(path, encoder.dimensions) : new Map()
  const before = known.size
  const vectors: Float32Array[] = []
  for (const text of texts) {
    const name = createHash('sha256').update(`${encoder.modelId}\n${text}`).digest('hex')
    const vector = known.get(name) ?? (await encoder.encode(text))
    known.set(name, vector)
    vectors.push(vector)
  }
  if (path !== undefined && known.size > before) writeRecords(path, known)
  return vectors
}

function readRecords(path: string, dimensions: number): Map<string, Float32Array> {
  const bytes = readFileSync(path)
  const recordBytes = hashBytes + 4 * dimensions
  const records = new Map<string, Float32Array>()
  for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
    const vector = new Float32Array(dimensions)
    new Uint8Array(vector.buffer).set(bytes.subarray(at + hashBytes, at + recordBytes))
    records.set(bytes.toString('hex', at, at + hashBytes), vector)
  }
  return records
}

function writeRecords(path: string, records: ReadonlyMap<string, Float32Array>): void {
  const parts = [...records].flatMap(([name, vector]) => [
    Buffer.from(name, 'hex'),
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  ])
  writeFileSync(path, Buffer.concat(parts))
}
