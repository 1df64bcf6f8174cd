import { beliefFeatures, type Candidate, type Statement } from '../../packages/engine/src/belief/features.ts'
import { kernels, type Matrix, RowFlag } from '../../packages/engine/src/kernels/kernels.ts'
import { parameters } from '../../packages/engine/src/parameters.ts'
import { Corpus } from './corpus.ts'
import type { Embeddings } from './embeddings.ts'
import type { Pair } from './pairs.ts'
import { buildSpaces, type Query } from './spaces.ts'

/** A query with what is measured of it. */
export interface Case extends Query {
  language: string
  /** Patterns in its space. */
  patterns: number
  /** Number of its space. */
  space: number
  features: Float64Array
  /** The text that is nearest. */
  match: string
}

/** Builds a language's spaces and measures their queries as the service does. */
export async function measureCases(
  embeddings: Embeddings,
  language: string,
  pairs: readonly Pair[],
  english: readonly Pair[],
  seed: number,
): Promise<Case[]> {
  const spaces = buildSpaces(new Corpus(pairs, english), language, seed)
  const texts = spaces.flatMap(({ stored, queries }) => [...stored, ...queries.map(({ text }) => text)])
  await embeddings.encode(texts, language)
  return spaces.flatMap(({ stored, queries }, space) => {
    const patterns = new Patterns(stored, embeddings)
    return queries.map((query) => {
      const vector = embeddings.of(query.text)
      const candidates = patterns.nearest(vector)
      const features = beliefFeatures({ vector, text: query.text }, candidates, stored.length)
      return {
        ...query,
        language,
        patterns: stored.length,
        space,
        features,
        match: candidates[0]?.text ?? '',
      }
    })
  })
}

class Patterns {
  readonly #patterns: Statement[]
  readonly #matrix: Matrix

  constructor(texts: readonly string[], embeddings: Embeddings) {
    this.#patterns = texts.map((text) => ({ text, vector: embeddings.of(text) }))
    const { length: dimensions } = (this.#patterns[0] as Statement).vector
    const values = new Float32Array(texts.length * dimensions)
    for (const [row, { vector }] of this.#patterns.entries()) values.set(vector, row * dimensions)
    this.#matrix = {
      dimensions,
      count: texts.length,
      values,
      inverseNorms: kernels.norms(values, dimensions).map((norm) => 1 / norm),
      labels: Int32Array.from(texts, (_, row) => row),
      flags: new Uint8Array(texts.length).fill(RowFlag.alive),
    }
  }

  nearest(query: Float32Array): Candidate[] {
    const { candidates } = parameters.belief
    const hits = kernels.nearest(this.#matrix, query, candidates, -1, { requiredFlags: RowFlag.alive })
    return Array.from(hits.labels, (row, i) => ({
      ...(this.#patterns[row] as Statement),
      cosine: hits.scores[i] as number,
    }))
  }
}
