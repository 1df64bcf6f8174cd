import { JsonStream, JsonText } from '../catalogue/json-text.ts'
import { beginLongAnswer } from './asker.ts'
import { yieldToEventLoop } from './event-loop.ts'

/** An answer of up to this many characters is sent whole, with its Content-Length. */
const wholeChars = 2 ** 22
/** Other requests get a turn after this long. */
const turnMs = 1

/**
 * An answer that is produced in parts, with other requests answered in between. A short one is collected and sent whole; a long
 * one is streamed as the client takes it.
 */
export async function inParts<T>(parts: AsyncIterator<string>): Promise<JsonText<T> | JsonStream<T>> {
  await beginLongAnswer()
  const first: string[] = []
  for (let chars = 0; chars < wholeChars; ) {
    const { value, done } = await parts.next()
    if (done) return new JsonText(...first)
    first.push(value)
    chars += value.length
    await yieldToEventLoop(turnMs)
  }
  return new JsonStream(first, { [Symbol.asyncIterator]: () => parts })
}
