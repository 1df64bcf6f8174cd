import { isObject } from '../../catalogue/fields-json.ts'
import { UnexpectedShape } from './format.ts'
import type { Leftovers } from './leftovers.ts'

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

/** A name, which may be a number. @throws UnexpectedShape where it is too large a number to have been read as it is */
export function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'number') return textOf(value)
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new UnexpectedShape(`the number ${value} is too large to be kept as it is: write it as a string`)
  return String(value)
}

/** From so many seconds on since 1970, which is in the year 5138, a number is taken for milliseconds. */
const secondsMax = 100_000_000_000

/** A time as the API takes it: a number counts seconds or milliseconds since 1970. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'number') return textOf(value)
  const date = new Date(Math.round(value >= secondsMax ? value : value * 1_000))
  return value <= 0 || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** An object without the members that hold nothing; undefined where none is left. */
export function present(object: Record<string, unknown>): Record<string, unknown> | undefined {
  const members = Object.entries(object).filter(
    ([, value]) => value !== undefined && value !== null && value !== '' && !isEmpty(value),
  )
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
