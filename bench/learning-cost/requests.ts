import type { Connection } from '../support/client.ts'
import { lengths, TextSource } from '../support/texts.ts'
import { Mixture } from '../vectors/mixture.ts'

export const kinds = [
  'text retrieve',
  'vector query',
  'vector retrieve',
  'vector store',
  'text store',
] as const

/** The i-th request of a load. */
export type RequestAt = (connection: Connection, i: number) => Promise<unknown>

export const storedTexts = new TextSource(1).take(lengths[0] ?? 'short', 1_000)
const dimensions = 384
const mixture = new Mixture(dimensions, 50, 5_000)
export const storedVectors = Array.from({ length: 5_000 }, () => Array.from(mixture.next()))
const questions = new TextSource(2).take('short', 50)
const vectors = Array.from({ length: 500 }, () => Array.from(mixture.next()))

const at = <T>(list: readonly T[], i: number): T => list[i % list.length] as T
const post = (path: string, body: (i: number) => object): RequestAt => {
  const bodies = Array.from({ length: vectors.length }, (_, i) => Buffer.from(JSON.stringify(body(i))))
  return async (connection, i) => {
    const { status, text } = await connection.send('POST', path, at(bodies, i))
    if (status > 299) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`)
  }
}

/** Texts are repeated, so that their embeddings are cached: the encoder's time would hide all else. */
export const requests: Record<(typeof kinds)[number], RequestAt> = {
  'text retrieve': post('/v1/memory/text/retrieve', (i) => ({ query: at(questions, i), top_k: 5 })),
  'vector query': post('/v1/memory/query', (i) => ({ embedding: at(vectors, i), top_k: 10 })),
  'vector retrieve': post('/v1/memory/retrieve', (i) => ({ embedding: at(vectors, i), top_k: 10 })),
  'vector store': post('/v1/memory/store', (i) => ({ key: at(vectors, i), value: [i] })),
  'text store': post('/v1/memory/text/store', (i) => ({ text: at(storedTexts, i) })),
}
