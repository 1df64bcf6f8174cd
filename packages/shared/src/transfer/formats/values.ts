import { isObject } from '../../catalogue/fields-json.ts'
import { type Memory, UnexpectedShape } from './format.ts'
import { isEmpty, type Leftovers } from './leftovers.ts'

/** @throws UnexpectedShape where it is no object */
export function objectAt(value: unknown, place: string): Record<string, unknown> {
  if (!isObject(value)) throw new UnexpectedShape(`${place} is no object`)
  return value
}

/** The objects of a list; none for any other value. */
export const objectsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The metadata of an item, by default empty; what is no object is named in `left`. */
export function metadataOf({ metadata }: Record<string, unknown>, left: Leftovers): Record<string, unknown> {
  if (isObject(metadata)) return metadata
  if (metadata !== undefined && metadata !== null) left.add('metadata that are no object')
  return {}
}

/** A text that is not blank; undefined for any other value. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

export const tooDeep = 'it is nested too deep'

/** Thrown for a value that its field can't have. */
export class WrongValue extends UnexpectedShape {}

/**
 * The memories of one part of a file; when a field of it has a wrong value, in their place one with the fault. So the file is not
 * refused as a whole, and the part can be left out or corrected.
 */
export function* orFault(place: string, make: () => Iterable<Memory>): Generator<Memory> {
  try {
    yield* make()
  } catch (error) {
    // A value to be shown in a message may be nested too deep for that.
    if (!(error instanceof WrongValue || error instanceof RangeError)) throw error
    yield { text: '', fault: error instanceof WrongValue ? error.message : tooDeep, place }
  }
}

/**
 * A name or id, which may be a number. Any other value is refused rather than left out: without its end user, a memory would be
 * everybody's.
 * @param field the name of the field, for messages
 * @throws WrongValue, also for a number of so many digits that readers of JSON round it
 */
export function nameOf(value: unknown, field: string): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return textOf(value)
  if (typeof value !== 'number') throw new WrongValue(`${field}: ${shown(value)} is no name`)
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw new WrongValue(
      'a number that names it has more digits than readers of JSON keep: write it as a string',
    )
  return String(value)
}

const shownChars = 60

const shown = (value: unknown): string => JSON.stringify(value).slice(0, shownChars)

/** Seconds since 1970 until the year 5138: a larger number is taken for milliseconds. */
const secondsMax = 100_000_000_000

/** A smaller number is rather a year (2024) or a day (20240531) than seconds since 1970, as which it would be before April 1973. */
const secondsMin = 100_000_000

/** A day and a time in digits (202405310930), which in milliseconds would be another one. */
const inDigits = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/

/**
 * A time as the API takes it. A number counts seconds or milliseconds since 1970; 0 stands for no time. What is no time is left to
 * the API, which refuses it.
 * @param field the name of the field, for messages
 * @throws WrongValue for a value that is neither text nor number, and for a number that is rather a date written in digits
 */
export function timeOf(value: unknown, field: string): string | undefined {
  if (value === null || value === undefined || value === 0) return undefined
  if (typeof value === 'string') return textOf(value)
  if (typeof value !== 'number') throw new WrongValue(`${field}: ${shown(value)} is no time`)
  if ((value > 0 && value < secondsMin) || inDigits.test(String(value)))
    throw new WrongValue(`${field}: ${value} is no time: a number counts seconds or milliseconds since 1970`)
  const date = new Date(Math.round(Math.abs(value) >= secondsMax ? value : value * 1_000))
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString()
}

/**
 * Metadata made of an item's other fields and of its own metadata. Where both have a field of the same name, that of the metadata
 * stays, and the other is named in `left`.
 * @param of what such items are called, in the plural
 */
export function beside(
  fields: Record<string, unknown>,
  metadata: Record<string, unknown>,
  left: Leftovers,
  of: string,
): Record<string, unknown> {
  const taken = Object.keys(metadata).filter((name) => fields[name] !== metadata[name])
  left.addFields(
    Object.fromEntries(Object.entries(fields).filter(([name]) => taken.includes(name))),
    [],
    `${of} whose metadata have another`,
  )
  return { ...present(fields), ...metadata }
}

/** An object without the members that hold nothing; undefined where none is left. */
export function present(object: Record<string, unknown>): Record<string, unknown> | undefined {
  const members = Object.entries(object).filter(([, value]) => !isEmpty(value))
  return members.length === 0 ? undefined : Object.fromEntries(members)
}
