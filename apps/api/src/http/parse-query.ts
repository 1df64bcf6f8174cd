import { type ParsedUrlQuery, parse } from 'node:querystring'
import { ValidationError } from '@memory/shared/catalogue/errors'

/**
 * Parses the query of a URL, refusing bytes that are not UTF-8. Node would replace them by U+FFFD, and the request would find,
 * or forget, memories of another end user than the one meant.
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
