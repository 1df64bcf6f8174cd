/** Text to the token ids of one model. */
export interface Tokenizer {
  /** Which implementation this is: the light one, or the general library. */
  readonly kind: 'unigram' | 'library'
  /** How many special tokens `encode` puts in front of the text's own ids. */
  readonly prefixLength: number
  /** How many special tokens `encode` puts behind the text's own ids. */
  readonly suffixLength: number
  /** Ids with special tokens, never cut. */
  encode(text: string): Int32Array
}
