import type { IncomingHttpHeaders } from 'node:http'
import type { Response } from 'express'

/** Matches the elements of a comma-separated list; a comma in a quoted string does not separate. */
const elements = /(?:[^",]|"(?:[^"\\]|\\.)*")+/g
/** Matches name and value of the preference in an element, without its parameters. */
const preference = /^\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?\s*(?:;|$)/

/**
 * Whether a `Prefer` header asks that unknown fields be refused: `handling=strict` (RFC 7240, section 4.4). When it gives
 * `handling` several times, the first one counts.
 */
export function isStrict({ prefer }: IncomingHttpHeaders): boolean {
  // Node joins several `Prefer` headers into one list.
  if (typeof prefer !== 'string') return false
  for (const [element] of prefer.matchAll(elements)) {
    const [, name, quoted, token] = preference.exec(element) ?? []
    if (name?.toLowerCase() !== 'handling') continue
    return (quoted?.replaceAll(/\\(.)/g, '$1') ?? token)?.toLowerCase() === 'strict'
  }
  return false
}

/** Sets the headers that say how unknown fields were handled, and which were ignored. */
export function announceHandling(
  res: Response,
  strict: boolean,
  ignored: readonly string[] | undefined,
): void {
  if (strict) res.setHeader('Preference-Applied', 'handling=strict')
  if (ignored !== undefined) res.setHeader('X-Ignored-Fields', ignored.join(', '))
}
