import { RefusedError } from './options.ts'

/** A text of 10,000 characters with its metadata takes less than a tenth. */
export const bodyBytesMax = 1024 * 1024

export const bodyErrors = {
  type: () => new RefusedError(400, 'Content-Type must be application/json'),
  json: () => new RefusedError(400, 'Invalid JSON body'),
  size: () => new RefusedError(413, 'Request body too large'),
}

/** The fields of a body; of one that is no object none, which the service says are missing. */
export function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Record<string, unknown>)
    : {}
}

/** Reads JSON of limited size. @throws RefusedError */
export async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) throw bodyErrors.type()
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
  try {
    return JSON.parse(text + decoder.decode())
  } catch {
    throw bodyErrors.json()
  }
}
