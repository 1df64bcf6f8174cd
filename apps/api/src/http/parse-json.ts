import { setField } from '@memory/engine/kernels/vector-parse'
import { ApiError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'

/** Longer texts are parsed in pieces of about this length, each of which takes a millisecond or two. */
export const longBytes = 2 ** 18
/** A number takes a sixteenth of the memory that an object takes. */
const numbersForOne = 16

export interface JsonBounds {
  /**
   * The most strings (names of fields among them), objects, lists, booleans and nulls of a long text; numbers count for a
   * sixteenth. Three bytes of text may take a hundred in memory.
   */
  valuesMax: number
  /** Length of the pieces, in bytes; tests make them short. */
  pieceBytes?: number
}

/**
 * `JSON.parse` of UTF-8 bytes. Others have turns while a long text is parsed.
 * @throws SyntaxError for what is not JSON, or nested deeper than `limits.jsonDepth`; ApiError body_too_large over the bounds
 */
export async function parseJson(text: Uint8Array, bounds: JsonBounds): Promise<unknown> {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  const piece = bounds.pieceBytes ?? longBytes
  if (bytes.length <= piece) {
    if (isDeeperThan(bytes, limits.jsonDepth)) throw tooDeep()
    return JSON.parse(bytes.toString('utf8'))
  }
  const long = await new LongText(bytes, bounds.valuesMax, piece).findParts()
  if (long === undefined) return JSON.parse(bytes.toString('utf8'))
  if (!isBlank(bytes, 0, long.from) || !isBlank(bytes, long.to, bytes.length))
    throw new SyntaxError('more than a value')
  return parseParts(bytes, long)
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openList = 0x5b
const openObject = 0x7b
const closeList = 0x5d
const closeObject = 0x7d
// The first letters of true, false and null.
const letterT = 0x74
const letterF = 0x66
const letterN = 0x6e
const tooDeep = () => new SyntaxError('nested too deeply')

/** A list or object that is longer than a piece: its bytes, from its opening to behind its closing bracket, and its parts. */
interface LongValue {
  isObject: boolean
  from: number
  to: number
  parts: Part[]
}

/** Bytes within a long list or object: some of its items or members, without the commas around them. */
interface Part {
  from: number
  to: number
  /** A long value that follows the bytes, which then are only its name and colon, or nothing in a list. */
  inner?: LongValue
}

/** A list or object that is open where the text is being read. */
interface Frame {
  isObject: boolean
  from: number
  /** Where the part begins that is being read, and its last item. */
  partFrom: number
  itemFrom: number
  /** Whether the last item was long, which makes it a part of its own. */
  isAfterLong: boolean
  parts: Part[]
}

/** Finds where a long text can be taken apart, and how much it holds, before anything is made of it. */
class LongText {
  readonly #bytes: Buffer
  readonly #valuesMax: number
  readonly #pieceBytes: number
  readonly #open: Frame[] = []
  #values = 0
  #commas = 0
  #outermost: LongValue | undefined

  constructor(bytes: Buffer, valuesMax: number, piece: number) {
    this.#bytes = bytes
    this.#valuesMax = valuesMax
    this.#pieceBytes = piece
  }

  /** @returns the outermost value; undefined when nothing in the text can be divided, so that it has to be parsed at once */
  async findParts(): Promise<LongValue | undefined> {
    const bytes = this.#bytes
    let turnAt = 0
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]
      if (byte === quote) {
        i = endOfString(bytes, i)
        this.#values++
      } else if (byte === comma) this.#separate(i)
      else if (byte === openObject || byte === openList) this.#begin(i, byte === openObject)
      else if (byte === closeObject || byte === closeList) this.#end(i, byte === closeObject)
      else if (byte === letterT || byte === letterF || byte === letterN) this.#values++
      if (i < turnAt) continue
      turnAt = i + this.#pieceBytes
      this.#checkValues()
      await yieldToEventLoop()
    }
    this.#checkValues()
    if (this.#open.length > 0) throw new SyntaxError('ends too early')
    return this.#outermost
  }

  #checkValues(): void {
    if (this.#values + this.#commas / numbersForOne <= this.#valuesMax) return
    throw new ApiError('body_too_large', {
      detail: `Request body holds too many values: at most ${this.#valuesMax}, of which ${numbersForOne} numbers count as one`,
    })
  }

  #begin(at: number, isObject: boolean): void {
    if (this.#open.length === limits.jsonDepth) throw tooDeep()
    this.#values++
    this.#open.push({
      isObject,
      from: at,
      partFrom: at + 1,
      itemFrom: at + 1,
      isAfterLong: false,
      parts: [],
    })
  }

  #separate(at: number): void {
    this.#commas++
    const frame = this.#open.at(-1)
    if (frame === undefined) throw new SyntaxError('a comma between values')
    if (frame.isAfterLong || at - frame.partFrom >= this.#pieceBytes) this.#endPart(frame, at)
    frame.itemFrom = at + 1
  }

  #end(at: number, isObject: boolean): void {
    const frame = this.#open.pop()
    if (frame?.isObject !== isObject) throw new SyntaxError('a bracket that closes nothing')
    if (frame.parts.length === 0) return
    this.#endPart(frame, at)
    const long = { isObject, from: frame.from, to: at + 1, parts: frame.parts }
    const around = this.#open.at(-1)
    if (around === undefined) {
      this.#outermost = long
      return
    }
    if (around.itemFrom > around.partFrom) this.#endPart(around, around.itemFrom - 1)
    around.parts.push({ from: around.itemFrom, to: frame.from, inner: long })
    around.partFrom = at + 1
    around.isAfterLong = true
  }

  /** Ends the part that is being read at a comma or closing bracket. */
  #endPart(frame: Frame, at: number): void {
    if (!frame.isAfterLong) frame.parts.push({ from: frame.partFrom, to: at })
    else if (!isBlank(this.#bytes, frame.partFrom, at)) throw new SyntaxError('two values without a comma')
    frame.isAfterLong = false
    frame.partFrom = at + 1
  }
}

