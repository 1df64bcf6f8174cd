/**
 * The fields that the request schemas of all operations are made of. Each refuses in pydantic's words
 * (`fields-faults.ts`), never coerces a body value, and shows its bounds in OpenAPI.
 *
 * A field is a zod schema, so `.optional()`, `.nullable()`, `.default()`, `.meta()` work on all of them.
 */
import { z } from 'zod'
import { ValidationError } from './errors.ts'
import { expectedValues, type Fault, faults, integerInString, numberInString } from './fields-faults.ts'
import { characterFault, isObject, type JsonObject, jsonFault } from './fields-json.ts'
import {
  decodeHeader,
  parseBoolean,
  parseEmail,
  parseHttpUrl,
  parseInteger,
  parseNumber,
  parseTimestamp,
  parseUuid,
} from './fields-parsing.ts'
import { type Filter, parseFilter } from './filter.ts'
import { isInvisible } from './invisible.ts'
import { limits } from './limits.ts'
import { normalizePassword } from './normalize-password.ts'

export type { JsonObject } from './fields-json.ts'

/** Either the value to go on with, or what is wrong with the input. */
type Reading<T> = { readonly value: T } | { readonly fault: Fault } | { readonly at: readonly FaultAt[] }
/** A fault of a part of the value. */
type FaultAt = { readonly path: PropertyKey[]; readonly fault: Fault; readonly input: unknown }

type Description = NonNullable<Parameters<z.ZodType['meta']>[0]>

/**
 * A schema whose one check reads the value and says what is wrong. zod's own checks can't: they count UTF-16
 * units, report several issues for one value, and forget in the issue what type was expected.
 */
function field<Output, Input = Output>(
  read: (input: unknown) => Reading<Output>,
  description: Description,
): z.ZodType<Output, Input> {
  const schema = z.unknown().check((payload) => {
    const input = payload.value
    if (input === undefined) {
      payload.issues.push({ code: 'invalid_type', expected: 'nonoptional', input, path: [] })
      return
    }
    const reading = read(input)
    if ('value' in reading) payload.value = reading.value
    else if ('fault' in reading) payload.issues.push(issue(reading.fault, input))
    else for (const { path, fault, input } of reading.at) payload.issues.push(issue(fault, input, path))
  })
  return schema.meta(description) as unknown as z.ZodType<Output, Input>
}

const issue = (fault: Fault, input: unknown, path: PropertyKey[] = []) =>
  ({ code: 'custom', message: fault.msg, params: { fault }, input, path }) as const

const refuse = (fault: Fault) => ({ fault })
const accept = <T>(value: T) => ({ value })

// ---- Strings ----

/** Whether `text` has at least `count` code points. Looks at no more of a long text than it has to. */
export function hasCodePoints(text: string, count: number): boolean {
  // A code point takes one or two units, so most texts are decided by their length alone.
  if (text.length < count) return false
  if (text.length >= 2 * count) return true
  let points = 0
  for (const _ of text) if (++points >= count) return true
  return points >= count
}

function readString(input: unknown, min: number, max: number, blank: boolean): Reading<string> {
  if (typeof input !== 'string') return refuse(faults.stringType)
  if ((!blank && min > 0 && isInvisible(input)) || !hasCodePoints(input, min))
    return refuse(faults.stringTooShort(min))
  if (hasCodePoints(input, max + 1)) return refuse(faults.stringTooLong(max))
  const character = characterFault(input)
  return character === undefined ? accept(input) : refuse(faults.value(`text ${character}`))
}

/** As `readString`, for each item of a list. */
function readStrings(input: readonly unknown[], min: number, max: number, blank: boolean): Reading<string[]> {
  const at = input.flatMap((each, i) => {
    const read = readString(each, min, max, blank)
    return 'fault' in read ? [{ path: [i], fault: read.fault, input: each }] : []
  })
  return at.length > 0 ? { at } : accept(input as string[])
}

const stringDescription = (min: number, max: number): Description => ({
  type: 'string',
  ...(min > 0 && { minLength: min }),
  ...(Number.isFinite(max) && { maxLength: max }),
})

/**
 * Text for people: `min` to `max` Unicode code points, without NUL and lone surrogates. White space and other
 * invisible characters alone are too short. The value is as sent, not trimmed. Its normal form is bounded too, since it may be
 * a query.
 */
