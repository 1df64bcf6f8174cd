import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Encoder, openEncoder } from '../../packages/engine/src/encoder/encoder.ts'
import { repository } from '../support/environment.ts'

/** Embeddings by the service's own encoder, those of former runs from a folder where one is given. */
export class Embeddings {
  readonly #encoder: Encoder
  readonly #folder: string | undefined
  readonly #vectors = new Map<string, Float32Array>()

  private constructor(encoder: Encoder, folder: string | undefined) {
    this.#encoder = encoder
    this.#folder = folder
  }

  static async open(folder?: string): Promise<Embeddings> {
    const embeddings = new Embeddings(await openEncoder(join(repository, 'models')), folder)
    embeddings.#readKept()
    return embeddings
  }

  get modelId(): string {
    return this.#encoder.modelId
  }

  /** Encodes what is not known yet; says on standard error how far it is. */
  async encode(texts: Iterable<string>, what: string): Promise<void> {
    const missing = [...new Set(texts)].filter((text) => !this.#vectors.has(text))
    const block = 500
    for (let from = 0; from < missing.length; from += block) {
      const part = missing.slice(from, from + block)
      for (const text of part) this.#vectors.set(text, Float32Array.from(await this.#encoder.encode(text)))
      this.#keep(part)
      console.error(`${what}: ${from + part.length} of ${missing.length} texts encoded`)
    }
  }

  /** @throws Error for a text that was not encoded */
  of(text: string): Float32Array {
    const vector = this.#vectors.get(text)
    if (vector === undefined) throw new Error(`Not encoded: ${text}`)
    return vector
  }

  close(): Promise<void> {
    return this.#encoder.close()
  }

  #path(extension: string): string {
    return join(this.#folder as string, `${this.#encoder.modelId}.${extension}`)
  }

  #readKept(): void {
    if (this.#folder === undefined || !existsSync(this.#path('f32'))) return
    const { dimensions } = this.#encoder
    const { buffer, byteOffset, byteLength } = readFileSync(this.#path('f32'))
    const all = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
    const texts = readFileSync(this.#path('jsonl'), 'utf8').trimEnd().split('\n')
    for (const [row, line] of texts.entries()) {
      const end = (row + 1) * dimensions
      if (end <= all.length) this.#vectors.set(JSON.parse(line), all.slice(end - dimensions, end))
    }
  }

  #keep(texts: readonly string[]): void {
    if (this.#folder === undefined) return
    mkdirSync(this.#folder, { recursive: true })
    for (const text of texts) appendFileSync(this.#path('f32'), new Uint8Array(this.of(text).buffer))
    appendFileSync(this.#path('jsonl'), texts.map((text) => `${JSON.stringify(text)}\n`).join(''))
  }
}
