import type { ServerResponse } from 'node:http'

/** Characters that are worth a write of their own. */
const chunkLength = 8_192

/** Sends JSON text that is complete as it is, in one part or several. */
export function sendJson(res: ServerResponse, status: number, ...parts: readonly string[]): void {
  let length = 0
  const chunks: { text: string; encoding: 'latin1' | 'utf8' }[] = []
  for (const text of inChunks(parts)) {
    const bytes = Buffer.byteLength(text)
    length += bytes
    // Of ASCII both are the same bytes; Node sets three times the room aside for UTF-8, and looks at each character.
    chunks.push({ text, encoding: bytes === text.length ? 'latin1' : 'utf8' })
  }
  const last = chunks.pop()
  res.statusCode = status
  res.setHeader('Content-Type', 'application/json')
  res.setHeader('Content-Length', length)
  for (const { text, encoding } of chunks) res.write(text, encoding)
  if (last === undefined) res.end()
  else res.end(last.text, last.encoding)
}

/** Parts of a text that are worth a write each: a write of few characters costs more than joining them. */
function* inChunks(parts: readonly string[]): Generator<string> {
  let chunk = ''
  for (const part of parts) {
    chunk += part
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
