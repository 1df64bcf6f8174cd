/** Deeper values are the service's to refuse; objects that hold themselves are JSON.stringify's. */
const depthMax = 100

/**
 * Refuses a body that JSON would change without a word: it leaves undefined out, and makes null of NaN, `{}` of a Map or
 * a promise. A search whose filter or subject lost its user that way would find everybody's memories, and a store would make them
 * nobody's. Optional fields may be undefined, but for `filter` and `subject`, and for every field of what removes by its fields.
 * Nor is `filter` null, or any such field: what a form or a database does not have is null, and the service takes that for
 * left out. `subject: null` is what is of nobody.
 * @param removes whether each field left out removes more
 * @throws TypeError that names the place: `filter.user is undefined`
 */
export function requireSendable(input: unknown, removes = false): void {
  if (input !== undefined) visit(input, '', removes, false, 0, true)
}

/** Refuses an input that was lost on the way. @throws TypeError */
export function requireInput(input: unknown): void {
  if (input == null) refuse('', String(input))
}

/** Where a body, or an item of a list in it, says what it is about. */
const filterPlace = /^(?:(?:items|patterns|queries)\[\d+\]\.)?filter$/
const subjectPlace = /^(?:(?:items|patterns|queries)\[\d+\]\.)?subject$/

/**
 * Refuses half a character (a lone surrogate), which UTF-8 does not have: URLs and headers would name another in its place,
 * U+FFFD. In a body it stays what it is, and is the service's to refuse.
 * @throws TypeError
 */
export function requireWhole(text: string, place: string): void {
  if (halfCharacter.test(text)) throw new TypeError(`${place} has half a character (a lone surrogate)`)
}

/** What a u-flag finds of surrogates are those without the other one. */
export const halfCharacter = /\p{Surrogate}/u

/** The same of a query, where null would be sent as a word, and a list as one text; a filter is sent as JSON. @throws TypeError */
export function requireSendableQuery(query: object): void {
  for (const [name, value] of Object.entries(query)) {
    const isSelector = name === 'filter' || name === 'subject'
    if (value === null || (isSelector && value === undefined)) refuse(name, String(value))
    if (isSelector && value === '') refuse(name, 'empty')
    if (name === 'filter') visit(value, name, true, true, 1, true)
    else if (typeof value === 'object') refuse(name, `no single value (${nameOf(value)})`)
    if (typeof value === 'function' || typeof value === 'symbol') refuse(name, `a ${typeof value}`)
    if (typeof value === 'string') requireWhole(value, name)
  }
}

function visit(
  given: unknown,
  place: string,
  isWhole: boolean,
  inFilter: boolean,
  depth: number,
  isNeverNull = false,
): void {
  const value = asJson(given, place)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse(place, String(value))
  } else if (Array.isArray(value)) {
    if (depth === depthMax) return
    // Vectors are long: numbers are looked at here.
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i]
      if (typeof item === 'number' && Number.isFinite(item)) continue
      if (item === undefined) refuse(`${place}[${i}]`, 'undefined')
      visit(item, `${place}[${i}]`, inFilter, inFilter, depth + 1)
    }
  } else if (typeof value === 'object' && value !== null) {
    if (!isPlain(value) && (inFilter || tagOf(value) !== 'Object')) {
      refuse(place, `no plain object (${nameOf(value)})`)
    }
    if (depth === depthMax) return
    for (const [name, item] of Object.entries(value)) {
      const at = place === '' ? name : `${place}.${name}`
      const selects = inFilter || filterPlace.test(at)
      if (item === undefined) {
        if (selects || isWhole || subjectPlace.test(at)) refuse(at, 'undefined')
      } else if (item === '' && subjectPlace.test(at)) refuse(at, 'empty')
      else {
        const removes = isWhole && !inFilter
        const isNeverNull = filterPlace.test(at) || (removes && !subjectPlace.test(at))
        visit(item, at, selects, selects, depth + 1, isNeverNull)
      }
    }
  } else if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    refuse(place, `a ${typeof value}`)
  } else if (value === undefined || (value === null && isNeverNull)) {
    refuse(place, String(value))
  }
}

/** What `jsonOf` goes on with. */
export function asJson(value: unknown, place: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date && Number.isNaN(value.getTime())) refuse(place, 'an invalid date')
  const { toJSON } = value as { toJSON?: unknown }
  return listed(typeof toJSON === 'function' ? toJSON.call(value, '') : value)
}

/** What was found sendable as JSON. */
export const jsonOf = (value: unknown): string => JSON.stringify(value, (_, each: unknown) => listed(each))

/** Numbers in a typed array, such as an embedding, as a list: JSON would make an object of them. */
const listed = (value: unknown): unknown =>
  ArrayBuffer.isView(value) && numbersTag.test(tagOf(value)) ? Array.from(value as Float64Array) : value

/** Those of 64-bit integers hold bigints, which JSON does not have. */
const numbersTag = /^(?!Big).+Array$/

/** An object as literals make it, in whatever realm: nothing of it is inherited or hidden. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** What a value is, of whatever realm: `Map`, `Undefined`. */
export const tagOf = (value: unknown): string =>
  Object.prototype.toString.call(value).slice('[object '.length, -1)

function nameOf(value: object): string {
  const tag = tagOf(value)
  return tag === 'Object' ? value.constructor.name : tag
}

function refuse(place: string, what: string): never {
  throw new TypeError(`${place === '' ? 'The input' : place} is ${what}`)
}
