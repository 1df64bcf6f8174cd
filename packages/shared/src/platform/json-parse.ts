import { randomUUID } from 'node:crypto'

/** As the engine has it. */
const parse = JSON.parse

/**
 * Makes `JSON.parse` of this thread right where the engine's is not: V8 13.6 to 14.6 at least (nodejs/node issue 63785) takes a
 * name that is written with escapes for one that it has read at the same place of another object, if the escapes begin as that one
 * is spelt. After {"a": 1, "pr\\u00": 2} it reads {"a": 1, "pr\u00e9nom": 2} as if both had the same names. Objects of all
 * callers and of every library count, so anybody could change what others send: Python's json writes all but ASCII so.
 */
export function mendJsonParse(): void {
  if (!isRight()) JSON.parse = parseMended
}

/** Whether the thread's `JSON.parse` reads names as they are written. */
export function isRight(): boolean {
  JSON.parse('{"h":[],"\\\\":0}')
  return '"' in JSON.parse('{"h":1,"\\"":2}')
}

type Reviver = Parameters<typeof JSON.parse>[1]

/** Begins the names that stand for others while a text is parsed: no text has it, since nobody can know it. */
const mark = `${randomUUID()} `

/** `JSON.parse`. A reviver is not told how a value is written if a name of the text has an escape. */
export function parseMended(text: string, reviver?: Reviver): unknown {
  // Others than strings are turned into them, as JSON.parse does.
  const json = String(text)
  const names = json.includes('\\') ? escapedNames(json) : []
  if (names.length === 0) return parse(json, reviver)
  // What is not JSON is refused by where it stands in the text as it was given.
  parse(json)
  const { value, spelt } = withoutEscapes(json, names)
  const holder = { '': parse(value) }
  rename(holder, spelt)
  return reviver === undefined ? holder[''] : revive(holder, '', reviver)
}

/** Where a string stands in a text: from its opening quotation mark to behind its closing one. */
interface Span {
  from: number
  to: number
}

/** The names of fields that are written with an escape, in order; some of them where the text is no JSON. */
function escapedNames(json: string): Span[] {
  const names: Span[] = []
  let backslash = -1
  for (let from = json.indexOf('"'); from !== -1; ) {
    const end = endOfString(json, from)
    if (end === -1) return names
    if (backslash < from) backslash = json.indexOf('\\', from)
    if (backslash === -1) return names
    if (backslash < end && isName(json, end + 1)) names.push({ from, to: end + 1 })
    from = json.indexOf('"', end + 1)
  }
  return names
}

/** Position of a string's closing quotation mark; -1 without one. */
function endOfString(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); ; end = json.indexOf('"', end + 1)) {
    if (end === -1) return -1
    let start = end
    while (json[start - 1] === '\\') start--
    // One after an even number of backslashes, each two of which are one in the string.
    if ((end - start) % 2 === 0) return end
  }
}

/** Whether the string that ends before a position is the name of a field. */
function isName(json: string, after: number): boolean {
  let at = after
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++
  return json[at] === ':'
}

/** The text with others in place of some names, and the names by those. */
function withoutEscapes(json: string, names: readonly Span[]): { value: string; spelt: Map<string, string> } {
  const pieces: string[] = []
  const spelt = new Map<string, string>()
  let at = 0
  for (const { from, to } of names) {
    const other = `${mark}${spelt.size}`
    spelt.set(other, parse(json.slice(from, to)))
    pieces.push(json.slice(at, from), `"${other}"`)
    at = to
  }
  return { value: [...pieces, json.slice(at)].join(''), spelt }
}

/** Gives the fields of all objects within a value their own names, in the order in which they were written. */
function rename(holder: object, spelt: ReadonlyMap<string, string>): void {
  /** Every list and object, each behind what it lies in. */
  const within: { holder: object; key: string; value: object }[] = []
  const look = (holder: object) => {
    for (const [key, value] of Object.entries(holder))
      if (typeof value === 'object' && value !== null) within.push({ holder, key, value })
  }
  look(holder)
  for (let i = 0; i < within.length; i++) look((within[i] as { value: object }).value)
  for (const { holder, key, value } of within.reverse()) {
    if (Array.isArray(value) || !Object.keys(value).some((name) => spelt.has(name))) continue
    const named = Object.fromEntries(
      Object.entries(value).map(([name, one]) => [spelt.get(name) ?? name, one]),
    )
    Object.defineProperty(holder, key, { value: named })
  }
}

/** What a reviver makes of a value and all within it (ECMA-262, InternalizeJSONProperty). */
function revive(holder: object, key: string, reviver: NonNullable<Reviver>): unknown {
  const value: unknown = Reflect.get(holder, key)
  if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      const revived = revive(value, name, reviver)
      if (revived === undefined) Reflect.deleteProperty(value, name)
      else Object.defineProperty(value, name, { value: revived })
    }
  }
  return reviver.call(holder, key, value)
}
