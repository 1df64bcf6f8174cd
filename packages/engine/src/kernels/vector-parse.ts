/** A JSON text without its long arrays of numbers. */
export interface Split {
  /** The text with `[1e999,i]` in place of array i, which no other number of the text reads like. */
  rest: string
  /** The numbers of all these arrays. */
  values: Float32Array
  /** Where each array ends in `values`. */
  ends: Uint32Array
}

/** Arrays within more levels than this stay arrays. */
const depthMax = 128

/** Whether an array may become a vector, by the fields and places that lead to it from the outermost value. */
export type IsVectorPlace = (path: readonly string[]) => boolean

export interface ParseOptions {
  /** Arrays of fewer numbers stay arrays. */
  least: number
  isVectorPlace: IsVectorPlace
  /**
   * Reads JSON in UTF-8, `JSON.parse` unless given: the whole text, or what is left of it without its long arrays, which is
   * nested as deeply.
   * @throws SyntaxError
   */
  parse?: (text: Uint8Array) => unknown
  /** Lets others have a turn, in a text of many values. */
  turn?: () => Promise<void>
}

/** Values of a list that are looked through in one turn. */
const valuesATurn = 64

/**
 * `JSON.parse` of a UTF-8 text in which arrays of at least `least` numbers, all finite in float32, become Float32Arrays
 * where `isVectorPlace` allows it.
 * @param found the text without these arrays, since `JSON.parse` makes a number of each of their elements. Null where it could not
 *   be split, or nobody tried
 * @throws SyntaxError as `parse` of the whole text does
 */
export async function parseVectors(
  text: Uint8Array,
  found: Split | null,
  { least, isVectorPlace, parse = parsePlainly, turn = async () => {} }: ParseOptions,
): Promise<unknown> {
  const inWhole = async () =>
    replaceInTurns(await parse(text), turn, (array, path) =>
      isVectorPlace(path) ? toVector(array, least) : undefined,
    )
  if (found === null) return inWhole()
  const { rest, values, ends } = found
  const parsed = await parseRest(rest, parse)
  if (parsed === undefined) return inWhole()
  if (ends.length === 0) return parsed
  let isElsewhere = false
  const replaced = await replaceInTurns(parsed, turn, (array, path) => {
    if (array[0] !== Number.POSITIVE_INFINITY) return undefined
    isElsewhere ||= !isVectorPlace(path)
    const number = array[1] as number
    return values.subarray(number === 0 ? 0 : ends[number - 1], ends[number])
  })
  // An array that is no vector was taken out too, and float32 has rounded its numbers.
  return isElsewhere ? inWhole() : replaced
}

function parsePlainly(text: Uint8Array): unknown {
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'))
}

/** Undefined where the rest is not JSON. The whole text is then parsed, so that the error tells the place in it. */
async function parseRest(rest: string, parse: (text: Uint8Array) => unknown): Promise<unknown> {
  try {
    return await parse(Buffer.from(rest))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function toVector(array: readonly unknown[], least: number): Float32Array | undefined {
  const fits = (value: unknown) => typeof value === 'number' && Number.isFinite(Math.fround(value))
  return array.length >= least && array.every(fits) ? Float32Array.from(array as number[]) : undefined
}

/** The vector that an array becomes; undefined where it stays an array. */
type VectorOf = (array: readonly unknown[], path: readonly string[]) => Float32Array | undefined

/** `replaceArrays` with turns for others between the values of lists in the outermost value, as batches have them. */
async function replaceInTurns(
  value: unknown,
  turn: () => Promise<void>,
  vectorOf: VectorOf,
): Promise<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return replaceArrays(value, vectorOf)
  for (const [key, child] of Object.entries(value)) {
    const vector = Array.isArray(child) ? vectorOf(child, [key]) : undefined
    if (vector !== undefined || !Array.isArray(child)) {
      setField(value, key, vector ?? replaceArrays(child, vectorOf, [key]))
      continue
    }
    for (let i = 0; i < child.length; i++) {
      if (typeof child[i] !== 'object') continue
      if (i % valuesATurn === 0) await turn()
      child[i] = replaceArrays(child[i], vectorOf, [key, String(i)])
    }
  }
  return value
}

function replaceArrays(value: unknown, vectorOf: VectorOf, path: string[] = []): unknown {
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
    if (replaced !== child) setField(value, key, replaced)
  }
  return value
}

/** Sets a field as JSON does: by assignment one of the name __proto__ would become the prototype. */
export function setField(of: object, key: string | number, value: unknown): void {
  Object.defineProperty(of, key, { value, writable: true, enumerable: true, configurable: true })
}
