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

const beginnings: readonly [bytes: readonly number[], fault: string][] = [
  [[0x1f, 0x8b], 'it is compressed by gzip: unpack it first'],
  [[0x50, 0x4b, 0x03, 0x04], 'it is an archive, or a workbook: unpack it, or save its table as “CSV UTF-8”'],
  [[0xff, 0xfe], 'it is not UTF-8 but UTF-16: save it as UTF-8'],
  [[0xfe, 0xff], 'it is not UTF-8 but UTF-16: save it as UTF-8'],
]

/** What a file is in place of a text of UTF-8, where its first bytes tell. */
export async function encodingFaultOf(file: SourceFile): Promise<string | undefined> {
  const start: number[] = []
  for await (const chunk of file.read(0, 4)) start.push(...chunk)
  return beginnings.find(([bytes]) => bytes.every((byte, i) => start[i] === byte))?.[1]
}
