/** Splits texts into the token ids of one model. */
export interface Tokenizer {
  /** Which implementation this is: our own (`UnigramTokenizer`), or the general library. */
  readonly kind: 'unigram' | 'library'
  /** How many special tokens `encode` puts in front of the text's own ids. */
  readonly prefixLength: number
  /** How many special tokens `encode` puts behind the text's own ids. */
  readonly suffixLength: number
  /** The characters that it knows, one after the other; undefined: it doesn't say. */
  readonly characters: string | undefined
  /** Ids with special tokens, never cut. */
  encode(text: string): Int32Array
  /**
   * Whether the ids of a text tell it from every other one, but for how its white space is written. False when they hold
   * an unknown character, or when characters were folded into others or dropped.
   */
  tellsAll(text: string, ids: Int32Array): boolean
  /** What becomes of a character, which may be several code points: of an emoji, of a letter with its marks. */
  knowledgeOf(character: string): Knowledge
}

/**
 * What the vocabulary knows of a character: `known`, its token ids are its own; `folded`, they are those of other
 * characters; `unknown`, it has none.
 */
export type Knowledge = 'known' | 'folded' | 'unknown'
