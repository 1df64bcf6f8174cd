/** A file that is imported, wherever it is. */
export interface SourceFile {
  /** Without folders. */
  name: string
  /** Its bytes, or those of a piece of it, as often as they are asked for. */
  read(from?: number, to?: number): AsyncIterable<Uint8Array>
}

/** How a file begins is enough to tell what it is. */
const startBytes = 64 * 1024

/** How a file begins. */
export async function startOf(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of file.read(0, startBytes)) text += decoder.decode(chunk, { stream: true })
  return text
}
