/** A number as people read it. */
export const count = (n: number): string => n.toLocaleString('en-US')

export interface Line {
  /** 1 for the first. */
  number: number
  /** Byte offset behind the line and its newline. */
  end: number
  /** The line without its newline; undefined when it is longer than any pattern can be. */
  bytes: Uint8Array | undefined
  /** The part of a file of another product that it was made of, for messages. */
  place?: string
  /** Why it can't be stored, when that part has a fault. */
  fault?: string
}

/** What messages call a line. */
export const placeOf = ({ number, place }: Pick<Line, 'number' | 'place'>): string =>
  place ?? `Line ${count(number)}`

/** Over ten times the longest text, escaped, with the largest metadata. */
const lineBytesMax = 2 * 1024 * 1024

/**
 * Splits a stream into lines and keeps count of bytes, so that reading can go on at a line's `end` later.
 * Memory stays bounded: of a line that is too long only the length is kept.
 */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  from: { offset: number; line: number } = { offset: 0, line: 0 },
): AsyncGenerator<Line> {
  let { offset: end, line: number } = from
  let parts: Uint8Array[] = []
  let length = 0
  const take = (part: Uint8Array) => {
    length += part.length
    if (length <= lineBytesMax) parts.push(part)
    else parts = []
  }
  const finish = (): Line => {
    const bytes = length <= lineBytesMax ? joined(parts, length) : undefined
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

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
