import { RefusedError } from './options.ts'

/** A text of 10,000 characters with its metadata takes less than a tenth. */
export const bodyBytesMax = 1024 * 1024

export const bodyErrors = {
  type: () => new RefusedError(400, 'Content-Type must be application/json'),
  json: () => new RefusedError(400, 'Invalid JSON body'),
  depth: () => new RefusedError(400, 'The JSON body is nested too deep'),
  size: () => new RefusedError(413, 'Request body too large'),
}

/** As deep as the service reads. */
const depthMax = 64

/**
 * The fields of a body; of one that is no object none, which the service says are missing.
 * @throws RefusedError for what JSON can say and can not be sent on
 */
export function fieldsOf(body: unknown): Record<string, unknown> {
  requireSendable(body, ['body'])
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Record<string, unknown>)
    : {}
}

/** Refuses 1e999, which is read as Infinity, and what is nested too deep. */
function requireSendable(value: unknown, loc: readonly (string | number)[]): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const msg = 'Input should be a finite number'
    throw new RefusedError(422, [{ type: 'finite_number', loc, msg, input: null }])
  }
  if (typeof value !== 'object' || value === null) return
  if (loc.length > depthMax) throw bodyErrors.depth()
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [name, item] of entries) requireSendable(item, [...loc, name])
}

/** @throws RefusedError for another type than JSON, whose text is UTF-8 whatever the type says of that */
export function requireJsonType(type: string | null | undefined): void {
  if (!/^application\/json\s*(;|$)/i.test(type ?? '')) throw bodyErrors.type()
}

/** What a JSON text says; undefined of an empty one. @throws RefusedError */
export function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw bodyErrors.json()
  }
}

/** Reads JSON of limited size. @throws RefusedError */
export async function readJson(request: Request): Promise<unknown> {
  requireJsonType(request.headers.get('content-type'))
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const reader = request.body?.getReader()
  for (;;) {
    const chunk = await reader?.read()
    if (chunk === undefined || chunk.done) break
    bytes += chunk.value.length
    if (bytes > bodyBytesMax) {
      await reader?.cancel()
      throw bodyErrors.size()
    }
    text += decoder.decode(chunk.value, { stream: true })
  }
  return parseJson(text + decoder.decode())
}