export function text(min: number, max: number): z.ZodType<string> {
  return field(
    (input) => {
      const reading = readString(input, min, max, false)
      return 'value' in reading && isFormLonger(reading.value, limits.queryFormChars)
        ? refuse(
            faults.value(`text must have at most ${limits.queryFormChars} characters in normal form (NFKC)`),
          )
        : reading
    },
    stringDescription(min, max),
  )
}

/** A text to encode that is no query, of up to `limits.textChars`. Its normal form needs no bound: the time to encode it has one. */
export function longText(): z.ZodType<string> {
  const [min, max] = [1, limits.textChars]
  return field((input) => readString(input, min, max, false), stringDescription(min, max))
}

/** The most characters that one character becomes in NFKC. */
const formCharsMax = 18

const isFormLonger = (text: string, max: number): boolean =>
  text.length * formCharsMax > max && hasCodePoints(text.normalize('NFKC'), max + 1)

/** Optional text for people, of up to `max` code points. An invisible one, such as forms send for an empty field, is null. */
export function optionalText(max: number): z.ZodType<string | null | undefined> {
  return field<string | null>(
    (input) => {
      const reading = readString(input, 0, max, true)
      return 'value' in reading && isInvisible(reading.value) ? accept(null) : reading
    },
    stringDescription(0, max),
  )
    .nullable()
    .optional()
}

/** A string of `min` to `max` code points, not all invisible, by which something is named. */
export function visibleString(min: number, max: number): z.ZodType<string> {
  return field((input) => readString(input, min, max, false), stringDescription(min, max))
}

/** A string of `min` to `max` code points that may be white space: passwords, tokens, ids. */
export function plainString(min = 0, max = Number.POSITIVE_INFINITY): z.ZodType<string> {
  return field((input) => readString(input, min, max, true), stringDescription(min, max))
}

/** A password of at least `min` code points in NFKC, which is also the form of the value. */
export function password(min: number): z.ZodType<string> {
  return field(
    (input) =>
      readString(
        typeof input === 'string' ? normalizePassword(input) : input,
        min,
        Number.POSITIVE_INFINITY,
        true,
      ),
    stringDescription(min, Number.POSITIVE_INFINITY),
  )
}

/** A string that matches `pattern`, with pydantic's message about it. */
export function matching(pattern: RegExp, max = 255): z.ZodType<string> {
  return field(
    (input) => {
      const reading = readString(input, 0, max, true)
      if (!('value' in reading)) return reading
      return pattern.test(reading.value) ? reading : refuse(faults.stringPattern(pattern.source))
    },
    { type: 'string', pattern: pattern.source },
  )
}

/** One of `values`. */
export function choice<const Value extends string>(values: readonly Value[]): z.ZodType<Value> {
  return field((input) => readChoice(input, values), { type: 'string', enum: [...values] })
}

function readChoice<Value extends string>(input: unknown, values: readonly Value[]): Reading<Value> {
  const value = values.find((each) => each === input)
  return value === undefined ? refuse(faults.enum(expectedValues(values))) : accept(value)
}

/** An email address of at most 254 bytes; the value is the one name of its mailbox, as `parseEmail` says. */
export function email(): z.ZodType<string> {
  return field(
    (input) => {
      if (typeof input !== 'string') return refuse(faults.stringType)
      const email = parseEmail(input)
      return 'value' in email ? email : refuse(faults.email(email.reason))
    },
    { type: 'string', format: 'email', maxLength: 254 },
  )
}

/** An absolute http or https URL. What it points at is for the caller to check. */
export function httpUrl(max = 2_083): z.ZodType<string> {
  return field(
    (input) => {
      if (typeof input !== 'string') return refuse(faults.urlType)
      if (input.length > max) return refuse(faults.urlTooLong(max))
      const url = parseHttpUrl(input)
      if ('value' in url) return url
      return refuse('scheme' in url ? faults.urlScheme("'http' or 'https'") : faults.urlParsing(url.reason))
    },
    { type: 'string', format: 'uri', minLength: 1, maxLength: max },
  )
}

