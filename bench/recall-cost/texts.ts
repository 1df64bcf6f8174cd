import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Encoder } from '../../packages/engine/src/encoder/encoder.ts'
import { embedAll } from '../support/embedding-cache.ts'
import { TextSource } from '../support/texts.ts'

/** A text with its embedding. */
export interface EmbeddedText {
  text: string
  vector: Float32Array
}

const encodedTexts = 5_000
/** Length of what a perturbed embedding gets beside the direction that it had, of length 1. */
const perturbation = 0.1

/** Distinct sentences of a file of comma-separated pairs and scores, without those that hold quotes. */
export function readSentences(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return [
    ...new Set(lines.filter((line) => !line.includes('"')).flatMap((line) => line.split(',').slice(0, -1))),
  ].filter((text) => text.trim().length > 10)
}

/** Texts that the encoder embeds itself; their embeddings are kept for later runs in the temporary folder. */
export async function encodeTexts(
  encoder: Encoder,
  sentences: string[] | undefined,
): Promise<EmbeddedText[]> {
  const texts = sentences?.slice(0, encodedTexts) ?? new TextSource(1).take('medium', encodedTexts)
  const vectors = await embedAll(encoder, texts, join(tmpdir(), 'memory-bench-recall-cost.f32'))
  return texts.map((text, i) => ({ text, vector: vectors[i] as Float32Array }))
}

/**
 * As many texts as are asked for: first those that were encoded, then pairs of them, one said after the other. The
 * embedding of a pair is the normalised sum of both and of a small vector by its hash. Encoding 100,000 texts would take half
 * an hour, and how long a search takes does not depend on what the embeddings mean.
 */
export function combine(encoded: readonly EmbeddedText[], count: number): EmbeddedText[] {
  const pairs = Array.from({ length: Math.max(0, count - encoded.length) }, (_, i) => {
    const step = 1 + Math.floor(i / encoded.length)
    const [a, b] = [encoded[i % encoded.length], encoded[(i * 7 + step * 13) % encoded.length]] as [
      EmbeddedText,
      EmbeddedText,
    ]
    const text = `${a.text} ${b.text}`
    return {
      text,
      vector: unit(
        a.vector.map((value, j) => value + (b.vector[j] as number)),
        text,
      ),
    }
  })
  return [...encoded.slice(0, count), ...pairs]
}

function unit(vector: Float32Array, seed: string): Float32Array {
  const noise = createHash('shake256', { outputLength: vector.length }).update(seed).digest()
  const scale = perturbation / Math.sqrt(vector.length)
  const moved = vector.map((value, i) => value + (scale * ((noise[i] as number) - 127.5)) / 73.6)
  const length = Math.hypot(...moved)
  return moved.map((value) => value / length)
}
