export interface Line {
  /** 1 for the first. */
  number: number
  /** Byte offset behind the line and its newline. */
  end: number
  /** The line without its newline; undefined when it is longer than any pattern can be. */
  bytes: Buffer | undefined
}

/** Over ten times the longest text, escaped, with the largest metadata. */
const lineBytesMax = 2 * 1024 * 1024

/**
 * Splits a stream into lines and keeps count of bytes, so that reading can go on at a line's `end` later.
 * Memory stays bounded: of a line that is too long only the length is kept.
 */
export async function* readLines(
  source: AsyncIterable<Buffer>,
  from: { offset: number; line: number } = { offset: 0, line: 0 },
): AsyncGenerator<Line> {
  let { offset: end, line: number } = from
  let parts: Buffer[] = []
  let length = 0
  const take = (part: Buffer) => {
    length += part.length
    if (length <= lineBytesMax) parts.push(part)
    else parts = []
  }
  const finish = (): Line => {
    const bytes = length <= lineBytesMax ? Buffer.concat(parts) : undefined
    parts = []
    length = 0
    return { number: ++number, end, bytes }
  }

  for await (const chunk of source) {
    let start = 0
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
      take(chunk.subarray(start, at))
      end += at + 1 - start
      start = at + 1
      yield finish()
    }
    take(chunk.subarray(start))
    end += chunk.length - start
  }
  if (length > 0) yield finish()
}
