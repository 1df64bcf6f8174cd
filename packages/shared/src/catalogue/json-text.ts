/**
 * An answer that is JSON text already. Vectors come out of the database as JSON, and writing 3,840 numbers anew takes
 * longer than finding them.
 */
export class JsonText<T> {
  readonly text: string
  /** What the text stands for; only for the type checker. */
  declare readonly stands: T

  constructor(text: string) {
    this.text = text
  }
}

/** The JSON text of an answer. */
export function toJsonText(answer: unknown): string {
  return answer instanceof JsonText ? answer.text : JSON.stringify(answer)
}
