import { LibraryTokenizer } from './library-tokenizer.ts'
import type { Tokenizer } from './tokenizer.ts'
import { type TokenizerSettings, UnigramTokenizer } from './unigram-tokenizer.ts'
import { scanTokenizer } from './vocabulary.ts'

/**
 * Our own tokenizer where it gives exactly the ids of the library for this tokenizer.json, else the library's.
 *
 * @param bytes tokenizer.json, UTF-8
 * @param settings the content of tokenizer_config.json
 * @throws Error when the file is not a tokenizer
 */
export function openTokenizer(bytes: Uint8Array, settings: TokenizerSettings = {}): Tokenizer {
  const scanned = scanTokenizer(bytes)
  if (scanned !== undefined && UnigramTokenizer.isSupported(scanned.json, scanned.vocabulary, settings)) {
    return new UnigramTokenizer(scanned.json, scanned.vocabulary)
  }
  const json: unknown = JSON.parse(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
  )
  if (typeof json !== 'object' || json === null) throw new Error('It is not a JSON object')
  return new LibraryTokenizer(json, settings)
}