/** A UUID of any version, for bodies, paths and queries; the value is lower-case and hyphenated. */
export function uuid(): z.ZodType<string> {
  return field(
    (input) => {
      if (typeof input !== 'string') return refuse(faults.uuidType)
      const uuid = parseUuid(input)
      return 'value' in uuid ? uuid : refuse(faults.uuidParsing(uuid.reason))
    },
    { type: 'string', format: 'uuid' },
  )
}

// ---- Numbers and booleans in JSON bodies: never coerced ----

const boundsDescription = (min: number, max: number): Description => ({
  ...(Number.isFinite(min) && { minimum: min }),
  ...(Number.isFinite(max) && max < Number.MAX_SAFE_INTEGER && { maximum: max }),
})

function inBounds(value: number, min: number, max: number): Reading<number> {
  // pydantic looks at the upper bound first.
  if (value > max) return refuse(faults.lessThanEqual(max))
  if (value < min) return refuse(faults.greaterThanEqual(min))
  return accept(value)
}

/** A whole JSON number from `min` to `max`; 2.0 is 2, "2" and true are none. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): z.ZodType<number> {
  return field(
    (input) => {
      if (typeof input === 'string') return refuse(integerInString(input))
      if (typeof input !== 'number') return refuse(faults.intType)
      if (!Number.isFinite(input)) return refuse(faults.finiteNumber)
      if (!Number.isInteger(input)) return refuse(faults.intFromFloat)
      return inBounds(input, min, max)
    },
    { type: 'integer', ...boundsDescription(min, max) },
  )
}

/** A finite JSON number from `min` to `max`. */
export function number(
  min: number = Number.NEGATIVE_INFINITY,
  max: number = Number.POSITIVE_INFINITY,
): z.ZodType<number> {
  return field(
    (input) => {
      const fault = numberFault(input)
      return fault === undefined ? inBounds(input as number, min, max) : refuse(fault)
    },
    { type: 'number', ...boundsDescription(min, max) },
  )
}

function numberFault(input: unknown): Fault | undefined {
  if (typeof input === 'string') return numberInString(input)
  if (typeof input !== 'number') return faults.floatType
  return Number.isFinite(input) ? undefined : faults.finiteNumber
}

/** A JSON boolean; "true" and 1 are none. */
export function boolean(): z.ZodType<boolean> {
  return field(
    (input) => {
      if (typeof input === 'boolean') return accept(input)
      return refuse(
        typeof input === 'string' || typeof input === 'number' ? faults.boolParsing : faults.boolType,
      )
    },
    { type: 'boolean' },
  )
}

// ---- Query, path and header values: strings, read as pydantic reads them ----

/** A field of a query or path, optional when it has a default. A repeated parameter arrives as a list and is refused. */
function parameter<Output>(
  read: (input: string) => Reading<Output>,
  wrongType: Fault,
  description: Description,
  fallback: Output | undefined,
): z.ZodType<Output, string | undefined> {
  const schema = field<Output, string | undefined>(
    (input) => (typeof input === 'string' ? read(input) : refuse(wrongType)),
    description,
  )
  // zod types `default` by what is not undefined of a type it doesn't know here.
  return fallback === undefined ? schema : schema.default(fallback as z.util.NoUndefined<Output>)
}

/**
 * An integer in a query or a path. Without bounds any integer passes, rounded beyond 2^53, so that an
 * index no pattern can have is a 404 and not a 422.
 */
export function queryInteger(
  min: number = Number.NEGATIVE_INFINITY,
  max: number = Number.POSITIVE_INFINITY,
  fallback?: number,
): z.ZodType<number, string | undefined> {
  return parameter(
    (input) => {
      const value = parseInteger(input)
      if (typeof value === 'number') return inBounds(value, min, max)
      return refuse(value === 'too_long' ? faults.intParsingSize : faults.intParsing)
    },
    faults.intType,
    { type: 'integer', ...boundsDescription(min, max) },
    fallback,
  )
}

/** A number in a query. */
export function queryNumber(
  min: number = Number.NEGATIVE_INFINITY,
  max: number = Number.POSITIVE_INFINITY,
  fallback?: number,
): z.ZodType<number, string | undefined> {
  return parameter(
    (input) => {
      const value = parseNumber(input)
      if (value === undefined) return refuse(faults.floatParsing)
      return Number.isFinite(value) ? inBounds(value, min, max) : refuse(faults.finiteNumber)
    },
    faults.floatType,
    { type: 'number', ...boundsDescription(min, max) },
    fallback,
  )
}

