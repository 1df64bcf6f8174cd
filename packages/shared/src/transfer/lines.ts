/** A number as people read it. */
export const count = (n: number): string => n.toLocaleString('en-US')

export interface Line {
  /** 1 for the first. */
  number: number
  /** Byte offset behind the line and its newline. */
  end: number
  /** The line without its newline, a long one with no `versions`; undefined when it is longer than any pattern can be. */
  bytes: Uint8Array | undefined
  /** The part of a file of another product that it was made of, for messages. */
  place?: string
  /** Why it can't be stored, when that part has a fault. */
  fault?: string
}

/** What messages call a line. */
export const placeOf = ({ number, place }: Pick<Line, 'number' | 'place'>): string =>
  place ?? `Line ${count(number)}`

/** Several times the longest text, escaped, with the largest metadata; not what an export tells of before, see `withoutVersions`. */
const lineBytesMax = 2 * 1024 * 1024

/**
 * Splits a stream into lines and keeps count of bytes, so that reading can go on at a line's `end` later.
 * Memory stays bounded: a line that is too long is kept without its `versions`, and if it still is, not at all.
 */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  from: { offset: number; line: number } = { offset: 0, line: 0 },
): AsyncGenerator<Line> {
  let { offset: end, line: number } = from
  let parts: Uint8Array[] = []
  let length = 0
  let shorten: ((part: Uint8Array) => Uint8Array) | undefined
  const keep = (part: Uint8Array) => {
    length += part.length
    if (part.length > 0 && length <= lineBytesMax) parts.push(part)
  }
  const take = (part: Uint8Array) => {
    if (shorten === undefined && length + part.length > lineBytesMax) {
      shorten = withoutVersions()
      const whole = parts
      parts = []
      length = 0
      for (const each of whole) keep(shorten(each))
    }
    if (length <= lineBytesMax) keep(shorten?.(part) ?? part)
    if (length > lineBytesMax) parts = []
  }
  const finish = (): Line => {
    const bytes = length <= lineBytesMax ? joined(parts, length) : undefined
    parts = []
    length = 0
    shorten = undefined
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

const utf8 = new TextEncoder()
const [quote, backslash, brace, bracket, braceEnd, bracketEnd] = utf8.encode('"\\{[}]')
const versions = utf8.encode('"versions":[')

/**
 * Leaves out of a JSON object, piece by piece, what its list `versions` holds: all that a memory was before, which in an export may be
 * longer than all else, and which an import does not store.
 */
function withoutVersions(): (part: Uint8Array) => Uint8Array {
  let [depth, isString, isEscaped, isWithin] = [0, false, false, false]
  // How much of `versions` ends here.
  let found = 0
  return (part) => {
    const kept = new Uint8Array(part.length)
    let length = 0
    for (const byte of part) {
      const isQuote = byte === quote && !isEscaped
      isEscaped = isString && !isEscaped && byte === backslash
      if (isQuote) isString = !isString
      else if (!isString && (byte === brace || byte === bracket)) depth++
      else if (!isString && (byte === braceEnd || byte === bracketEnd)) depth--
      isWithin &&= depth > 1
      if (isWithin) continue
      kept[length++] = byte
      const isSpace = !isString && byte <= 0x20
      if (isSpace) continue
      if (found > 0 && byte === versions[found]) found++
      else found = isQuote ? 1 : 0
      isWithin = found === versions.length && depth === 2
    }
    return kept.slice(0, length)
  }
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
