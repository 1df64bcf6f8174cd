import * as untyped from '@huggingface/tokenizers'

/** What the encoder uses of `@huggingface/tokenizers`. */
interface Library {
  readonly Tokenizer: new (json: object, settings: object) => LibraryTokenizer
  readonly SequenceNormalizer: new (config: { normalizers: readonly unknown[] }) => Normalizer
  readonly SequencePreTokenizer: new (config: { pretokenizers: readonly unknown[] }) => PreTokenizer
  readonly SequencePostProcessor: new (config: { processors: readonly unknown[] }) => PostProcessor
}

export interface LibraryTokenizer {
  encode(text: string, options?: { add_special_tokens?: boolean }): { ids: number[] }
}

export interface Normalizer {
  normalize(text: string): string
}

export interface PreTokenizer {
  pre_tokenize(text: string): string[]
}

interface PostProcessor {
  post_process(tokens: string[]): { tokens: string[] }
}

// The package's declarations import each other without file extensions, which TypeScript does not resolve under
// `nodenext`; so its types are written down here.
export const library = untyped as unknown as Library