/** Parses a long list or object part by part. */
async function parseParts(bytes: Buffer, { isObject, parts }: LongValue): Promise<unknown> {
  const list: unknown[] = []
  const object = {}
  for (const { from, to, inner } of parts) {
    const text = bytes.toString('utf8', from, to)
    if (isObject) {
      const members = Object.entries(JSON.parse(inner === undefined ? `{${text}}` : `{${text}null}`))
      if (members.length === 0) throw new SyntaxError('a comma before nothing')
      for (const [name, value] of members) {
        setField(object, name, inner === undefined ? value : await parseParts(bytes, inner))
      }
    } else if (inner !== undefined) {
      if (!isBlank(bytes, from, to)) throw new SyntaxError('two values without a comma')
      list.push(await parseParts(bytes, inner))
    } else {
      const items = JSON.parse(`[${text}]`)
      if (items.length === 0) throw new SyntaxError('a comma before nothing')
      for (const item of items) list.push(item)
    }
    await yieldToEventLoop()
  }
  return isObject ? object : list
}

/** The index of the quotation mark that ends a string; the text's length where none does. */
function endOfString(bytes: Buffer, begin: number): number {
  let i = begin + 1
  for (; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++
  return i
}

/** Whether there is only JSON's white space between two places. */
function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const byte = bytes[i]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return false
  }
  return true
}

/** Whether arrays and objects are nested deeper than `depthMax`. */
function isDeeperThan(bytes: Buffer, depthMax: number): boolean {
  // Most bodies have no more opening brackets than `depthMax` in all, and counting them is much faster.
  if (count(bytes, openList, depthMax) + count(bytes, openObject, depthMax) <= depthMax) return false
  let depth = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === quote) i = endOfString(bytes, i)
    else if (byte === openList || byte === openObject) {
      if (++depth > depthMax) return true
    } else if (byte === closeList || byte === closeObject) depth--
  }
  return false
}

/** How often a byte occurs; stops counting at `enough` + 1. */
function count(bytes: Buffer, byte: number, enough: number): number {
  let found = 0
  for (let at = bytes.indexOf(byte); at !== -1 && found <= enough; at = bytes.indexOf(byte, at + 1)) found++
  return found
}
