import type { IncomingHttpHeaders } from 'node:http'
import type { Response } from 'express'

/** Elements of a list, with the commas that stand in quoted strings. */
const elements = /(?:[^",]|"(?:[^"\\]|\\.)*")+/g
/** The preference of an element, before its parameters. */
const preference = /^\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?\s*(?:;|$)/

/**
 * Whether a `Prefer` header asks that unknown fields be refused (RFC 7240, section 4.4). Of several values of
 * `handling` the first counts.
 */
export function isStrict({ prefer }: IncomingHttpHeaders): boolean {
  // Node makes one list of several headers.
  if (typeof prefer !== 'string') return false
  for (const [element] of prefer.matchAll(elements)) {
    const [, name, quoted, token] = preference.exec(element) ?? []
    if (name?.toLowerCase() !== 'handling') continue
    return (quoted?.replaceAll(/\\(.)/g, '$1') ?? token)?.toLowerCase() === 'strict'
  }
  return false
}

/** Says in an answer what became of unknown fields. */
export function announceHandling(
  res: Response,
  strict: boolean,
  ignored: readonly string[] | undefined,
): void {
  if (strict) res.setHeader('Preference-Applied', 'handling=strict')
  if (ignored !== undefined) res.setHeader('X-Ignored-Fields', ignored.join(', '))
}
