import { JsonStream, JsonText } from '../catalogue/json-text.ts'
import { yieldToEventLoop } from './event-loop.ts'

/** An answer of so many characters is sent whole: it says how long it is. */
const wholeChars = 2 ** 22
/** Whoever else asks waits no longer for a part and the work before it. */
const turnMs = 1

/** An answer that is made in parts, others being answered between them: whole where it is short, else as the client takes it. */
export async function inParts<T>(parts: AsyncIterator<string>): Promise<JsonText<T> | JsonStream<T>> {
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
