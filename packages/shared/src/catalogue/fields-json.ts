import { limits } from './limits.ts'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a database or an embedding can't hold: NUL, and half of a surrogate pair. */
export function characterFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character'
  if (!text.isWellFormed()) return 'must not contain a lone surrogate'
  return undefined
}

/**
 * Why an object is over the bounds of metadata, or undefined. Depth counts the object itself as 1, the size
 * is that of its compact JSON in UTF-8. Stops at the first fault, and as soon as the size can't fit.
 */
export function jsonFault(
  object: Record<string, unknown>,
  bytesMax: number = limits.metadataBytes,
  depthMax: number = limits.metadataDepth,
): string | undefined {
  const tooLarge = `must be at most ${bytesMax} bytes of JSON`
  // A lower bound of the size: each value and key takes at least one byte, a string two quotes more.
  let bytes = 0
  const visit = (value: unknown, depth: number): string | undefined => {
    bytes += 1
    if (bytes > bytesMax) return tooLarge
    if (typeof value === 'string') {
      bytes += value.length + 1
      return bytes > bytesMax ? tooLarge : characterFault(value)
    }
    if (typeof value === 'number') return numberFault(value)
    if (value === null || typeof value === 'boolean') return undefined
    if (typeof value !== 'object') return 'must be JSON'
    if (depth > depthMax) return `must not be nested deeper than ${depthMax} levels`
    if (Array.isArray(value)) return firstFault(value, (item) => visit(item, depth + 1))
    return firstFault(
      Object.keys(value),
      (key) => visit(key, depth) ?? visit(Reflect.get(value, key), depth + 1),
    )
  }
  const fault = visit(object, 1)
  if (fault !== undefined) return fault
  return Buffer.byteLength(JSON.stringify(object)) > bytesMax ? tooLarge : undefined
}

function numberFault(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'numbers must be finite'
  // A larger integer has been rounded by the JSON parser already: it would not come back as it was sent. Of 1e20 the parser
  // keeps no more than that it has no fraction.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return 'numbers without a fraction must be within ±(2^53 - 1); send larger ones as strings'
  }
  return undefined
}

function firstFault<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = check(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** What a JSON value becomes by a merge patch (RFC 7396): its fields replace those there, and null removes one. */
export function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch
  const merged: JsonObject = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    const there = Object.hasOwn(merged, name) ? (merged[name] as JsonValue) : null
    if (value === null) delete merged[name]
    else define(merged, name, mergePatch(there, value))
  }
  return merged
}

/** Sets a field. Unlike an assignment, it treats `__proto__` like any other name. */
function define(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}
