/** A file that is imported, wherever it is. */
export interface SourceFile {
  /** Without folders. */
  name: string
  /** Its bytes from `from` up to, but without, `to`. May be called several times. */
  read(from?: number, to?: number): AsyncIterable<Uint8Array>
}

/** Enough of a file to recognize its format. */
const startBytes = 64 * 1024

/** The first 64 KiB of a file, as text. */
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

/** Why a file can't be text in UTF-8, by its first bytes; undefined when it may be. */
export async function encodingFaultOf(file: SourceFile): Promise<string | undefined> {
  const start: number[] = []
  for await (const chunk of file.read(0, 4)) start.push(...chunk)
  return beginnings.find(([bytes]) => bytes.every((byte, i) => start[i] === byte))?.[1]
}
