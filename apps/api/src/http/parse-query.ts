import querystring, { type ParsedUrlQuery } from 'node:querystring'
import { ValidationError } from '@memory/shared/catalogue/errors'

/** A lone surrogate, which no field takes. */
const notUtf8 = '\ud800'

/**
 * Parses the query of a URL. Bytes that are not UTF-8 make their parameter's value one that every field refuses: Node would
 * replace them by U+FFFD, and the request would find, or forget, memories of another end user than the one meant. A parameter
 * that the operation does not have stays ignored.
 * @throws ValidationError where a name is not UTF-8
 */
export function parseQuery(text: string | null): ParsedUrlQuery {
  const query = querystring.parse(text ?? '', '&', '=', { decodeURIComponent: decode })
  if (Object.keys(query).some((name) => name.includes(notUtf8))) {
    throw ValidationError.rule(['query'], 'must be UTF-8', null)
  }
  return query
}

const decode = (encoded: string): string => (isUtf8(encoded) ? querystring.unescape(encoded) : notUtf8)

const isUtf8 = (encoded: string): boolean =>
  [...encoded.matchAll(/(?:%[\da-f]{2})+/gi)].every(([bytes]) => {
    try {
      decodeURIComponent(bytes)
      return true
    } catch {
      return false
    }
  })
