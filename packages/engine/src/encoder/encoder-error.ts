/** The encoder cannot be opened or gave an unusable answer. The message is one sentence for the operator. */
export class EncoderError extends Error {
  override readonly name = 'EncoderError'
}
