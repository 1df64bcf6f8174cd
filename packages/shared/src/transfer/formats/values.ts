import { isObject } from '../../catalogue/fields-json.ts'
import { type Memory, UnexpectedShape } from './format.ts'
import { isEmpty, type Leftovers } from './leftovers.ts'

/** @throws UnexpectedShape where it is no object */
export function objectAt(value: unknown, place: string): Record<string, unknown> {
  if (!isObject(value)) throw new UnexpectedShape(`${place} is no object`)
  return value
}

/** The objects of a list; of what is none, nothing. */
export const objectsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The metadata of an item that has some; what is no object is named. */
export function metadataOf({ metadata }: Record<string, unknown>, left: Leftovers): Record<string, unknown> {
  if (isObject(metadata)) return metadata
  if (metadata !== undefined && metadata !== null) left.add('metadata that are no object')
  return {}
}

/** A text with something in it. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** A value of a field that can't be what the field is. */
export class WrongValue extends UnexpectedShape {}

/**
 * What one part of a file comes to, or in its place why it can't be stored, where a field of it has a wrong value: then that
 * part is left out or corrected, and the others of its file are not refused with it.
 */
export function* orFault(place: string, make: () => Iterable<Memory>): Generator<Memory> {
  try {
    yield* make()
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    yield { text: '', fault: error.message, place }
  }
}

/**
 * A name, which may be a number. What is neither is refused rather than left out: nobody's memories are everybody's.
 * @param field that has it @throws WrongValue also for a number that readers of JSON round, beyond about 16 digits
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

/** From so many seconds on since 1970, which is in the year 5138, a number is taken for milliseconds. */
const secondsMax = 100_000_000_000

/**
 * A time as the API takes it: a number counts seconds or milliseconds since 1970, and 0 says nothing. What is too large for a
 * time is left to the API, which refuses it. @param field that has it @throws WrongValue where it is neither text nor number
 */
export function timeOf(value: unknown, field: string): string | undefined {
  if (value === null || value === undefined || value === 0) return undefined
  if (typeof value === 'string') return textOf(value)
  if (typeof value !== 'number') throw new WrongValue(`${field}: ${shown(value)} is no time`)
  const date = new Date(Math.round(Math.abs(value) >= secondsMax ? value : value * 1_000))
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString()
}

/**
 * What an item says of itself, where it says something, and its own metadata as they are. Where these have a field of the
 * name, that stays, and what would have taken its place is named. @param of what has it
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