/** A boolean in a query: true, false, 1, 0, yes, no, on, off, t, f, y, n in any case. */
export function queryBoolean(fallback?: boolean): z.ZodType<boolean, string | undefined> {
  return parameter(
    (input) => {
      const value = parseBoolean(input)
      return value === undefined ? refuse(faults.boolParsing) : accept(value)
    },
    faults.boolType,
    { type: 'boolean' },
    fallback,
  )
}

/** A string in a query or path. */
export function queryString(
  min = 0,
  max = Number.POSITIVE_INFINITY,
  fallback?: string,
): z.ZodType<string, string | undefined> {
  return parameter(
    (input) => readString(input, min, max, true),
    faults.stringType,
    stringDescription(min, max),
    fallback,
  )
}

/** As `visibleString`, in a query. */
export function queryVisibleString(min: number, max: number): z.ZodType<string, string | undefined> {
  return parameter(
    (input) => readString(input, min, max, false),
    faults.stringType,
    stringDescription(min, max),
    undefined,
  )
}

/** A string in a header, of UTF-8. */
export function headerString(min = 0, max = Number.POSITIVE_INFINITY): z.ZodType<string, string | undefined> {
  return parameter(
    (input) => readString(decodeHeader(input), min, max, true),
    faults.stringType,
    stringDescription(min, max),
    undefined,
  )
}

/** One of `values` in a query. */
export function queryEnum<const Value extends string>(
  values: readonly Value[],
  fallback?: NoInfer<Value>,
): z.ZodType<Value, string | undefined> {
  return parameter<Value>(
    (input) => readChoice(input, values),
    faults.enum(expectedValues(values)),
    { type: 'string', enum: [...values] },
    fallback,
  )
}

// ---- Time ----

const readTimestamp = (input: unknown): Reading<Date> => {
  if (typeof input !== 'string') return refuse(faults.datetimeType)
  const timestamp = parseTimestamp(input)
  return 'value' in timestamp ? timestamp : refuse(faults.datetimeParsing(timestamp.reason))
}

/** An ISO 8601 date and time, UTC when it has no offset; a date alone is its midnight. The value is a `Date`. */
export function timestamp(): z.ZodType<Date, string> {
  return field(readTimestamp, { type: 'string', format: 'date-time' })
}

/** As `timestamp`, in a query. */
export function queryTimestamp(): z.ZodType<Date, string | undefined> {
  return parameter(readTimestamp, faults.datetimeType, { type: 'string', format: 'date-time' }, undefined)
}

/** Refuses with 422 a moment that is not later than `now`. Schemas have no clock, so services call this. */
export function requireFuture(
  at: Date | null | undefined,
  now: Date,
  loc: (string | number)[] = ['body', 'expires_at'],
): void {
  if (at != null && at <= now) throw ValidationError.rule(loc, 'must be in the future')
}

// ---- JSON objects ----

const openObject = { type: 'object', additionalProperties: true } as const
const orNull = (description: Description): Description => ({ anyOf: [description, { type: 'null' }] })

/**
 * Metadata: a JSON object, or null. At most 16 KiB as compact UTF-8 JSON, 8 levels deep with the object
 * itself as the first, no NUL or lone surrogate in keys and strings, integers within ±(2^53 - 1).
 */
export function metadata(): z.ZodType<JsonObject | null> {
  return field<JsonObject | null>(
    (input) => (input === null ? accept(null) : readObject(input, 'metadata')),
    orNull(openObject),
  )
}

/** A merge patch of metadata (RFC 7396): an object, within the bounds of metadata. */
export function metadataPatch(): z.ZodType<JsonObject> {
  return field((input) => readObject(input, 'patch'), openObject)
}

/** What chose the patterns of an erasure, or null: a JSON object that may hold a whole filter, and lists of ids. */
export function selector(): z.ZodType<JsonObject | null> {
  const depth = limits.filterJsonDepth + 1
  return field<JsonObject | null>(
    (input) => (input === null ? accept(null) : readObject(input, 'selector', limits.selectorBytes, depth)),
    orNull(openObject),
  )
}

