import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SourceFile } from '@memory/shared/transfer/source-file'
import { Failure } from './command.ts'

/** Opens a file to be read. @throws Failure that says why it can't be */
export async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (cause) {
    throw new Failure(`${path} can't be read (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}

/** A file of this machine as an import reads it. */
export const sourceFile = (path: string): SourceFile => ({
  name: basename(path),
  async *read(from = 0, to = Number.POSITIVE_INFINITY) {
    const file = await openFile(path)
    // Streams count the last byte among those that are read.
    yield* file.createReadStream({ start: from, end: to - 1 }) as AsyncIterable<Uint8Array>
  },
})
