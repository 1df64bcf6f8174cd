/**
 * An answer that is JSON text already. It is used for vectors, which come from the database as JSON: parsing and writing 3,840
 * numbers again would take longer than the search that found them.
 */
export class JsonText<T> {
  /** The text, in parts that are to be joined. They are not joined here, see `toJsonParts`. */
  readonly parts: readonly string[]
  /** The type of the value that the text represents; only for the type checker. */
  declare readonly stands: T

  constructor(...parts: string[]) {
    this.parts = parts
  }
}

/** An answer that is JSON text, of which each part is produced only when the client has taken the one before. */
export class JsonStream<T> {
  /** The parts that exist already, and those that follow. */
  readonly first: readonly string[]
  readonly rest: AsyncIterable<string>
  declare readonly stands: T

  constructor(first: readonly string[], rest: AsyncIterable<string>) {
    this.first = first
    this.rest = rest
  }
}

/**
 * The JSON text of an answer, in parts. V8 requests new pages of memory from the system for each string of over 100 KB, and again
 * for each copy of it: 2.7 MB took 12 ms to send in one piece, but 3.4 ms in parts of 42 KB.
 */
export function toJsonParts(answer: unknown): readonly string[] {
  return answer instanceof JsonText ? answer.parts : [JSON.stringify(answer)]
}