/** @param name in messages */
function readObject(
  input: unknown,
  name: string,
  bytesMax: number = limits.metadataBytes,
  depthMax: number = limits.metadataDepth,
): Reading<JsonObject> {
  if (!isObject(input)) return refuse(faults.dictType)
  const fault = jsonFault(input, bytesMax, depthMax)
  return fault === undefined ? accept(input as JsonObject) : refuse(faults.value(`${name} ${fault}`))
}

/** A filter, read by `parseFilter`. Absent, null and empty are all undefined. */
export function filter(): z.ZodType<Filter | undefined, JsonObject | null | undefined> {
  return field<Filter | undefined>(
    (input) => (input === null ? accept(undefined) : readFilter(input, false)),
    orNull(openObject),
  ).optional() as z.ZodType<Filter | undefined, JsonObject | null | undefined>
}

/**
 * A filter of what is to be removed. Null, which may stand for an end user who was not found, is refused: without a filter more
 * would be removed. An empty one says nothing of patterns and so is true of all; operations refuse it.
 */
export function removalFilter(): z.ZodType<Filter | undefined, JsonObject | undefined> {
  return field<Filter | undefined>(
    (input) =>
      input === null
        ? refuse(faults.value('a filter of null selects nothing; leave it out'))
        : readFilter(input, true),
    openObject,
  ).optional() as z.ZodType<Filter | undefined, JsonObject | undefined>
}

/** A filter in a query, as JSON. */
export function queryFilter(): z.ZodType<Filter | undefined, string | undefined> {
  return parameter<Filter | undefined>(
    (input) => {
      let json: unknown
      try {
        json = JSON.parse(input)
      } catch {
        return refuse(faults.value('filter must be a JSON object'))
      }
      return readFilter(json, false)
    },
    faults.stringType,
    { type: 'string' },
    undefined,
  ).optional()
}

function readFilter(input: unknown, keepEmpty: boolean): Reading<Filter | undefined> {
  const reading = readObject(input, 'filter', limits.filterBytes, limits.filterJsonDepth)
  if (!('value' in reading)) return reading
  if (Object.keys(reading.value).length === 0 && !keepEmpty) return accept(undefined)
  const read = parseFilter(reading.value)
  if ('filter' in read) return accept(read.filter)
  const { path, message } = read.fault
  return { at: [{ path, fault: faults.value(`filter ${message}`), input: partOf(input, path) }] }
}

const partOf = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((part, key) => (part as Record<PropertyKey, unknown>)[key], value)

/**
 * The name of an end user, for operations that store something as theirs. `.` and `..` are refused: URLs resolve them away, so
 * what is stored under them could not be read or erased by a path; so is a name that nobody sees. Operations that read or erase take
 * any name.
 */
export function subjectName(): z.ZodType<string> {
  return field(
    (input) => {
      const reading = readString(input, 1, limits.subjectChars, false)
      return 'value' in reading && /^\.{1,2}$/.test(reading.value)
        ? refuse(faults.value('subject must not be . or .., which no URL can name'))
        : reading
    },
    stringDescription(1, limits.subjectChars),
  )
}

/** The most names of end users in one selector. */
const subjectsMax = 100

/** Whose patterns are meant: those of one end user, of any of several, or (null) of no end user. */
export function subjects(): z.ZodType<string | readonly string[] | null | undefined> {
  const name = stringDescription(1, limits.subjectChars)
  return field<string | readonly string[] | null>(
    (input) => {
      if (input === null) return accept(null)
      if (!Array.isArray(input)) return readString(input, 1, limits.subjectChars, true)
      if (input.length === 0 || input.length > subjectsMax) {
        return refuse(faults.value(`subject must be a name, 1 to ${subjectsMax} names, or null`))
      }
      return readStrings(input, 1, limits.subjectChars, true)
    },
    { anyOf: [name, { type: 'array', items: name, minItems: 1, maxItems: subjectsMax }, { type: 'null' }] },
  ).optional() as z.ZodType<string | readonly string[] | null | undefined>
}

/** One text for people, of `min` to `max` code points, or a list of 1 to `count` of them. */
export function textOrTexts(min: number, max: number, count: number): z.ZodType<string | readonly string[]> {
  const one = stringDescription(min, max)
  return field<string | readonly string[]>(
    (input) => {
      if (!Array.isArray(input)) return readString(input, min, max, false)
      if (input.length === 0) return refuse(faults.tooShort(1, 0))
      if (input.length > count) return refuse(faults.tooLong(count, input.length))
      return readStrings(input, min, max, false)
    },
    { anyOf: [one, { type: 'array', items: one, minItems: 1, maxItems: count }] },
  )
}

