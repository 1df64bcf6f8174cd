/** A JSON text without its long arrays of numbers. */
export interface Split {
  /** The text with `[1e999,i]` in place of array i, which no other number of the text reads like. */
  rest: string
  /** The numbers of all these arrays. */
  values: Float32Array
  /** Where each array ends in `values`. */
  ends: Uint32Array
}

export type SplitVectors = (text: Uint8Array, least: number) => Split | null

/** Arrays deeper than this stay as they are. */
const depthMax = 128

/** Whether an array may become a vector, by the fields and places that lead to it from the outermost value. */
export type IsVectorPlace = (path: readonly string[]) => boolean

/** Reads a UTF-8 text. @throws SyntaxError */
export type ParseJson = (text: Uint8Array) => unknown

/**
 * `JSON.parse` of a UTF-8 text in which arrays of at least `least` numbers, all finite in float32, become Float32Arrays
 * where `isVectorPlace` allows it.
 * @param split takes these arrays out first, natively: `JSON.parse` makes a number of each element before it is rounded
 * @param parse reads the text, or what is left of it without these arrays, which is nested as deeply
 * @throws SyntaxError as `parse` of the whole text does
 */
export function parseVectors(
  text: Uint8Array,
  least: number,
  isVectorPlace: IsVectorPlace,
  split?: SplitVectors,
  parse: ParseJson = parsePlainly,
): unknown {
  return joinVectors(text, least, isVectorPlace, split?.(text, least) ?? null, parse)
}

/**
 * `parseVectors` of a text that was split before.
 * @param found null where the text could not be split
 */
export function joinVectors(
  text: Uint8Array,
  least: number,
  isVectorPlace: IsVectorPlace,
  found: Split | null,
  parse: ParseJson = parsePlainly,
): unknown {
  const inWhole = () =>
    replaceArrays(parse(text), (array, path) => (isVectorPlace(path) ? toVector(array, least) : undefined))
  if (found === null) return inWhole()
  const { rest, values, ends } = found
  let isElsewhere = false
  const replaced = replaceArrays(parseRest(rest, parse) ?? parse(text), (array, path) => {
    if (array[0] !== Number.POSITIVE_INFINITY) return undefined
    isElsewhere ||= !isVectorPlace(path)
    const number = array[1] as number
    return values.subarray(number === 0 ? 0 : ends[number - 1], ends[number])
  })
  // Numbers that were taken out at another place are not for float32 to keep.
  return isElsewhere ? inWhole() : replaced
}

function parsePlainly(text: Uint8Array): unknown {
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'))
}

/** Undefined for a text that is not JSON: the message should show the whole text's place. */
function parseRest(rest: string, parse: ParseJson): unknown {
  try {
    return parse(Buffer.from(rest))
  } catch {
    return undefined
  }
}

function toVector(array: readonly unknown[], least: number): Float32Array | undefined {
  const fits = (value: unknown) => typeof value === 'number' && Number.isFinite(Math.fround(value))
  return array.length >= least && array.every(fits) ? Float32Array.from(array as number[]) : undefined
}

function replaceArrays(
  value: unknown,
  vectorOf: (array: readonly unknown[], path: readonly string[]) => Float32Array | undefined,
  path: string[] = [],
): unknown {
  if (typeof value !== 'object' || value === null || path.length > depthMax) return value
  if (Array.isArray(value)) {
    const vector = path.length < depthMax ? vectorOf(value, path) : undefined
    if (vector !== undefined) return vector
  }
  // Keys of a list are made for what may hold a vector alone: a list of many strings would have as many.
  const children: Iterable<[string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value)
  for (const [key, child] of children) {
    if (typeof child !== 'object') continue
    path.push(String(key))
    const replaced = replaceArrays(child, vectorOf, path)
    path.pop()
    // Not by assignment, which would make a field of the name __proto__ the prototype.
    if (replaced !== child)
      Object.defineProperty(value, key, {
        value: replaced,
        writable: true,
        enumerable: true,
        configurable: true,
      })
  }
  return value
}
