import { vectorText } from '../platform/database/database.ts'

/** Vectors in pgvector's text form, which is JSON too; null stays null. */
export function vectorTexts(vectors: readonly (Float32Array | null)[]): (string | null)[] {
  return vectors.map((vector) => (vector === null ? null : vectorText(vector)))
}