// ---- Lists ----

/** The most faults of one list that are reported. */
const listFaults = 100

/**
 * A vector: 1 to `maxDim` finite numbers that float32 can hold, not all zero when `nonZero`. The value is a
 * `Float32Array`, rounded as it will be stored.
 */
export function vector(
  maxDim: number = limits.vectorDimensions,
  options: { nonZero?: boolean } = {},
): z.ZodType<Float32Array, number[]> {
  return field<Float32Array, number[]>((input) => readVector(input, maxDim, options.nonZero ?? false), {
    type: 'array',
    items: { type: 'number' },
    minItems: 1,
    maxItems: maxDim,
  })
}

function readVector(input: unknown, maxDim: number, nonZero: boolean): Reading<Float32Array> {
  if (input instanceof Float32Array) return checkVector(input, maxDim, nonZero)
  if (!Array.isArray(input)) return refuse(faults.listType)
  const length = input.length
  if (length === 0) return refuse(faults.tooShort(1, 0))
  if (length > maxDim) return refuse(faults.tooLong(maxDim, length))
  const vector = new Float32Array(length)
  let zero = true
  for (let index = 0; index < length; index++) {
    const element: unknown = input[index]
    if (typeof element !== 'number') return { at: vectorFaults(input) }
    vector[index] = element
    const rounded = vector[index] as number
    // Also false for NaN, and for what became infinite in float32.
    if (!(Math.abs(rounded) <= 3.5e38)) return { at: vectorFaults(input) }
    // Keys are compared byte by byte, so there is one zero only.
    if (rounded === 0) vector[index] = 0
    else zero = false
  }
  if (zero && nonZero) return refuse(faults.value('vector must not be all zero'))
  return accept(vector)
}

/** Numbers that were read as float32 already, all finite. */
function checkVector(vector: Float32Array, maxDim: number, nonZero: boolean): Reading<Float32Array> {
  if (vector.length > maxDim) return refuse(faults.tooLong(maxDim, vector.length))
  let zero = true
  for (let index = 0; index < vector.length; index++) {
    if (vector[index] === 0) vector[index] = 0
    else zero = false
  }
  return zero && nonZero ? refuse(faults.value('vector must not be all zero')) : accept(vector)
}

function vectorFaults(input: readonly unknown[]): FaultAt[] {
  const found: FaultAt[] = []
  for (const [index, element] of input.entries()) {
    const fault =
      numberFault(element) ??
      (Number.isFinite(Math.fround(element as number)) ? undefined : faults.value('number is beyond float32'))
    if (fault !== undefined) found.push({ path: [index], fault, input: element })
    if (found.length === listFaults) break
  }
  return found
}

/**
 * A list of `min` to `max` items. Its length is checked before any item is looked at, so that a body of a
 * million items is refused at the cost of one comparison; plain `z.array().max()` would parse them all. After `listFaults` faults
 * no further item is looked at.
 */
export function list<Item extends z.ZodType>(
  item: Item,
  min: number,
  max: number,
): z.ZodPreprocess<z.ZodArray<Item>> {
  const items = z.array(item).min(min).max(max)
  const parseAll = items._zod.parse
  items._zod.parse = (payload, context) => {
    const { value, issues } = payload
    if (!Array.isArray(value)) return parseAll(payload, context)
    const parsed: unknown[] = []
    for (const [index, each] of value.entries()) {
      const result = item._zod.run({ value: each, issues: [] }, context)
      // Only checks that wait for something make promises, and fields have none.
      if (result instanceof Promise) return parseAll(payload, context)
      issues.push(...z.core.util.prefixIssues(index, result.issues))
      if (issues.length >= listFaults) break
      parsed.push(result.value)
    }
    payload.value = parsed as typeof payload.value
    return payload
  }
  return z.preprocess((input, context) => {
    if (Array.isArray(input) && input.length > max) {
      context.addIssue(issue(faults.tooLong(max, input.length), input))
      return z.NEVER
    }
    return input
  }, items)
}
