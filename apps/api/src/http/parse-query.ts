import { type ParsedUrlQuery, parse } from 'node:querystring'
import { ValidationError } from '@memory/shared/catalogue/errors'

/**
 * Reads the query of a URL. Node takes U+FFFD for bytes that are no UTF-8: somebody would be found, or forgotten, whom nobody
 * named.
 * @throws ValidationError
 */
export function parseQuery(text: string | null): ParsedUrlQuery {
  for (const [bytes] of (text ?? '').matchAll(/(?:%[\da-f]{2})+/gi)) {
    if (!isUtf8(bytes)) throw ValidationError.rule(['query'], 'must be UTF-8', null)
  }
  return parse(text ?? '')
}

function isUtf8(encoded: string): boolean {
  try {
    decodeURIComponent(encoded)
    return true
  } catch {
    return false
  }
}
