import { parseInteger, parseNumber } from './fields-parsing.ts'

/**
 * What a value can do wrong, in pydantic's own words (pydantic 2.14), so that a client written against
 * FastAPI reads our answers without a change. The one table of types, messages and contexts: the fields
 * raise these faults, and the HTTP layer turns zod's own issues into the same ones.
 */
export interface Fault {
  readonly type: string
  readonly msg: string
  readonly ctx?: Readonly<Record<string, unknown>>
}

const fault = (type: string, msg: string, ctx?: Record<string, unknown>): Fault =>
  ctx === undefined ? { type, msg } : { type, msg, ctx }

/** A fault whose reason ends the message and stands in `ctx.error`, as pydantic reports its parsers. */
const reasoned = (type: string, expectation: string, error: string): Fault =>
  fault(type, `${expectation}, ${error}`, { error })

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

export const faults = {
  missing: fault('missing', 'Field required'),

  stringType: fault('string_type', 'Input should be a valid string'),
  stringTooShort: (min: number): Fault =>
    fault('string_too_short', `String should have at least ${count(min, 'character')}`, { min_length: min }),
  stringTooLong: (max: number): Fault =>
    fault('string_too_long', `String should have at most ${count(max, 'character')}`, { max_length: max }),
  stringPattern: (pattern: string): Fault =>
    fault('string_pattern_mismatch', `String should match pattern '${pattern}'`, { pattern }),

  intType: fault('int_type', 'Input should be a valid integer'),
  intParsing: fault('int_parsing', 'Input should be a valid integer, unable to parse string as an integer'),
  intParsingSize: fault(
    'int_parsing_size',
    'Unable to parse input string as an integer, exceeded maximum size',
  ),
  intFromFloat: fault(
    'int_from_float',
    'Input should be a valid integer, got a number with a fractional part',
  ),
  floatType: fault('float_type', 'Input should be a valid number'),
  floatParsing: fault('float_parsing', 'Input should be a valid number, unable to parse string as a number'),
  finiteNumber: fault('finite_number', 'Input should be a finite number'),
  greaterThanEqual: (ge: number): Fault =>
    fault('greater_than_equal', `Input should be greater than or equal to ${ge}`, { ge }),
  greaterThan: (gt: number): Fault => fault('greater_than', `Input should be greater than ${gt}`, { gt }),
  lessThanEqual: (le: number): Fault =>
    fault('less_than_equal', `Input should be less than or equal to ${le}`, { le }),
  lessThan: (lt: number): Fault => fault('less_than', `Input should be less than ${lt}`, { lt }),

  boolType: fault('bool_type', 'Input should be a valid boolean'),
  boolParsing: fault('bool_parsing', 'Input should be a valid boolean, unable to interpret input'),

  listType: fault('list_type', 'Input should be a valid list'),
  tooShort: (min: number, actual: number): Fault =>
    fault('too_short', `List should have at least ${count(min, 'item')} after validation, not ${actual}`, {
      field_type: 'List',
      min_length: min,
      actual_length: actual,
    }),
  tooLong: (max: number, actual: number): Fault =>
    fault('too_long', `List should have at most ${count(max, 'item')} after validation, not ${actual}`, {
      field_type: 'List',
      max_length: max,
      actual_length: actual,
    }),
  dictType: fault('dict_type', 'Input should be a valid dictionary'),
  modelType: fault(
    'model_attributes_type',
    'Input should be a valid dictionary or object to extract fields from',
  ),
  extraForbidden: fault('extra_forbidden', 'Extra inputs are not permitted'),
  /** @param place of the field that selects; undefined where the operation has none */
  selectorForbidden: (place: string | undefined): Fault =>
    fault(
      'extra_forbidden',
      place === undefined
        ? 'Extra inputs are not permitted: nothing is selected by it, and the operation has no `filter`'
        : `Extra inputs are not permitted: select by metadata with \`${place}\``,
    ),

  asOfForbidden: fault(
    'extra_forbidden',
    'Extra inputs are not permitted: it answers of now alone, and has no `as_of`',
  ),

  literal: (expected: string): Fault => fault('literal_error', `Input should be ${expected}`, { expected }),
  enum: (expected: string): Fault => fault('enum', `Input should be ${expected}`, { expected }),
  none: fault('none_required', 'Input should be None'),

  uuidType: fault('uuid_type', 'UUID input should be a string, bytes or UUID object'),
  uuidParsing: (reason: string): Fault => reasoned('uuid_parsing', 'Input should be a valid UUID', reason),
  datetimeType: fault('datetime_type', 'Input should be a valid datetime'),
  datetimeParsing: (reason: string): Fault =>
    reasoned('datetime_from_date_parsing', 'Input should be a valid datetime or date', reason),
  urlType: fault('url_type', 'URL input should be a string or URL'),
  urlParsing: (reason: string): Fault => reasoned('url_parsing', 'Input should be a valid URL', reason),
  urlTooLong: (max: number): Fault =>
    fault('url_too_long', `URL should have at most ${count(max, 'character')}`, { max_length: max }),
  urlScheme: (expected: string): Fault =>
    fault('url_scheme', `URL scheme should be ${expected}`, { expected_schemes: expected }),
  email: (reason: string): Fault =>
    fault('value_error', `value is not a valid email address: ${reason}`, { reason }),

  /** What a validator of our own says; FastAPI puts an empty object where the Python exception was. */
  value: (message: string): Fault => fault('value_error', `Value error, ${message}`, { error: {} }),
} as const

/** `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`: a list of accepted values as pydantic writes it. */
export function expectedValues(values: readonly unknown[]): string {
  const quoted = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
  const last = quoted.pop() ?? ''
  return quoted.length > 0 ? `${quoted.join(', ')} or ${last}` : last
}

/**
 * A string where a body should have an integer. Bodies are not coerced, so one that reads as an integer is of the
 * wrong type: that it could not be parsed would mislead.
 */
export const integerInString = (text: string): Fault =>
  typeof parseInteger(text) === 'number' ? faults.intType : faults.intParsing

/** A string where a body should have a number: of the wrong type when it reads as one, else not to be parsed. */
export const numberInString = (text: string): Fault =>
  parseNumber(text) === undefined ? faults.floatParsing : faults.floatType
