/**
 * Translates zod's issues into pydantic's wording. The catalogue's fields raise pydantic's faults themselves; this is for
 * everything else: objects, lists, literals, unions, and zod's own strings and numbers.
 */
import {
  expectedValues,
  type Fault,
  faults,
  integerInString,
  numberInString,
} from '@memory/shared/catalogue/fields-faults'
import {
  type Parsed,
  parseEmail,
  parseHttpUrl,
  parseTimestamp,
  parseUuid,
} from '@memory/shared/catalogue/fields-parsing'
import type { z } from 'zod'
import { formatOf, isInteger } from './schema-path.ts'

type Issue = z.core.$ZodIssue
type Schema = z.core.$ZodType | undefined

/** The fault of an issue about one value. Issues about several are taken apart in `detail.ts`. */
export function faultOf(issue: Issue, input: unknown, schema: Schema): Fault {
  switch (issue.code) {
    case 'custom':
      return isFault(issue.params?.fault) ? issue.params.fault : faults.value(issue.message)
    case 'invalid_type':
      return wrongType(issue.expected, input, schema)
    case 'too_small':
      return outOfBounds(lowerBounds, issue.origin, Number(issue.minimum), issue.inclusive, input)
    case 'too_big':
      return outOfBounds(upperBounds, issue.origin, Number(issue.maximum), issue.inclusive, input)
    case 'invalid_value':
      return schema?._zod.def.type === 'enum'
        ? faults.enum(expectedValues(issue.values))
        : faults.literal(expectedValues(issue.values))
    case 'invalid_format':
      return wrongFormat(issue, String(input))
    default:
      return faults.value(issue.message)
  }
}

function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && 'type' in value && 'msg' in value
}

// ---- Types ----

function wrongType(expected: string, input: unknown, schema: Schema): Fault {
  switch (expected) {
    case 'string':
      return wrongString(schema)
    case 'int':
      return faults.intFromFloat
    case 'number':
      return wrongNumber(input, isInteger(schema))
    case 'boolean':
      return typeof input === 'string' || typeof input === 'number' ? faults.boolParsing : faults.boolType
    case 'array':
    case 'tuple':
    case 'set':
      return faults.listType
    case 'record':
    case 'map':
      return faults.dictType
    case 'object':
      return faults.modelType
    case 'null':
      return faults.none
    default:
      return faults.value(`expected ${expected}`)
  }
}

/** The type errors that pydantic's parsers have for these formats. */
const formatTypes: Readonly<Record<string, Fault>> = {
  uuid: faults.uuidType,
  guid: faults.uuidType,
  datetime: faults.datetimeType,
  url: faults.urlType,
}

function wrongString(schema: Schema): Fault {
  return formatTypes[formatOf(schema) ?? ''] ?? faults.stringType
}

function wrongNumber(input: unknown, integer: boolean): Fault {
  if (typeof input === 'number') return faults.finiteNumber
  if (typeof input === 'string') return integer ? integerInString(input) : numberInString(input)
  return integer ? faults.intType : faults.floatType
}

// ---- Bounds ----

interface Bounds {
  readonly string: (n: number) => Fault
  readonly list: (n: number, actual: number) => Fault
  readonly inclusive: (n: number) => Fault
  readonly exclusive: (n: number) => Fault
}

const lowerBounds: Bounds = {
  string: faults.stringTooShort,
  list: faults.tooShort,
  inclusive: faults.greaterThanEqual,
  exclusive: faults.greaterThan,
}

const upperBounds: Bounds = {
  string: faults.stringTooLong,
  list: faults.tooLong,
  inclusive: faults.lessThanEqual,
  exclusive: faults.lessThan,
}

function outOfBounds(bounds: Bounds, origin: string, n: number, inclusive = true, input: unknown): Fault {
  if (origin === 'string') return bounds.string(n)
  if (Array.isArray(input)) return bounds.list(n, input.length)
  return inclusive ? bounds.inclusive(n) : bounds.exclusive(n)
}

// ---- Formats ----

type FormatIssue = Extract<Issue, { code: 'invalid_format' }>

/** The reason that a parser of ours gives; `otherwise` when it accepts the value, which then only zod refuses. */
const reasonOf = (parsed: Parsed<unknown>, otherwise: string): string =>
  'reason' in parsed ? parsed.reason : otherwise

function wrongFormat(issue: FormatIssue, input: string): Fault {
  switch (issue.format) {
    case 'uuid':
    case 'guid':
      return faults.uuidParsing(reasonOf(parseUuid(input), 'invalid version or variant'))
    case 'datetime':
      return faults.datetimeParsing(reasonOf(parseTimestamp(input), 'missing or unexpected offset'))
    case 'email':
      return faults.email(reasonOf(parseEmail(input), 'The email address is not valid.'))
    case 'url':
      return wrongUrl(input)
    case 'regex':
      return faults.stringPattern(String(issue.pattern).replace(/^\/|\/[a-z]*$/g, ''))
    default:
      return faults.value(issue.message)
  }
}

function wrongUrl(input: string): Fault {
  const url = parseHttpUrl(input)
  if ('scheme' in url) return faults.urlScheme("'http' or 'https'")
  return faults.urlParsing(reasonOf(url, 'invalid URL'))
}
