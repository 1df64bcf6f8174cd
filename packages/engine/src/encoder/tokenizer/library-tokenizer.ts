import { type LibraryTokenizer as Library, library } from './library.ts'
import type { Knowledge, Tokenizer } from './tokenizer.ts'

/** The general tokenizer of `@huggingface/tokenizers`, for every kind of tokenizer.json. */
export class LibraryTokenizer implements Tokenizer {
  readonly kind = 'library'
  readonly characters = undefined
  readonly prefixLength: number
  readonly suffixLength: number
  private readonly library: Library

  /**
   * @param json the content of tokenizer.json
   * @param config the content of tokenizer_config.json
   * @throws Error when the library does not know the kind
   */
  constructor(json: object, config: object) {
    this.library = new library.Tokenizer(json, config)
    // Where the ids of a text without special tokens stand in those with them.
    const withSpecial = this.library.encode('a').ids
    const own = this.library.encode('a', { add_special_tokens: false }).ids
    this.prefixLength = Math.max(
      0,
      withSpecial.findIndex((_, i) => own.every((id, j) => withSpecial[i + j] === id)),
    )
    this.suffixLength = withSpecial.length - this.prefixLength - own.length
  }

  encode(text: string): Int32Array {
    return Int32Array.from(this.library.encode(text).ids)
  }

  /** The library does not say what it left out. */
  tellsAll(): boolean {
    return true
  }

  knowledgeOf(): Knowledge {
    return 'known'
  }
}
